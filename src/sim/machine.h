/* A machine: a SimGrid platform file, and what SimGrid has no word for, as <prop>s of its root zone.
 *
 * Hosts, links and routes come from SimGrid; the props are read with their line numbers, so that a wrong one is named.
 * All times are picoseconds. docs/platform-format.md lists the props. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "base/error.h"
#include "trace/event.h"

#include <stdint.h>

/* One row of the message cost formula T(l, d) = start + byte*l + hop*d + byte_hop*l*d (paper 001, eq. 4),
 * valid up to max_bytes. The rows are in ascending order of max_bytes; the last one is INT64_MAX. */
struct message_cost {
    int64_t max_bytes;
    int64_t start_ps, byte_ps, hop_ps, byte_hop_ps;
};

#define MACHINE_MAX_MESSAGE_ROWS 4

/* What one iteration of a kernel costs on one processor, by component (paper 001, eqs. 1-2). */
struct kernel_cost {
    char name[32];
    int64_t work_ps[N_WORK_COMPONENTS];
};

struct machine {
    char *name; /* the platform file's name without folder and ending */
    char *file;
    int n_hosts;
    int mesh_width, mesh_height; /* 0, 0 where the machine is not a mesh */
    int mesh_pitch;              /* host number of mesh node (x, y) = y * mesh_pitch + x */

    char *default_network; /* the network to simulate it with unless another is asked for; NULL if none is named */

    int n_message_rows;
    struct message_cost message[MACHINE_MAX_MESSAGE_ROWS];
    int64_t packet_bytes;                    /* a link serves a longer message packet by packet */
    int64_t control_bytes;                   /* length of a rendezvous' request and clearance */
    int64_t input_start_ps, input_byte_ps;   /* paper 001, eq. 5 */
    int64_t output_start_ps, output_byte_ps; /* eq. 6 */
    int64_t link_init_ps;                    /* for each link */

    int n_kernels;
    struct kernel_cost *kernels;

    struct route_table *routes; /* opaque: asked from SimGrid once, then remembered */
};

/* Load a platform file. One machine per process: SimGrid keeps one platform. -1 and error on any fault of the file. */
int machine_load(struct machine *machine, const char *file, struct sim_error *error);
void machine_dispose(struct machine *machine);

/* The links from one host to another, in order, and their number (the hops; 0 from a host to itself, -1
 * without a route, which can be met on machines too large for all their pairs to be tried when they are loaded).
 * Links that stand for no wire (FATPIPE) are left out. Link numbers are below machine_link_count(). The array is valid
 * as long as the machine. Both directions of a wire are links of their own. */
int machine_route(struct machine *machine, int from_host, int to_host, const int32_t **links);
int machine_link_count(const struct machine *machine);

/* Time of one message on a quiet network: eq. 4. `hops` may be 0 (two ranks of one host). */
int64_t machine_message_ps(const struct machine *machine, int64_t bytes, int hops);

/* The parts of machine_message_ps() = inject + hops * hop, and the time for which the message keeps each link busy:
 * its packets one after another, each for the hop time of a packet. None is more than PS_MAX. */
struct message_parts {
    int64_t inject_ps, hop_ps, link_busy_ps;
};
struct message_parts machine_message_parts(const struct machine *machine, int64_t bytes);

/* Find the costs of `count` kernels by name. An unknown one is an error that lists the known. */
int machine_bind_kernels(const struct machine *machine, const char *const *names, int count, struct kernel_cost *costs,
                         struct sim_error *error);

#endif
