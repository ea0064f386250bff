/* All applications: those that are written, and the one that a trace describes.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"

#include "apps/list.h"
#include "apps/replay/internal.h"

#include <stddef.h>

const struct app_spec *const app_specs[] = {
#define APP(name) &app_##name,
#include "apps/list.def"
#undef APP
    &app_trace,
    NULL,
};
