! Integers go round a ring until everyone has its own again, by blocking, non-blocking and persistent calls, with the
! sentinels that Fortran has: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE, MPI_IN_PLACE. Writes count.RANK as count.h does.
! SPDX-License-Identifier: BSD-3-Clause
program ring
  use mpi
  implicit none
  integer :: rank, p, left, right, round, ierr, requests(2), sum, comm, size_in_bytes
  integer :: out(100), in(100), status(MPI_STATUS_SIZE)
  integer(8) :: messages
  character(len=32) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
  right = mod(rank + 1, p)
  left = mod(rank + p - 1, p)
  messages = 0
  out = rank
  do round = 1, p
    select case (mod(round, 3))
    case (0)
      call MPI_Sendrecv(out, 100, MPI_INTEGER, right, 6, in, 100, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
                        MPI_COMM_WORLD, status, ierr)
      if (status(MPI_SOURCE) /= left) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
    case (1)
      call MPI_Irecv(in, 100, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Isend(out, 100, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    case default
      call MPI_Recv_init(in, 100, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Send_init(out, 100, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Startall(2, requests, ierr)
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
      call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierr)
      call MPI_Request_free(requests(1), ierr)
      call MPI_Request_free(requests(2), ierr)
    end select
    messages = messages + 1
    out = in
  end do
  if (any(out /= rank)) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_set_name(comm, 'twin', ierr)
  sum = rank
  call MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
  if (sum /= p * (p - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  call MPI_Comm_free(comm, ierr)
  size_in_bytes = 4
  write (name, '(a,i0)') 'count.', rank
  open (unit=10, file=name)
  write (10, '(a,i0,a)') 'collective ', rank, ' CREATE_HANDLE MPI_COMM_WORLD NONE 0 0'
  write (10, '(a,i0,a,i0,a,i0)') 'collective ', rank, ' ALLREDUCE twin NONE ', p * size_in_bytes, ' ', p * size_in_bytes
  write (10, '(a,i0,a)') 'collective ', rank, ' DESTROY_HANDLE twin NONE 0 0'
  write (10, '(a,i0,a,i0,a,i0,a,i0)') 'sent ', rank, ' ', right, ' ', messages, ' ', 400 * messages
  write (10, '(a,i0,a,i0,a,i0,a,i0)') 'received ', left, ' ', rank, ' ', messages, ' ', 400 * messages
  close (10)
  call MPI_Finalize(ierr)
end program ring
