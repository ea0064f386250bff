/* All that has been read of the files; and the facts that stand behind a file's name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/internal.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTE_BYTES = 160 };

/* The same has been said of the file before. */
static bool is_noted(const struct benchmarks *benchmarks, int file, const char *what, const char *why)
{
    for (size_t i = 0; i < benchmarks->n_notes; i++) {
        const struct benchmark_note *note = &benchmarks->notes[i];
        if (note->file == file && strcmp(note->what, what) == 0 && strcmp(note->why, why) == 0)
            return true;
    }
    return false;
}

void benchmarks_note(struct benchmarks *benchmarks, int file, long line, const char *what, const char *why)
{
    char shown[NOTE_BYTES];
    snprintf(shown, sizeof shown, "%s", what);
    if (benchmarks->n_notes == BENCHMARK_NOTES || is_noted(benchmarks, file, shown, why))
        return;
    benchmarks->notes =
        xgrow(benchmarks->notes, benchmarks->n_notes, &benchmarks->notes_capacity, sizeof *benchmarks->notes);
    benchmarks->notes[benchmarks->n_notes++] =
        (struct benchmark_note){.file = file, .line = line, .what = xstrdup(shown), .why = xstrdup(why)};
}

void benchmarks_dispose(struct benchmarks *benchmarks)
{
    for (size_t i = 0; i < benchmarks->n_notes; i++) {
        free(benchmarks->notes[i].what);
        free(benchmarks->notes[i].why);
    }
    for (size_t i = 0; i < benchmarks->n_files; i++)
        free(benchmarks->files[i]);
    free(benchmarks->notes);
    free(benchmarks->files);
    free(benchmarks->rows);
    *benchmarks = (struct benchmarks){0};
}

/* ---- Facts behind a name ---- */

enum { MOST = 1 << 20 };

static int take_count(int *count, const char *name, const char *text, struct sim_error *error)
{
    int64_t value = 0;
    char why[160];
    if (units_parse(&value, QUANTITY_COUNT, text, why, sizeof why) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s: %s", name, why);
    if (value < 1 || value > MOST)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s: '%s' is outside 1 ... %d", name, text, MOST);
    *count = (int)value;
    return 0;
}

static int take_spec(struct benchmark_facts *facts, const char *text, struct sim_error *error)
{
    char known[600];
    facts->spec = spec_find(text);
    if (facts->spec != NULL)
        return 0;
    known_format(known, sizeof known, text, spec_name_at, NULL);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "test: unknown benchmark '%.40s'%s", text, known);
}

static int take_fact(struct benchmark_facts *facts, char *fact, struct sim_error *error)
{
    char *value = strchr(fact, '=');
    if (value != NULL)
        *value++ = '\0';
    if (value != NULL && strcmp(fact, "ranks") == 0)
        return take_count(&facts->ranks, fact, value, error);
    if (value != NULL && strcmp(fact, "hosts") == 0)
        return take_count(&facts->hosts, fact, value, error);
    if (value != NULL && strcmp(fact, "wires") == 0)
        return take_count(&facts->wires, fact, value, error);
    if (value != NULL && strcmp(fact, "test") == 0)
        return take_spec(facts, value, error);
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "'%.40s' behind the name of a file; known: ranks=N hosts=N wires=N test=NAME", fact);
}

int benchmark_split(char **file, struct benchmark_facts *facts, const char *argument, struct sim_error *error)
{
    char *name = xstrdup(argument), *rest = strrchr(name, ':'), *save = NULL;
    int status = 0;
    *facts = (struct benchmark_facts){0};
    if (rest != NULL && strchr(rest, '=') != NULL && access(name, F_OK) != 0) {
        *rest++ = '\0';
        for (char *fact = strtok_r(rest, ",", &save); fact != NULL && status == 0; fact = strtok_r(NULL, ",", &save))
            status = take_fact(facts, fact, error);
    }
    if (status != 0)
        free(name);
    else
        *file = name;
    return status;
}
