/* Messages of the T800 mesh, computed once more from table 2 of Zemerly95 and packet by packet.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SIM_MACHINE_T800_H
#define TESTS_SIM_MACHINE_T800_H

#include <stdint.h>

enum { T800_PACKET = 120, T800_WINDOW = 1320 };

/* Eq. 4 as printed: l bytes over d links. */
static inline int64_t eq4_ps(int64_t l, int64_t d)
{
    int64_t t = l <= 120 ? 5110 + 27 * l + 886 * d + 68 * l * d : -8150 + 133 * l + 9304 * d + 5 * l * d; /* 10 ns */
    return t * 10000;
}

static inline int64_t eq4_hop_ps(int64_t l)
{
    return eq4_ps(l, 1) - eq4_ps(l, 0);
}

/* A link passes a message on packet by packet, each in the hop time of its length. */
static inline int64_t t800_busy_ps(int64_t l)
{
    int64_t time = l == 0 ? eq4_hop_ps(0) : 0;
    for (int64_t left = l; left > 0; left -= T800_PACKET)
        time += eq4_hop_ps(left < T800_PACKET ? left : T800_PACKET);
    return time;
}

/* Each window but the first waits until the one before has arrived: its first packet crosses all links again, of which
 * eq. 4 counts one. What one more link takes for it. */
static inline int64_t t800_refill_ps(int64_t l)
{
    int64_t time = 0;
    for (int64_t left = l - T800_WINDOW; left > 0; left -= T800_WINDOW)
        time += eq4_hop_ps(left < T800_PACKET ? left : T800_PACKET);
    return time;
}

static inline int64_t t800_ps(int64_t l, int64_t d)
{
    return eq4_ps(l, d) + (d > 1 ? (d - 1) * t800_refill_ps(l) : 0);
}

#endif
