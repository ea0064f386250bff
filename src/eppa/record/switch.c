/* Two conditions, each for the n-th beginning of a scope or of a call of a function.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/switch.h"

#include "eppa/archive/keep.h"
#include "eppa/record/recorder.h"
#include "eppa/record/settings.h"

#include <stdlib.h>

#define SWITCH_MOST_KEPT (INT64_C(1) << 40)

/* NAME:N; without text it never holds. */
struct condition {
    const char *text;
    size_t length;  /* of the name */
    int64_t number; /* from 1 */
    int64_t count;  /* up to now */
    int region;     /* N_REGIONS: it is about a scope */
};

static struct condition start, stop, keep;
static bool is_off;
static int64_t begun_ns, since_ns, off_ns; /* when the rank's time began, it went off; how long it was off before */
static const unsigned char *begun_at;      /* the place of the record after the first */
static uint32_t off_request;               /* the latest then */

static int region_named(const char *name, size_t length)
{
    int region = 0;
    while (region < N_REGIONS && (regions[region].name == NULL || strlen(regions[region].name) != length ||
                                  strncmp(regions[region].name, name, length) != 0))
        region++;
    return region;
}

/* False if it is not NAME:N. */
static bool read_condition(struct condition *condition, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long long number = colon != NULL && colon[1] >= '1' && colon[1] <= '9' ? strtoll(colon + 1, &end, 10) : 0;
    if (number < 1 || colon == text || *end != '\0')
        return false;
    size_t length = (size_t)(colon - text);
    *condition =
        (struct condition){.text = text, .length = length, .number = number, .region = region_named(text, length)};
    return true;
}

static void parse(struct condition *condition, enum setting setting, bool speaks)
{
    const char *text = settings_text(setting);
    *condition = (struct condition){0};
    if (text != NULL && text[0] != '\0' && !read_condition(condition, text) && speaks)
        eppa_say("%s: '%.80s' is not NAME:N, such as iteration:10 or MPI_Allreduce:100; it has no effect",
                 settings_name(setting), text);
}

/* A number of bytes, such as 64MiB; 0 if it is none. */
static int64_t read_bytes(const char *text)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } units[] = {{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
                 {"KB", 1000},     {"MB", 1000000},  {"GB", 1000000000}};
    char *end = NULL;
    long long number = text[0] >= '1' && text[0] <= '9' ? strtoll(text, &end, 10) : 0;
    if (number < 1 || number > SWITCH_MOST_KEPT)
        return 0;
    end += *end == ' ';
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0 && number <= SWITCH_MOST_KEPT / units[i].bytes)
            return number * units[i].bytes;
    return 0;
}

bool switch_keeps(struct define_keep *part, bool speaks)
{
    const char *text = settings_text(SETTING_KEEP);
    *part = (struct define_keep){0};
    keep = (struct condition){0};
    if (text == NULL || text[0] == '\0')
        return false;
    int64_t bytes = read_bytes(text);
    if (recorder.outcome != OUTCOME_TRACE) {
        if (speaks)
            eppa_say("EPPA_KEEP: only traces (.otf2) are cut; a profile is of the whole run");
    } else if (bytes >= KEEP_LEAST_BYTES) {
        part->bytes = bytes;
    } else if (read_condition(&keep, text) && keep.number <= INT32_MAX / 2) {
        part->n_laps = (uint32_t)keep.number;
    } else {
        keep = (struct condition){0};
        if (speaks)
            eppa_say("EPPA_KEEP: '%.80s' is neither a size from 1MiB to 1024GiB, such as 64MiB, nor NAME:N, such as "
                     "iteration:3; all is kept",
                     text);
    }
    return part->bytes > 0 || part->n_laps > 0;
}

void switch_prepare(bool speaks)
{
    parse(&start, SETTING_START, speaks);
    parse(&stop, SETTING_STOP, speaks);
}

void switch_turn(bool on, int64_t now_ns)
{
    if (on == !is_off)
        return;
    if (recorder.spool.next != begun_at) /* else the time begins where it is on */
        recorder_step(now_ns);
    is_off = !on;
    if (on) {
        off_ns += now_ns - since_ns;
        spool_resume(&recorder.spool);
        put(SPOOL_ON, 0, 0, now_ns, 2, (int64_t[]){off_request, recorder.last_request});
        recorder_reopen_scopes(now_ns);
        processor_begin_gap(now_ns);
    } else {
        since_ns = now_ns;
        off_request = recorder.last_request;
        put(SPOOL_OFF, 0, 0, now_ns, 0, NULL);
        spool_pause(&recorder.spool);
    }
}

void switch_begin(int64_t now_ns)
{
    begun_ns = now_ns;
    begun_at = recorder.spool.next;
    if (start.text != NULL)
        switch_turn(false, now_ns);
}

/* True for the occurrence that is waited for. */
static bool meet(struct condition *condition)
{
    return ++condition->count == condition->number;
}

static bool is_named(const struct condition *condition, const char *name)
{
    return condition->text != NULL && condition->region == N_REGIONS &&
           strncmp(condition->text, name, condition->length) == 0 && name[condition->length] == '\0';
}

/* Say in the records that the next occurrence begins. Those while recording is off do not count. */
static void meet_kept(int64_t now_ns)
{
    if (is_off)
        return;
    recorder_step(now_ns);
    put(SPOOL_LAP, 0, (uint32_t)++keep.count, now_ns, 0, NULL);
}

void switch_meet_scope(const char *name, int64_t now_ns)
{
    if (is_named(&start, name) && meet(&start))
        switch_turn(true, now_ns);
    if (is_named(&stop, name) && meet(&stop))
        switch_turn(false, now_ns);
    if (is_named(&keep, name))
        meet_kept(now_ns);
}

static bool is_about(const struct condition *condition, uint16_t region)
{
    return condition->text != NULL && condition->region == region;
}

static bool counts(const struct condition *condition, uint16_t region)
{
    return is_about(condition, region) && condition->count < condition->number;
}

bool switch_counts(uint16_t region)
{
    return counts(&start, region) || counts(&stop, region) || is_about(&keep, region);
}

void switch_meet_call(uint16_t region, int64_t now_ns)
{
    if (counts(&start, region) && meet(&start))
        switch_turn(true, now_ns);
    if (counts(&stop, region) && meet(&stop))
        switch_turn(false, now_ns);
    if (is_about(&keep, region))
        meet_kept(now_ns);
}

void switch_end(int64_t *time_ns)
{
    int64_t end_ns = *time_ns;
    if (is_off) {
        spool_resume(&recorder.spool);
        off_ns += end_ns - since_ns;
        *time_ns = since_ns;
    }
    if (recorder.rank == 0 && start.text != NULL && start.count < start.number)
        eppa_say("EPPA_START: there was no %s on rank 0", start.text);
    if (recorder.rank == 0 && keep.text != NULL && keep.count == 0)
        eppa_say("EPPA_KEEP: there was no %.*s on rank 0; all is kept", (int)keep.length, keep.text);
    const struct define_off off = {.off_ns = off_ns, .run_ns = end_ns - begun_ns};
    if (off_ns > 0)
        recorder_define(DEFINE_OFF, &(struct part){&off, sizeof off}, 1);
}
