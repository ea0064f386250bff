/* Profiles: what their files may say, the value at a time against a list written out, and all of it against SimGrid.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profile/profile.h"
#include "base/memory.h"
#include "sim/machine/machine.h"
#include "sim/platform/platform.h"
#include "tests/sim/network/simgrid_fluid.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH(array) (int)(sizeof(array) / sizeof(array)[0])

static int parse(struct profile *profile, enum profile_kind kind, const char *text, double period_s,
                 struct sim_error *error)
{
    char *copy = xstrdup(text);
    int status = profile_parse(profile, kind, copy, "p.txt", 1, period_s, error);
    free(copy);
    return status;
}

/* ---- What is refused ---- */

#define NO_LAWS                                                                                                        \
    "profile: not two laws, of the delay and of the value; allowed: DET NUMBER, NORM MEAN DEVIATION, EXP RATE, UNIF "  \
    "LEAST MOST"

static const struct {
    const char *text, *message;
    enum profile_kind kind;
    double period_s;
} bad[] = {
    {"0 0.5\nx 0.5", "p.txt:2: profile: 'x' is not a time; allowed: seconds from 0 to 1e+10", PROFILE_SPEED, 0},
    {"# c\n\n-1 0.5", "p.txt:3: profile: '-1' is not a time; allowed: seconds from 0 to 1e+10", PROFILE_SPEED, 0},
    {"1e11 0.5", "p.txt:1: profile: '1e11' is not a time; allowed: seconds from 0 to 1e+10", PROFILE_SPEED, 0},
    {"2 0.5\n1 0.5", "p.txt:2: profile: the time 1 comes after 2; allowed: times in order", PROFILE_SPEED, 0},
    {"1", "p.txt:1: profile: '' is not an availability; allowed: a number without a unit from 0 to 1e+06",
     PROFILE_SPEED, 0},
    {"1 nan", "p.txt:1: profile: 'nan' is not an availability; allowed: a number without a unit from 0 to 1e+06",
     PROFILE_SPEED, 0},
    {"1 -0.5", "p.txt:1: profile: '-0.5' is not an availability; allowed: a number without a unit from 0 to 1e+06",
     PROFILE_SPEED, 0},
    {"1 5e7", "p.txt:1: profile: '5e7' is not an availability; allowed: a number without a unit from 0 to 1e+06",
     PROFILE_SPEED, 0},
    {"1 5MBps",
     "p.txt:1: profile: '5MBps' is not a bandwidth; allowed: a number without a unit above 0, up to 1e+15 B/s",
     PROFILE_BANDWIDTH, 0},
    {"1 5e6\n2 0",
     "p.txt:2: profile: '0' is not a bandwidth; allowed: a number without a unit above 0, up to 1e+15 B/s",
     PROFILE_BANDWIDTH, 0},
    {"1 1e400", "p.txt:1: profile: '1e400' is not a latency; allowed: a number without a unit from 0 to 10000 s",
     PROFILE_LATENCY, 0},
    {"1 0.5 0.7",
     "p.txt:1: profile: more than two words; allowed: TIME VALUE, PERIODICITY SECONDS, LOOPAFTER SECONDS, STOCHASTIC, "
     "# comment",
     PROFILE_SPEED, 0},
    {"PERIODICITY 0\n0 1", "p.txt:1: profile: '0' is not a period; allowed: seconds from 0.001 to 1e+10", PROFILE_SPEED,
     0},
    {"0 1\n5 0.5\nPERIODICITY 4", "p.txt:1: profile: repeats after 4 s, before its last time 5", PROFILE_SPEED, 0},
    {"0 1\n5 0.5\n", "p.txt:1: profile: repeats after 4 s, before its last time 5", PROFILE_SPEED, 4},
    {"LOOPAFTER 0\n0 1", "p.txt:1: profile: repeats after 0 s; allowed: 0.001 s or more", PROFILE_SPEED, 0},
    {"LOOPAFTER 3\nPERIODICITY 3\n0 1", "p.txt:1: profile: both PERIODICITY and LOOPAFTER; allowed: one of them",
     PROFILE_SPEED, 0},
    {"STOCHASTIC\nDET 1 UNIF 1 0", "p.txt:2: " NO_LAWS, PROFILE_SPEED, 0},
    {"STOCHASTIC\nDET 1 EXP 0", "p.txt:2: " NO_LAWS, PROFILE_SPEED, 0},
    {"STOCHASTIC\nDET 1", "p.txt:2: " NO_LAWS, PROFILE_SPEED, 0},
    {"STOCHASTIC\nDET 1 DET 1 1", "p.txt:2: " NO_LAWS, PROFILE_SPEED, 0},
    {"STOCHASTIC\n\n1 0.5", "p.txt:3: " NO_LAWS, PROFILE_SPEED, 0},
    {"STOCHASTIC\nDET 1 DET 0",
     "p.txt:2: profile: the law hardly ever gives a bandwidth; allowed: from 1e-300 to 1e+15", PROFILE_BANDWIDTH, 0},
    {"STOCHASTIC\nPERIODICITY 5\nDET 1 DET 1",
     "p.txt:1: profile: PERIODICITY in a STOCHASTIC profile; allowed: LOOPAFTER", PROFILE_SPEED, 0},
    {"0 1\nSTOCHASTIC\nDET 1 DET 1",
     "p.txt:2: profile: STOCHASTIC must come before all lines with times; allowed: STOCHASTIC, STOCHASTIC LOOP",
     PROFILE_SPEED, 0},
    {"STOCHASTIC LOOP\nDET 0 DET 1", "p.txt:1: profile: repeats after 0 s; allowed: 0.001 s or more", PROFILE_SPEED, 0},
};

static void test_refused(void)
{
    for (int i = 0; i < LENGTH(bad); i++) {
        struct profile profile = {.n_points = 4711};
        struct sim_error error = {.status = SIM_DONE};
        CU_ASSERT_EQUAL(parse(&profile, bad[i].kind, bad[i].text, bad[i].period_s, &error), -1);
        CU_ASSERT_EQUAL(profile.n_points, 4711);
        if (strcmp(error.message, bad[i].message) != 0)
            fprintf(stderr, "\n  expected %s\n  found    %s\n", bad[i].message, error.message);
        CU_ASSERT_STRING_EQUAL(error.message, bad[i].message);
    }
}

static void test_too_many(void)
{
    struct profile profile;
    struct sim_error error;
    size_t size = 1000001 * 4;
    char *text = xmalloc(size + 1);
    for (size_t i = 0; i < size; i += 4)
        memcpy(text + i, "0 1\n", 4);
    text[size] = '\0';
    CU_ASSERT_EQUAL(profile_parse(&profile, PROFILE_SPEED, text, "p.txt", 1, 0, &error), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "p.txt:1000001: profile: more than 1000000 points");
    free(text);
}

/* ---- Values ---- */

/* The last change not after the time, from all changes up to it, period by period. */
static double written_out(const struct profile *profile, double time_s, double before)
{
    double value = before;
    for (int round = 0; round == 0 || (profile->period_s > 0 && round * profile->period_s <= time_s); round++)
        for (size_t i = 0; i < profile->n_points; i++)
            if (round * profile->period_s + profile->points[i].time_s <= time_s)
                value = profile->points[i].value;
    return value;
}

static void test_values(void)
{
    static const char *const texts[] = {
        "",
        "0 0.25",
        "3 0.25",
        "% comment\n1 0.5\r\n3 0.25\n3 0.375\n\t 5 1.0 \nLOOPAFTER 2\n",
        "PERIODICITY 10\n0.5 0.5\n2 .75e0",
        "PERIODICITY 2\n0 0.5\n2 0.75",
        "LOOPAFTER 0\n0 0.5\n4 0.75",
        "LOOPAFTER 3\n",
    };
    for (int i = 0; i < LENGTH(texts); i++) {
        struct profile profile;
        struct sim_error error;
        CU_ASSERT_EQUAL_FATAL(parse(&profile, PROFILE_SPEED, texts[i], 0, &error), 0);
        for (double time_s = 0; time_s < 50; time_s += 0.125)
            CU_ASSERT_EQUAL(profile_value(&profile, time_s, 0.0625), written_out(&profile, time_s, 0.0625));
        profile_dispose(&profile);
    }
}

/* Means and deviations of many draws are those of their laws, within four standard errors. */
static void test_drawn(void)
{
    static const struct {
        const char *value;
        double mean, deviation;
    } rows[] = {
        {"DET 0.5", 0.5, 0},
        {"UNIF 0.25 0.75", 0.5, 0.14433756729740643},
        {"EXP 8", 0.125, 0.125},
        {"NORM 5 0.25", 5, 0.25},
    };
    for (int i = 0; i < LENGTH(rows); i++) {
        struct profile profile, again;
        struct sim_error error;
        char *text = xformat("STOCHASTIC LOOP\nUNIF 1 3 %s\n", rows[i].value);
        CU_ASSERT_EQUAL_FATAL(parse(&profile, PROFILE_LATENCY, text, 0, &error), 0);
        CU_ASSERT_EQUAL_FATAL(parse(&again, PROFILE_LATENCY, text, 0, &error), 0);
        CU_ASSERT_EQUAL(profile.n_points, 65536);
        CU_ASSERT_EQUAL(memcmp(profile.points, again.points, profile.n_points * sizeof *profile.points), 0);
        double sum = 0, squares = 0, n = (double)profile.n_points;
        for (size_t p = 0; p < profile.n_points; p++) {
            sum += profile.points[p].value;
            squares += (profile.points[p].value - rows[i].mean) * (profile.points[p].value - rows[i].mean);
        }
        CU_ASSERT_DOUBLE_EQUAL(sum / n, rows[i].mean, 4 * rows[i].deviation / sqrt(n) + 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(sqrt(squares / n), rows[i].deviation, 0.02 * rows[i].deviation + 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(profile.period_s / n, 2, 4 * 0.5773502691896258 / sqrt(n));
        profile_dispose(&profile);
        profile_dispose(&again);
        free(text);
    }
}

/* Lines come one after the other, each after its delay; LOOPAFTER comes before the list begins anew. */
static void test_drawn_lines(void)
{
    static const char text[] = "STOCHASTIC LOOP\nLOOPAFTER 4\nDET 1 DET 0.25\nDET 2 DET 0.5\n";
    struct profile profile;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(parse(&profile, PROFILE_SPEED, text, 0, &error), 0);
    for (int i = 0; i < 200000; i++)
        CU_ASSERT_EQUAL(profile_value(&profile, i + 0.5, 1), i == 0 ? 1 : i % 7 == 1 || i % 7 == 2 ? 0.25 : 0.5);
    profile_dispose(&profile);
}

/* Measurements at 0, 10, 20, ... up to the time, at most those of a day. */
static void test_measurements(void)
{
    static const struct {
        double at_s;
        int64_t measurements;
        double value;
    } rows[] = {{0, 1, 1},          {9.9, 1, 1},        {10, 2, 1},      {999, 100, 0.5},
                {86390, 8640, 0.5}, {86400, 8640, 0.5}, {9e9, 8640, 0.5}};
    struct profile profile;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(parse(&profile, PROFILE_SPEED, "15 0.5", 0, &error), 0);
    for (int i = 0; i < LENGTH(rows); i++) {
        struct prediction prediction = profile_forecast(&profile, rows[i].at_s, 1);
        CU_ASSERT_EQUAL(prediction.measurements, rows[i].measurements);
        CU_ASSERT_DOUBLE_EQUAL(prediction.value, rows[i].value, 1e-12);
    }
    profile_dispose(&profile);
}

/* ---- Against SimGrid ---- */

static const char platform_text[] =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\">\n<zone id=\"w\" routing=\"Full\">\n"
    "<host id=\"n0\" speed=\"1Mf\" speed_file=\"loop.txt\"/>\n"
    "<host id=\"n1\" speed=\"2Mf\" availability_file=\"once.txt\"/>\n"
    "<link id=\"a\" bandwidth=\"1MBps\" latency=\"1ms\" bandwidth_file=\"wide.txt\" latency_file=\"late.txt\"/>\n"
    "<link id=\"b\" bandwidth=\"1MBps\" latency=\"1ms\" sharing_policy=\"SPLITDUPLEX\" bandwidth_file=\"split.txt\"/>\n"
    "<route src=\"n0\" dst=\"n1\"><link_ctn id=\"a\"/><link_ctn id=\"b\" direction=\"UP\"/></route>\n"
    "</zone>\n</platform>\n";

static const char *const files[][2] = {
    {"loop.txt", "# c\n\n1 0.5\n3 0.25\n5 1.0\nLOOPAFTER 2\n"}, {"once.txt", "0 0.75\n% c\n7 0.1\n"},
    {"wide.txt", "PERIODICITY 10\n0.5 5000000\n2 8e6\n"},       {"late.txt", "2.5 0.002\n"},
    {"split.txt", "0 1e6\n2.5 2e6\n2.5 3e6\nLOOPAFTER 0\n"},    {"platform.xml", platform_text},
};

static void write_files(const char *folder)
{
    for (int i = 0; i < LENGTH(files); i++) {
        char *name = xformat("%s/%s", folder, files[i][0]);
        FILE *out = fopen(name, "w");
        fputs(files[i][1], out);
        fclose(out);
        free(name);
    }
}

static struct machine machine;
static int differences, compared;

static void compare(double found, double expected, const char *what)
{
    compared++;
    if (fabs(found - expected) > 1e-12 * fabs(expected)) {
        differences++;
        fprintf(stderr, "\n  %s at %g s: %g, SimGrid has %g\n", what, simgrid_get_clock(), found, expected);
    }
}

static void compare_now(void)
{
    double now_s = simgrid_get_clock();
    for (int h = 0; h < machine.net->n_hosts; h++) {
        const struct profile *profile = machine_host_profile(&machine, h);
        sg_host_t host = simgrid_fluid_host(&machine, h);
        compare(profile != NULL ? profile_value(profile, now_s, 1) : 1, sg_host_get_available_speed(host),
                sg_host_get_name(host));
    }
    for (int l = 0; l < machine_link_count(&machine); l++) {
        const struct profile *bandwidth = machine_link_profile(&machine, l, PROFILE_BANDWIDTH);
        const struct profile *latency = machine_link_profile(&machine, l, PROFILE_LATENCY);
        sg_link_t link = sg_link_by_name(machine_link_name(&machine, l));
        double best = 1e12 / machine.net->wires[l].byte_ps, least = 1e-12 * (double)machine.net->wires[l].latency_ps;
        compare(bandwidth != NULL ? profile_value(bandwidth, now_s, best) : best, sg_link_get_bandwidth(link),
                sg_link_get_name(link));
        compare(latency != NULL ? profile_value(latency, now_s, least) : least, sg_link_get_latency(link),
                sg_link_get_name(link));
    }
}

static void watch(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sg_actor_sleep_for(0.125);
    for (int i = 0; i < 4000; i++) {
        compare_now();
        sg_actor_sleep_for(0.75);
    }
}

/* A process holds one platform. Exit status 0: all alike. */
static int compare_in_child(const char *file, int at_least)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct sim_error error = {.message = ""};
        simgrid_fluid_prepare();
        if (machine_load(&machine, file, &error) != 0) {
            fprintf(stderr, "\n  %s\n", error.message);
            _exit(2);
        }
        sg_actor_t actor = sg_actor_init("watch", simgrid_fluid_host(&machine, 0));
        sg_actor_start(actor, watch, 0, NULL);
        simgrid_run();
        machine_dispose(&machine);
        _exit(differences > 0 || compared < at_least);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static void test_against_simgrid(void)
{
    char folder[] = P_tmpdir "/test-profile-XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    write_files(folder);
    char *file = xformat("%s/platform.xml", folder);
    CU_ASSERT_EQUAL(compare_in_child(file, 4000 * 8), 0);
    CU_ASSERT_EQUAL(compare_in_child(SOURCE_DIR "/platforms/icluster-loaded.xml", 4000 * 20), 0);
    char *clean = xformat("rm -r %s", folder);
    CU_ASSERT_EQUAL(system(clean), 0);
    free(clean);
    free(file);
}

int main(void)
{
    static const struct test tests[] = {
        {"refused", test_refused},
        {"too many points", test_too_many},
        {"values", test_values},
        {"drawn", test_drawn},
        {"drawn lines", test_drawn_lines},
        {"measurements", test_measurements},
        {"against SimGrid", test_against_simgrid},
        {NULL, NULL},
    };
    return testing_run("profile", tests);
}
