/* MPI's functions by what they are for, told from their names.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/mpi_call.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>

static void test_names(void)
{
    static const struct {
        const char *name;
        bool moves;
        enum mpi_call call;
    } rows[] = {
        {"MPI_Init", true, MPI_CALL_START},
        {"MPI_Init_thread", false, MPI_CALL_START},
        {"MPI_Finalize", false, MPI_CALL_START},
        {"mpi_finalize", false, MPI_CALL_START},
        {"MPI_Session_init", false, MPI_CALL_START},
        {"MPI_Session_get_num_psets", false, MPI_CALL_LIBRARY},
        {"MPI_Comm_dup", true, MPI_CALL_LIBRARY},
        {"MPI_Comm_split_type", true, MPI_CALL_LIBRARY},
        {"MPI_Cart_create", true, MPI_CALL_LIBRARY},
        {"MPI_Dist_graph_create_adjacent", true, MPI_CALL_LIBRARY},
        {"MPI_Win_create", true, MPI_CALL_LIBRARY},
        {"MPI_Win_allocate_shared", true, MPI_CALL_LIBRARY},
        {"MPI_Win_free", true, MPI_CALL_LIBRARY},
        {"MPI_Win_fence", true, MPI_CALL_MESSAGE},
        {"MPI_Win_lock", true, MPI_CALL_MESSAGE},
        {"MPI_Put", true, MPI_CALL_MESSAGE},
        {"MPI_Get", true, MPI_CALL_MESSAGE},
        {"MPI_Get_accumulate", true, MPI_CALL_MESSAGE},
        {"MPI_Get_address", false, MPI_CALL_LIBRARY},
        {"MPI_Type_commit", false, MPI_CALL_LIBRARY},
        {"MPI_Type_create_struct_c", false, MPI_CALL_LIBRARY},
        {"MPI_Send_init", true, MPI_CALL_LIBRARY},
        {"MPI_Allreduce_init", true, MPI_CALL_LIBRARY},
        {"MPI_Bcast_init_c", true, MPI_CALL_LIBRARY},
        {"MPI_Start", true, MPI_CALL_MESSAGE},
        {"MPI_Send_c", true, MPI_CALL_MESSAGE},
        {"MPI_Op_create", false, MPI_CALL_LIBRARY},
        {"MPI_File_open", true, MPI_CALL_LIBRARY},
        {"MPI_File_close", false, MPI_CALL_LIBRARY},
        {"MPI_File_set_view", true, MPI_CALL_LIBRARY},
        {"MPI_File_read_at_all", true, MPI_CALL_READ},
        {"MPI_File_iread_shared", false, MPI_CALL_READ},
        {"MPI_File_write_ordered_end", true, MPI_CALL_WRITE},
        {"MPI_File_iwrite_at_c", false, MPI_CALL_WRITE},
        {"MPI_File_sync", false, MPI_CALL_WRITE},
        {"MPI_Something_new", true, MPI_CALL_MESSAGE},
        {"MPI_Something_new", false, MPI_CALL_LIBRARY},
        {"shmem_put", true, MPI_CALL_MESSAGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum mpi_call found = mpi_call_of(rows[i].name, rows[i].moves);
        if (found != rows[i].call)
            fprintf(stderr, "%s is %d, expected %d\n", rows[i].name, (int)found, (int)rows[i].call);
        CU_ASSERT_EQUAL(found, rows[i].call);
    }
}

int main(void)
{
    static const struct test tests[] = {{"names", test_names}, {NULL, NULL}};
    return testing_run("mpi_call", tests);
}
