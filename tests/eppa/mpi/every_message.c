/* Every way to send, receive, wait and test: what is sent is counted (count.h) and what is received checked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

#include <string.h>

enum { TAG = 11, N = 25 };
static int rank, p, left, right, out[N], in[N];

static void fill(int value)
{
    for (int i = 0; i < N; i++) {
        out[i] = rank * 1000 + value + i;
        in[i] = -1;
    }
}

static void check(int value, int count)
{
    for (int i = 0; i < count; i++)
        CHECK(in[i] == left * 1000 + value + i);
    count_send(MPI_COMM_WORLD, right, count * 4L);
    count_receive(MPI_COMM_WORLD, left, count * 4L);
}

static void blocking(void)
{
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    void *detached;
    int size;
    MPI_Request request;
    MPI_Status status;
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; i < 4; i++) {
        fill(i);
        MPI_Irecv(in, N, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, i == 3 ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, &request);
        if (i == 0)
            MPI_Send(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
        if (i == 1)
            MPI_Bsend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
        if (i == 2)
            MPI_Ssend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD); /* the receive is posted */
        if (i == 3)
            MPI_Rsend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
        MPI_Wait(&request, &status);
        CHECK(status.MPI_SOURCE == left && status.MPI_TAG == TAG);
        check(i, N);
        count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
    }
    MPI_Buffer_detach(&detached, &size);
    fill(9);
    if (rank % 2 == 0)
        MPI_Send(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank % 2 == 1)
        MPI_Send(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD);
    check(9, N);
}

static void exchanges(void)
{
    MPI_Status status;
    fill(20);
    MPI_Sendrecv(out, N, MPI_INT, right, TAG, in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(20, N);
    fill(21);
    memcpy(in, out, sizeof in);
    MPI_Sendrecv_replace(in, N, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == left);
    check(21, N);
    /* Nobody is no message, and none has no length but is one. */
    fill(22);
    MPI_Sendrecv(out, N, MPI_INT, MPI_PROC_NULL, TAG, in, N, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    CHECK(in[0] == -1 && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Send(out, N, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD);
    MPI_Recv(in, N, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(out, 0, MPI_INT, right, TAG, in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, &status);
    check(22, 0);
    /* More room than comes, and elements with gaps. */
    MPI_Datatype comb;
    MPI_Type_vector(5, 1, 2, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    fill(23);
    MPI_Sendrecv(out, 1, comb, right, TAG, in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 5; i++)
        CHECK(in[i] == left * 1000 + 23 + 2 * i);
    check(0, 0);
    count_sent[right].messages--;
    count_received[left].messages--;
    count_send(MPI_COMM_WORLD, right, 20);
    count_receive(MPI_COMM_WORLD, left, 20);
    MPI_Type_free(&comb);
}

/* Begin one of the non-blocking sends. */
static void isend(int which, MPI_Request *request)
{
    if (which == 0)
        MPI_Isend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, request);
    if (which == 1)
        MPI_Ibsend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, request);
    if (which == 2)
        MPI_Issend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, request);
    if (which == 3)
        MPI_Irsend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, request);
}

/* Complete requests in every way there is. */
static void complete(int how, int n, MPI_Request *requests)
{
    int done = 0, flag = 0, some, index, indices[4];
    MPI_Status statuses[4];
    if (how == 0)
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    for (; how == 1 && done < n; done++)
        MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
    for (; how == 2 && done < n; done += some)
        MPI_Waitsome(n, requests, &some, indices, statuses);
    for (; how == 3 && done < n; done += flag)
        MPI_Testany(n, requests, &index, &flag, statuses);
    while (how == 4 && !flag)
        MPI_Testall(n, requests, &flag, statuses);
    for (; how == 5 && done < n; done += some)
        MPI_Testsome(n, requests, &some, indices, MPI_STATUSES_IGNORE);
    for (int i = 0; how == 6 && i < n; i++)
        for (flag = 0; !flag;)
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
    for (int i = 0; how == 7 && i < n; i++) {
        MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
}

static void non_blocking(void)
{
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    void *detached;
    int size;
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int how = 0; how < 8; how++) {
        MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        fill(100 + how);
        MPI_Irecv(in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
        isend(how % 4, &requests[1]);
        complete(how, 2, requests);
        check(100 + how, N);
    }
    MPI_Buffer_detach(&detached, &size);
}

/* Started again and again; waiting for one that is not active ends at once. */
static void persistent(void)
{
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    void *detached;
    int size;
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int which = 0; which < 4; which++) {
        MPI_Request requests[2];
        MPI_Recv_init(in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
        if (which == 0)
            MPI_Send_init(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
        if (which == 1)
            MPI_Bsend_init(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
        if (which == 2)
            MPI_Ssend_init(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
        if (which == 3)
            MPI_Rsend_init(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int round = 0; round < 3; round++) {
            fill(200 + 10 * which + round);
            if (round == 0 && which != 3) {
                MPI_Startall(2, requests);
            } else {
                MPI_Start(&requests[0]);
                MPI_Barrier(MPI_COMM_WORLD);
                count_collective("BARRIER", MPI_COMM_WORLD, "NONE", 0, 0);
                MPI_Start(&requests[1]);
            }
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            check(200 + 10 * which + round, N);
        }
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[1]);
    }
    MPI_Buffer_detach(&detached, &size);
}

static void probes(void)
{
    MPI_Request request, receive;
    MPI_Message message;
    MPI_Status status;
    for (int how = 0; how < 4; how++) {
        int flag = 0, n;
        fill(300 + how);
        MPI_Isend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &request);
        if (how == 0)
            MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        while (how == 1 && !flag)
            MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        if (how == 2)
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        while (how == 3 && !flag)
            MPI_Improbe(left, TAG, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        CHECK(n == N && status.MPI_SOURCE == left);
        if (how < 2)
            MPI_Recv(in, n, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (how == 2)
            MPI_Mrecv(in, n, MPI_INT, &message, MPI_STATUS_IGNORE);
        if (how == 3) {
            MPI_Imrecv(in, n, MPI_INT, &message, &receive);
            MPI_Wait(&receive, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(300 + how, N);
    }
    MPI_Mprobe(MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in, N, MPI_INT, &message, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* A receive that is given up, and a send whose request is. */
static void given_up(void)
{
    int is_cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(in, N, MPI_INT, left, 5, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    CHECK(is_cancelled);
    fill(400);
    MPI_Isend(out, N, MPI_INT, right, TAG, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(in, N, MPI_INT, left, TAG, MPI_COMM_WORLD, &status);
    check(400, N);
}

/* So many at once that tables grow. */
static void many(void)
{
    enum { MANY = 2000 };
    static MPI_Request requests[2 * MANY];
    static int sent[MANY], received[MANY];
    for (int i = 0; i < MANY; i++) {
        MPI_Irecv(&received[i], 1, MPI_INT, left, TAG + i, MPI_COMM_WORLD, &requests[i]);
        sent[i] = rank + i;
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&sent[i], 1, MPI_INT, right, TAG + i, MPI_COMM_WORLD, &requests[MANY + i]);
        count_send(MPI_COMM_WORLD, right, 4);
        count_receive(MPI_COMM_WORLD, left, 4);
    }
    MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        CHECK(received[i] == left + i);
}

/* A request of the program's own. */
static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int never(void *state, int is_complete)
{
    (void)state, (void)is_complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    MPI_Request request;
    MPI_Grequest_start(query, nothing, never, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    CHECK(p % 2 == 0);
    right = (rank + 1) % p;
    left = (rank + p - 1) % p;
    blocking();
    exchanges();
    non_blocking();
    persistent();
    probes();
    given_up();
    many();
    generalized();
    count_write();
    MPI_Finalize();
    return 0;
}
