/* All applications.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_REPLAY_LIST_H
#define APPS_REPLAY_LIST_H

#include "sim/kernel/app.h"

/* NULL-terminated. */
extern const struct app_spec *const app_specs[];

#endif
