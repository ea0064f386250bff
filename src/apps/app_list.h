/* All applications, out of app_list.def. */
#ifndef APPS_APP_LIST_H
#define APPS_APP_LIST_H

#include "sim/app.h"

/* NULL-terminated. */
extern const struct app_spec *const app_specs[];

#endif
