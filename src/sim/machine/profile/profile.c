/* Reads SimGrid's profiles, and gives their value at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profile/profile.h"

#include "base/memory.h"
#include "sim/machine/profile/law.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 1000000
#define MAX_SECONDS 1e10
#define MAX_DRAWN 65536 /* points of a STOCHASTIC LOOP before it begins anew */
#define MAX_TRIES 1000  /* of a draw for a number that is allowed */

static const struct {
    const char *name, *unit;
    double max;
} kinds[N_PROFILE_KINDS] = {
    [PROFILE_SPEED] = {"an availability", "", 1e6}, /* SimGrid multiplies a speed by it, which may be above 1 */
    [PROFILE_BANDWIDTH] = {"a bandwidth", " B/s", 1e15},
    [PROFILE_LATENCY] = {"a latency", " s", 1e4},
};

/* A line of a STOCHASTIC profile: how long after the one before, and what. */
struct drawn_line {
    struct law delay, value;
    long line;
};

/* The state of reading the lines. Messages quote a file only as far as it is known for a profile: all of it after a
 * good line, else what is a number, or begins like one behind a first word that is good. */
struct reading {
    struct profile *profile;
    size_t capacity;
    double loop_after_s; /* negative: not given */
    bool is_stochastic, loops;
    struct drawn_line *drawn;
    size_t n_drawn, drawn_capacity;
    const char *file;
    long line;
    bool is_known;  /* a line has been good */
    bool has_begun; /* the line's first word has been */
    struct sim_error *error;
};

/* ---- A line ---- */

/* The word as messages show it: in quotes, or not at all. `text` is for that; NULL, no word, is empty. */
static const char *show(char text[64], const char *word, const struct reading *reading)
{
    char *end;
    word = word != NULL ? word : "";
    strtod(word, &end);
    bool is_shown = reading->is_known || law_has_digits_only(word) || (reading->has_begun && end != word);
    snprintf(text, 64, is_shown ? "'%.40s'" : "the line", word);
    return text;
}

static int read_seconds(double *seconds, const char *word, const char *what, double min, const struct reading *reading)
{
    double number = 0;
    char shown[64];
    if (law_number(&number, word) == 0 && number >= min && number <= MAX_SECONDS) {
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
    if (law_number(&number, word) == 0 && number <= kinds[kind].max && (number > 0 || !positive)) {
        *value = number;
        return 0;
    }
    return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                         "profile: %s is not %s; allowed: a number without a unit %s to %g%s",
                         show(shown, word, reading), kinds[kind].name, positive ? "above 0, up" : "from 0",
                         kinds[kind].max, kinds[kind].unit);
}

static void append_point(struct reading *reading, struct profile_point point)
{
    struct profile *profile = reading->profile;
    profile->points = xgrow(profile->points, profile->n_points, &reading->capacity, sizeof point);
    profile->points[profile->n_points++] = point;
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
    append_point(reading, point);
    return 0;
}

/* ---- A line of a STOCHASTIC profile ---- */

static int read_drawn(struct reading *reading, const char *first, char **rest)
{
    struct drawn_line drawn = {.line = reading->line};
    if (!law_read(&drawn.delay, first, rest) || !law_read(&drawn.value, strtok_r(NULL, " \t\r", rest), rest) ||
        strtok_r(NULL, " \t\r", rest) != NULL)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: not two laws, of the delay and of the value; allowed: DET NUMBER, NORM MEAN "
                             "DEVIATION, EXP RATE, UNIF LEAST MOST");
    if (reading->n_drawn == MAX_DRAWN)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: more than %d lines that are drawn", MAX_DRAWN);
    reading->drawn = xgrow(reading->drawn, reading->n_drawn, &reading->drawn_capacity, sizeof drawn);
    reading->drawn[reading->n_drawn++] = drawn;
    return 0;
}

/* ---- Any line ---- */

/* STOCHASTIC, or STOCHASTIC LOOP. */
static int begin_stochastic(struct reading *reading, const char *second)
{
    reading->loops |= second != NULL && strcmp(second, "LOOP") == 0;
    reading->is_stochastic = true;
    if (reading->profile->n_points == 0 && (second == NULL || strcmp(second, "LOOP") == 0))
        return 0;
    return sim_error_set(
        reading->error, SIM_BAD_INPUT, reading->file, reading->line,
        "profile: STOCHASTIC must come before all lines with times; allowed: STOCHASTIC, STOCHASTIC LOOP");
}

/* Blank lines and comments (# or %) say nothing. */
static int read_line(struct reading *reading, char *line)
{
    char *rest = NULL, *first = strtok_r(line, " \t\r", &rest);
    if (first == NULL || first[0] == '#' || first[0] == '%')
        return 0;
    reading->is_known |= reading->has_begun; /* the line before was good, else reading would have ended */
    if (reading->is_stochastic && law_is_name(first))
        return read_drawn(reading, first, &rest);
    char *second = strtok_r(NULL, " \t\r", &rest);
    if (strtok_r(NULL, " \t\r", &rest) != NULL)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, reading->line,
                             "profile: more than two words; allowed: TIME VALUE, PERIODICITY SECONDS, "
                             "LOOPAFTER SECONDS, STOCHASTIC, # comment");
    reading->has_begun = strcmp(first, "PERIODICITY") == 0 || strcmp(first, "LOOPAFTER") == 0;
    if (strcmp(first, "PERIODICITY") == 0)
        return read_seconds(&reading->profile->period_s, second, "a period", 1e-3, reading);
    if (strcmp(first, "LOOPAFTER") == 0)
        return read_seconds(&reading->loop_after_s, second, "a pause", 0, reading);
    if (strcmp(first, "STOCHASTIC") == 0)
        return begin_stochastic(reading, second);
    return reading->is_stochastic ? read_drawn(reading, first, &rest) : read_point(reading, first, second);
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

/* As often as it takes for a number in a range. */
static int draw_within(double *number, const struct reading *reading, const struct drawn_line *line,
                       const struct law *law, double least, double most, uint64_t *i)
{
    for (int try = 0; try < MAX_TRIES; try++) {
        *number = law_draw(law, (*i)++);
        if (*number >= least && *number <= most)
            return 0;
    }
    return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line->line,
                         "profile: the law hardly ever gives %s; allowed: from %g to %g",
                         law == &line->delay ? "a delay" : kinds[reading->profile->kind].name, least, most);
}

/* The points of a STOCHASTIC profile, from a fixed seed; of one that loops MAX_DRAWN, and then again. */
static int draw_points(struct reading *reading)
{
    struct profile *profile = reading->profile;
    double now_s = 0, least = profile->kind == PROFILE_BANDWIDTH ? 1e-300 : 0;
    size_t n = reading->loops ? MAX_DRAWN / reading->n_drawn * reading->n_drawn : reading->n_drawn;
    uint64_t i = 0;
    for (size_t at = 0; at < n && now_s < MAX_SECONDS; at++) {
        const struct drawn_line *line = &reading->drawn[at % reading->n_drawn];
        double delay_s, value;
        if (draw_within(&delay_s, reading, line, &line->delay, 0, MAX_SECONDS, &i) != 0 ||
            draw_within(&value, reading, line, &line->value, least, kinds[profile->kind].max, &i) != 0)
            return -1;
        if (at > 0 && at % reading->n_drawn == 0 && reading->loop_after_s > 0)
            now_s += reading->loop_after_s;
        now_s += delay_s;
        append_point(reading, (struct profile_point){now_s, value});
    }
    if (reading->loops && reading->loop_after_s < 0)
        reading->loop_after_s = 0;
    return 0;
}

/* The list must end before it begins anew, and take some time. */
static int close_loop(const struct reading *reading, long line)
{
    struct profile *profile = reading->profile;
    double last_s = profile->n_points > 0 ? profile->points[profile->n_points - 1].time_s : 0;
    if (reading->is_stochastic && profile->period_s > 0)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: PERIODICITY in a STOCHASTIC profile; allowed: LOOPAFTER");
    if (reading->loop_after_s >= 0 && profile->period_s > 0)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: both PERIODICITY and LOOPAFTER; allowed: one of them");
    if (reading->loop_after_s >= 0)
        profile->period_s = last_s + reading->loop_after_s;
    if (reading->loop_after_s >= 0 && profile->period_s < 1e-3)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: repeats after %g s; allowed: 0.001 s or more", profile->period_s);
    if (profile->period_s > 0 && profile->period_s < last_s)
        return sim_error_set(reading->error, SIM_BAD_INPUT, reading->file, line,
                             "profile: repeats after %g s, before its last time %g", profile->period_s, last_s);
    return 0;
}

int profile_parse(struct profile *profile, enum profile_kind kind, char *text, const char *file, long line,
                  double period_s, struct sim_error *error)
{
    struct profile read = {.kind = kind, .period_s = period_s};
    struct reading reading = {.profile = &read, .loop_after_s = -1, .file = file, .line = line, .error = error};
    int status = read_lines(&reading, text);
    reading.loops |= reading.loop_after_s >= 0;
    if (status == 0 && reading.n_drawn > 0)
        status = draw_points(&reading);
    if (status == 0)
        status = close_loop(&reading, line);
    free(reading.drawn);
    if (status == 0)
        *profile = read;
    else
        profile_dispose(&read);
    return status;
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
