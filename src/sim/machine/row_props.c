/* Costs by length: the families of props message.N, local.N, endpoint.N, exchange.N, combine.N and copy.N.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_props.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define BYTE_BOUND 1e8  /* 100 us a byte */
#define TIME_BOUND 1e14 /* 100 s */
#define SIZE_BOUND 1073741824.0

static const struct machine_field message_fields[] = {
    {"up_to", FIELD_SIZE, offsetof(struct message_cost, max_bytes), 0, SIZE_BOUND},
    {"start", FIELD_TIME, offsetof(struct message_cost, start_ps), -TIME_BOUND, TIME_BOUND},
    {"byte", FIELD_TIME, offsetof(struct message_cost, byte_ps), 0, BYTE_BOUND},
    {"hop", FIELD_TIME, offsetof(struct message_cost, hop_ps), 0, TIME_BOUND},
    {"byte_hop", FIELD_TIME, offsetof(struct message_cost, byte_hop_ps), 0, BYTE_BOUND},
    {"send", FIELD_TIME, offsetof(struct message_cost, send_ps), 0, TIME_BOUND},
    {"send_byte", FIELD_TIME, offsetof(struct message_cost, send_byte_ps), 0, BYTE_BOUND},
    {"receive", FIELD_TIME, offsetof(struct message_cost, receive_ps), 0, TIME_BOUND},
    {"receive_byte", FIELD_TIME, offsetof(struct message_cost, receive_byte_ps), 0, BYTE_BOUND},
};

enum { N_ON_THE_WAY = 3 }; /* fields of message_fields */

/* How many of the message_fields the rows of a family have. */
static const struct row_family {
    const char *name;
    size_t offset; /* in a cost model */
    size_t n_fields;
} families[N_COST_ROW_FAMILIES] = {
    {"message.", offsetof(struct cost_model, message), LENGTH(message_fields)},
    {"local.", offsetof(struct cost_model, local), LENGTH(message_fields)},
    {"endpoint.", offsetof(struct cost_model, endpoint), LENGTH(message_fields)},
    {"exchange.", offsetof(struct cost_model, exchange), N_ON_THE_WAY},
    {"combine.", offsetof(struct cost_model, combine), N_ON_THE_WAY},
    {"copy.", offsetof(struct cost_model, copy), N_ON_THE_WAY},
};

static struct cost_rows *rows_of(struct cost_model *costs, const struct row_family *family)
{
    return (struct cost_rows *)((char *)costs + family->offset);
}

int machine_row_read(struct cost_model *costs, struct machine_rows_given *all_given, const struct machine_prop *prop,
                     struct sim_error *error)
{
    const struct row_family *kind = families;
    while (strncmp(prop->id, kind->name, strlen(kind->name)) != 0)
        kind++;
    struct message_cost *rows = rows_of(costs, kind)->row;
    const struct machine_prop **given = all_given->at[kind - families];
    int n = 0;
    const char *number = strchr(prop->id, '.') + 1, *rest = "";
    int family = (int)(number - prop->id);
    if (machine_prop_whole(&n, number, MACHINE_MAX_ROWS, &rest) != 0 || *rest != '\0')
        return machine_prop_error(prop, NULL, error, "is not one of %.*s1 to %.*s%d", family, prop->id, family,
                                  prop->id, MACHINE_MAX_ROWS);
    if (given[n - 1] != NULL)
        return machine_prop_error(prop, NULL, error, "row %d is given twice; first on line %ld", n, given[n - 1]->line);
    given[n - 1] = prop;
    rows[n - 1] = (struct message_cost){.max_bytes = INT64_MAX};
    return machine_prop_parse(&rows[n - 1], prop, message_fields, kind->n_fields, error);
}

/* Count the rows of a family. */
static int check_family(struct cost_rows *rows, const struct machine_prop *const given[], const char *family,
                        const struct machine_props *props, struct sim_error *error)
{
    int64_t shortest = 0;
    bool any = false;
    for (int i = 0; i < MACHINE_MAX_ROWS; i++)
        any = any || given[i] != NULL;
    for (int i = 0; any; i++) {
        const struct message_cost *row = &rows->row[i];
        if (i == MACHINE_MAX_ROWS || given[i] == NULL)
            return sim_error_set(error, SIM_BAD_INPUT, props->file, props->zone_line,
                                 "the root <zone> lacks the prop %s%d%s", family, i + 1,
                                 i > 0 ? ", because the row before it has up_to" : "");
        if (row->max_bytes < shortest)
            return machine_prop_error(given[i], "up_to", error, "the row before it already reaches up to %lld B",
                                      (long long)shortest - 1);
        if (row->start_ps + row->byte_ps * shortest < 0)
            return machine_prop_error(given[i], NULL, error,
                                      "gives a negative time for a message of %lld B without hops",
                                      (long long)shortest);
        rows->count = i + 1;
        if (row->max_bytes == INT64_MAX)
            break;
        shortest = row->max_bytes + 1;
    }
    for (int i = rows->count; i < MACHINE_MAX_ROWS; i++)
        if (given[i] != NULL)
            return machine_prop_error(given[i], NULL, error, "is never used: %s%d has no up_to", family, rows->count);
    return 0;
}

/* Rows of messages over no wire of theirs. */
static int check_wireless(const struct cost_rows *rows, const struct machine_prop *const given[], const char *why,
                          struct sim_error *error)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].hop_ps != 0 || rows->row[i].byte_hop_ps != 0)
            return machine_prop_error(given[i], NULL, error, "has hop or byte_hop: %s", why);
    return 0;
}

int machine_rows_check(struct cost_model *costs, const struct machine_rows_given *given,
                       const struct machine_props *props, struct sim_error *error)
{
    for (int i = 0; i < N_COST_ROW_FAMILIES; i++)
        if (check_family(rows_of(costs, &families[i]), given->at[i], families[i].name, props, error) != 0)
            return -1;
    if (costs->endpoint.count > 0 && costs->message.count > 0)
        return machine_prop_error(given->at[ROWS_ENDPOINT][0], NULL, error,
                                  "is for messages over wires, and the rows message.N say what messages take");
    if (costs->exchange.count > 0 && costs->message.count == 0 && costs->endpoint.count == 0)
        return machine_prop_error(given->at[ROWS_EXCHANGE][0], NULL, error, "needs the prop message.1 or endpoint.1");
    if (check_wireless(&costs->local, given->at[ROWS_LOCAL], "there are no links within a host", error) != 0)
        return -1;
    return check_wireless(&costs->endpoint, given->at[ROWS_ENDPOINT], "the wires say what each of them takes", error);
}
