/* What a message costs without contention, by the rows of the formula; and the model without some of its costs. */
#include "sim/machine/cost_model.h"

#include "base/units.h"

#include <assert.h>
#include <string.h>

/* ---- Messages ---- */

static const struct message_cost *row_for(const struct cost_model *costs, int64_t bytes)
{
    const struct message_cost *row = costs->message;
    while (row->max_bytes < bytes)
        row++;
    return row;
}

static wide_int hop_time(const struct message_cost *row, int64_t bytes)
{
    return row->hop_ps + (wide_int)row->byte_hop_ps * bytes;
}

struct message_parts cost_model_message_parts(const struct cost_model *costs, int64_t bytes)
{
    assert(bytes >= 0);
    const struct message_cost *row = row_for(costs, bytes);
    wide_int hop = hop_time(row, bytes), busy = hop;
    if (bytes > costs->packet_bytes) {
        const struct message_cost *packet = row_for(costs, costs->packet_bytes);
        int64_t rest = bytes % costs->packet_bytes;
        busy = bytes / costs->packet_bytes * hop_time(packet, costs->packet_bytes);
        if (rest > 0)
            busy += hop_time(packet, rest);
    }
    wide_int inject = row->start_ps + (wide_int)row->byte_ps * bytes;
    return (struct message_parts){.inject_ps = inject > 0 ? units_clamp(inject) : 0, /* below 0 only without latency */
                                  .hop_ps = units_clamp(hop),
                                  .link_busy_ps = units_clamp(busy)};
}

int64_t cost_model_message_ps(const struct cost_model *costs, int64_t bytes, int hops)
{
    struct message_parts parts = cost_model_message_parts(costs, bytes);
    return units_clamp((wide_int)parts.inject_ps + (wide_int)hops * parts.hop_ps);
}

/* ---- Without some costs ---- */

static int64_t above_0(int64_t ps)
{
    return ps > 0 ? ps : 0;
}

/* What an empty message takes is taken off every row; or it is all that there is, and a packet as long as any
 * message. */
static void free_messages(struct cost_model *costs, unsigned without)
{
    const struct message_cost empty = costs->message[0];
    if (without & COST_LENGTH) {
        costs->n_message_rows = 1;
        costs->message[0] = (struct message_cost){INT64_MAX, empty.start_ps, 0, empty.hop_ps, 0};
        costs->packet_bytes = INT64_MAX;
    }
    for (int row = 0; row < costs->n_message_rows && (without & COST_LATENCY); row++) {
        costs->message[row].start_ps -= empty.start_ps;
        costs->message[row].hop_ps = above_0(costs->message[row].hop_ps - empty.hop_ps);
    }
}

struct cost_model cost_model_without(const struct cost_model *costs, unsigned without)
{
    struct cost_model changed = *costs;
    changed.free_latency |= (without & COST_LATENCY) != 0;
    changed.free_length |= (without & COST_LENGTH) != 0;
    if (costs->n_message_rows > 0)
        free_messages(&changed, without);
    if (without & COST_OVERHEAD)
        changed.send_start_ps = changed.send_byte_ps = changed.receive_start_ps = changed.receive_byte_ps = 0;
    if (without & COST_LINK_INIT)
        changed.link_init_ps = 0;
    if (without & COST_IO)
        changed.input_start_ps = changed.input_byte_ps = changed.output_start_ps = changed.output_byte_ps = 0;
    if (without & COST_PROTOCOL)
        memset(changed.dsm.cost, 0, sizeof changed.dsm.cost);
    if (without & COST_INTERRUPT)
        changed.dsm.cost[DSM_INTERRUPT] = (struct linear_cost){0, 0};
    return changed;
}
