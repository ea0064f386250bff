/* Descriptions of nodes and wires: what is read of each kind, and each mistake with its message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fabric/fabric.h"

#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path;

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fwrite(text, 1, strlen(text), stream);
    fclose(stream);
}

/* "hosts H cores C packages P topology 'T' host G switch G links a-b x2", rates in GB/s; to be freed. */
static char *describe(const struct fabric *fabric)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "hosts %d cores %d packages %d '%s' '%s' %g %g", fabric->n_hosts, fabric->cores, fabric->packages,
            fabric->machine, fabric->topology, fabric->host_Bps / 1e9, fabric->switch_Bps / 1e9);
    for (size_t i = 0; i < fabric->n_links; i++)
        fprintf(stream, " %s-%sx%d", fabric->nodes[fabric->links[i].from].name, fabric->nodes[fabric->links[i].to].name,
                fabric->links[i].count);
    fclose(stream);
    return text;
}

#define SWITCH(name) "Switch\t36 \"S-" name "\"\t\t# \"x\" base port 0 lid 1 lmc 0\n"
#define HOST(port, name, speed) "[" port "]\t\"H-" name "\"[1](1) \t\t# \"" name " mlx4_0\" lid 2 " speed "\n"
#define PEER(port, name, speed) "[" port "]\t\"S-" name "\"[9]\t\t# \"MF0;ib8:x\" lid 3 " speed "\n"

static const struct {
    const char *name, *text, *found;
} cases[] = {
    {"hwloc 2",
     "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">\n"
     "<object type=\"Machine\"><info name=\"CPUModel\" value=\"A CPU\"/><object type=\"Package\">"
     "<object type=\"Core\"><object type=\"PU\"/><object type=\"PU\"/></object>"
     "<object type=\"Core\"><object type=\"PU\"/><object type=\"PU\"/></object></object></object></topology>\n",
     "hosts 0 cores 2 packages 1 'A CPU' '' 0 0"},
    {"hwloc 1, units alone", "<topology>\n<object type=\"Machine\">\n<object type=\"Socket\">\n<object type=\"PU\"/>\n",
     "hosts 0 cores 1 packages 1 '' '' 0 0"},
    {"two machines", "<topology>\n<object type=\"Machine\">\n<object type=\"Machine\">\n",
     ":3: has a second machine; allowed: the description of one host"},
    {"no cores", "<topology>\n<object type=\"Machine\"/>\n",
     ": has no cores: neither <object type=\"Core\"> nor <object type=\"PU\">"},
    {"one switch", "# comment\nSwitchName=s0 Nodes=n[01-03],m\n", "hosts 4 cores 0 packages 0 '' '' 0 0"},
    {"a regular tree", "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n",
     "hosts 8 cores 0 packages 0 '' 'fat_tree 4x2:1x4' 0 0"},
    {"another tree", "SwitchName=s0 Nodes=a,b LinkSpeed=100\nSwitchName=s1 Nodes=c\nSwitchName=top Switches=s0,s1\n",
     "hosts 3 cores 0 packages 0 '' '' 0 0 s0-ax1 s0-bx1 s1-cx1 s0-topx1 s1-topx1"},
    {"switches name each other", "SwitchName=s0 Nodes=a,b Switches=s1\nSwitchName=s1 Nodes=c Switches=s0\n",
     "hosts 3 cores 0 packages 0 '' '' 0 0 s0-ax1 s0-bx1 s0-s1x1 s1-cx1"},
    {"no range", "SwitchName=s0 Nodes=n[3-1]\n", ":1: '3-1' is not a range of numbers such as 001-016"},
    {"two ranges", "SwitchName=s0 Nodes=n[1\n", ":1: 'n[1': allowed: one range in brackets, such as node[1-16,18]"},
    {"another word", "SwitchName=s0 Hosts=n1\n", ":1: 'Hosts=n1': known: SwitchName= Nodes= Switches= LinkSpeed="},
    {"another line", "SwitchName=s0 Nodes=n1\nNodeName=n1\n",
     ":2: 'NodeName=n1' is no line of topology.conf, which begins with SwitchName="},
    {"below itself", "SwitchName=s0 Switches=s0\n", ":1: switch 's0' is below itself"},
    {"ibnetdiscover, a fat tree",
     "switchguid=0x1(1)\n" SWITCH("1") HOST("1", "a", "4xEDR") HOST("2", "b", "4xEDR") PEER("3", "3", "4xEDR")
         PEER("4", "3", "4xEDR") SWITCH("2") HOST("1", "c", "4xEDR") HOST("2", "d", "4xEDR") PEER("3", "3", "4xEDR")
             PEER("4", "3", "4xEDR") SWITCH("3") PEER("1", "1", "4xEDR") PEER("2", "1", "4xEDR") PEER("3", "2", "4xEDR")
                 PEER("4", "2", "4xEDR") "Ca\t1 \"H-a\"\t# \"a\"\n[1](1) \t\"S-1\"[1]\t\t# lid 1 4xEDR\n",
     "hosts 4 cores 0 packages 0 '' 'fat_tree 2x2:1x2' 12.5 12.5"},
    {"ibnetdiscover, uneven",
     SWITCH("1") HOST("1", "a", "4xQDR") HOST("2", "b", "4xDDR") PEER("3", "2", "4xQDR") PEER("4", "2", "4xQDR")
         SWITCH("2") HOST("1", "c", "4xQDR") PEER("3", "1", "4xQDR") PEER("4", "1", "4xQDR"),
     "hosts 3 cores 0 packages 0 '' '' 0 4 S-1-H-ax1 S-1-H-bx1 S-1-S-2x2 S-2-H-cx1"},
    {"a port without name", SWITCH("1") "[1]\tx\n", ":2: a port without the name of what it leads to, in quotes"},
};

/* Messages that do not begin with the file name it further back. */
static const char *message_of(const struct sim_error *error)
{
    return strncmp(error->message, path, strlen(path)) == 0 ? error->message + strlen(path) : error->message;
}

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fabric fabric = {0};
        struct sim_error error = {.message = ""};
        write_file(cases[i].text);
        CU_ASSERT(fabric_is_description(path));
        bool is_good = fabric_read(&fabric, path, &error) == 0 && fabric_conclude(&fabric, &error) == 0;
        char *found = is_good ? describe(&fabric) : xstrdup(message_of(&error));
        if (strcmp(found, cases[i].found) != 0)
            printf("\n  %s: %s", cases[i].name, found);
        CU_ASSERT_STRING_EQUAL(found, cases[i].found);
        free(found);
        fabric_dispose(&fabric);
    }
}

static void test_apart(void)
{
    struct fabric fabric = {0};
    struct sim_error error = {.message = ""};
    write_file("SwitchName=s0 Nodes=a,b\nSwitchName=s1 Nodes=c,d\n");
    CU_ASSERT_EQUAL(fabric_read(&fabric, path, &error), 0);
    CU_ASSERT_EQUAL(fabric_conclude(&fabric, &error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "no way leads from 's0' to 's1' in "));
    fabric_dispose(&fabric);
}

static void test_others(void)
{
    write_file("# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n8   1\n");
    CU_ASSERT(!fabric_is_description(path));
    CU_ASSERT(!fabric_is_description("/none/x"));
}

int main(void)
{
    static const struct test tests[] = {
        {"descriptions", test_cases},
        {"wires that are apart", test_apart},
        {"other files", test_others},
        {NULL, NULL},
    };
    char name[] = "/tmp/fabric-XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    path = name;
    int status = testing_run("fabric", tests);
    unlink(name);
    return status;
}
