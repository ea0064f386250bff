# MPI for tests: to be sourced. It is Open MPI, or MPICH with MPI=mpich, whichever of them mpicc and mpirun otherwise are. Ranks share the
# cores with other tests, so they are bound to none and yield while they wait; to look for networks would take longer than most of the
# programs run.
# SPDX-License-Identifier: BSD-3-Clause
PATH=$BUILD_DIR/tests/${MPI:=openmpi}:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none # Open MPI 5
export MPIR_CVAR_POLLS_BEFORE_YIELD=1 UCX_TLS=self,sm
