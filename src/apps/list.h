/* All applications, out of apps/list.def. */
#ifndef APPS_LIST_H
#define APPS_LIST_H

#include "sim/kernel/app.h"

/* NULL-terminated. */
extern const struct app_spec *const app_specs[];

#endif
