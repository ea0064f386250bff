/* Fuzzing of the platform reader, without what SimGrid does with the file: see fuzz_simgrid.c for that. Plain platforms
 * are read whole.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "platform_parts.h"
#include "sim/machine/routes.h"
#include "sim/platform/internal.h"

static void read_routes(const char *file)
{
    struct sim_error error;
    struct platform_file platform;
    fuzz_check(platform_file_read(&platform, file, USE_AS_PLAIN, &error) == 0);
    struct route_table *routes = platform.routes;
    platform.routes = NULL;
    platform_file_dispose(&platform);
    if (routes == NULL)
        return;
    struct interconnect net = {.routes = routes};
    struct machine machine = {.net = &net};
    int n = machine_routes_host_count(routes);
    for (int to = 0; to < n; to++) {
        const struct route *route = machine_route(&machine, 0, to);
        fuzz_check(route != NULL);
        for (int i = 0; i < route->hops; i++)
            fuzz_check(machine_link_name(&machine, route->links[i])[0] != '\0');
    }
    machine_routes_close(routes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine machine;
    struct sim_error error;
    fuzz_check_quiet();
    const char *file = platform_write(data, size);
    if (fuzz_has_read(machine_load_props(&machine, file, &error), &error)) {
        machine_dispose(&machine);
        read_routes(file);
    }
    fuzz_check_quiet();
    return 0;
}
