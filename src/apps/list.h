/* The applications that are written here, out of apps/list.def.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef APPS_LIST_H
#define APPS_LIST_H

#include "sim/kernel/app.h"

#define APP(name) extern const struct app_spec app_##name;
#include "apps/list.def"
#undef APP

/* All of them, NULL-terminated. */
extern const struct app_spec *const app_skeletons[];

#endif
