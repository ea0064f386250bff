/* Runs collectives of which one rank comes late.
 *
 *     late SPEED LATE-S SEGMENT RADIX ROWS
 *
 * Each line of the file ROWS is "FAMILY ALGORITHM BYTES LATE-RANK", and is run by itself: row k begins at second
 * k * PERIOD_S, until when all ranks compute; the late rank computes for LATE-S seconds more. Rank 0 prints each row
 * and the seconds from its beginning until the last rank is done, or "unknown". SPEED is that of the hosts in flop/s.
 * BYTES are those of the message, of each vector or of each block, which the number of ranks and the powers of two
 * below it divide.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "late.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD_S = 10, MOST_ROWS = 1000, NAME = 32 };

int rank, ranks, bytes, segment, radix;
char *given, *taken;

/* NULL: it is unknown. */
static const struct algorithm *find(const char *family, const char *name)
{
    const struct algorithm *const tables[] = {broadcasts, rooted, symmetric};
    for (int i = 0; i < 3; i++)
        for (const struct algorithm *one = tables[i]; one->family != NULL; one++)
            if (strcmp(one->family, family) == 0 && strcmp(one->name, name) == 0)
                return one;
    return NULL;
}

/* The seconds that a row takes this rank, from where all begin. */
static double run_row(double start, double speed, double late_s, const struct algorithm *algorithm)
{
    given = calloc((size_t)ranks, (size_t)bytes + 1);
    taken = calloc((size_t)ranks, (size_t)bytes + 1);
    smpi_execute_flops((start - MPI_Wtime()) * speed);
    if (late_s > 0)
        smpi_execute_flops(late_s * speed);
    if (algorithm != NULL)
        algorithm->run();
    free(given);
    free(taken);
    return MPI_Wtime() - start;
}

int main(int argc, char **argv)
{
    static double ends[MOST_ROWS], last[MOST_ROWS];
    char line[128], family[NAME], algorithm[NAME];
    int late, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    double speed = atof(argv[1]), late_s = atof(argv[2]);
    segment = atoi(argv[3]);
    radix = atoi(argv[4]);
    FILE *rows = fopen(argv[5], "r");
    for (; n < MOST_ROWS && fgets(line, sizeof line, rows) != NULL; n++)
        if (sscanf(line, "%31s %31s %d %d", family, algorithm, &bytes, &late) == 4)
            ends[n] = run_row((n + 1.0) * PERIOD_S, speed, rank == late ? late_s : 0, find(family, algorithm));
    smpi_execute_flops(((n + 1.0) * PERIOD_S - MPI_Wtime()) * speed); /* what follows are messages, too */
    MPI_Reduce(ends, last, n, MPI_DOUBLE, MPI_MAX, 0, WORLD);
    rewind(rows);
    for (int i = 0; rank == 0 && i < n && fgets(line, sizeof line, rows) != NULL; i++) {
        sscanf(line, "%31s %31s", family, algorithm);
        line[strcspn(line, "\n")] = 0;
        if (find(family, algorithm) != NULL)
            printf("%s %.12f\n", line, last[i]);
        else
            printf("%s unknown\n", line);
    }
    fclose(rows);
    MPI_Finalize();
    return 0;
}
