/* pipes: four processes that pass a number round through pipes, without MPI, and record their messages with eppa.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <eppa.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { P = 4, ROUNDS = 3 };

/* pipe i leads to rank i. */
static int run(int rank, int pipes[P][2])
{
    int value = 0, right = (rank + 1) % P, left = (rank + P - 1) % P;
    if (eppa_init(rank, P) != 0 && getenv("EPPA_FILE") != NULL)
        return 1;
    eppa_parameter_number("rounds", ROUNDS);
    eppa_parameter("way", "pipes");
    eppa_enter("pass on");
    for (int i = 0; i < ROUNDS; i++) {
        if (rank != 0 || i > 0) {
            eppa_receive_begin();
            if (read(pipes[rank][0], &value, sizeof value) != (ssize_t)sizeof value)
                return 1;
            eppa_receive_end(left, 7, sizeof value);
        }
        eppa_begin(EPPA_USEFUL);
        value++;
        eppa_end(1, 1);
        eppa_send_begin(right, 7, sizeof value);
        if (write(pipes[right][1], &value, sizeof value) != (ssize_t)sizeof value)
            return 1;
        eppa_send_end();
    }
    eppa_leave("pass on");
    if (rank == 0) {
        eppa_wait_begin();
        if (read(pipes[0][0], &value, sizeof value) != (ssize_t)sizeof value || value != P * ROUNDS)
            return 1;
        eppa_wait_end();
    }
    eppa_finalize();
    return 0;
}

int main(void)
{
    int pipes[P][2], status, is_good = 1;
    for (int i = 0; i < P; i++)
        if (pipe(pipes[i]) != 0)
            return 1;
    for (int rank = 0; rank < P; rank++)
        if (fork() == 0)
            exit(run(rank, pipes));
    for (int i = 0; i < P; i++)
        is_good = wait(&status) > 0 && status == 0 && is_good;
    return !is_good;
}
