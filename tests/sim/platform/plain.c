/* Plain platforms against SimGrid: the same hosts, wires and routes, bit by bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/simgrid.h"
#include "tests/testing.h"

#include "base/memory.h"
#include "sim/graph/graph.h"
#include "sim/platform/internal.h"
#include "sim/platform/simgrid.h"

#include <CUnit/CUnit.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A machine as text ---- */

static uint64_t bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void tell_hosts(FILE *out, const struct machine *machine)
{
    for (int h = 0; h < machine->net->n_hosts; h++)
        fprintf(out, "host %s %" PRIx64 "\n", machine_host_name(machine, h), bits(machine_host_speed(machine, h)));
    for (int l = 0; l < machine_link_count(machine); l++) {
        double bandwidth_Bps, latency_s;
        machine_link_speed(machine, l, &bandwidth_Bps, &latency_s);
        fprintf(out, "link %s %" PRIx64 " %" PRIx64 " %" PRId64 " %" PRIx64 "\n", machine_link_name(machine, l),
                bits(bandwidth_Bps), bits(latency_s), machine_wire(machine, l)->latency_ps,
                bits(machine_wire(machine, l)->byte_ps));
    }
}

/* All routes, or on large machines, none of which is plain, those from the first host. */
static void tell_routes(FILE *out, struct machine *machine)
{
    int n = machine->net->n_hosts;
    int n_sources = n > 512 ? 1 : n;
    for (int from = 0; from < n_sources; from++)
        for (int to = 0; to < n; to++) {
            const struct route *route = machine_route(machine, from, to);
            fprintf(out, "%d-%d:", from, to);
            for (int i = 0; route != NULL && i < route->hops; i++)
                fprintf(out, " %d", route->links[i]);
            if (route == NULL)
                fputs(" none\n", out);
            else
                fprintf(out, " %" PRId64 " %" PRIx64 "\n", route->latency_ps, bits(route->byte_ps));
        }
}

typedef int loader(struct machine *machine, const char *file, struct sim_error *error);

static void tell(FILE *out, loader *load, const char *file)
{
    struct machine machine;
    struct sim_error error;
    if (load(&machine, file, &error) != 0) {
        fprintf(out, "%s\n", error.message);
        return;
    }
    tell_hosts(out, &machine);
    tell_routes(out, &machine);
    fputs(graph_of(machine.net->routes) != NULL ? "plain\n" : "", out);
    machine_dispose(&machine);
}

/* Text of the machine that a platform becomes here; to be freed. */
static char *told_here(const char *file)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    tell(out, machine_load, file);
    fclose(out);
    return text;
}

/* Text of the machine that a platform becomes in a process of its own, as SimGrid needs it; to be freed. */
static char *told_by(loader *load, const char *file)
{
    FILE *out = tmpfile();
    fflush(NULL);
    pid_t child = out != NULL ? fork() : -1;
    if (child == 0) {
        tell(out, load, file);
        _exit(fclose(out) != 0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return xstrdup("no answer");
    long size = fseek(out, 0, SEEK_END) == 0 ? ftell(out) : 0;
    char *text = xcalloc(1, (size_t)size + 1);
    rewind(out);
    if (fread(text, 1, (size_t)size, out) != (size_t)size)
        text[0] = '\0';
    fclose(out);
    return text;
}

/* True if a file needs no SimGrid, and so no process of its own. */
static bool is_plain(const char *name)
{
    struct platform_file file;
    struct sim_error error;
    if (platform_file_read(&file, name, USE_AS_PLAIN, &error) != 0)
        return false;
    bool is = file.routes != NULL;
    platform_file_dispose(&file);
    return is;
}

static bool cut(char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    if (length < n || strcmp(text + length - n, end) != 0)
        return false;
    text[length - n] = '\0';
    return true;
}

/* True if both make the same machine of a file; *plain: it was plain. */
static bool agrees(const char *file, bool *plain)
{
    char *ours = is_plain(file) ? told_here(file) : told_by(machine_load, file);
    char *theirs = told_by(machine_load_by_simgrid, file);
    *plain = cut(ours, "plain\n");
    bool same = strcmp(ours, theirs) == 0;
    for (size_t i = 0; !same; i++)
        if (ours[i] != theirs[i]) {
            size_t line = i;
            while (line > 0 && ours[line - 1] != '\n')
                line--;
            fprintf(stderr, "\n  %s: %.*s; SimGrid: %.*s\n", file, (int)strcspn(ours + line, "\n"), ours + line,
                    (int)strcspn(theirs + line, "\n"), theirs + line);
            break;
        }
    free(ours);
    free(theirs);
    return same;
}

/* ---- The project's own ---- */

static void test_platforms(void)
{
    static const char *const not_plain[] = {"icluster-loaded", "t800-mesh-64x64"};
    glob_t found;
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(simgrid_open("", &error), 0); /* here, and not in every child */
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_DIR "/platforms/*.xml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        bool plain = false, expected = true;
        for (size_t k = 0; k < sizeof not_plain / sizeof not_plain[0]; k++)
            expected = expected && strstr(found.gl_pathv[i], not_plain[k]) == NULL;
        CU_ASSERT_TRUE(agrees(found.gl_pathv[i], &plain));
        if (plain != expected)
            fprintf(stderr, "\n  %s: is %splain\n", found.gl_pathv[i], plain ? "" : "not ");
        CU_ASSERT_EQUAL(plain, expected);
    }
    CU_ASSERT_TRUE(found.gl_pathc > 8);
    globfree(&found);
}

/* ---- Small ones ---- */

#define HEAD "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
#define ZONE(routing, inside)                                                                                          \
    HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"" routing "\">\n" inside "</zone>\n</platform>\n"
#define HOST(id) "<host id=\"" id "\" speed=\"1Mf\"/>\n"
#define LINK(id) "<link id=\"" id "\" bandwidth=\"10MBps\" latency=\"10us\"/>\n"
#define OVER(id) "<link_ctn id=\"" id "\"/>"
#define ROUTE(from, to, over) "<route src=\"" from "\" dst=\"" to "\">" over "</route>\n"
#define WAY(from, to, over) "<route src=\"" from "\" dst=\"" to "\" symmetrical=\"NO\">" over "</route>\n"
#define THREE HOST("a") HOST("b") HOST("c") LINK("k") LINK("l") LINK("m")
#define LINE ROUTE("a", "b", OVER("k")) ROUTE("b", "c", OVER("l"))

#define SQUARE(routing) ZONE(routing, THREE HOST("d") LINE ROUTE("c", "d", OVER("m")) ROUTE("d", "a", OVER("k")))

static const struct row {
    const char *name, *text;
    bool plain;
} rows[] = {
    {"one host", ZONE("Full", HOST("a")), true},
    {"all routes", ZONE("Full", THREE LINE ROUTE("a", "c", OVER("k") OVER("m"))), true},
    {"one route lacks", ZONE("Full", THREE LINE), false},
    {"one way lacks", ZONE("Full", THREE LINE WAY("a", "c", OVER("m"))), false},
    {"two ways", ZONE("Full", THREE LINE WAY("a", "c", OVER("m") OVER("k")) WAY("c", "a", OVER("l"))), true},
    {"a route twice", ZONE("Full", THREE LINE ROUTE("a", "c", OVER("m")) ROUTE("c", "a", OVER("l"))), false},
    {"a line, searched", ZONE("Dijkstra", THREE LINE), true},
    {"a line, cached", ZONE("DijkstraCache", THREE LINE), true},
    {"a line, by Floyd", ZONE("Floyd", THREE LINE), true},
    {"a short cut", ZONE("Floyd", THREE LINE ROUTE("a", "c", OVER("m"))), true},
    {"a way of three links", ZONE("Dijkstra", THREE LINE ROUTE("a", "c", OVER("m") OVER("k") OVER("l"))), false},
    {"as long either way", SQUARE("Dijkstra"), false},
    {"as long, by Floyd", SQUARE("Floyd"), false},
    {"out of reach", ZONE("Dijkstra", THREE ROUTE("a", "b", OVER("k"))), false},
    {"a router",
     ZONE("Dijkstra", HOST("a") HOST("b") "<router id=\"r\"/>" LINK("k") LINK("l") ROUTE("a", "r", OVER("k"))
                          ROUTE("r", "b", OVER("l"))),
     true},
    {"a link of no wire",
     ZONE("Full", HOST("a") HOST("b") "<link id=\"k\" bandwidth=\"1GBps\" latency=\"1ms\""
                                      " sharing_policy=\"FATPIPE\"/>\n" LINK("l") ROUTE("a", "b", OVER("k") OVER("l"))),
     true},
    {"names out of order", ZONE("Full", HOST("n10") HOST("n9") LINK("z") ROUTE("n10", "n9", OVER("z"))), true},
    {"numbered backwards",
     ZONE("Full", HOST("n1") HOST("n0") LINK("y") LINK("x") ROUTE("n1", "n0", OVER("y") OVER("x"))), true},
    {"two directions",
     ZONE("Full", HOST("a") HOST("b") "<link id=\"k\" bandwidth=\"1GBps\" latency=\"1ms\""
                                      " sharing_policy=\"SPLITDUPLEX\"/>\n" ROUTE(
                                          "a", "b", "<link_ctn id=\"k\" direction=\"UP\"/>")),
     false},
    {"the zone's name", ZONE("Full", HOST("z") HOST("b") LINK("k") ROUTE("z", "b", OVER("k"))), false},
    {"a host twice", ZONE("Full", HOST("a") HOST("a") LINK("k")), false},
    {"a link twice", ZONE("Full", HOST("a") LINK("k") LINK("k")), false},
    {"no such link", ZONE("Full", HOST("a") HOST("b") ROUTE("a", "b", OVER("k"))), false},
    {"no such host", ZONE("Full", HOST("a") HOST("b") LINK("k") ROUTE("a", "c", OVER("k"))), false},
    {"no link", ZONE("Full", HOST("a") HOST("b") ROUTE("a", "b", "")), false},
    {"text", ZONE("Full", HOST("a") "text"), false},
    {"no host", ZONE("Full", LINK("k")), false},
    {"no speed", ZONE("Full", "<host id=\"a\" speed=\"0Mf\"/>"), false},
    {"a speed without unit", ZONE("Full", "<host id=\"a\" speed=\"1e6\"/>"), false},
    {"cores", ZONE("Full", "<host id=\"a\" speed=\"1Mf\" core=\"2\"/>"), false},
    {"a cluster",
     ZONE("Full", "<cluster id=\"c\" prefix=\"p\" suffix=\"s\" radical=\"0-11\" speed=\"1.5Gf\" bw=\"100Mbps\""
                  " lat=\"12.34us\"/>\n"),
     true},
    {"a cluster of one",
     ZONE("Full", "<cluster id=\"c\" prefix=\"p\" suffix=\"\" radical=\"0-0\" speed=\"1f\" bw=\"1Bps\""
                  " lat=\"1ps\"/>\n"),
     true},
    {"a cluster from 3 on",
     ZONE("Full", "<cluster id=\"c\" prefix=\"p\" suffix=\"\" radical=\"3-5\" speed=\"1Gf\""
                  " bw=\"1MBps\" lat=\"1us\"/>\n"),
     false},
    {"a shared cluster",
     ZONE("Full", "<cluster id=\"c\" prefix=\"p\" suffix=\"\" radical=\"0-5\" speed=\"1Gf\""
                  " bw=\"1MBps\" lat=\"1us\" sharing_policy=\"SHARED\"/>\n"),
     false},
    {"a backbone",
     ZONE("Full", "<cluster id=\"c\" prefix=\"p\" suffix=\"\" radical=\"0-5\" speed=\"1Gf\""
                  " bw=\"1MBps\" lat=\"1us\" bb_bw=\"1MBps\" bb_lat=\"1us\"/>\n"),
     false},
};

static char *write_text(const char *text)
{
    char *file = xstrdup(P_tmpdir "/test-plain-XXXXXX.xml");
    int descriptor = mkstemps(file, 4);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fputs(text, stream);
    CU_ASSERT_EQUAL(fclose(stream), 0);
    return file;
}

static bool text_agrees(const char *text, bool *plain)
{
    char *file = write_text(text);
    bool same = agrees(file, plain);
    unlink(file);
    free(file);
    return same;
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool plain = false, same = text_agrees(rows[i].text, &plain);
        if (!same || plain != rows[i].plain)
            fprintf(stderr, "\n  %s: %s, %splain\n", rows[i].name, same ? "the same" : "differs", plain ? "" : "not ");
        CU_ASSERT(same && plain == rows[i].plain);
    }
}

/* ---- Random ones ---- */

/* Hosts and routers, and wires between some of them at random, some of them one way, some as routes of several
 * links. */
static char *random_platform(void)
{
    static const char *const routing[] = {"Dijkstra", "DijkstraCache", "Floyd"};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int n = 1 + testing_random_to(8), n_routers = testing_random_to(3) - 1;
    fprintf(out, HEAD "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"%s\">\n",
            routing[testing_random_to(3) - 1]);
    for (int i = 0; i < n; i++)
        fprintf(out, i < n_routers ? "<router id=\"n%d\"/>\n" : "<host id=\"n%d\" speed=\"%d.%dMf\"/>\n", i,
                testing_random_to(99), testing_random_to(999));
    for (int i = 0; i < 4 * n; i++)
        fprintf(out, "<link id=\"l%d\" bandwidth=\"%d.%dMbps\" latency=\"%d.%dus\"%s/>\n", i, testing_random_to(99),
                testing_random_to(999), testing_random_to(99) - 1, testing_random_to(999),
                testing_random_to(5) == 1 ? " sharing_policy=\"FATPIPE\"" : "");
    for (int i = 1; i < n; i++) /* a tree, and a wire in four beside it */
        for (int k = 0; k < i; k++) {
            if (k != i / 2 && testing_random_to(6) > 1)
                continue;
            fprintf(out, "<route src=\"n%d\" dst=\"n%d\"%s>", i, k,
                    k != i / 2 && i % 2 == 0 ? " symmetrical=\"NO\"" : "");
            for (int hops = testing_random_to(40) == 1 ? testing_random_to(3) : 1; hops > 0; hops--)
                fprintf(out, "<link_ctn id=\"l%d\"/>", testing_random_to(4 * n) - 1);
            fputs("</route>\n", out);
        }
    fputs("</zone>\n</platform>\n", out);
    fclose(out);
    return text;
}

static void test_random(void)
{
    int n_random = 60 / testing_one_in(), n_plain = 0, n_same = 0;
    for (int i = 0; i < n_random; i++) {
        char *text = random_platform();
        bool plain = false, same = text_agrees(text, &plain);
        n_plain += plain;
        n_same += same;
        if (!same && n_same == i)
            fputs(text, stderr);
        free(text);
    }
    printf("    %d of %d random platforms are plain\n", n_plain, n_random);
    CU_ASSERT_EQUAL(n_same, n_random);
    CU_ASSERT(n_plain > n_random / 4 && n_plain < n_random);
}

/* ---- Without SimGrid ---- */

/* Plain platforms are loaded, several in one process, and SimGrid is not asked for. What is linked with it, as this
 * program is, cannot see more; tests/cli/start.sh looks at simrun. */
static void test_not_loaded(void)
{
    struct machine machines[2];
    struct sim_error error;
    CU_ASSERT_EQUAL_FATAL(machine_load(&machines[0], SOURCE_DIR "/platforms/t800-mesh.xml", &error), 0);
    CU_ASSERT_EQUAL_FATAL(machine_load(&machines[1], SOURCE_DIR "/platforms/icluster.xml", &error), 0);
    CU_ASSERT_EQUAL(machine_route(&machines[0], 0, 127)->hops, 22);
    CU_ASSERT_EQUAL(machine_route(&machines[1], 0, 1)->hops, 2);
    CU_ASSERT_PTR_NULL(simgrid.sg_host_list);
    machine_dispose(&machines[0]);
    machine_dispose(&machines[1]);
}

int main(void)
{
    return testing_run("plain platforms", (const struct test[]){{"without SimGrid", test_not_loaded},
                                                                {"the project's platforms", test_platforms},
                                                                {"small ones", test_rows},
                                                                {"random ones", test_random},
                                                                {NULL, NULL}});
}
