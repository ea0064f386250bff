/* The array of all applications, made of apps/list.def. */
#include "apps/list.h"

#include <stddef.h>

#define APP(name) extern const struct app_spec app_##name;
#include "apps/list.def"
#undef APP

const struct app_spec *const app_specs[] = {
#define APP(name) &app_##name,
#include "apps/list.def"
#undef APP
    NULL,
};
