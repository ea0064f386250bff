/* UTF-8 from files: what is let through, where a text is cut, and how wide it is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"
#include "base/error.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *from, *to;
    size_t size;
    int width; /* of `to` */
} copies[] = {
    {"solve", "solve", 48, 5},
    {"", "", 48, 0},
    {"Gleichung lösen", "Gleichung lösen", 48, 15},
    {"行列", "行列", 48, 4},
    {"e\xcc\x81t\xcc\x81", "e\xcc\x81t\xcc\x81", 48, 2}, /* accents of their own */
    {"\xf0\x9f\x94\xa7 mend", "\xf0\x9f\x94\xa7 mend", 48, 7},
    {"ab\xffz", "ab?z", 48, 4},
    {"\xc3", "?", 48, 1},      /* ends too early */
    {"\xc0\xaf", "??", 48, 2}, /* longer than need be */
    {"\xe0\x80\xaf", "???", 48, 3},
    {"\xed\xa0\x80", "???", 48, 3},      /* half of a pair */
    {"\xf4\x90\x80\x80", "????", 48, 4}, /* above the last character */
    {"\x80\xbf", "??", 48, 2},
    {"a\x1b[2J\n\x7f", "a?[2J??", 48, 7},
    {"a\xc2\x9bz", "a?z", 48, 3},                               /* a control character of two bytes */
    {"a\xe2\x80\xaez\xe2\x81\xa6\xe2\x80\xa8", "a?z??", 48, 5}, /* directions, a line's end */
    {"lösen", "l", 3, 1},                                       /* ö does not fit */
    {"lösen", "lö", 4, 2},
    {"abc", "", 1, 0},
};

static void copies_and_widths(void)
{
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        char text[64];
        memset(text, 'x', sizeof text);
        utf8_copy(text, copies[i].size, copies[i].from);
        if (strcmp(text, copies[i].to) != 0 || utf8_width(text) != copies[i].width) {
            printf("row %zu: '%s', %d wide\n", i, text, utf8_width(text));
            CU_FAIL("a row differs");
        }
    }
    CU_ASSERT_EQUAL(utf8_width("\xff\xc3"), 2);
}

static const struct {
    const char *cut, *trimmed;
} trims[] = {
    {"", ""},         {"abc", "abc"},       {"abö", "abö"},       {"ab\xc3", "ab"},
    {"行\xe8", "行"}, {"行\xe8\xa1", "行"}, {"\xf0\x9f\x94", ""}, {"\x80\x80", "\x80\x80"},
    {"\xc3", ""},
};

static void trim(void)
{
    for (size_t i = 0; i < sizeof trims / sizeof trims[0]; i++) {
        char text[16];
        strcpy(text, trims[i].cut);
        utf8_trim(text);
        CU_ASSERT_STRING_EQUAL(text, trims[i].trimmed);
    }
}

/* Messages quote files: they are one line whatever those hold, and none is cut within a character. */
static void errors(void)
{
    struct sim_error error;
    char text[2000];
    CU_ASSERT_EQUAL(sim_error_set(&error, SIM_BAD_INPUT, "a\nb", 3, "'%s'", "l\xc3\xb6sen \xff\x1b[2J"), -1);
    CU_ASSERT_STRING_EQUAL(error.message, "a?b:3: 'l\xc3\xb6sen ??[2J'");
    for (int shift = 0; shift < 2; shift++) {
        memset(text, 'x', sizeof text);
        for (size_t i = (size_t)shift; i + 2 < sizeof text; i += 2)
            memcpy(text + i, "\xc3\xb6", 2);
        text[sizeof text - 1] = '\0';
        sim_error_set(&error, SIM_BAD_INPUT, NULL, 0, "%s", text);
        CU_ASSERT_EQUAL(strlen(error.message), sizeof error.message - 1 - (shift == 0));
        CU_ASSERT_PTR_NULL(strchr(error.message, '?'));
    }
}

int main(void)
{
    return testing_run("utf8", (const struct test[]){
                                   {"copies and widths", copies_and_widths}, {"trim", trim}, {"errors", errors}, {0}});
}
