/* Scenario files: every one of the project loads, every mistake has a file in tests/data/bad and its message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "apps/replay/list.h"
#include "base/memory.h"
#include "sim/network/network.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/xml.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file is tests/data/bad/scenario/<name>.xml; the message follows on its name. `{params}`, `{apps}`, `{broadcasts}`
 * and `{networks}` stand for all the names of that kind. A structural mistake is one that the schema finds too. */
static const struct {
    const char *name;
    bool structural;
    const char *message;
} bad_files[] = {
    {"value/above", false, ":6: <param> value of 'ranks': '16777217' is outside 1 ... 16777216"},
    {"element/application-typo", false,
     ":4: <application> name: unknown application 'gauss_jordan'; did you mean 'gauss-jordan'? known: {apps}"},
    {"xml/attribute-prefix", true, ":2: <scenario> unknown attribute 'xml:lang'; known: name title"},
    {"xml/bad-utf16", true,
     ": not well-formed XML: input conversion failed due to input error, bytes 0x00 0xD8 0x00 0x00"},
    {"value/below", false, ":5: <param> value of 'n': '0' is outside 1 ... 16384"},
    {"xml/blank-cdata", false, ":6: <scenario> text: '' found; no text is allowed here"},
    {"value/blank", false, ":6: <param> value of 'ranks': ' 2' is not a whole number such as 256"},
    {"xml/blank", true, ":3: not well-formed XML: Start tag expected, '<' not found"},
    {"xml/cdata-in-param", true, ":4: <param> text: 'deep' found; no text is allowed here"},
    {"xml/cdata", true, ":6: <scenario> text: '<param/>' found; no text is allowed here"},
    {"value/choice-typo", false,
     ":6: <param> value of 'broadcast': 'nieghbour' is unknown; did you mean 'neighbour'? known: {broadcasts}"},
    {"value/choice", false, ":6: <param> value of 'broadcast': 'shout' is unknown; known: {broadcasts}"},
    {"xml/cut-off", true, ":4: not well-formed XML: Specification mandates value for attribute na"},
    {"decision/alone", false,
     ":6: <decision>: no candidates found; one of these parameters must have several values: mesh layout root topology "
     "dimensions routing placement rows broadcast broadcast_order broadcast_mode"},
    {"decision/attribute", true, ":6: <decision> unknown attribute 'on'; known: by"},
    {"decision/by", true, ":6: <decision> by: 'speed' found; must be time, bytes or processors"},
    {"decision/network", false,
     ":7: <decision>: no candidates found; one of these parameters must have several values: mesh layout root topology "
     "dimensions routing placement rows broadcast broadcast_order broadcast_mode"},
    {"xml/deep", true, ":4: not well-formed XML: Excessive depth in document: 256 use XML_PARSE_HUGE option"},
    {"xml/doctype", true, ":2: a scenario must not have a DOCTYPE"},
    {"element/in-param", true, ":6: unknown element <value> in <param>; it holds no elements"},
    {"xml/element-namespace", true,
     ":4: unknown element <x:application> in <scenario>; did you mean 'application'? known: platform application param "
     "broadcast "
     "reference decision what-if"},
    {"element/typo", true,
     ":5: unknown element <parm> in <scenario>; did you mean 'param'? known: platform application param broadcast "
     "reference "
     "decision what-if"},
    {"element/empty-file-name", true, ":6: <reference> file: '' found; must be a file name"},
    {"value/empty-item", false,
     ":6: <param> value of 'ranks': '1,,2' has an empty item; several values are written 1,2,4 or 1..128"},
    {"element/empty-name", true, ":2: <scenario> name: '' found; must be letters, digits, '-', '_' and '.'"},
    {"element/empty-value", true, ":5: <param> value: '' found; must be one value, or several separated by commas"},
    {"xml/empty", true, ": the file is empty; it must hold a <scenario>"},
    {"xml/entity-bomb", true, ":3: a scenario must not have a DOCTYPE"},
    {"xml/external-entity", true, ":2: a scenario must not have a DOCTYPE"},
    {"value/fraction", false, ":6: <param> value of 'ranks': '1.5' is not a whole number"},
    {"value/hexadecimal", false, ":6: <param> value of 'ranks': '0x10' is not a whole number such as 256"},
    {"xml/invalid-utf8", true, ":2: not well-formed XML: Input is not proper UTF-8, indicate encoding !"},
    {"value/last-item", false,
     ":6: <param> value of 'ranks': '1,2,' has an empty item; several values are written 1,2,4 or 1..128"},
    {"value/layout", false, ":6: <param> value of 'layout': 'spiral' is unknown; known: snake row-major"},
    {"value/listed-twice", false, ":6: <param> value of 'ranks': '2' is listed twice"},
    {"value/mesh-half", false, ":6: <param> value of 'mesh': '4x' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"value/mesh-side", false, ":6: <param> value of 'mesh': '65537x1' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"value/mesh-sign", false, ":6: <param> value of 'mesh': '4x-4' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"value/mesh-three", false, ":6: <param> value of 'mesh': '4x4x4' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"value/mesh-zero", false, ":6: <param> value of 'mesh': '0x4' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"value/mesh", false, ":6: <param> value of 'mesh': '16' is not WIDTHxHEIGHT (each 1 ... 65536) | auto"},
    {"xml/mismatched-tag", true,
     ":5: not well-formed XML: Opening and ending tag mismatch: scenario line 2 and scenari"},
    {"value/multi-line", false, ":9: <param> value of 'ranks': '0' is outside 1 ... 16777216"},
    {"element/name-characters", true,
     ":2: <scenario> name: 'a bad/name' found; must be letters, digits, '-', '_' and '.'"},
    {"xml/namespace", true, ":2: root element <scenario xmlns='urn:other'> found; must be <scenario>"},
    {"value/negative-size", false, ":6: <param> value of 'broadcast_segment': '-1KiB' is negative"},
    {"value/network", false, ":6: <param> value of 'network': 'fast' is unknown; known: auto {networks}"},
    {"element/no-application", true, ":2: <scenario>: no <application> found; exactly one is required"},
    {"element/no-file", true, ":3: <platform> file: missing; must be a file name"},
    {"element/no-name", true, ":2: <scenario> name: missing; must be letters, digits, '-', '_' and '.'"},
    {"element/no-param-name", true, ":5: <param> name: missing; must be the name of a parameter"},
    {"element/no-platform", true, ":2: <scenario>: no <platform> found; exactly one is required"},
    {"element/no-value", true, ":5: <param> value: missing; must be one value, or several separated by commas"},
    {"value/not-a-number", false, ":6: <param> value of 'ranks': 'many' is not a whole number such as 256"},
    {"xml/not-xml", true, ":1: not well-formed XML: Start tag expected, '<' not found"},
    {"param/case", false,
     ":6: <param> name: unknown parameter 'Ranks' of application 'gauss-jordan'; did you mean 'ranks'? known: "
     "{params}"},
    {"param/typo", false,
     ":6: <param> name: unknown parameter 'brodcast' of application 'gauss-jordan'; did you mean 'broadcast'? known: "
     "{params}"},
    {"param/required", false, ":2: <scenario>: no <param> sets 'n'; application 'gauss-jordan' requires it"},
    {"value/root", false,
     ":6: <param> value of 'root': 'center' is unknown; did you mean 'centre'? known: edge corner centre"},
    {"value/same-size", false, ":6: <param> value of 'broadcast_segment': '64KiB' is listed twice"},
    {"param/set-twice", false, ":7: <param> name: 'n' is set a second time, the first is on line 5; one is allowed"},
    {"value/size-fraction", false, ":6: <param> value of 'broadcast_segment': '0.3B' is not a whole number of bytes"},
    {"value/size-zero", false, ":6: <param> value of 'broadcast_segment': '0' is outside 1 ... 1099511627776 bytes"},
    {"xml/text-in-platform", true, ":3: <platform> text: 't800' found; no text is allowed here"},
    {"xml/text", true, ":7: <scenario> text: 'ranks=8' found; no text is allowed here"},
    {"element/title-name", false,
     ":2: <scenario> title: 'bytes' in {bytes|...} is neither a parameter of 'gauss-jordan' nor platform"},
    {"element/title-c1", true, ":2: <scenario> title: a control character found; must be one line of text"},
    {"element/title-control", true, ":2: <scenario> title: a control character found; must be one line of text"},
    {"value/too-large", false, ":6: <param> value of 'ranks': '9e99' is too large"},
    {"param/too-many-runs", false,
     ": the values of all parameters combine to ranks 1001 x n 100 = 100100 runs; at most 100000 are allowed"},
    {"element/two-applications", true, ":5: <application>: a second one found, the first is on line 4; one is allowed"},
    {"element/two-decisions", true, ":7: <decision>: a second one found, the first is on line 6; one is allowed"},
    {"element/two-platforms", true, ":6: <platform>: a second one found, the first is on line 3; one is allowed"},
    {"element/two-references", true, ":7: <reference>: a second one found, the first is on line 6; one is allowed"},
    {"xml/undeclared-prefix", true, ":4: not well-formed XML: Namespace prefix x on application is not defined"},
    {"xml/undefined-entity", true, ":2: not well-formed XML: Entity 'who' not defined"},
    {"value/unit", false,
     ":6: <param> value of 'broadcast_segment': unknown unit 'KB' in '64KB'; known: B kB MB GB KiB MiB GiB"},
    {"element/unknown-application", false, ":4: <application> name: unknown application 'sudoku'; known: {apps}"},
    {"element/unknown-attribute", true,
     ":2: <scenario> unknown attribute 'titel'; did you mean 'title'? known: name title"},
    {"element/unknown", true,
     ":4: unknown element <foo> in <scenario>; known: platform application param broadcast reference decision what-if"},
    {"xml/unknown-encoding", true, ":1: not well-formed XML: Unsupported encoding latin-17"},
    {"element/unknown-param-attribute", true, ":5: <param> unknown attribute 'unit'; known: name value"},
    {"param/unknown", false, ":6: <param> name: unknown parameter 'm' of application 'gauss-jordan'; known: {params}"},
    {"element/what-if-attribute", true,
     ":6: <what-if> unknown attribute 'cause'; did you mean 'causes'? known: causes"},
    {"element/what-if-causes", true, ":6: <what-if> causes: '' found; must be names of causes separated by commas"},
    {"element/wrong-root", true,
     ":3: is a platform file, not a scenario; name it in a scenario's <platform file=\"...\"/>, or query it with "
     "simrun forecast"},
    {"xml/zero-byte", true, ":5: not well-formed XML: Char 0x0 out of allowed range"},
};

#define N_BAD_FILES (sizeof bad_files / sizeof *bad_files)

/* Put `with` in the place of `what`, if it is there; frees text. */
static char *replaced(char *text, const char *what, char *with)
{
    char *place = strstr(text, what);
    if (place != NULL) {
        char *whole = xformat("%.*s%s%s", (int)(place - text), text, with, place + strlen(what));
        free(text);
        text = whole;
    }
    free(with);
    return text;
}

/* All names, separated by blanks; frees list. */
static char *appended(char *list, const char *name)
{
    char *longer = xformat("%s%s%s", list, *list == '\0' ? "" : " ", name);
    free(list);
    return longer;
}

static char *joined(const char *const *names)
{
    char *list = xstrdup("");
    for (int i = 0; names[i] != NULL; i++)
        list = appended(list, names[i]);
    return list;
}

static char *expected_message(const char *pattern)
{
    const struct app_spec *app = app_find(app_specs, "gauss-jordan");
    char *apps = xstrdup(""), *params = xstrdup(""), *networks = xstrdup("");
    for (int i = 0; app_specs[i] != NULL; i++)
        apps = appended(apps, app_specs[i]->name);
    for (int i = 0; network_specs[i] != NULL; i++)
        networks = appended(networks, network_specs[i]->name);
    for (int i = 0; i < N_COMMON_PARAMS; i++)
        params = appended(params, common_params[i].name);
    for (int i = 0; i < app->n_params; i++)
        params = appended(params, app->params[i].name);
    char *message = replaced(xstrdup(pattern), "{apps}", apps);
    message = replaced(message, "{params}", params);
    message = replaced(message, "{broadcasts}", joined(coll_broadcast_names));
    return replaced(message, "{networks}", networks);
}

static void check_message(const char *row, int status, const struct sim_error *error, const char *pattern)
{
    char *expected = expected_message(pattern);
    bool right = status == -1 && error->status == SIM_BAD_INPUT && strcmp(error->message, expected) == 0;
    if (!right)
        printf("\n  %s:\n    \"%s\" instead of\n    \"%s\"", row, error->message, expected);
    CU_ASSERT(right);
    free(expected);
}

static void test_bad_files(void)
{
    for (size_t i = 0; i < N_BAD_FILES; i++) {
        struct scenario scenario;
        struct sim_error error = {.message = ""};
        char *file = xformat("%s/tests/data/bad/scenario/%s.xml", SOURCE_DIR, bad_files[i].name);
        char *message = xformat("%s%s", file, bad_files[i].message);
        int status = scenario_load_file(&scenario, file, app_specs, &error);
        check_message(bad_files[i].name, status, &error, message);
        scenario_dispose(&scenario);
        free(message);
        free(file);
    }
}

/* By the schema alone; the caller has no use for its message. */
static int check_schema(const char *file)
{
    struct sim_error error;
    FILE *stream = fopen(file, "rb");
    if (stream == NULL)
        return 1;
    char *bytes = xmalloc(SCENARIO_MAX_BYTES);
    size_t size = fread(bytes, 1, SCENARIO_MAX_BYTES, stream);
    int status = scenario_xml_check_schema(bytes, size, file, &error);
    free(bytes);
    fclose(stream);
    return status;
}

static void test_schema(void)
{
    for (size_t i = 0; i < N_BAD_FILES; i++) {
        char *file = xformat("%s/tests/data/bad/scenario/%s.xml", SOURCE_DIR, bad_files[i].name);
        int status = check_schema(file);
        if (status != (bad_files[i].structural ? -1 : 0))
            printf("\n  %s: the schema says %d", bad_files[i].name, status);
        CU_ASSERT(status == (bad_files[i].structural ? -1 : 0));
        free(file);
    }
}

static const char *bad_name(size_t i)
{
    return i < N_BAD_FILES ? bad_files[i].name : NULL;
}

/* No bad file is left out of the table. */
static void test_table_is_complete(void)
{
    testing_check_table(SOURCE_DIR "/tests/data/bad/scenario", ".xml", bad_name);
}

static void test_good_files(void)
{
    glob_t found;
    CU_ASSERT_FATAL(glob(SOURCE_DIR "/scenarios/*.xml", 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct scenario scenario;
        struct sim_error error = {.message = ""};
        const char *file = found.gl_pathv[i];
        bool right = scenario_load_file(&scenario, file, app_specs, &error) == 0 && check_schema(file) == 0;
        if (!right)
            printf("\n  %s: %s", file, error.message);
        CU_ASSERT(right);
        if (right)
            CU_ASSERT(strncmp(strrchr(file, '/') + 1, scenario.name, strlen(scenario.name)) == 0);
        scenario_dispose(&scenario);
    }
    globfree(&found);
}

/* The schema allows a scenario without parameters; whether its application does is not the schema's affair. */
static void test_smallest(void)
{
    static const char text[] = "<scenario name='a'><application name='b'/><platform file='c'/></scenario>";
    struct sim_error error;
    CU_ASSERT(scenario_xml_check_schema(text, sizeof text - 1, "small.xml", &error) == 0);
}

static void test_unreadable(void)
{
    struct scenario scenario;
    struct sim_error error;
    CU_ASSERT(scenario_load_file(&scenario, "/nowhere/x.xml", app_specs, &error) == -1);
    CU_ASSERT_STRING_EQUAL(error.message, "/nowhere/x.xml: cannot read: No such file or directory");
    CU_ASSERT(scenario_load_file(&scenario, SOURCE_DIR, app_specs, &error) == -1);
    CU_ASSERT_STRING_EQUAL(error.message, SOURCE_DIR ": cannot read: Is a directory");
    CU_ASSERT(scenario_load_file(&scenario, "/dev/zero", app_specs, &error) == -1);
    CU_ASSERT_STRING_EQUAL(error.message,
                           "/dev/zero: the file is larger than 1 MiB, the most that a scenario may have");
    CU_ASSERT(scenario_load_file(&scenario, "two\nlines", app_specs, &error) == -1);
    CU_ASSERT_STRING_EQUAL(error.message, "two?lines: cannot read: No such file or directory");
    scenario_dispose(&scenario);
}

int main(void)
{
    static const struct test tests[] = {
        {"bad files", test_bad_files},
        {"bad files and the schema", test_schema},
        {"the table of bad files", test_table_is_complete},
        {"good files", test_good_files},
        {"smallest scenario", test_smallest},
        {"unreadable files", test_unreadable},
        {NULL, NULL},
    };
    return testing_run("scenario files", tests);
}
