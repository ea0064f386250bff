/* Platforms that say more than a machine needs: what is passed over is noted, and the rest is read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/platform/child.h"
#include "tests/testing.h"

#define FOREIGN SOURCE_DIR "/tests/data/foreign"

static const struct {
    const char *file, *expected; /* what is passed over, and routes that are missing */
} rows[] = {
    {"platform/actor", "<actor> on line 10"},
    {"platform/argument", "<argument> on line 5"},
    {"platform/config", "<config> on line 4"},
    {"platform/config-factor", "<config> on line 4"},
    {"platform/config-in-zone", "<config> on line 5"},
    {"platform/config-stack", "<config> on line 4"},
    {"platform/many", "<config> on line 4, state_file on line 6, state_file on line 7, state_file on line 8, "
                      "<trace_connect> on line 11, and 2 more"},
    {"platform/model-prop", "<model_prop> on line 5"},
    {"platform/mount", "<mount> on line 5; no route 0-2; no route 1-2; no route 2-0; no route 2-1"},
    {"platform/namespace", "<config> on line 5"},
    {"platform/no-route", "nothing; no route 0-1; no route 1-0"},
    {"platform/no-route-on-graph", "nothing; no route 0-2; no route 1-2; no route 2-0; no route 2-1"},
    {"platform/process", "<process> on line 10"},
    {"platform/props",
     "<prop> maintainer on line 5, <prop> watt_per_state on line 6, cores above the fewest on line 4"},
    {"platform/random", "<random> on line 4"},
    {"platform/root-cluster", "nothing"},
    {"platform/state", "state_file on line 5"},
    {"platform/storage", "<storage> on line 5"},
    {"platform/storage-type", "<storage_type> on line 5"},
    {"platform/trace-bandwidth", "nothing"},
    {"platform/trace-default-kind", "<trace_connect> on line 13"},
};

static const char *name_at(size_t i)
{
    return i < sizeof rows / sizeof rows[0] ? rows[i].file : NULL;
}

static void say_passed_over(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    int n = machine.net->n_hosts;
    fputs(machine.passed_over != NULL ? machine.passed_over : "nothing", out);
    for (int pair = 0; pair < n * n; pair++)
        if (machine_route(&machine, pair / n, pair % n) == NULL)
            fprintf(out, "; no route %d-%d", pair / n, pair % n);
    machine_dispose(&machine);
}

static void test_passed_over(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *file = xformat(FOREIGN "/%s.xml", rows[i].file);
        check_child(say_passed_over, file, rows[i].expected);
        free(file);
    }
    testing_check_table(FOREIGN, ".xml", name_at);
}

/* ---- What stands beside it is read ---- */

static void say_cores(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    fprintf(out, "%d hosts of %d cores, %lld B, limit %lld B", machine.net->n_hosts, machine.cores,
            (long long)machine.costs.memory_bytes, (long long)machine.costs.eager_limit);
    machine_dispose(&machine);
}

static void say_bandwidths(FILE *out, const char *file)
{
    struct machine machine;
    if (!load(&machine, file, out))
        return;
    const struct profile *profile = machine_link_profile(&machine, 0, PROFILE_BANDWIDTH);
    for (int at_s = 5; profile != NULL && at_s < 20; at_s += 10)
        fprintf(out, "%g B/s at %d s, ", profile_value(profile, at_s, 0), at_s);
    machine_dispose(&machine);
}

/* Props of a root <cluster> are the machine's, and SimGrid's attribute core counts: of all hosts, the least. */
static void test_read(void)
{
    check_child(say_cores, FOREIGN "/platform/root-cluster.xml",
                "4 hosts of 8 cores, 1000000000 B, limit 9223372036854775807 B");
    check_child(say_cores, FOREIGN "/platform/props.xml", "2 hosts of 2 cores, 0 B, limit 65536 B");
    check_child(say_bandwidths, FOREIGN "/platform/trace-bandwidth.xml", "500000 B/s at 5 s, 600000 B/s at 15 s, ");
}

int main(void)
{
    static const struct test tests[] = {
        {"passed over", test_passed_over},
        {"read", test_read},
        {NULL, NULL},
    };
    return testing_run("foreign", tests);
}
