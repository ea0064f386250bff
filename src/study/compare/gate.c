/* Parses conditions of a gate, and evaluates them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/gate.h"

#include "base/condition.h"
#include "base/known.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the text --- */

static char *trim(char *text)
{
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A number with a sign, and a unit or none. */
static int parse_limit(struct gate *gate, char *text, struct sim_error *error)
{
    char why[200];
    double sign = *text == '-' ? -1 : 1;
    size_t length = strlen(text);
    text += *text == '-' || *text == '+';
    gate->is_share = length > 0 && ends_with(text, "%");
    if (gate->is_share) {
        text[strlen(text) - 1] = '\0';
        text = trim(text);
    }
    for (char *blank = strchr(text, ' '); blank != NULL; blank = strchr(text, ' ')) /* "5 ms" */
        memmove(blank, blank + 1, strlen(blank));
    bool is_bare = condition_number(&gate->limit, text, CONDITION_RATIO, why, sizeof why) == 0;
    enum condition_unit unit = gate->is_share         ? CONDITION_RATIO
                               : ends_with(text, "s") ? CONDITION_TIME
                                                      : CONDITION_SIZE;
    gate->unit = is_bare || gate->is_share ? UNIT_NUMBER : unit == CONDITION_TIME ? UNIT_SECONDS : UNIT_BYTES;
    if (condition_number(&gate->limit, text, unit, why, sizeof why) != 0 || !isfinite(gate->limit) || *text == '-')
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--fail-if: '%.80s': the limit is a number, with %% or a unit of time or size or without, "
                             "such as 5 %%, 20ms or -0.1",
                             gate->text);
    gate->limit *= gate->is_share ? sign / 100 : sign;
    return 0;
}

/* The last < or > of a text: the names of call paths have others. NULL: there is none. */
static char *find_op(char *text)
{
    char *at = NULL;
    for (char *next = strpbrk(text, "<>"); next != NULL; next = strpbrk(next + 1, "<>"))
        at = next;
    return at;
}

int gate_parse(struct gate *gate, const char *text, struct sim_error *error)
{
    static const char *const ops[2][2] = {{"<", "<="}, {">", ">="}};
    *gate = (struct gate){.text = text, .words = xstrdup(text)};
    char *op = find_op(gate->words);
    bool is_name = op != NULL && strspn(gate->words, " ") < (size_t)(op - gate->words);
    bool has_equal = is_name && op[1] == '=';
    char *limit = is_name ? trim(op + 1 + has_equal) : NULL;
    if (limit == NULL || *limit == '\0') {
        gate_dispose(gate);
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--fail-if: '%.80s' is not NAME > LIMIT or NAME < LIMIT, such as 'time_s > 5 %%'", text);
    }
    gate->op = ops[*op == '>'][has_equal];
    *op = '\0';
    gate->name = trim(gate->words);
    int status = parse_limit(gate, limit, error);
    if (status != 0)
        gate_dispose(gate);
    return status;
}

void gate_dispose(struct gate *gate)
{
    free(gate->words);
    gate->words = NULL;
}

/* --- the numbers --- */

/* The measure that JSON calls that; NULL: the run has none. */
static const struct measure *find_measure(const struct study_run *run, const char *key)
{
    const char *dot = strchr(key, '.');
    const struct measure *measure = result_find(&run->result, "", key);
    if (measure != NULL || dot == NULL)
        return measure;
    char *group = xformat("%.*s", (int)(dot - key), key);
    measure = result_find(&run->result, group, dot + 1);
    free(group);
    return measure;
}

/* A number of a part. */
static const struct part_number {
    const char *end; /* of its name */
    size_t offset;   /* in struct part_amount */
    enum unit unit;
} part_numbers[] = {{".count", offsetof(struct part_amount, count), UNIT_COUNT},
                    {".bytes", offsetof(struct part_amount, bytes), UNIT_BYTES},
                    {"", offsetof(struct part_amount, time_s), UNIT_SECONDS}};

/* The part of that kind that "MPI_Recv.count" names, and which of its numbers. */
static const struct compare_part *find_part_of(const struct part_number **number, const struct compare_parts *parts,
                                               enum compare_axis by, const char *name)
{
    for (size_t i = 0; i < sizeof part_numbers / sizeof part_numbers[0]; i++) {
        *number = &part_numbers[i];
        if (!ends_with(name, (*number)->end))
            continue;
        char *cut = xformat("%.*s", (int)(strlen(name) - strlen((*number)->end)), name);
        const struct compare_part *part = parts_named(parts, by, cut);
        free(cut);
        if (part != NULL)
            return part;
    }
    return NULL;
}

/* The part that "function.MPI_Recv" or "call site.halo.c:41: MPI_Recv" names: of a kind as in JSON or in tables. */
static const struct compare_part *find_part(const struct part_number **number, const struct compare_parts *parts,
                                            const char *name)
{
    const struct compare_part *part = NULL;
    for (int by = 0; by < N_COMPARE_AXES && part == NULL; by++) {
        const char *const kinds[] = {compare_axis_names[by], compare_axis_heads[by]};
        for (int i = 0; i < 2 && part == NULL; i++) {
            size_t length = strlen(kinds[i]);
            if (strncmp(name, kinds[i], length) == 0 && name[length] == '.')
                part = find_part_of(number, parts, (enum compare_axis)by, name + length + 1);
        }
    }
    return part;
}

/* The number of each run of a version; NAN: it has none. */
static double *values_of(enum unit *unit, const struct gate *gate, const struct compare_parts *parts, int version)
{
    const struct compare_version *of = &parts->versions[version];
    double *values = xcalloc((size_t)of->n_runs + 1, sizeof *values);
    const struct part_number *number;
    const struct compare_part *part = find_part(&number, parts, gate->name);
    if (part != NULL)
        *unit = number->unit;
    for (int i = 0; i < of->n_runs; i++) {
        const struct measure *measure = find_measure(&of->runs[i], gate->name);
        values[i] = measure != NULL ? measure_value(measure) : (double)NAN;
        if (measure != NULL)
            *unit = measure_unit(measure);
        else if (part != NULL)
            memcpy(&values[i], (const char *)&part_of_version(parts, part, version)[i] + number->offset,
                   sizeof *values);
    }
    return values;
}

/* --- what is wrong --- */

struct names {
    char **list; /* owned */
    int count;
};

static const char *name_at(const void *table, int i)
{
    const struct names *names = table;
    return i < names->count ? names->list[i] : NULL;
}

/* All measures of a version, and all parts. */
static struct names find_names(const struct compare_parts *parts, const struct compare_version *version)
{
    const struct result *result = &version->middle->result;
    struct names names = {.list = xcalloc(result->n_measures + parts->count + 1, sizeof *names.list)};
    for (size_t i = 0; i < result->n_measures; i++)
        names.list[names.count++] = measure_key(&result->measures[i]);
    for (size_t i = 0; i < parts->count; i++)
        names.list[names.count++] = xformat("%s.%s", compare_axis_names[parts->list[i].by], parts->list[i].name);
    return names;
}

static int refuse_name(const struct gate *gate, const struct compare_parts *parts,
                       const struct compare_version *version, struct sim_error *error)
{
    struct names names = find_names(parts, version);
    const char *meant = known_find_meant(gate->name, name_at, &names);
    bool is_lacking = meant != NULL && strcmp(meant, gate->name) == 0; /* the other version has it */
    char *hint = meant != NULL && !is_lacking ? xformat("; did you mean '%.80s'?", meant) : xstrdup(";");
    int status =
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                      "--fail-if: '%.80s': %.80s has no '%.80s'%s known are the measures of simrun list measures, and "
                      "KIND.PART of time_parts in -f json, such as 'function.MPI_Recv'",
                      gate->text, version->name, gate->name, hint);
    free(hint);
    for (int i = 0; i < names.count; i++)
        free(names.list[i]);
    free(names.list);
    return status;
}

/* Only times are held against times, and sizes against sizes. */
static int check_unit(const struct gate *gate, enum unit unit, struct sim_error *error)
{
    bool is_time = unit == UNIT_SECONDS, is_size = unit == UNIT_BYTES;
    if (gate->unit == UNIT_NUMBER || gate->unit == unit)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "--fail-if: '%.80s': '%.80s' is %s; its limit is %s, or a share such as 5 %%", gate->text,
                         gate->name,
                         is_time   ? "a time"
                         : is_size ? "a size"
                                   : "a number without a unit",
                         is_time   ? "a time such as 20ms"
                         : is_size ? "a size such as 64KiB"
                                   : "a number such as 0.1");
}

/* --- the check --- */

static bool passes(const struct gate *gate, double change)
{
    const struct condition condition = {.op = gate->op};
    return condition_holds(&condition, (change > gate->limit) - (change < gate->limit));
}

static void check(struct gate_result *result, const struct gate *gate, const struct verdict *verdict)
{
    double change = verdict->second_s - verdict->first_s;
    if (gate->is_share && fabs(change) > 0)
        change /= fabs(verdict->first_s);
    result->first = verdict->first_s;
    result->second = verdict->second_s;
    result->change = change;
    bool tells_noise = verdict->least_p <= VERDICT_LEVEL; /* NAN is not */
    result->is_noise = passes(gate, change) && tells_noise && verdict->p > VERDICT_LEVEL;
    result->fails = passes(gate, change) && !result->is_noise;
}

int gate_check(struct gate_result *result, const struct gate *gate, const struct compare_parts *parts, int version,
               struct sim_error *error)
{
    const struct compare_version *first = &parts->versions[0], *second = &parts->versions[version];
    *result = (struct gate_result){.gate = gate, .version = version};
    double *before = values_of(&result->unit, gate, parts, 0), *after = values_of(&result->unit, gate, parts, version);
    const struct verdict verdict =
        verdict_of_values(before, first->n_runs, after, second->n_runs, verdict_is_exact(parts->versions, version));
    free(before);
    free(after);
    if (isnan(verdict.first_s) || isnan(verdict.second_s))
        return refuse_name(gate, parts, isnan(verdict.first_s) ? first : second, error);
    if (check_unit(gate, result->unit, error) != 0)
        return -1;
    check(result, gate, &verdict);
    return 0;
}

/* --- words --- */

static void add_number(struct builder *line, const struct gate_result *result, double number)
{
    if (result->unit == UNIT_SECONDS)
        builder_add_time(line, number);
    else
        builder_add(line, "%.6g", number);
}

void gate_add_text(struct builder *line, const struct gate_result *result, const struct compare_parts *parts)
{
    double change = result->change;
    builder_add(line, "%s of %s ", result->gate->name, parts->versions[result->version].name);
    if (fabs(change) <= 0) {
        builder_add(line, "is unchanged");
    } else if (isinf(change)) {
        builder_add(line, "was nothing before");
    } else {
        builder_add(line, "%s by ", change > 0 ? "grew" : "fell");
        if (result->gate->is_share)
            builder_add(line, fabs(change) < 9.995 ? "%.3g %%" : "%.0f %%", 100 * fabs(change));
        else
            add_number(line, result, fabs(change));
    }
    builder_add(line, " (");
    add_number(line, result, result->first);
    builder_add(line, " to ");
    add_number(line, result, result->second);
    builder_add(line, ")%s; '%s' %s", result->is_noise ? ", no more than noise" : "", result->gate->text,
                result->fails ? "is so" : "is not so");
}
