/* Two conditions, each for the n-th beginning of a scope or of a call of a function.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/switch.h"

#include "eppa/record/recorder.h"
#include "eppa/record/settings.h"

#include <stdlib.h>

/* NAME:N; without text it never holds. */
struct condition {
    const char *text;
    size_t length;  /* of the name */
    int64_t number; /* from 1 */
    int64_t count;  /* up to now */
    int region;     /* N_REGIONS: it is about a scope */
};

static struct condition start, stop;
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

static void parse(struct condition *condition, enum setting setting, const char *name, bool speaks)
{
    const char *text = settings_text(setting), *colon = text != NULL ? strrchr(text, ':') : NULL;
    char *end = NULL;
    *condition = (struct condition){0};
    if (text == NULL || text[0] == '\0')
        return;
    long long number = colon != NULL && colon[1] >= '1' && colon[1] <= '9' ? strtoll(colon + 1, &end, 10) : 0;
    if (number < 1 || colon == text || *end != '\0') {
        if (speaks)
            eppa_say("%s: '%.80s' is not NAME:N, such as iteration:10 or MPI_Allreduce:100; it has no effect", name,
                     text);
        return;
    }
    size_t length = (size_t)(colon - text);
    *condition =
        (struct condition){.text = text, .length = length, .number = number, .region = region_named(text, length)};
}

void switch_prepare(bool speaks)
{
    parse(&start, SETTING_START, "EPPA_START", speaks);
    parse(&stop, SETTING_STOP, "EPPA_STOP", speaks);
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

void switch_meet_scope(const char *name, int64_t now_ns)
{
    if (is_named(&start, name) && meet(&start))
        switch_turn(true, now_ns);
    if (is_named(&stop, name) && meet(&stop))
        switch_turn(false, now_ns);
}

static bool counts(const struct condition *condition, uint16_t region)
{
    return condition->text != NULL && condition->region == region && condition->count < condition->number;
}

bool switch_counts(uint16_t region)
{
    return counts(&start, region) || counts(&stop, region);
}

void switch_meet_call(uint16_t region, int64_t now_ns)
{
    if (counts(&start, region) && meet(&start))
        switch_turn(true, now_ns);
    if (counts(&stop, region) && meet(&stop))
        switch_turn(false, now_ns);
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
    const struct define_off off = {.off_ns = off_ns, .run_ns = end_ns - begun_ns};
    if (off_ns > 0)
        recorder_define(DEFINE_OFF, &(struct part){&off, sizeof off}, 1);
}
