/* The costs of messages, remembered by pair of hosts and length, and by what each of them crosses.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_KERNEL_PRICE_H
#define SIM_KERNEL_PRICE_H

#include "sim/kernel/internal.h"

/* Make room for prices. */
void kernel_open_prices(struct kernel *kernel);
/* The work of kernel_price() and of kernel_message_cost() at their first call for a message. */
struct price *kernel_find_price(struct kernel *kernel, uint32_t place, int from, int to, int64_t bytes, bool exchanges);
void kernel_find_way(struct kernel *kernel, struct price *price);

static inline bool price_is(const struct price *price, int32_t from, int32_t to, int64_t bytes, bool exchanges)
{
    return price->is_known && price->from == from && price->to == to && price->bytes == bytes &&
           price->exchanges == exchanges;
}

/* The cost of a message between two ranks; good until the next is asked for. */
static inline struct price *kernel_price(struct kernel *kernel, int from_rank, int to_rank, int64_t bytes,
                                         bool exchanges)
{
    int32_t from = kernel->ranks[from_rank].host, to = kernel->ranks[to_rank].host;
    uint64_t hash = ((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ (uint64_t)bytes ^ exchanges) * UINT64_C(0xc2b2ae3d27d4eb4f);
    uint32_t place = (uint32_t)(hash >> 40) & kernel->price_mask;
    struct price *price = &kernel->prices[place];
    if (price_is(price, from, to, bytes, exchanges))
        return price;
    return kernel_find_price(kernel, place, from, to, bytes, exchanges);
}

/* Have its transfer, too, see kernel_transfer(); where there is no route the run fails. */
static inline const struct price *kernel_message_cost(struct kernel *kernel, int from_rank, int to_rank, int64_t bytes,
                                                      bool exchanges)
{
    struct price *price = kernel_price(kernel, from_rank, to_rank, bytes, exchanges);
    if (!price->has_way)
        kernel_find_way(kernel, price);
    return price;
}

/* The transfer of a price: one that has not begun. Where there is no route the run fails. */
static inline const struct transfer *kernel_transfer(struct kernel *kernel, struct price *price)
{
    if (!price->has_way)
        kernel_find_way(kernel, price);
    return &kernel->transfers[price - kernel->prices];
}

#endif
