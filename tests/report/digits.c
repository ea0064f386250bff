/* Numbers in decimal digits: the same as printf's, in the form of JSON; text through a buffer.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/digits.h"
#include "os/text_output.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 40 };

static const char *real(double value)
{
    static char text[ROOM + 1];
    text[digits_of_real(text, value)] = '\0';
    return text;
}

static const struct {
    double value;
    const char *text;
} reals[] = {
    {0, "0.0"},
    {-0.0, "-0.0"},
    {1, "1.0"},
    {-1.5, "-1.5"},
    {100, "100.0"},
    {0.1, "0.1"},
    {1.0 / 3, "0.333333333333333"},
    {-2.0 / 3, "-0.666666666666667"},
    {0.000123, "0.000123"},
    {0.0001, "0.0001"},
    {0.0000999999999999999, "9.99999999999999e-5"},
    {0.00009999999999999999, "0.0001"}, /* rounded first */
    {1e-12, "1e-12"},
    {1.5e-12, "1.5e-12"},
    {1e-14, "1e-14"},
    {999999999999999, "999999999999999.0"},
    {999999999999999.5, "1e15"},
    {123456789012344.5, "123456789012344.0"}, /* halves to the even one */
    {123456789012345.5, "123456789012346.0"},
    {1e15, "1e15"},
    {1e22, "1e22"},
    {DBL_MAX, "1.79769313486232e308"},
    {DBL_TRUE_MIN, "4.94065645841247e-324"},
};

static void rows(void)
{
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        bool is_equal = strcmp(real(reals[i].value), reals[i].text) == 0;
        CU_ASSERT(is_equal);
        if (!is_equal)
            fprintf(stderr, "row %zu: %s instead of %s\n", i, real(reals[i].value), reals[i].text);
    }
}

/* Numbers of all sizes, times above all, against printf. */
static void as_printf(void)
{
    uint64_t state = 1;
    int n_wrong = 0;
    for (int i = 0; i < 400000; i++) {
        char expected[ROOM];
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = (double)(state >> (14 + i % 50)) / (i % 3 == 0 ? 1e12 : i % 3 == 1 ? (double)(i + 1) : 1e-3);
        snprintf(expected, sizeof expected, "%.15g", value);
        const char *text = real(value);
        size_t same = strspn(expected, "0123456789.");
        n_wrong += strncmp(text, expected, same) != 0 || strtod(text, NULL) != strtod(expected, NULL);
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

static void integers(void)
{
    static const int64_t values[] = {0, 7, -7, 10, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[ROOM + 1], expected[ROOM + 1];
        *text_integer(text, values[i]) = '\0';
        snprintf(expected, sizeof expected, "%lld", (long long)values[i]);
        CU_ASSERT_STRING_EQUAL(text, expected);
    }
}

/* All powers of ten and their neighbors, and the last digits of them. */
static void naturals(void)
{
    char text[ROOM + 1], expected[ROOM + 1];
    uint64_t power = 1;
    for (int i = 0; i < 20; i++, power *= 10)
        for (uint64_t value = power - 1; value <= power + 1; value++) {
            *text_natural(text, value) = '\0';
            snprintf(expected, sizeof expected, "%llu", (unsigned long long)value);
            CU_ASSERT_STRING_EQUAL(text, expected);
            *text_digits(text, value, 12) = '\0';
            snprintf(expected, sizeof expected, "%012llu", (unsigned long long)value % 1000000000000);
            CU_ASSERT_STRING_EQUAL(text, expected);
        }
    *text_natural(text, UINT64_MAX) = '\0';
    CU_ASSERT_STRING_EQUAL(text, "18446744073709551615");
    *text_digits(text, 12345, 3) = '\0';
    CU_ASSERT_STRING_EQUAL(text, "345");
}

static void words(void)
{
    struct word word;
    char text[ROOM + 1];
    word_set(&word, "r%d ", 17);
    *text_word(text, &word) = '\0';
    CU_ASSERT_STRING_EQUAL(text, "r17 ");
    word_set(&word, "%040d", 7); /* cut */
    CU_ASSERT_EQUAL(text_word(text, &word) - text, 31);
}

/* More than the buffer holds, and a stream that takes nothing. */
static void buffer(void)
{
    static struct text_output text;
    enum { LINES = 50000 };
    text.stream = tmpfile();
    for (int i = 0; i < LINES; i++)
        text_end(&text, TEXT(text_integer(text_begin(&text), i), "\n"));
    text_flush(&text);
    rewind(text.stream);
    int n = 0, number;
    while (fscanf(text.stream, "%d", &number) == 1 && number == n)
        n++;
    CU_ASSERT_EQUAL(n, LINES);
    CU_ASSERT_FALSE(text.failed);
    fclose(text.stream);
    text.stream = fopen("/dev/full", "w");
    setbuf(text.stream, NULL);
    text_end(&text, TEXT(text_begin(&text), "line\n"));
    text_flush(&text);
    CU_ASSERT_TRUE(text.failed);
    fclose(text.stream);
}

int main(void)
{
    return testing_run("digits", (const struct test[]){{"rows", rows},
                                                       {"as printf", as_printf},
                                                       {"integers", integers},
                                                       {"naturals", naturals},
                                                       {"words", words},
                                                       {"buffer", buffer},
                                                       {0}});
}
