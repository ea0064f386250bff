/* Reads a profile by libeppa.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/run_profile.h"

#include "base/memory.h"
#include "dataset/json.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct json json;
    const char *file;
    struct sim_error *error;
    bool failed; /* *error says why; what is read from then on is 0 */
};

static void fail(struct reader *self, const struct json_node *node, const char *what, const char *wanted)
{
    if (!self->failed)
        json_fail(&self->json, self->file, node, what, wanted, self->error);
    self->failed = true;
}

static const struct json_node *member_of(struct reader *self, const struct json_node *object, const char *name,
                                         enum json_kind kind, const char *wanted)
{
    const struct json_node *member = json_member(&self->json, object, name);
    if (member != NULL && member->kind == kind)
        return member;
    if (member != NULL)
        fail(self, member, name, wanted);
    else if (!self->failed) {
        dataset_fail(self->error, self->file, (long)object->line, (long)object->column,
                     "a profile by libeppa has '%s' here; %s is wanted", name, wanted);
        self->failed = true;
    }
    return NULL;
}

static double number_of(struct reader *self, const struct json_node *object, const char *name)
{
    const struct json_node *member = member_of(self, object, name, JSON_NUMBER, "a number from 0 on");
    if (member == NULL)
        return 0;
    if (!(member->number >= 0 && member->number <= 1e18)) {
        fail(self, member, name, "a number from 0 to 1e18");
        return 0;
    }
    return member->number;
}

static char *text_of(struct reader *self, const struct json_node *object, const char *name)
{
    const struct json_node *member = member_of(self, object, name, JSON_TEXT, "a text");
    return xstrdup(member != NULL ? json_text_of(&self->json, member) : "");
}

/* The objects of a list, and room for as many rows. */
static const struct json_node *list_of(struct reader *self, void **rows, size_t *n_rows, size_t row_bytes,
                                       const struct json_node *object, const char *name)
{
    const struct json_node *list = member_of(self, object, name, JSON_LIST, "a list");
    *n_rows = 0;
    if (list == NULL)
        return NULL;
    const struct json_node *first = json_at(&self->json, list->first);
    for (const struct json_node *node = first; node != NULL; node = json_at(&self->json, node->next)) {
        if (node->kind != JSON_OBJECT)
            fail(self, node, name, "an object");
        ++*n_rows;
    }
    *rows = xcalloc(*n_rows + 1, row_bytes);
    if (self->failed)
        *n_rows = 0;
    return self->failed ? NULL : first;
}

static void read_calls(struct reader *self, struct run_profile_call **calls, size_t *n_calls,
                       const struct json_node *root, const char *name, bool has_site)
{
    void *rows = NULL;
    const struct json_node *node = list_of(self, &rows, n_calls, sizeof **calls, root, name);
    *calls = rows;
    for (struct run_profile_call *call = *calls; node != NULL; node = json_at(&self->json, node->next), call++)
        *call = (struct run_profile_call){
            .site = has_site ? text_of(self, node, "site") : NULL,
            .function = text_of(self, node, "function"),
            .calls = number_of(self, node, "calls"),
            .time_s = number_of(self, node, "time_s"),
            .bytes = number_of(self, node, "sent_bytes") + number_of(self, node, "received_bytes"),
            .least_s = number_of(self, node, "least_s"),
        };
}

static void read_sizes(struct reader *self, struct run_profile_size **sizes, size_t *n_sizes,
                       const struct json_node *root, const char *name, const char *count)
{
    void *rows = NULL;
    const struct json_node *node = list_of(self, &rows, n_sizes, sizeof **sizes, root, name);
    *sizes = rows;
    for (struct run_profile_size *size = *sizes; node != NULL; node = json_at(&self->json, node->next), size++)
        *size = (struct run_profile_size){number_of(self, node, "from_bytes"), number_of(self, node, "to_bytes"),
                                          number_of(self, node, count), number_of(self, node, "bytes")};
}

static void read_ranks(struct reader *self, struct run_profile *profile, const struct json_node *root)
{
    void *rows = NULL;
    const struct json_node *node = list_of(self, &rows, &profile->n_ranks, sizeof *profile->ranks, root, "rank_times");
    profile->ranks = rows;
    for (struct run_profile_rank *rank = profile->ranks; node != NULL;
         node = json_at(&self->json, node->next), rank++) {
        const struct json_node *states = member_of(self, node, "state_s", JSON_OBJECT, "an object");
        if (states == NULL)
            return;
        *rank = (struct run_profile_rank){.time_s = number_of(self, node, "time_s"),
                                          .useful_s = number_of(self, states, "useful"),
                                          .control_s = number_of(self, states, "control"),
                                          .mpi_s = number_of(self, states, "mpi")};
        rank->off_s = rank->time_s - rank->useful_s - rank->control_s - rank->mpi_s;
        rank->off_s = rank->off_s > 0 ? rank->off_s : 0;
    }
}

static void read_all(struct reader *self, struct run_profile *profile)
{
    const struct json_node *root = json_at(&self->json, 0);
    profile->program = text_of(self, root, "program");
    profile->time_s = number_of(self, root, "time_s");
    read_calls(self, &profile->functions, &profile->n_functions, root, "functions", false);
    if (!self->failed && json_member(&self->json, root, "sites") != NULL)
        read_calls(self, &profile->sites, &profile->n_sites, root, "sites", true);
    if (!self->failed)
        read_sizes(self, &profile->messages, &profile->n_messages, root, "message_sizes", "messages");
    if (!self->failed)
        read_sizes(self, &profile->collectives, &profile->n_collectives, root, "collective_volumes", "calls");
    if (!self->failed)
        read_ranks(self, profile, root);
    if (!self->failed && profile->n_ranks == 0)
        fail(self, root, "rank_times", "a profile with a rank");
}

int run_profile_load(struct run_profile *profile, const char *file, struct sim_error *error)
{
    struct input input;
    struct reader self = {.file = file, .error = error};
    *profile = (struct run_profile){.has_bytes = true, .has_sizes = true};
    if (input_open(&input, file, error) != 0)
        return -1;
    self.failed = json_parse(&self.json, &input, error) != 0;
    if (!self.failed)
        read_all(&self, profile);
    input_close(&input);
    json_dispose(&self.json);
    if (self.failed)
        run_profile_dispose(profile);
    return self.failed ? -1 : 0;
}

static void dispose_calls(struct run_profile_call *calls, size_t n_calls)
{
    for (size_t i = 0; i < n_calls; i++) {
        free(calls[i].site);
        free(calls[i].function);
    }
    free(calls);
}

void run_profile_dispose(struct run_profile *profile)
{
    free(profile->program);
    dispose_calls(profile->functions, profile->n_functions);
    dispose_calls(profile->sites, profile->n_sites);
    free(profile->messages);
    free(profile->collectives);
    free(profile->ranks);
    *profile = (struct run_profile){0};
}
