/* The applications that are written here, made of apps/list.def.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/list.h"

#include <stddef.h>

const struct app_spec *const app_skeletons[] = {
#define APP(name) &app_##name,
#include "apps/list.def"
#undef APP
    NULL,
};
