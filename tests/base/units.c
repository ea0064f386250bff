/* Text with units: exact values, and what is refused with which words.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct {
    enum quantity quantity;
    const char *text;
    int64_t value;
} good[] = {
    {QUANTITY_COUNT, "0", 0},
    {QUANTITY_COUNT, "256", 256},
    {QUANTITY_COUNT, "007", 7},
    {QUANTITY_COUNT, "-1", -1},
    {QUANTITY_COUNT, "1e3", 1000},
    {QUANTITY_COUNT, "1E+3", 1000},
    {QUANTITY_COUNT, "1.5e1", 15},
    {QUANTITY_COUNT, "100e-2", 1},
    {QUANTITY_COUNT, "3.000000000000000000000000000000", 3},
    {QUANTITY_COUNT, "0e999999999999", 0},
    {QUANTITY_COUNT, "9223372036854775807", INT64_MAX},
    {QUANTITY_COUNT, "9007199254740993", 9007199254740993}, /* 2^53 + 1, which no double holds */
    {QUANTITY_TIME, "0ps", 0},
    {QUANTITY_TIME, "-0us", 0},
    {QUANTITY_TIME, "1ps", 1},
    {QUANTITY_TIME, "5us", 5000000},
    {QUANTITY_TIME, "0.27us", 270000},
    {QUANTITY_TIME, "3.73us", 3730000},
    {QUANTITY_TIME, "1.1ns", 1100},
    {QUANTITY_TIME, ".5ms", 500000000},
    {QUANTITY_TIME, "2.s", 2 * PS_PER_S},
    {QUANTITY_TIME, "0.123456789012s", 123456789012},
    {QUANTITY_TIME, "1e-12s", 1},
    {QUANTITY_TIME, "0.4ps", 0},
    {QUANTITY_TIME, "0.5ps", 1},
    {QUANTITY_TIME, "1.4999999999ps", 1},
    {QUANTITY_TIME, "2.5ps", 3},
    {QUANTITY_TIME, "1.00000000000049s", PS_PER_S},
    {QUANTITY_TIME, "1.0000000000005s", PS_PER_S + 1},
    {QUANTITY_TIME, "1e-999999999999s", 0},
    {QUANTITY_TIME, "1048576e-20s", 0},
    {QUANTITY_TIME, "9223372.036854775807s", INT64_MAX},
    {QUANTITY_SIZE, "1", 1},
    {QUANTITY_SIZE, "1B", 1},
    {QUANTITY_SIZE, "64KiB", 65536},
    {QUANTITY_SIZE, "1.1kB", 1100},
    {QUANTITY_SIZE, "0.7GB", 700000000},
    {QUANTITY_SIZE, "0.5KiB", 512},
    {QUANTITY_SIZE, "0.0009765625MiB", 1024},
    {QUANTITY_SIZE, "4.35MB", 4350000},
    {QUANTITY_SIZE, "1e3KiB", 1024000},
    {QUANTITY_SIZE, "8GiB", INT64_C(8) << 30},
    {QUANTITY_RATE, "4Gf", 4000000000},
    {QUANTITY_RATE, "4e9", 4000000000},
    {QUANTITY_RATE, "0.5kf", 500},
    {QUANTITY_RATE, "1Tf", 1000000000000},
};

static const struct {
    enum quantity quantity;
    const char *text;
    const char *why;
} bad[] = {
    {QUANTITY_COUNT, "", "'' is not a whole number such as 256"},
    {QUANTITY_COUNT, " 5", "' 5' is not a whole number such as 256"},
    {QUANTITY_COUNT, "5 ", "'5 ' is not a whole number such as 256"},
    {QUANTITY_COUNT, "+5", "'+5' is not a whole number such as 256"},
    {QUANTITY_COUNT, "-", "'-' is not a whole number such as 256"},
    {QUANTITY_COUNT, ".", "'.' is not a whole number such as 256"},
    {QUANTITY_COUNT, "1.2.3", "'1.2.3' is not a whole number such as 256"},
    {QUANTITY_COUNT, "0x10", "'0x10' is not a whole number such as 256"},
    {QUANTITY_COUNT, "1e", "'1e' is not a whole number such as 256"},
    {QUANTITY_COUNT, "1e+", "'1e+' is not a whole number such as 256"},
    {QUANTITY_COUNT, "inf", "'inf' is not a whole number such as 256"},
    {QUANTITY_COUNT, "nan", "'nan' is not a whole number such as 256"},
    {QUANTITY_COUNT, "5B", "'5B' is not a whole number such as 256"},
    {QUANTITY_COUNT, "1.5", "'1.5' is not a whole number"},
    {QUANTITY_COUNT, "1e-1", "'1e-1' is not a whole number"},
    {QUANTITY_COUNT, "1e-999999999999", "'1e-999999999999' is not a whole number"},
    {QUANTITY_COUNT, "9e99", "'9e99' is too large"},
    {QUANTITY_COUNT, "1e999999999999", "'1e999999999999' is too large"},
    {QUANTITY_COUNT, "9223372036854775808", "'9223372036854775808' has too many digits"},
    {QUANTITY_TIME, "", "'' is not a time such as 5us"},
    {QUANTITY_TIME, "-1us", "'-1us' is negative"},
    {QUANTITY_TIME, "-1e-99s", "'-1e-99s' is negative"},
    {QUANTITY_TIME, "5", "'5' lacks a unit; known: ps ns us ms s"},
    {QUANTITY_TIME, "3parsec", "unknown unit 'parsec' in '3parsec'; known: ps ns us ms s"},
    {QUANTITY_TIME, "5 us", "unknown unit ' us' in '5 us'; known: ps ns us ms s"},
    {QUANTITY_TIME, "0x10us", "unknown unit 'x10us' in '0x10us'; known: ps ns us ms s"},
    {QUANTITY_TIME, "1e3", "'1e3' lacks a unit; known: ps ns us ms s"},
    {QUANTITY_TIME, "9223373s", "'9223373s' is too large; the limit is 9223372 s, 106 days"},
    {QUANTITY_TIME, "0.1234567890123456789012s", "'0.1234567890123456789012s' has too many digits"},
    {QUANTITY_RATE, "4GHz", "unknown unit 'GHz' in '4GHz'; known: f kf Mf Gf Tf"},
    {QUANTITY_RATE, "-1f", "'-1f' is negative"},
    {QUANTITY_RATE, "0.5f", "'0.5f' is not a whole number of flop/s"},
    {QUANTITY_SIZE, "x", "'x' is not a size such as 64KiB"},
    {QUANTITY_SIZE, "-1B", "'-1B' is negative"},
    {QUANTITY_SIZE, "64KB", "unknown unit 'KB' in '64KB'; known: B kB MB GB KiB MiB GiB"},
    {QUANTITY_SIZE, "0.3B", "'0.3B' is not a whole number of bytes"},
    {QUANTITY_SIZE, "1.0001kB", "'1.0001kB' is not a whole number of bytes"},
    {QUANTITY_SIZE, "1.000000000000000001GiB", "'1.000000000000000001GiB' is not a whole number of bytes"},
    {QUANTITY_SIZE, "8589934592GiB", "'8589934592GiB' is too large"},
};

static void check_good(size_t i)
{
    char why[256] = "";
    int64_t value = -77;
    int status = units_parse(&value, good[i].quantity, good[i].text, why, sizeof why);
    if (status != 0 || value != good[i].value)
        printf("\n  '%s': %" PRId64 " and \"%s\" instead of %" PRId64, good[i].text, value, why, good[i].value);
    CU_ASSERT(status == 0 && value == good[i].value);
}

static void test_good(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_good(i);
}

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[256] = "";
        int64_t value = -77;
        int status = units_parse(&value, bad[i].quantity, bad[i].text, why, sizeof why);
        if (status != -1 || value != -77 || strcmp(why, bad[i].why) != 0)
            printf("\n  '%s': %d, %" PRId64 ", \"%s\" instead of \"%s\"", bad[i].text, status, value, why, bad[i].why);
        CU_ASSERT(status == -1 && value == -77 && strcmp(why, bad[i].why) == 0);
    }
}

/* A message is cut to the room that it has. */
static void test_short_room(void)
{
    char why[8];
    int64_t value;
    CU_ASSERT(units_parse(&value, QUANTITY_TIME, "3parsec", why, sizeof why) == -1);
    CU_ASSERT_STRING_EQUAL(why, "unknown");
}

/* A decimal comma of the user's locale changes nothing. */
static void test_locale(void)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL)
        return;
    test_good();
    setlocale(LC_NUMERIC, "C");
}

static void test_seconds(void)
{
    CU_ASSERT(units_seconds(PS_PER_S / 4) == 0.25);
}

/* A time that is too long stays so, however often it is added. */
static void test_clamp(void)
{
    CU_ASSERT_EQUAL(units_clamp(PS_MAX), PS_MAX);
    CU_ASSERT(units_clamp((wide_int)PS_MAX + 1) > PS_MAX);
    CU_ASSERT_EQUAL(units_clamp((wide_int)INT64_MAX * 5), PS_TOO_LONG);
    CU_ASSERT(PS_TOO_LONG <= INT64_MAX / 4);
}

int main(void)
{
    static const struct test tests[] = {
        {"good", test_good},
        {"bad", test_bad},
        {"short room for the message", test_short_room},
        {"locale", test_locale},
        {"seconds", test_seconds},
        {"clamp", test_clamp},
        {NULL, NULL},
    };
    return testing_run("units", tests);
}
