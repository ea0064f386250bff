! paths: calls MPI through procedures of a module, an inner one, and an external one.
! SPDX-License-Identifier: BSD-3-Clause
module field
    use mpi
    implicit none
contains
    subroutine exchange(n)
        integer, intent(in) :: n
        integer :: error, i
        do i = 1, n
            call MPI_Barrier(MPI_COMM_WORLD, error)
        end do
    end subroutine exchange
    subroutine solve(n)
        integer, intent(in) :: n
        call exchange(n)
        call inner()
    contains
        subroutine inner()
            call exchange(1)
        end subroutine inner
    end subroutine solve
end module field

subroutine outside()
    use mpi
    implicit none
    integer :: error
    call MPI_Barrier(MPI_COMM_WORLD, error)
end subroutine outside

program heat
    use field
    implicit none
    integer :: error
    call MPI_Init(error)
    call solve(3)
    call outside()
    call MPI_Finalize(error)
end program heat
