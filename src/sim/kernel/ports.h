/* Ports: a rank's messages to other hosts leave its core one after another at the rate of a core, and come in likewise.
 * The wires of its host, which all of its ranks share, may be faster. The network card of a host, which they share,
 * too, sends one message after another, each when a gap and the length of the one before on the wire are over, and
 * takes them in likewise. Messages within a host share its memory: none ends before the memory has dealt with it and
 * all before. RTS and CTS are too short to wait, and where there is no contention none waits.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_PORTS_H
#define SIM_KERNEL_PORTS_H

#include "sim/kernel/internal.h"

/* NULL where the run needs none. */
struct ports *ports_new(const struct kernel_run *run);
void ports_free(struct ports *ports);

/* A message's data are to set out at `now`: the moment from which the port is its own. All are asked in the order of
 * time. */
int64_t ports_leave(struct ports *ports, const struct message *message, int64_t now);
/* They have the port at `now`: the moment from which the card of their host, or its memory, is theirs. Asked once. */
int64_t ports_leave_host(struct ports *ports, const struct message *message, int64_t now);
/* They have come at `now`, and would be in if card and port had nothing else to do: when they are. */
int64_t ports_come(struct ports *ports, const struct message *message, int64_t now);

#endif
