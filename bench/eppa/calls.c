/* calls: what calls of MPI cost [ns], of one rank that sends to itself, and what a program takes [s] that computes for
 * 100 us between messages. Prints "NAME VALUE" lines, for bench/eppa.sh to set a traced run beside an untraced one.
 * calls 0 off: the same while recording is switched off.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_CALLS = 2000, N_REPEATS = 30, N_MESSAGES = 10000 };

static double cpu_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void sendrecv(void)
{
    int out = 1, in;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void send_receive(void)
{
    int out = 1, in;
    MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void isend_irecv_waitall(void)
{
    int out = 1, in;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void iprobe(void)
{
    int flag;
    MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static void allreduce(void)
{
    int in = 1, out;
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

static const struct {
    const char *name;
    void (*run)(void);
    int n_calls;
} kinds[] = {{"Sendrecv", sendrecv, 1},
             {"Send,Recv", send_receive, 2},
             {"Irecv,Isend,Waitall", isend_irecv_waitall, 3},
             {"Iprobe", iprobe, 1},
             {"Allreduce", allreduce, 1}};

/* The least of several repeats [ns a call]: what is more is others' doing. */
static double time_calls(void (*run)(void), int n_calls)
{
    double least = 0;
    for (int i = 0; i < N_REPEATS; i++) {
        double start = cpu_s();
        for (int j = 0; j < N_CALLS; j++)
            run();
        double time = 1e9 * (cpu_s() - start) / N_CALLS / n_calls;
        least = i == 0 || time < least ? time : least;
    }
    return least;
}

/* The same work in every run: what 100 us are is found out once, by the script. */
static double work(long n)
{
    volatile double sum = 0;
    for (long i = 0; i < n; i++)
        sum += 1.0 / (double)(i + 1);
    return sum;
}

static long steps_of_100_us(void)
{
    double best = 1;
    for (int i = 0; i < 20; i++) {
        double start = cpu_s();
        work(100000);
        double took = cpu_s() - start;
        best = took < best ? took : best;
    }
    return (long)(1e-4 / best * 100000);
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    if (argc > 2 && strcmp(argv[2], "off") == 0)
        MPI_Pcontrol(0);
    if (argc < 2) {
        printf("%ld\n", steps_of_100_us());
    } else if (steps == 0) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            printf("%s %.1f\n", kinds[i].name, time_calls(kinds[i].run, kinds[i].n_calls));
    } else {
        double start = cpu_s(), in_calls = 0;
        for (int i = 0; i < N_MESSAGES; i++) {
            work(steps);
            double before = cpu_s();
            sendrecv();
            in_calls += cpu_s() - before;
        }
        double end = cpu_s();
        MPI_Finalize();
        printf("messages %.6f\nin_calls %.6f\nfinalize %.6f\n", end - start, in_calls, cpu_s() - end);
        return 0;
    }
    MPI_Finalize();
    return 0;
}
