/* What was traced, beside what is simulated of it on other machines. */
#include "study/sections/sections.h"

#include <math.h>

/* Runs beyond that are in the tables of times and of lost cycles only. */
enum { MOST_RUNS = 20 };

static double load_balance(const struct result *result)
{
    double sum = 0, most = 0;
    for (int rank = 0; rank < result->n_ranks; rank++) {
        double useful = (double)result->state_ps[rank][STATE_USEFUL];
        sum += useful;
        most = fmax(most, useful);
    }
    return most > 0 ? sum / result->n_ranks / most : (double)NAN;
}

/* Whether a state, of the trace or of a simulation, is worth a column. */
static bool is_shown(const struct study *study, int state)
{
    return location_state_is_usual[state] || study_has(study, (enum measure_id)((int)M_TRACED_USEFUL + state)) ||
           study_has(study, (enum measure_id)((int)M_STATE_USEFUL + state));
}

/* A row; `first` is the measure of the first state. */
static void add_row(struct table *table, const struct study *study, const char *name, const struct study_run *run,
                    double time_s, enum measure_id first, double balance)
{
    table_text(table, name);
    table_real(table, time_s);
    table_real(table, time_s / run_value(run, M_TRACED_TIME));
    for (int s = 0; s < N_LOCATION_STATES; s++) {
        double state_s = run_value(run, (enum measure_id)((int)first + s));
        if (is_shown(study, s))
            table_real(table, (isnan(state_s) ? 0 : state_s) / (run->ranks * time_s));
    }
    table_real(table, balance);
}

static bool is_no_platform(const struct study_parameter *parameter)
{
    return parameter->subject != SUBJECT_PLATFORM;
}

void section_traced(struct document *document, const struct study *study)
{
    static const struct column columns[] = {
        {.id = "run", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of traced", .unit = UNIT_SLOWDOWN},
    };
    const struct study_run *first = NULL;
    int n_shown = 0;
    for (int i = 0; i < study->n_runs && first == NULL; i++)
        if (!isnan(run_value(&study->runs[i], M_TRACED_TIME)))
            first = &study->runs[i];
    if (first == NULL)
        return;
    struct table *table =
        document_table(document, "traced", "Traced, and simulated (shares of ranks x time)", FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int s = 0; s < N_LOCATION_STATES; s++)
        if (is_shown(study, s))
            table_column(table, (struct column){.id = location_state_names[s],
                                                .head = measure_specs[M_STATE_USEFUL + s].label,
                                                .unit = UNIT_SHARE,
                                                .flags = s == 0 ? COLUMN_BEGINS : 0});
    table_column(table, (struct column){.id = "load balance", .unit = UNIT_SHARE, .flags = COLUMN_BEGINS});
    add_row(table, study, "traced", first, run_value(first, M_TRACED_TIME), M_TRACED_USEFUL,
            run_value(first, M_TRACED_LOAD_BALANCE));
    for (int i = 0; i < study->n_runs; i++) {
        const struct study_run *run = &study->runs[i];
        if (isnan(run_value(run, M_TRACED_TIME)) || n_shown++ >= MOST_RUNS)
            continue;
        struct builder name = {0};
        builder_add(&name, "%s", run->platform);
        study_name_varied(&name, study, run, is_no_platform, ", ");
        add_row(table, study, document_own(document, builder_take(&name)), run, run_time(run), M_STATE_USEFUL,
                load_balance(&run->result));
    }
}
