/* The machine as it would be without some of its costs. */
#include "sim/machine/machine.h"

#include <string.h>

static int64_t above_0(int64_t ps)
{
    return ps > 0 ? ps : 0;
}

/* What an empty message takes is taken off every row; or it is all that there is, and a packet as long as any
 * message. */
static void free_messages(struct machine *machine, unsigned costs)
{
    const struct message_cost empty = machine->message[0];
    if (costs & COST_LENGTH) {
        machine->n_message_rows = 1;
        machine->message[0] = (struct message_cost){INT64_MAX, empty.start_ps, 0, empty.hop_ps, 0};
        machine->packet_bytes = INT64_MAX;
    }
    for (int row = 0; row < machine->n_message_rows && (costs & COST_LATENCY); row++) {
        machine->message[row].start_ps -= empty.start_ps;
        machine->message[row].hop_ps = above_0(machine->message[row].hop_ps - empty.hop_ps);
    }
}

struct machine machine_without(const struct machine *machine, unsigned costs)
{
    struct machine changed = *machine;
    changed.trials = (struct machine_memo){.refused = true}; /* they are of the machine as it is */
    changed.free_latency |= (costs & COST_LATENCY) != 0;
    changed.free_length |= (costs & COST_LENGTH) != 0;
    if (machine->n_message_rows > 0)
        free_messages(&changed, costs);
    if (costs & COST_OVERHEAD)
        changed.send_start_ps = changed.send_byte_ps = changed.receive_start_ps = changed.receive_byte_ps = 0;
    if (costs & COST_LINK_INIT)
        changed.link_init_ps = 0;
    if (costs & COST_IO)
        changed.input_start_ps = changed.input_byte_ps = changed.output_start_ps = changed.output_byte_ps = 0;
    if (costs & COST_PROTOCOL)
        memset(changed.dsm.cost, 0, sizeof changed.dsm.cost);
    if (costs & COST_INTERRUPT)
        changed.dsm.cost[DSM_INTERRUPT] = (struct linear_cost){0, 0};
    return changed;
}
