#!/usr/bin/env bash
# The same as eppa.sh with MPICH, and its library libeppa-mpich.so.
# SPDX-License-Identifier: BSD-3-Clause
MPI=mpich
. "$SOURCE_DIR/tests/eppa/eppa.sh"
