/* Runs as bytes, and back; their members by name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/run_transport.h"

#include "base/builder.h"
#include "base/memory.h"
#include "interval/intern.h"
#include "metrics/result_transport.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct study_run, member)

const struct run_member run_members[N_RUN_MEMBERS] = {
    {"platform", RUN_NAME, AT(platform)},
    {"network", RUN_NAME, AT(network)},
    {"ranks", RUN_INT, AT(ranks)},
    {"discarded", RUN_REASON, AT(discarded)},
    {"notes", RUN_NOTES, AT(notes)},
    {"events", RUN_INT64, AT(events)},
    {"wall_s", RUN_REAL, AT(wall_s)},
    {"peak_rss_bytes", RUN_INT64, AT(peak_rss_bytes)},
    {"most_queued", RUN_INT64, AT(most_queued)},
    {"most_messages", RUN_INT64, AT(most_messages)},
};

/* --- members --- */

static char *join_lines(const struct run_notes *notes)
{
    struct builder text = {0};
    for (int i = 0; i < N_NOTES; i++)
        builder_add(&text, "%s\n", notes != NULL && notes->texts[i] != NULL ? notes->texts[i] : "");
    return builder_take(&text);
}

/* Read notes, one a line. If there are fewer lines, the last notes are empty; lines behind the last note are left
 * out. */
static int split_lines(const struct run_notes **notes, const char *text)
{
    struct run_notes found = {{NULL}};
    bool any = false;
    for (int i = 0; i < N_NOTES; i++) {
        char note[NOTE_SIZE] = "";
        size_t length = strcspn(text, "\n");
        if (length >= NOTE_SIZE)
            return -1;
        memcpy(note, text, length);
        found.texts[i] = length > 0 ? intern_text(note) : NULL;
        any = any || length > 0;
        text += length + (text[length] == '\n');
    }
    *notes = any ? intern_bytes(&found, sizeof found) : NULL;
    return 0;
}

struct run_value run_member_get(const struct run_member *member, const struct study_run *run)
{
    const void *at = (const char *)run + member->offset;
    const char *const *name = at;
    switch (member->type) {
    case RUN_NAME:
    case RUN_REASON:
        return (struct run_value){.text = xstrdup(*name != NULL ? *name : "")};
    case RUN_NOTES:
        return (struct run_value){.text = join_lines(*(const struct run_notes *const *)at)};
    case RUN_INT:
        return (struct run_value){.number = *(const int *)at};
    case RUN_INT64:
        return (struct run_value){.number = *(const int64_t *)at};
    case RUN_REAL:
    default:
        return (struct run_value){.real = *(const double *)at};
    }
}

int run_member_set(struct study_run *run, const struct run_member *member, const struct run_value *value)
{
    void *at = (char *)run + member->offset;
    switch (member->type) {
    case RUN_NAME:
        *(const char **)at = intern_text(value->text);
        break;
    case RUN_REASON:
        if (strlen(value->text) >= DISCARDED_SIZE)
            return -1;
        *(const char **)at = value->text[0] != '\0' ? intern_text(value->text) : NULL;
        break;
    case RUN_NOTES:
        return split_lines(at, value->text);
    case RUN_INT:
        if (value->number < 0 || value->number > INT32_MAX)
            return -1;
        *(int *)at = (int)value->number;
        break;
    case RUN_INT64:
        *(int64_t *)at = value->number;
        break;
    case RUN_REAL:
        *(double *)at = value->real;
        break;
    }
    return 0;
}

/* --- bytes --- */

static void transport_member(struct transport *transport, const struct run_member *member, struct study_run *run)
{
    struct run_value value = {.text = NULL};
    if (transport->to != NULL)
        value = run_member_get(member, run);
    if (member->type <= RUN_NOTES)
        transport_long_text(transport, &value.text);
    else if (member->type == RUN_REAL)
        transport_real(transport, &value.real);
    else
        transport_int64(transport, &value.number);
    if (transport->to == NULL && !transport->failed)
        transport->failed = run_member_set(run, member, &value) != 0;
    free(value.text);
}

void run_transport(struct transport *transport, struct study_run *run)
{
    for (int i = 0; i < N_RUN_MEMBERS; i++)
        transport_member(transport, &run_members[i], run);
    result_transport(transport, &run->result);
}
