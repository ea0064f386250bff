/* Files and one-sided communication, of which only the time is recorded: every call, and that it does its work
 * still.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <string.h>

static int rank, p, right, left;

static void one_sided(void)
{
    int *memory, value = rank + 1, result = -1, compare = 0, flag = 0, unit;
    MPI_Win win;
    MPI_Request request;
    MPI_Aint size;
    MPI_Group world, neighbours;
    int both[2] = {left, right};
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, 8 * sizeof(int));
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0] == left + 1);
    MPI_Get(&result, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(result == rank + 1);
    MPI_Accumulate(&value, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0] == 2 * (left + 1));
    MPI_Win_lock_all(0, win);
    MPI_Rput(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(right, win);
    MPI_Win_flush_all(win);
    MPI_Rget(&result, 1, MPI_INT, right, 1, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(result == rank + 1);
    MPI_Raccumulate(&value, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush_local(right, win);
    MPI_Win_flush_local_all(win);
    MPI_Rget_accumulate(&value, 1, MPI_INT, &result, 1, MPI_INT, right, 3, 1, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_accumulate(&value, 1, MPI_INT, &result, 1, MPI_INT, right, 4, 1, MPI_INT, MPI_SUM, win);
    MPI_Fetch_and_op(&value, &result, MPI_INT, right, 5, MPI_SUM, win);
    MPI_Compare_and_swap(&value, &compare, &result, MPI_INT, right, 6, win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK(memory[5] == left + 1 && memory[6] == left + 1);
    MPI_Win_unlock(rank, win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, left == right ? 1 : 2, both, &neighbours);
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    MPI_Put(&value, 1, MPI_INT, right, 7, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_test(win, &flag);
    if (!flag)
        MPI_Win_wait(win);
    CHECK(memory[7] == left + 1);
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&world);
    MPI_Group_free(&neighbours);
    MPI_Win_free(&win);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &memory);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, &value, sizeof value);
    MPI_Barrier(MPI_COMM_WORLD);
    count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    MPI_Win_detach(win, &value);
    MPI_Win_free(&win);
}

static void metadata(MPI_File file)
{
    MPI_Offset offset, size;
    MPI_Datatype element, type;
    MPI_Group group;
    MPI_Info info;
    MPI_Aint extent;
    int mode, is_atomic;
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_get_view(file, &offset, &element, &type, representation);
    MPI_File_preallocate(file, 4096);
    MPI_File_set_size(file, 8192);
    MPI_File_get_size(file, &size);
    CHECK(size == 8192);
    MPI_File_get_group(file, &group);
    MPI_Group_free(&group);
    MPI_File_get_amode(file, &mode);
    MPI_File_get_info(file, &info);
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_get_type_extent(file, MPI_INT, &extent);
    MPI_File_set_atomicity(file, 0);
    MPI_File_get_atomicity(file, &is_atomic);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_get_position(file, &offset);
    MPI_File_get_byte_offset(file, 3, &offset);
    CHECK(offset == 12);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_get_position_shared(file, &offset);
}

#define WRITES(call)                                                                                                   \
    do {                                                                                                               \
        call;                                                                                                          \
        MPI_File_sync(file);                                                                                           \
    } while (0)

static void explicit_offsets(MPI_File file)
{
    int out = rank + 1, in = -1;
    MPI_Request request;
    MPI_Status status;
    WRITES(MPI_File_write_at(file, rank, &out, 1, MPI_INT, MPI_STATUS_IGNORE));
    MPI_File_read_at(file, rank, &in, 1, MPI_INT, &status);
    CHECK(in == rank + 1);
    WRITES(MPI_File_write_at_all(file, rank, &out, 1, MPI_INT, MPI_STATUS_IGNORE));
    in = -1;
    MPI_File_read_at_all(file, rank, &in, 1, MPI_INT, &status);
    CHECK(in == rank + 1); /* what non-blocking calls read is not sure to be there with all of Open MPI's releases */
    MPI_File_iwrite_at(file, rank, &out, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread_at(file, rank, &in, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iwrite_at_all(file, rank, &out, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread_at_all(file, rank, &in, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_write_at_all_begin(file, rank, &out, 1, MPI_INT);
    MPI_File_write_at_all_end(file, &out, &status);
    MPI_File_read_at_all_begin(file, rank, &in, 1, MPI_INT);
    MPI_File_read_at_all_end(file, &in, &status);
}

static void own_pointers(MPI_File file)
{
    int out = rank + 1, in = -1;
    MPI_Request request;
    MPI_Status status;
    WRITES(MPI_File_write(file, &out, 1, MPI_INT, &status));
    MPI_File_read(file, &in, 1, MPI_INT, &status);
    WRITES(MPI_File_write_all(file, &out, 1, MPI_INT, &status));
    MPI_File_read_all(file, &in, 1, MPI_INT, &status);
    MPI_File_iwrite(file, &out, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread(file, &in, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iwrite_all(file, &out, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread_all(file, &in, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_write_all_begin(file, &out, 1, MPI_INT);
    MPI_File_write_all_end(file, &out, &status);
    MPI_File_read_all_begin(file, &in, 1, MPI_INT);
    MPI_File_read_all_end(file, &in, &status);
}

static void shared_pointer(MPI_File file)
{
    int out = rank + 1, in = -1;
    MPI_Request request;
    MPI_Status status;
    WRITES(MPI_File_write_shared(file, &out, 1, MPI_INT, &status));
    MPI_File_read_shared(file, &in, 1, MPI_INT, &status);
    MPI_File_iwrite_shared(file, &out, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread_shared(file, &in, 1, MPI_INT, &request);
    MPI_Wait(&request, &status);
    MPI_File_write_ordered(file, &out, 1, MPI_INT, &status);
    MPI_File_read_ordered(file, &in, 1, MPI_INT, &status);
    MPI_File_write_ordered_begin(file, &out, 1, MPI_INT);
    MPI_File_write_ordered_end(file, &out, &status);
    MPI_File_read_ordered_begin(file, &in, 1, MPI_INT);
    MPI_File_read_ordered_end(file, &in, &status);
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    right = (rank + 1) % p;
    left = (rank + p - 1) % p;
    one_sided();
    MPI_File_open(MPI_COMM_WORLD, "every_other.data", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    metadata(file);
    explicit_offsets(file);
    own_pointers(file);
    shared_pointer(file);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    if (rank == 0)
        MPI_File_delete("every_other.data", MPI_INFO_NULL);
    count_write();
    MPI_Finalize();
    return 0;
}
