/* The costs of shared memory: read from the props dsm.page, dsm.header, and one for each cost; evaluated.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/dsm_costs.h"

#include "base/units.h"
#include "sim/machine/cost_props.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define TIME_BOUND 1e14 /* 100 s */

const char *const dsm_cost_names[N_DSM_COSTS] = {
    [DSM_INTERRUPT] = "interrupt",
    [DSM_WAKE] = "wake",
    [DSM_RESUME] = "resume",
    [DSM_TRAP] = "trap",
    [DSM_PROTECT] = "protect",
    [DSM_TWIN] = "twin",
    [DSM_DIFF] = "diff",
    [DSM_APPLY] = "apply",
    [DSM_COPY] = "copy",
    [DSM_INTERVAL] = "interval",
    [DSM_NOTICES] = "notices",
    [DSM_COMMAND] = "command",
    [DSM_EXECUTE] = "execute",
    [DSM_MESSAGE] = "message",
    [DSM_CP_COPY] = "controller_copy",
    [DSM_CP_DIFF] = "controller_diff",
    [DSM_CP_APPLY] = "controller_apply",
    [DSM_CP_NOTICES] = "controller_notices",
    [DSM_HW_DIFF] = "hardware_diff",
    [DSM_HW_APPLY] = "hardware_apply",
    [DSM_REFILL] = "refill",
    [DSM_BUS] = "bus",
};

/* Costs of the operating system for messages, not of the protocol. */
static const bool is_of_messages[N_DSM_COSTS] = {[DSM_INTERRUPT] = true, [DSM_WAKE] = true, [DSM_RESUME] = true};

int64_t dsm_cost_ps(const struct dsm_costs *costs, enum dsm_cost cost, int64_t count)
{
    const struct linear_cost *linear = &costs->cost[cost];
    return units_clamp(linear->start_ps + (wide_int)linear->each_ps * count);
}

void dsm_costs_remove(struct dsm_costs *costs, bool of_messages, bool of_protocol)
{
    for (int c = 0; c < N_DSM_COSTS; c++)
        if (is_of_messages[c] ? of_messages : of_protocol)
            costs->cost[c] = (struct linear_cost){0, 0};
}

int machine_dsm_read(struct dsm_costs *costs, const struct machine_prop *prop, struct sim_error *error)
{
    static const struct machine_field page_field[] = {
        {NULL, FIELD_SIZE, offsetof(struct dsm_costs, page_bytes), 64, 65536}};
    static const struct machine_field header_field[] = {
        {NULL, FIELD_SIZE, offsetof(struct dsm_costs, header_bytes), 0, 65536}};
    static const struct machine_field cache_field[] = {
        {NULL, FIELD_SIZE, offsetof(struct dsm_costs, cache_bytes), 0, INT64_C(1) << 40}};
    static const struct machine_field loss_fields[] = {
        {"share", FIELD_NUMBER, offsetof(struct dsm_costs, loss_share), 0, 0.5},
        {"timeout", FIELD_TIME, offsetof(struct dsm_costs, loss_timeout_ps), 0, TIME_BOUND},
    };
    static const struct machine_field cost_fields[] = {
        {"start", FIELD_TIME, offsetof(struct linear_cost, start_ps), 0, TIME_BOUND},
        {"each", FIELD_TIME, offsetof(struct linear_cost, each_ps), 0, TIME_BOUND},
    };
    const char *name = prop->id + strlen("dsm.");
    char known[512] = " page header cache loss";
    if (strcmp(name, "page") == 0)
        return machine_prop_parse(costs, prop, page_field, 1, error);
    if (strcmp(name, "header") == 0)
        return machine_prop_parse(costs, prop, header_field, 1, error);
    if (strcmp(name, "cache") == 0)
        return machine_prop_parse(costs, prop, cache_field, 1, error);
    if (strcmp(name, "loss") == 0)
        return machine_prop_parse(costs, prop, loss_fields, LENGTH(loss_fields), error);
    for (int c = 0; c < N_DSM_COSTS; c++) {
        if (strcmp(name, dsm_cost_names[c]) == 0) {
            costs->given[c] = true;
            return machine_prop_parse(&costs->cost[c], prop, cost_fields, LENGTH(cost_fields), error);
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", dsm_cost_names[c]);
    }
    return machine_prop_error(prop, NULL, error, "is unknown; known after 'dsm.':%s", known);
}
