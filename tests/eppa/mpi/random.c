/* random SEED STEPS: a program that nobody has thought of, which cannot deadlock. All ranks draw the same numbers
 * of the seed, and so know the same plan: each step, messages among the members of a communicator, collectives, or
 * other communicators. How a rank does its part, by which calls, it decides by numbers of its own. Writes an
 * account: count.h, and for each kind of collective `calls RANK OPERATION N`.
 *
 * Why no rank waits for ever: in a step with blocking sends all ranks post their receives first, or take the
 * messages one by one in the order of the plan; else no send blocks. Receives of any source or tag may take any
 * message of their step. A barrier ends such a step, so that none of the next is there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random_collectives.h"

#include "busy.h"

enum { WORLD, TWIN, HALF, ACROSS, BOTH, RING, SOME, N_PLACES };
static struct place places[N_PLACES];
static bool is_made[N_PLACES]; /* for whoever is a member */

/* Record the properties of a communicator that was made. */
static void settle(int which, MPI_Comm comm, int side)
{
    int is_inter = 0;
    struct place *place = &places[which];
    is_made[which] = true;
    *place = (struct place){.comm = comm, .rank = -1, .side = side};
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_test_inter(comm, &is_inter);
    MPI_Comm_rank(comm, &place->rank);
    MPI_Comm_size(comm, &place->n[side]);
    place->is_inter = is_inter != 0;
    if (is_inter)
        MPI_Comm_remote_size(comm, &place->n[!side]);
    else
        place->n[!side] = place->n[side];
}

static void let_go(int which)
{
    if (is_made[which] && places[which].rank >= 0) {
        MPI_Comm_free(&places[which].comm);
        count_call("DESTROY_HANDLE");
    }
    is_made[which] = false;
}

static void make_twin(int rank)
{
    MPI_Comm made;
    MPI_Request request;
    (void)rank;
    if (draw(2) == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made);
    } else {
        MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    count_call("CREATE_HANDLE");
    settle(TWIN, made, 0);
}

/* Some are in one half, the others in the other; rank 0 and 1 are not together. */
static int half_of(int rank)
{
    uint32_t who = draw_any();
    return rank < 2 ? rank : (int)(who >> rank & 1);
}

static void make_half(int rank)
{
    MPI_Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, half_of(rank), -rank, &made);
    count_call("CREATE_HANDLE");
    settle(HALF, made, 0);
}

static void make_across(int rank)
{
    MPI_Comm local, made;
    int side = half_of(rank);
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, !side, 55, &made);
    MPI_Comm_free(&local);
    count_call("CREATE_HANDLE");
    count_call("CREATE_HANDLE");
    count_call("DESTROY_HANDLE");
    settle(ACROSS, made, side);
}

static void make_both(int rank)
{
    MPI_Comm made;
    (void)rank;
    if (!is_made[ACROSS])
        return;
    MPI_Intercomm_merge(places[ACROSS].comm, places[ACROSS].side, &made);
    count_call("CREATE_HANDLE");
    settle(BOTH, made, 0);
}

static void make_ring(int rank)
{
    MPI_Comm made;
    (void)rank;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &places[WORLD].n[0], (int[]){1}, 0, &made);
    count_call("CREATE_HANDLE");
    settle(RING, made, 0);
}

static void make_some(int rank)
{
    MPI_Group all, few;
    MPI_Comm made;
    int n = 1 + draw(places[WORLD].n[0]);
    (void)rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, (int[][3]){{n - 1, 0, -1}}, &few);
    MPI_Comm_create(MPI_COMM_WORLD, few, &made);
    MPI_Group_free(&few);
    MPI_Group_free(&all);
    count_call("CREATE_HANDLE");
    settle(SOME, made, 0);
}

static void step_places(void)
{
    static void (*const make[])(int) = {NULL, make_twin, make_half, make_across, make_both, make_ring, make_some};
    int which = 1 + draw(N_PLACES - 1);
    let_go(which);
    make[which](places[WORLD].rank);
}

/* To the neighbors of a ring, which are one and the same in a ring of two. */
static void step_neighbours(void)
{
    const struct place *ring = &places[RING];
    int n = draw(4) == 0 ? 0 : draw(MOST_EACH), blocks = draw(2), p = ring->n[0], bytes = n * (int)sizeof(int);
    MPI_Request request;
    if (!is_made[RING])
        return;
    if (blocks != 0) {
        MPI_Neighbor_alltoall(from_there[0], n, MPI_INT, to_there[0], n, MPI_INT, ring->comm);
    } else {
        MPI_Ineighbor_allgather(from_there[0], n, MPI_INT, to_there[0], n, MPI_INT, ring->comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int to = 1; to >= -1 && bytes > 0; to -= 2) { /* nobody waits for what has no length */
        count_send(ring->comm, (ring->rank + p + to) % p, bytes);
        count_receive(ring->comm, (ring->rank + p + to) % p, bytes);
    }
}

/* Everyone to the one so many places on; or there is none behind the last. */
static void step_shift(const struct place *place)
{
    MPI_Status status;
    int by = draw(8), bytes = draw(2000), is_open = draw(2), replaces = draw(2);
    if (place->rank < 0 || place->is_inter)
        return;
    int p = place->n[0], to = place->rank + by % p, from = place->rank - by % p;
    to = to < p ? to : is_open ? MPI_PROC_NULL : to - p;
    from = from >= 0 ? from : is_open ? MPI_PROC_NULL : from + p;
    MPI_Status *asked = own(2) == 0 ? MPI_STATUS_IGNORE : &status;
    if (replaces)
        MPI_Sendrecv_replace(out[0], bytes, MPI_CHAR, to, 9, from, 9, place->comm, asked);
    else
        MPI_Sendrecv(out[0], bytes, MPI_CHAR, to, 9, in[0], LONGEST, MPI_CHAR, from, MPI_ANY_TAG, place->comm, asked);
    if (to != MPI_PROC_NULL)
        count_send(place->comm, to, bytes);
    if (from != MPI_PROC_NULL)
        count_receive(place->comm, from, bytes);
}

static void step(void)
{
    int kind = draw(12), which = draw(N_PLACES);
    const struct place *place = &places[is_made[which] ? which : WORLD];
    compute(own(100) * 1e-3);
    if (kind < 5)
        step_messages(place);
    else if (kind < 7)
        step_collective(place, NULL, 0);
    else if (kind < 8)
        step_pending(place);
    else if (kind < 9)
        step_neighbours();
    else if (kind < 10)
        step_shift(place);
    else
        step_places();
}

int main(int argc, char **argv)
{
    void *buffer;
    int size;
    MPI_Init(&argc, &argv);
    CHECK(argc == 3);
    settle(WORLD, MPI_COMM_WORLD, 0);
    CHECK(places[WORLD].n[0] >= 2 && 2 * places[WORLD].n[0] <= MOST_RANKS);
    draw_state = strtoull(argv[1], NULL, 10);
    own_state = ~draw_state * 1000003 + (uint64_t)places[WORLD].rank;
    MPI_Buffer_attach(mailbox, (int)sizeof mailbox);
    for (long i = 0; i < atol(argv[2]); i++)
        step();
    for (int i = 1; i < N_PLACES; i++)
        let_go(i);
    write_account(places[WORLD].rank);
    MPI_Buffer_detach(&buffer, &size);
    MPI_Finalize();
    return 0;
}
