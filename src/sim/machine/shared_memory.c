/* What shared memory costs: the props dsm.page, dsm.header, and one for each cost. */
#include "sim/machine/cost_props.h"

#include <stdio.h>
#include <string.h>

#define TIME_BOUND 1e14 /* 100 s */

int machine_dsm_read(struct dsm_costs *costs, const struct machine_prop *prop, struct sim_error *error)
{
    static const struct machine_field page_field[] = {
        {NULL, FIELD_SIZE, offsetof(struct dsm_costs, page_bytes), 64, 65536}};
    static const struct machine_field header_field[] = {
        {NULL, FIELD_SIZE, offsetof(struct dsm_costs, header_bytes), 0, 65536}};
    static const struct machine_field cost_fields[] = {
        {"start", FIELD_TIME, offsetof(struct linear_cost, start_ps), 0, TIME_BOUND},
        {"each", FIELD_TIME, offsetof(struct linear_cost, each_ps), 0, TIME_BOUND},
    };
    const char *name = prop->id + strlen("dsm.");
    char known[512] = " page header";
    if (strcmp(name, "page") == 0)
        return machine_prop_parse(costs, prop, page_field, 1, error);
    if (strcmp(name, "header") == 0)
        return machine_prop_parse(costs, prop, header_field, 1, error);
    for (int c = 0; c < N_DSM_COSTS; c++) {
        if (strcmp(name, dsm_cost_names[c]) == 0) {
            costs->given[c] = true;
            return machine_prop_parse(&costs->cost[c], prop, cost_fields, sizeof cost_fields / sizeof cost_fields[0],
                                      error);
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), " %s", dsm_cost_names[c]);
    }
    return machine_prop_error(prop, NULL, error, "is unknown; known after 'dsm.':%s", known);
}
