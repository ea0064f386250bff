! Calls MPI from places that it knows; rank 0 prints a line "FILE:LINE FUNCTION CALLS" for each, with the calls of all
! ranks. Between it and MPI is the layer that turns Fortran's calls into C's, which is no place of the program.
! SPDX-License-Identifier: BSD-3-Clause
program sites
  use mpi
  implicit none
  integer :: rank, p, ierr, i, number, sum, lines(3)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
  do i = 1, 5
    lines(1) = __LINE__; call MPI_Allreduce(i, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call meet()
  end do
  lines(3) = __LINE__; call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) then
    write (*, '(a,i0,a,i0)') 'sites.F90:', lines(1), ' MPI_Allreduce ', 5 * p
    write (*, '(a,i0,a,i0)') 'sites.F90:', lines(2), ' MPI_Barrier ', 5 * p
    write (*, '(a,i0,a,i0)') 'sites.F90:', lines(3), ' MPI_Bcast ', p
  end if
contains
  subroutine meet()
    lines(2) = __LINE__; call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine meet
end program sites
