/* Stub of helper.c of src/trace/ti where there are no threads: there is no helper.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/helper.h"

#include <stddef.h>

struct ti_helper *ti_helper_new(struct ti_decoder *decoder, int capacity)
{
    (void)decoder, (void)capacity;
    return NULL;
}

void ti_helper_free(struct ti_helper *helper)
{
    (void)helper;
}

void ti_helper_ask(struct ti_helper *helper, int rank, struct ti_batch *batch)
{
    (void)helper, (void)rank, (void)batch;
}

void ti_helper_take(struct ti_helper *helper, int rank)
{
    (void)helper, (void)rank;
}

void ti_helper_drop(struct ti_helper *helper, int rank)
{
    (void)helper, (void)rank;
}

bool ti_helper_runs(const struct ti_helper *helper)
{
    (void)helper;
    return false;
}
