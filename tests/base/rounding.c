/* Rounding once: against whole numbers of 128 bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/range.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 wide;

/* A number of so many bits at most, of a fixed sequence. */
static uint64_t random_bits(int bits)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 11) >> (53 - bits);
}

/* a * b / divisor next to a half, where a double of it would be on the wrong side or nowhere. */
static void test_quotients(void)
{
    int wrong = 0, rounded_twice = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t divisor = random_bits(30) + 1, whole = random_bits(50), b = random_bits(20) + 1;
        wide twice = ((wide)whole * 2 + 1) * divisor; /* a half more than the whole number */
        uint64_t a = (uint64_t)(twice / (2 * (wide)b)) + random_bits(1);
        if (a >> 53 != 0)
            continue;
        wide product = (wide)a * b;
        int64_t right = (int64_t)((2 * product + divisor) / (2 * (wide)divisor));
        wrong += round_quotient((double)a, (double)b, (double)divisor) != right;
        rounded_twice += (int64_t)floor((double)a * (double)b / (double)divisor + 0.5) != right;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(rounded_twice > 0); /* the cases are such that it matters */
}

static void test_products(void)
{
    int wrong = 0, rounded_twice = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t a = random_bits(50) | 1, b = random_bits(30) | 1, c = random_bits(30) | 1;
        wide product = (wide)a * b * c; /* of which 2^-60 is taken */
        if (product >> 122 != 0)
            continue;
        int64_t right = (int64_t)((product + ((wide)1 << 59)) >> 60);
        double small = ldexp((double)a, -60);
        wrong += round_product(small, (double)b, (double)c) != right;
        rounded_twice += (int64_t)floor(small * (double)b * (double)c + 0.5) != right;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(rounded_twice > 0);
}

static void test_large(void)
{
    CU_ASSERT_EQUAL(round_quotient(9007199254740991.0, 1000.0, 1.0), INT64_C(9007199254740991000));
    CU_ASSERT_EQUAL(round_quotient(1e6, 1e12, 3), INT64_C(333333333333333333));
    CU_ASSERT_EQUAL(round_quotient(5, 1, 2), 3);
    CU_ASSERT_EQUAL(round_product(2.5, 1, 1), 3);
    CU_ASSERT_EQUAL(round_product(0, 1, 1), 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"quotients", test_quotients},
        {"products", test_products},
        {"large numbers and halves", test_large},
        {NULL, NULL},
    };
    return testing_run("rounding", tests);
}
