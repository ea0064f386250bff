! everyday.c once more, in Fortran: with -DUSE_F08 of module mpi_f08, with -DUSE_MPI of module mpi, else with mpif.h. A trace of it
! must say what one of everyday.c does: the calls are the same, in the same order.
! SPDX-License-Identifier: BSD-3-Clause
#ifdef USE_F08
#define HANDLE(name) type(name)
#define STATUS type(MPI_Status)
#define SOURCE_OF(status) status%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#define SOURCE_AT(i) statuses(i)%MPI_SOURCE
#else
#define HANDLE(name) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define TAG_OF(status) status(MPI_TAG)
#define SOURCE_AT(i) statuses(MPI_SOURCE, i)
#endif
program everyday
#ifdef USE_F08
  use mpi_f08
#elif defined USE_MPI
  use mpi
#endif
  implicit none
#if !defined USE_F08 && !defined USE_MPI
  include 'mpif.h'
#endif
  integer, parameter :: n = 24
  integer :: rank, p, left, right, i, n_done, ierr, got, indices(2)
  integer :: out(n), in(n), many(8 * n), counts(8), places(8)
  logical :: flag
  STATUS :: status_one
#ifdef USE_F08
  type(MPI_Status) :: statuses(2)
#else
  integer :: statuses(MPI_STATUS_SIZE, 2)
#endif
  HANDLE(MPI_Request) :: requests(2)
  HANDLE(MPI_Message) :: message
  HANDLE(MPI_Comm) :: twin, half, ring
#ifdef USE_F08
  call MPI_Init()
#else
  call MPI_Init(ierr)
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierr)
  right = mod(rank + 1, p)
  left = mod(rank + p - 1, p)
  out = rank
  call messages()
  call requests_of_all_kinds()
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, ierr)
  call MPI_Comm_set_name(twin, 'twin', ierr)
  call collectives()
  call groups()
  call MPI_Comm_free(twin, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine must(holds)
    logical, intent(in) :: holds
    if (.not. holds) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  end subroutine must

  ! Blocking ones, with and without a status; every second element; a source and a tag that are any, and none.
  subroutine messages()
    if (mod(rank, 2) == 0) then
      call MPI_Send(out, 3, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
      call MPI_Recv(in, n, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Ssend(out(1:9:2), 5, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
      call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status_one, ierr)
      call MPI_Recv(in, n, MPI_INTEGER, SOURCE_OF(status_one), TAG_OF(status_one), MPI_COMM_WORLD, status_one, ierr)
    else
      call MPI_Recv(in, n, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Send(out, 3, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
      call MPI_Mprobe(left, 2, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, ierr)
      call MPI_Mrecv(in, n, MPI_INTEGER, message, status_one, ierr)
      call MPI_Ssend(out(1:9:2), 5, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Get_count(status_one, MPI_INTEGER, got, ierr)
    call must(got == 5 .and. SOURCE_OF(status_one) == left .and. in(1) == left)
    call MPI_Sendrecv(out, 7, MPI_INTEGER, right, 3, in, n, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    in = rank
    call MPI_Sendrecv_replace(in, 8, MPI_INTEGER, left, 4, right, 4, MPI_COMM_WORLD, status_one, ierr)
    call must(SOURCE_OF(status_one) == right .and. in(8) == right .and. in(9) == rank)
    call MPI_Send(out, 3, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
    call MPI_Recv(in, n, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine messages

  ! Waited for and tested with arrays of statuses, and without; persistent ones.
  subroutine requests_of_all_kinds()
    do i = 1, 3
      call MPI_Irecv(in, n, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Isend(out, 10 + i, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2), ierr)
      if (i == 1) then
        call MPI_Waitall(2, requests, statuses, ierr)
        call must(SOURCE_AT(1) == left)
      else if (i == 2) then
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
      else
        call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
        call MPI_Wait(requests(2), status_one, ierr)
      end if
    end do
    call MPI_Recv_init(in, n, MPI_INTEGER, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Send_init(out, n, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Startall(2, requests, ierr)
    flag = .false.
    do while (.not. flag)
      call MPI_Testall(2, requests, flag, statuses, ierr)
    end do
    call must(SOURCE_AT(1) == left)
    call MPI_Startall(2, requests, ierr)
    got = 0
    do while (got < 2)
      call MPI_Waitsome(2, requests, n_done, indices, MPI_STATUSES_IGNORE, ierr)
      got = got + n_done
    end do
    call MPI_Start(requests(1), ierr)
    call MPI_Start(requests(2), ierr)
    do i = 1, 2
      call MPI_Waitany(2, requests, indices(1), status_one, ierr)
    end do
    call MPI_Request_free(requests(1), ierr)
    call MPI_Request_free(requests(2), ierr)
  end subroutine requests_of_all_kinds

  subroutine collectives()
    counts = 2
    places = (/(2 * i, i=0, 7)/)
    many = rank
    call MPI_Barrier(twin, ierr)
    call MPI_Bcast(in, 4, MPI_INTEGER, 0, twin, ierr)
    in(1) = rank
    call MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INTEGER, MPI_SUM, twin, ierr)
    call must(in(1) == p * (p - 1) / 2)
    call MPI_Allreduce(out, in, 2, MPI_INTEGER, MPI_SUM, twin, ierr)
    if (rank == 1) then
      call MPI_Reduce(MPI_IN_PLACE, many, 3, MPI_INTEGER, MPI_SUM, 1, twin, ierr)
      call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, many, 2, MPI_INTEGER, 1, twin, ierr)
      call MPI_Scatter(many, 2, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_INTEGER, 1, twin, ierr)
      call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, many, counts, places, MPI_INTEGER, 1, twin, ierr)
    else
      call MPI_Reduce(out, many, 3, MPI_INTEGER, MPI_SUM, 1, twin, ierr)
      call MPI_Gather(out, 2, MPI_INTEGER, many, 2, MPI_INTEGER, 1, twin, ierr)
      call MPI_Scatter(many, 2, MPI_INTEGER, in, 2, MPI_INTEGER, 1, twin, ierr)
      call MPI_Gatherv(out, 2, MPI_INTEGER, many, counts, places, MPI_INTEGER, 1, twin, ierr)
    end if
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, many, 2, MPI_INTEGER, twin, ierr)
    call MPI_Allgather(out, 2, MPI_INTEGER, many, 2, MPI_INTEGER, twin, ierr)
    call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, many, 2, MPI_INTEGER, twin, ierr)
    call MPI_Alltoallv(out, counts, places, MPI_INTEGER, many, counts, places, MPI_INTEGER, twin, ierr)
    call MPI_Reduce_scatter(out, in, counts, MPI_INTEGER, MPI_SUM, twin, ierr)
    call MPI_Scan(out, in, 3, MPI_INTEGER, MPI_SUM, twin, ierr)
    in(1) = rank
    call MPI_Ibcast(many, 6, MPI_INTEGER, 2, twin, requests(1), ierr)
    call MPI_Iallreduce(MPI_IN_PLACE, in, 1, MPI_INTEGER, MPI_SUM, twin, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call must(in(1) == p * (p - 1) / 2)
  end subroutine collectives

  ! Halves of the ranks, and a ring with neighbours.
  subroutine groups()
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INTEGER, MPI_SUM, half, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, (/p/), (/.true./), .false., ring, ierr)
    call MPI_Neighbor_allgather(out, 5, MPI_INTEGER, many, 5, MPI_INTEGER, ring, ierr)
    call must(many(1) == left .and. many(6) == right)
    call MPI_Comm_free(ring, ierr)
    call MPI_Comm_free(half, ierr)
  end subroutine groups
end program everyday
