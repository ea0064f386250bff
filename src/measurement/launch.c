/* Lines of a log that start an MPI program: how many ranks, on how many hosts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, NUMBER_MOST = 1 << 24 };

enum launch_fact { RANKS, HOSTS, PER_HOST, SETS, SETS_PER_HOST, RANKS_PER_SET, N_FACTS };

static const struct {
    const char *program, *option;
    enum launch_fact fact;
} options[] = {
    {"jsrun", "-n", SETS},
    {"jsrun", "--nrs", SETS},
    {"jsrun", "-a", RANKS_PER_SET},
    {"jsrun", "--tasks_per_rs", RANKS_PER_SET},
    {"jsrun", "-r", SETS_PER_HOST},
    {"jsrun", "--rs_per_host", SETS_PER_HOST},
    {"srun", "-n", RANKS},
    {"srun", "--ntasks", RANKS},
    {"srun", "-N", HOSTS},
    {"srun", "--nodes", HOSTS},
    {"srun", "--ntasks-per-node", PER_HOST},
    {"aprun", "-n", RANKS},
    {"aprun", "-N", PER_HOST},
    {"mpirun", "-n", RANKS},
    {"mpirun", "-np", RANKS},
    {"mpirun", "-ppn", PER_HOST},
    {"mpirun", "-npernode", PER_HOST},
    {"mpirun", "--npernode", PER_HOST},
    {"mpirun", "-N", PER_HOST},
    {"mpiexec", "-n", RANKS},
    {"mpiexec", "-np", RANKS},
    {"mpiexec", "-ppn", PER_HOST},
    {"mpiexec", "--ppn", PER_HOST},
};

/* The number of an option, as its next word or behind '=' or the letter; 0: it is another option. */
static int value_of(const char *option, const char *word, const char *next)
{
    size_t length = strlen(option);
    const char *text = NULL;
    if (strncmp(word, option, length) != 0)
        return 0;
    if (word[length] == '\0')
        text = next;
    else if (word[length] == '=')
        text = word + length + 1;
    else if (length == 2 && strspn(word + length, "0123456789") == strlen(word + length))
        text = word + length;
    long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 && value < NUMBER_MOST ? (int)value : 0;
}

static void take_word(int facts[N_FACTS], const char *program, const char *word, const char *next)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        int value = strcmp(options[i].program, program) == 0 ? value_of(options[i].option, word, next) : 0;
        if (value > 0)
            facts[options[i].fact] = value;
    }
    int per_host = 0;
    if (strncmp(program, "mpi", 3) == 0 && sscanf(word, "ppr:%7d:node", &per_host) == 1 && per_host > 0)
        facts[PER_HOST] = per_host;
}

static void conclude(struct benchmark_facts *told, int facts[N_FACTS])
{
    if (facts[SETS] > 0) {
        facts[RANKS] = facts[SETS] * (facts[RANKS_PER_SET] > 0 ? facts[RANKS_PER_SET] : 1);
        facts[HOSTS] = facts[SETS_PER_HOST] > 0 ? (facts[SETS] + facts[SETS_PER_HOST] - 1) / facts[SETS_PER_HOST] : 0;
    }
    if (facts[RANKS] == 0 && facts[HOSTS] > 0 && facts[PER_HOST] > 0)
        facts[RANKS] = facts[HOSTS] * facts[PER_HOST];
    if (facts[HOSTS] == 0 && facts[RANKS] > 0 && facts[PER_HOST] > 0)
        facts[HOSTS] = (facts[RANKS] + facts[PER_HOST] - 1) / facts[PER_HOST];
    told->ranks = facts[RANKS];
    told->hosts = facts[HOSTS];
}

void launch_read(struct benchmark_facts *told, const char *line)
{
    static const char *const programs[] = {"jsrun", "srun", "mpirun", "mpiexec", "aprun"};
    char copy[2048], *words[WORDS];
    int facts[N_FACTS] = {0};
    const char *program = NULL;
    if (strstr(line, "run ") == NULL && strstr(line, "mpiexec ") == NULL)
        return;
    snprintf(copy, sizeof copy, "%s", line);
    int n_words = columns_cut(words, WORDS, copy, ' ');
    for (int i = 0; i < n_words && i < WORDS; i++) {
        const char *base = strrchr(words[i], '/') != NULL ? strrchr(words[i], '/') + 1 : words[i];
        for (size_t p = 0; program == NULL && p < sizeof programs / sizeof programs[0]; p++)
            if (strcmp(base, programs[p]) == 0)
                program = programs[p];
        if (program != NULL)
            take_word(facts, program, words[i], i + 1 < n_words && i + 1 < WORDS ? words[i + 1] : NULL);
    }
    if (program != NULL)
        conclude(told, facts);
}
