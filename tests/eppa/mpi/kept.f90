! Messages round a ring: kept_f ROUNDS.
! SPDX-License-Identifier: BSD-3-Clause
program kept
  use mpi
  implicit none
  integer :: rank, p, round, rounds, ierr, out, in
  character(len=16) :: argument
  call get_command_argument(1, argument)
  read (argument, *) rounds
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
  do round = 1, rounds
    out = round
    call MPI_Sendrecv(out, 1, MPI_INTEGER, mod(rank + 1, p), 1, in, 1, MPI_INTEGER, mod(rank + p - 1, p), 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (in /= round) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end do
  call MPI_Finalize(ierr)
end program
