/* Reads SimGrid's profiles, and gives their value at a time or what forecasts say of it. */
#include "sim/machine/profile.h"

#include "base/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1000000
#define MAX_SECONDS 1e10

static const struct {
    const char *name, *unit;
    double max;
} kinds[N_PROFILE_KINDS] = {
    [PROFILE_SPEED] = {"an availability", "", 1},
    [PROFILE_BANDWIDTH] = {"a bandwidth", " B/s", 1e15},
    [PROFILE_LATENCY] = {"a latency", " s", 1e4},
};

/* What is known while the lines are read. Messages quote a file only as far as it is known for a profile: all of it
 * after a good line, else what is a number, or begins like one behind a first word that is good. */
struct reading {
    struct profile *profile;
    size_t capacity;
    double loop_after_s; /* negative: not given */
    const char *file;
    long line;
    bool is_known;  /* a line has been good */
    bool has_begun; /* the line's first word has been */
    struct sim_error *error;
};

/* ---- A line ---- */

static bool has_digits_only(const char *word)
{
    return strspn(word, "0123456789.eE+-") == strlen(word);
}

/* A decimal number without unit and without sign, as strtod() reads it in every locale that simrun runs in. */
static int parse_number(double *value, const char *word)
{
    char *end = NULL;
    if (word == NULL || !(isdigit((unsigned char)word[0]) || word[0] == '.') || !has_digits_only(word))
        return -1;
    double number = strtod(word, &end);
    if (*end != '\0' || !isfinite(number))
        return -1;
    *value = number;
    return 0;
}

/* The word as messages show it: in quotes, or not at all. `text` is for that; NULL, no word, is empty. */
static const char *show(char text[64], const char *word, const struct reading *reading)
{
    char *end;
    word = word != NULL ? word : "";
    strtod(word, &end);
    bool is_shown = reading->is_known || has_digits_only(word) || (reading->has_begun && end != word);
    snprintf(text, 64, is_shown ? "'%.40s'" : "the line", word);
    return text;
}

static int read_seconds(double *seconds, const char *word, const char *what, double min, const struct reading *reading)
{
    double number = 0;
    char shown[64];
    if (parse_number(&number, word) == 0 && number >= min && number <= MAX_SECONDS) {
        *seconds = number;
        return 0;
    }
    return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                         "profile: %s is not %s; allowed: seconds from %g to %g", show(shown, word, reading), what, min,
                         MAX_SECONDS);
}

static int read_value(double *value, const char *word, const struct reading *reading)
{
    enum profile_kind kind = reading->profile->kind;
    double number = 0;
    char shown[64];
    bool positive = kind == PROFILE_BANDWIDTH; /* SimGrid takes no other bandwidth */
    if (parse_number(&number, word) == 0 && number <= kinds[kind].max && (number > 0 || !positive)) {
        *value = number;
        return 0;
    }
    return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                         "profile: %s is not %s; allowed: a number without unit %s to %g%s", show(shown, word, reading),
                         kinds[kind].name, positive ? "above 0, up" : "from 0", kinds[kind].max, kinds[kind].unit);
}

static int read_point(struct reading *reading, const char *time, const char *value)
{
    struct profile *profile = reading->profile;
    struct profile_point point;
    if (read_seconds(&point.time_s, time, "a time", 0, reading) != 0)
        return -1;
    reading->has_begun = true;
    if (read_value(&point.value, value, reading) != 0)
        return -1;
    if (profile->n_points > 0 && point.time_s < profile->points[profile->n_points - 1].time_s)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: the time %g comes after %g; allowed: times in order", point.time_s,
                             profile->points[profile->n_points - 1].time_s);
    if (profile->n_points == MAX_POINTS)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: more than %d points", MAX_POINTS);
    profile->points = xgrow(profile->points, profile->n_points, &reading->capacity, sizeof point);
    profile->points[profile->n_points++] = point;
    return 0;
}

/* Blank lines and comments (# or %) say nothing. */
static int read_line(struct reading *reading, char *line)
{
    char *rest = NULL, *first = strtok_r(line, " \t\r", &rest), *second = strtok_r(NULL, " \t\r", &rest);
    if (first == NULL || first[0] == '#' || first[0] == '%')
        return 0;
    reading->is_known |= reading->has_begun; /* the line before was good, else nobody would read on */
    if (strtok_r(NULL, " \t\r", &rest) != NULL)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: more than two words; allowed: TIME VALUE, PERIODICITY SECONDS, "
                             "LOOPAFTER SECONDS, # comment");
    reading->has_begun = strcmp(first, "PERIODICITY") == 0 || strcmp(first, "LOOPAFTER") == 0;
    if (strcmp(first, "PERIODICITY") == 0)
        return read_seconds(&reading->profile->period_s, second, "a period", 1e-3, reading);
    if (strcmp(first, "LOOPAFTER") == 0)
        return read_seconds(&reading->loop_after_s, second, "a pause", 0, reading);
    if (strcmp(first, "STOCHASTIC") == 0)
        return sim_error_set(
            reading->error, SIM_BAD_INPUT, reading->file, reading->line,
            "profile: STOCHASTIC is not supported: a run must give the same times whenever it is made");
    return read_point(reading, first, second);
}

/* ---- All of it ---- */

static int read_lines(struct reading *reading, char *text)
{
    for (char *line = text; line != NULL; reading->line++) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        if (read_line(reading, line) != 0)
            return -1;
        line = end;
    }
    return 0;
}

/* The list must end before it begins anew, and take some time. */
static int close_loop(const struct reading *reading, long line)
{
    struct profile *profile = reading->profile;
    double last_s = profile->n_points > 0 ? profile->points[profile->n_points - 1].time_s : 0;
    if (reading->loop_after_s >= 0 && profile->period_s > 0)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: both PERIODICITY and LOOPAFTER; allowed: one of them");
    if (reading->loop_after_s >= 0)
        profile->period_s = last_s + reading->loop_after_s;
    if (reading->loop_after_s >= 0 && profile->period_s < 1e-3)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: begins anew after %g s; allowed: 0.001 s or more", profile->period_s);
    if (profile->period_s > 0 && profile->period_s < last_s)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: begins anew after %g s, before its last time %g", profile->period_s, last_s);
    return 0;
}

int profile_parse(struct profile *profile, enum profile_kind kind, char *text, const char *file, long line,
                  double period_s, struct sim_error *error)
{
    struct profile read = {.kind = kind, .period_s = period_s};
    struct reading reading = {.profile = &read, .loop_after_s = -1, .file = file, .line = line, .error = error};
    if (read_lines(&reading, text) != 0 || close_loop(&reading, line) != 0) {
        profile_dispose(&read);
        return -1;
    }
    *profile = read;
    return 0;
}

void profile_dispose(struct profile *profile)
{
    free(profile->points);
    *profile = (struct profile){.points = NULL};
}

/* ---- Values ---- */

double profile_value(const struct profile *profile, double time_s, double before)
{
    if (profile->n_points == 0)
        return before;
    double phase_s = profile->period_s > 0 ? fmod(time_s, profile->period_s) : time_s;
    size_t low = 0, high = profile->n_points; /* the points before `low` are not later than the phase */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (profile->points[middle].time_s <= phase_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0)
        return profile->points[low - 1].value;
    return phase_s < time_s ? profile->points[profile->n_points - 1].value : before;
}

struct prediction profile_forecast(const struct profile *profile, double time_s, double before)
{
    struct predictors predictors;
    int64_t last = (int64_t)floor(time_s / PROFILE_PERIOD_S);
    int64_t first = last >= PROFILE_MEASUREMENTS ? last - PROFILE_MEASUREMENTS + 1 : 0;
    predictors_init(&predictors);
    for (int64_t i = first; i <= last; i++)
        predictors_add(&predictors, profile_value(profile, (double)(i * PROFILE_PERIOD_S), before));
    return predictors_best(&predictors);
}
