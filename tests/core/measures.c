/* Prints the library's results of runs as JSON, to be compared: machines and runs are read from standard input.
 *
 *     machine NAME        the lines up to the next `machine` or `run` are its text
 *     run APPLICATION SETTING...
 *     what-if APPLICATION SETTING...
 *     forecast ROUTINE M ROWS COLUMNS     with others on host n1, as a sensor reports
 *
 * It is compiled natively and for WebAssembly and reads no file, so that both get the same input.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fast.h>
#include <simrun.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 24, MOST_WORDS = 40, MOST_LINE = 1 << 16 };

static char text[MOST_TEXT], line[MOST_LINE], name[200];
static size_t length;
static struct machine *machine;

static void stop(const char *message)
{
    fprintf(stderr, "measures: %s\n", message);
    exit(2);
}

/* ---- Intervals ---- */

/* A checksum of all that is said of all intervals, and their number. */
struct observed {
    uint64_t sum, count;
};

static void mix(uint64_t *sum, int64_t value)
{
    for (int byte = 0; byte < 8; byte++)
        *sum = (*sum ^ (uint8_t)((uint64_t)value >> 8 * byte)) * UINT64_C(1099511628211);
}

static void take(void *self, const struct interval *interval)
{
    struct observed *observed = self;
    const int64_t values[] = {interval->start_ps,   interval->end_ps,    interval->origin_ps,  interval->bytes,
                              interval->operations, interval->location,  interval->peer,       interval->tag,
                              interval->state,      interval->kind,      interval->cause,      interval->scope,
                              interval->category,   interval->operation, interval->is_message, interval->call,
                              interval->is_receipt, interval->message};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        mix(&observed->sum, values[i]);
    observed->count++;
}

/* ---- Measures ---- */

static void print_ps(wide_int ps)
{
    const wide_int second = 1000000000000;
    printf("%s%" PRId64 ".%012" PRId64, ps < 0 ? "-" : "", (int64_t)((ps < 0 ? -ps : ps) / second),
           (int64_t)((ps < 0 ? -ps : ps) % second));
}

static void print_value(enum measure_type type, wide_int number, double ratio)
{
    if (type == MEASURE_TIME)
        print_ps(number);
    else if (type == MEASURE_COUNT)
        printf("%.17g", (double)number);
    else
        printf("%.15g", ratio);
}

static void print_table(const struct result_table *table)
{
    const struct table_spec *spec = &table_specs[table->id];
    printf(",\n  \"%s\": [", spec->name);
    for (size_t row = 0; row < table->n_rows; row++) {
        printf("%s{", row > 0 ? ",\n    " : "");
        for (size_t column = 0; column < spec->n_columns; column++) {
            const struct result_cell cell = result_cell(table, row, column);
            if (!result_has_column(table, column))
                continue;
            printf("%s\"%s\": ", column > 0 ? ", " : "", spec->columns[column].name);
            if (cell.type == MEASURE_TEXT)
                printf("\"%s\"", cell.text);
            else
                print_value(cell.type, cell.number, cell.ratio);
        }
        printf("}");
    }
    printf("]");
}

static void print_result(const struct result *result, const struct observed *observed)
{
    printf("  \"intervals\": \"%" PRIu64 " %016" PRIx64 "\"", observed->count, observed->sum);
    for (size_t i = 0; i < result->n_measures; i++) {
        const struct measure *measure = &result->measures[i];
        printf(",\n  \"%s%s%s\": ", measure->of->group, measure->of->group[0] != '\0' ? "." : "", measure->of->name);
        print_value(measure->of->type, measure_number(measure), measure->ratio);
    }
    for (size_t i = 0; i < result->n_tables; i++)
        print_table(&result->tables[i]);
    for (int rank = 0; rank < result->n_processors; rank++)
        for (int state = 0; state < N_LOCATION_STATES; state++) {
            printf(state == 0 ? ",\n  \"rank %d\": [" : ", ", rank);
            print_ps(result->state_ps[rank][state]);
            printf("%s", state == N_LOCATION_STATES - 1 ? "]" : "");
        }
    printf("\n}\n");
}

static void simulate(char **words, bool what_if)
{
    struct sim_error error;
    struct simrun *simulation;
    struct result result;
    struct observed observed = {UINT64_C(14695981039346656037), 0};
    const struct interval_sink observer = {.take = take, .self = &observed};
    result_init(&result);
    printf("{\"run\": \"%s", name);
    for (int i = 0; words[i] != NULL; i++)
        printf(" %s", words[i]);
    printf("\",\n");
    if (simrun_open(&simulation, machine, words[0], (const char *const *)&words[1], &error) != 0 ||
        simrun_run(&result, simulation, &observer, &error) != 0 ||
        (what_if && simrun_what_if(&result, simulation, NULL, &error) != 0))
        stop(error.message);
    print_result(&result, &observed);
    result_dispose(&result);
    simrun_close(simulation);
}

/* ---- Forecasts ---- */

static bool sense(void *series, struct fast_value *value, enum fast_resource resource, const char *from, const char *to,
                  double at_s)
{
    (void)to, (void)at_s;
    return resource == FAST_AVAILABILITY && strcmp(from, "n1") == 0 && fast_series_forecast(value, series);
}

static void print_forecast(const struct fast_forecast *made)
{
    const double values[] = {made->time_s,   made->computation_s,  made->communication_s, made->best_s,
                             made->logp_s,   made->logp.latency_s, made->logp.gap_s,      made->logp.overhead_s,
                             made->amdahl_s, made->serial_share,   made->availability,    made->memory_bytes};
    printf("  \"intervals\": \"0 0\",\n  \"forecast\": [");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        printf("%s%.17g", i > 0 ? ", " : "", values[i]);
    printf("]\n}\n");
}

static void forecast(char **words)
{
    struct sim_error error;
    struct fast_forecast made;
    struct fast *fast = fast_new(machine);
    struct fast_series *series = fast_series_new();
    if (words[3] == NULL)
        stop("forecast ROUTINE M ROWS COLUMNS");
    const struct fast_call call = {
        .routine = words[0], .m = atoi(words[1]), .rows = atoi(words[2]), .columns = atoi(words[3])};
    for (int i = 0; i < 100; i++)
        fast_series_add(series, (50 + i * 37 % 50) / 100.0);
    fast_set_sensor(fast, &(struct fast_sensor){sense, series});
    if (fast_parallel(&made, fast, &call, &error) != 0)
        stop(error.message);
    printf("{\"run\": \"%s forecast %s %s %sx%s\",\n", name, words[0], words[1], words[2], words[3]);
    print_forecast(&made);
    fast_series_free(series);
    fast_free(fast);
}

/* ---- Input ---- */

static void make_machine(void)
{
    struct sim_error error;
    if (machine == NULL && simrun_read_machine(&machine, name, text, &error) != 0)
        stop(error.message);
}

static void do_line(void)
{
    char *words[MOST_WORDS + 1] = {NULL};
    size_t n = strlen(line);
    bool runs = strncmp(line, "run ", 4) == 0, what_if = strncmp(line, "what-if ", 8) == 0;
    bool forecasts = strncmp(line, "forecast ", 9) == 0;
    if (strncmp(line, "machine ", 8) == 0) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 8, "\n"), line + 8);
        simrun_free_machine(machine);
        machine = NULL;
        length = 0;
        text[0] = '\0';
    } else if (runs || what_if || forecasts) {
        int count = 0;
        make_machine();
        strtok(line, " \n");
        while (count < MOST_WORDS && (words[count] = strtok(NULL, " \n")) != NULL)
            count++;
        if (forecasts)
            forecast(words);
        else
            simulate(words, what_if);
    } else if (length + n + 1 > sizeof text) {
        stop("the machine is too long");
    } else {
        memcpy(text + length, line, n + 1);
        length += n;
    }
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL)
        do_line();
    simrun_free_machine(machine);
    return 0;
}
