/* The version of the library, which is that of the project: CMakeLists.txt says PROJECT_MAJOR and PROJECT_MINOR.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "core/simrun.h"

#include <assert.h>

static_assert(SIMRUN_API_VERSION_MAJOR == PROJECT_MAJOR && SIMRUN_API_VERSION_MINOR == PROJECT_MINOR,
              "core/simrun.h has another version than CMakeLists.txt");

int simrun_api_version(void)
{
    return SIMRUN_API_VERSION;
}
