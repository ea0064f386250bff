/* In which order the processes of a row or column exchange, in HPL: hypercubes for what all shall have, a tree and
 * a ring for what is dealt out and goes round (HPL 2.3, documentation, "algorithm"; the order of partners as in its
 * sources).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/scalapack/hpl_internal.h"

int hpl_power_below(int count)
{
    int power = 1;
    while (power <= count / 2)
        power *= 2;
    return power;
}

static int log2_of(int power)
{
    int log = 0;
    while (power > 1) {
        power /= 2;
        log++;
    }
    return log;
}

/* --- exchange --- */

/* A first and a last stage for those beyond the power of two; between them its rounds, or those of the tree by
 * which the others get the result. That has no more rounds than the hypercube. */
int hpl_exchange_stages(int count)
{
    return count == 1 ? 0 : 2 + log2_of(hpl_power_below(count));
}

static void fold(struct hpl_exchange *part, int me, int power)
{
    part->partner = me ^ power;
    part->sends = me >= power || me == 0;
    part->receives = me < power || me == power;
    part->sends_whole = me == 0;
    part->receives_whole = me == power;
}

/* In round k those whose distance is below 2^k have the result. */
static void exchange(struct hpl_exchange *part, int me, int k)
{
    part->partner = me ^ (1 << k);
    part->sends = part->receives = true;
    part->sends_whole = me >> k == 0;
    part->receives_whole = part->partner >> k == 0;
}

/* Round `round` of the binomial tree from place 0 of `count`, the longest way first. */
static void pass_on(struct hpl_exchange *part, int count, int me, int round)
{
    struct hpl_deal deal =
        round < hpl_deal_rounds(count) ? hpl_deal_at(count, me, round) : (struct hpl_deal){-1, 0, 0, 0};
    part->partner = deal.partner;
    part->sends = part->sends_whole = deal.partner >= 0 && deal.sends;
    part->receives = part->receives_whole = deal.partner >= 0 && !deal.sends;
}

enum hpl_stage hpl_exchange_at(struct hpl_exchange *part, int count, int me, int stage)
{
    int power = hpl_power_below(count), rest = count - power;
    bool is_end = stage == 0 || stage == hpl_exchange_stages(count) - 1;
    *part = (struct hpl_exchange){.partner = -1};
    if (is_end && (me ^ power) < count) {
        fold(part, me, power);
        if (stage > 0) {
            part->sends = part->sends_whole = me < power;
            part->receives = part->receives_whole = me >= power;
        }
    } else if (!is_end && me < power) {
        exchange(part, me, stage - 1);
    } else if (!is_end && rest > 1) {
        pass_on(part, rest, me - power, stage - 1);
        if (part->partner >= 0)
            part->partner += power;
    }
    return stage == 0 ? HPL_FOLD : is_end ? HPL_UNFOLD : me < power ? HPL_ROUND : HPL_TAIL;
}

/* --- dealing out, and round --- */

int hpl_deal_rounds(int count)
{
    return count == 1 ? 0 : 1 + log2_of(hpl_power_below(count - 1));
}

/* In round r a place whose last bits are 0 sends to the one that differs in bit `bit`, which gets all up to the next
 * that will be served, 2 * bit places on. */
struct hpl_deal hpl_deal_at(int count, int me, int round)
{
    int bit = 1 << (hpl_deal_rounds(count) - 1 - round), partner = me ^ bit, receiver = me | bit;
    bool takes_part = (me & (bit - 1)) == 0 && receiver < count;
    return (struct hpl_deal){.partner = takes_part ? partner : -1,
                             .from = receiver,
                             .to = receiver + bit < count ? receiver + bit : count,
                             .sends = (me & bit) == 0};
}

/* Neighbors exchange, to one side in even rounds and to the other in odd ones. */
struct hpl_roll hpl_roll_at(int count, int me, int k)
{
    int way = k / 2;
    if ((me + k) % 2 != 0)
        return (struct hpl_roll){.partner = (me + count - 1) % count,
                                 .sent = (me + way) % count,
                                 .received = (me + count - way - 1) % count};
    return (struct hpl_roll){
        .partner = (me + 1) % count, .sent = (me + count - way) % count, .received = (me + way + 1) % count};
}
