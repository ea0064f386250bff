/* The cost of a message without contention, by the rows of the formula; and the model without some of its costs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_model.h"

#include "base/range.h"
#include "base/units.h"

#include <assert.h>
#include <string.h>

/* ---- Messages ---- */

static const struct message_cost *find_row(const struct message_cost *row, int64_t bytes)
{
    while (row->max_bytes < bytes)
        row++;
    return row;
}

static const struct message_cost *row_for(const struct cost_model *costs, int64_t bytes)
{
    return find_row(costs->message.row, bytes);
}

static wide_int hop_time(const struct message_cost *row, int64_t bytes)
{
    return row->hop_ps + (wide_int)row->byte_hop_ps * bytes;
}

/* The time for which a link serves `bytes`, packet by packet. */
static wide_int link_busy(const struct cost_model *costs, int64_t bytes)
{
    int64_t packets = bytes / costs->packet_bytes, rest = bytes % costs->packet_bytes;
    if (packets == 0)
        return hop_time(row_for(costs, bytes), bytes);
    wide_int busy = packets * hop_time(row_for(costs, costs->packet_bytes), costs->packet_bytes);
    return rest > 0 ? busy + hop_time(row_for(costs, rest), rest) : busy;
}

/* The time of one link for the first packets of all windows but the first. */
static wide_int refill(const struct cost_model *costs, int64_t bytes)
{
    if (bytes <= costs->window_bytes)
        return 0;
    int64_t further = bytes / costs->window_bytes - 1, rest = bytes % costs->window_bytes;
    int64_t full = int64_min(costs->window_bytes, costs->packet_bytes), last = int64_min(rest, costs->packet_bytes);
    wide_int time = further * (hop_time(row_for(costs, full), full) + costs->refill_ps);
    return last > 0 ? time + hop_time(row_for(costs, last), last) + costs->refill_ps : time;
}

static int64_t inject(const struct message_cost *row, int64_t bytes)
{
    wide_int time = row->start_ps + (wide_int)row->byte_ps * bytes;
    return time > 0 ? units_clamp(time) : 0; /* below 0 only without latency */
}

struct message_parts cost_model_message_parts(const struct cost_model *costs, int64_t bytes, int hops, bool exchanges)
{
    assert(bytes >= 0);
    if (hops == 0 && costs->local.count > 0)
        return (struct message_parts){.inject_ps = inject(find_row(costs->local.row, bytes), bytes)};
    const struct message_cost *row = row_for(costs, bytes);
    bool has_own = exchanges && costs->exchange.count > 0;
    return (struct message_parts){.inject_ps = inject(has_own ? find_row(costs->exchange.row, bytes) : row, bytes),
                                  .hop_ps = units_clamp(hop_time(row, bytes)),
                                  .refill_ps = units_clamp(refill(costs, bytes)),
                                  .link_busy_ps = units_clamp(link_busy(costs, bytes))};
}

int64_t cost_model_endpoint_ps(const struct cost_model *costs, int64_t bytes, bool exchanges)
{
    const struct cost_rows *rows = exchanges && costs->exchange.count > 0 ? &costs->exchange : &costs->endpoint;
    return rows->count > 0 ? inject(find_row(rows->row, bytes), bytes) : 0;
}

int64_t cost_model_tail_ps(const struct message_parts *parts, int hops)
{
    return units_clamp((wide_int)parts->inject_ps + (wide_int)(hops > 1 ? hops - 1 : 0) * parts->refill_ps);
}

int64_t cost_model_message_ps(const struct cost_model *costs, int64_t bytes, int hops, bool exchanges)
{
    struct message_parts parts = cost_model_message_parts(costs, bytes, hops, exchanges);
    return units_clamp((wide_int)cost_model_tail_ps(&parts, hops) + (wide_int)hops * parts.hop_ps);
}

/* ---- Frames ---- */

/* An empty message is one frame, too. */
static int64_t frames_of(const struct cost_model *costs, int64_t bytes)
{
    if (costs->frame_payload_bytes == 0)
        return 1;
    int64_t datagram = bytes + costs->datagram_bytes;
    return datagram > 0 ? 1 + (datagram - 1) / costs->frame_payload_bytes : 1;
}

int64_t cost_model_wire_bytes(const struct cost_model *costs, int64_t bytes)
{
    if (costs->frame_payload_bytes == 0)
        return bytes;
    int64_t frames = frames_of(costs, bytes), datagram = bytes + costs->datagram_bytes;
    int64_t last = datagram - (frames - 1) * costs->frame_payload_bytes;
    return datagram + int64_max(0, costs->frame_least_bytes - last) + frames * costs->frame_header_bytes;
}

/* The row that says what the message costs processors besides what all do. */
static const struct message_cost *overhead_row(const struct cost_model *costs, int64_t bytes, bool local)
{
    static const struct message_cost nothing;
    if (local && costs->local.count > 0)
        return find_row(costs->local.row, bytes);
    if (costs->message.count > 0)
        return row_for(costs, bytes);
    return !local && costs->endpoint.count > 0 ? find_row(costs->endpoint.row, bytes) : &nothing;
}

int64_t cost_model_send_ps(const struct cost_model *costs, int64_t bytes, bool local)
{
    const struct message_cost *row = overhead_row(costs, bytes, local);
    return units_clamp(costs->send_start_ps + row->send_ps +
                       ((wide_int)costs->send_byte_ps + row->send_byte_ps) * bytes +
                       (wide_int)costs->send_frame_ps * frames_of(costs, bytes));
}

int64_t cost_model_receive_ps(const struct cost_model *costs, int64_t bytes, bool local)
{
    const struct message_cost *row = overhead_row(costs, bytes, local);
    return units_clamp(costs->receive_start_ps + row->receive_ps +
                       ((wide_int)costs->receive_byte_ps + row->receive_byte_ps) * bytes +
                       (wide_int)costs->receive_frame_ps * frames_of(costs, bytes));
}

/* By rows that a processor works through. */
static int64_t work_ps(const struct cost_rows *rows, int64_t bytes)
{
    return rows->count == 0 || bytes == 0 ? 0 : inject(find_row(rows->row, bytes), bytes);
}

int64_t cost_model_combine_ps(const struct cost_model *costs, int64_t bytes)
{
    return work_ps(&costs->combine, bytes);
}

int64_t cost_model_copy_ps(const struct cost_model *costs, int64_t bytes)
{
    return work_ps(&costs->copy, bytes);
}

/* ---- Without some costs ---- */

static int64_t above_0(int64_t ps)
{
    return ps > 0 ? ps : 0;
}

/* Take the costs of an empty message off every row, or leave no others. */
static void free_rows(struct cost_rows *rows, unsigned without)
{
    const struct message_cost empty = rows->row[0];
    if (rows->count > 0 && (without & COST_LENGTH)) {
        rows->count = 1;
        rows->row[0].max_bytes = INT64_MAX;
        rows->row[0].byte_ps = rows->row[0].byte_hop_ps = 0;
    }
    for (struct message_cost *row = rows->row; row < rows->row + rows->count; row++) {
        if (without & COST_LATENCY) {
            row->start_ps -= empty.start_ps;
            row->hop_ps = above_0(row->hop_ps - empty.hop_ps);
        }
        if (without & COST_OVERHEAD)
            row->send_ps = row->send_byte_ps = row->receive_ps = row->receive_byte_ps = 0;
    }
}

/* Without length a packet is as long as any message. */
static void free_messages(struct cost_model *costs, unsigned without)
{
    if (without & COST_LENGTH)
        costs->packet_bytes = costs->window_bytes = INT64_MAX;
    if (without & COST_LATENCY)
        costs->refill_ps = costs->message.row[0].hop_ps; /* windows come with the length */
    free_rows(&costs->message, without);
}

struct cost_model cost_model_without(const struct cost_model *costs, unsigned without)
{
    struct cost_model changed = *costs;
    changed.free_latency |= (without & COST_LATENCY) != 0;
    changed.free_length |= (without & COST_LENGTH) != 0;
    if (costs->message.count > 0)
        free_messages(&changed, without);
    free_rows(&changed.local, without);
    free_rows(&changed.endpoint, without);
    free_rows(&changed.exchange, without);
    if (without & COST_OVERHEAD) {
        changed.send_start_ps = changed.send_byte_ps = changed.send_frame_ps = 0;
        changed.receive_start_ps = changed.receive_byte_ps = changed.receive_frame_ps = 0;
        changed.combine.count = changed.copy.count = 0;
        changed.broadcast_ps = changed.allreduce_ps = 0;
    }
    if (without & COST_LINK_INIT)
        changed.link_init_ps = 0;
    if (without & COST_IO)
        changed.input_start_ps = changed.input_byte_ps = changed.output_start_ps = changed.output_byte_ps = 0;
    dsm_costs_remove(&changed.dsm, without & COST_OVERHEAD, without & COST_PROTOCOL);
    if (without & COST_INTERRUPT)
        changed.dsm.cost[DSM_INTERRUPT] = (struct linear_cost){0, 0};
    return changed;
}
