/* Waits for several messages, as tests/sim/kernel/marks.c has them in closed form, with MPI.
 *
 *     waits MESSAGES PROGRAM
 *
 * Both are as there, with _ in place of blanks, but for synchronous messages. Rank 0 prints the milliseconds until the
 * last rank is done.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 10 };
static char data[MOST];
static int n_messages, at_ms[MOST], from[MOST];
static MPI_Request requests[MOST];
static int marked[MOST], n_marked;

static void read_messages(char *text)
{
    while (*text != '\0') {
        int n = ++n_messages;
        at_ms[n] = (int)strtol(text, &text, 10);
        from[n] = *text == '>' ? (int)strtol(text + 1, &text, 10) : n;
        text += *text == '_';
    }
}

/* Computing at 1 Gflop/s. */
static void compute(int ms)
{
    smpi_execute_flops(ms * 1e6);
}

static void wait_for_marked(void)
{
    MPI_Request together[MOST];
    for (int i = 0; i < n_marked; i++) {
        together[i] = requests[marked[i]];
        requests[marked[i]] = MPI_REQUEST_NULL;
    }
    MPI_Waitall(n_marked, together, MPI_STATUSES_IGNORE);
    n_marked = 0;
}

static void receive(char letter, int number)
{
    if (letter == 'p')
        MPI_Irecv(&data[number], 1, MPI_CHAR, from[number], number, MPI_COMM_WORLD, &requests[number]);
    else if (letter == 'c')
        compute(number);
    else if (letter == 'w')
        MPI_Wait(&requests[number], MPI_STATUS_IGNORE);
    else if (letter == 'm')
        marked[n_marked++] = number;
    else if (letter == 'W')
        wait_for_marked();
    else
        MPI_Waitall(MOST, requests, MPI_STATUSES_IGNORE);
}

static void send(int rank)
{
    int clock_ms = 0;
    for (int i = 1; i <= n_messages; i++)
        if (from[i] == rank) {
            compute(at_ms[i] - clock_ms);
            clock_ms = at_ms[i];
            MPI_Send(&data[i], 1, MPI_CHAR, 0, i, MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_messages(argv[1]);
    for (int i = 0; i < MOST; i++)
        requests[i] = MPI_REQUEST_NULL;
    if (rank != 0)
        send(rank);
    for (char *text = argv[2]; rank == 0 && *text != '\0'; text += *text == '_') {
        char letter = *text;
        receive(letter, (int)strtol(text + 1, &text, 10));
    }
    if (rank == 0)
        printf("%.3f\n", MPI_Wtime() * 1e3);
    MPI_Finalize();
    return 0;
}
