/* Texts that are kept, each once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/texts.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>

static void test_equal_texts(void)
{
    enum { N = 100 };
    struct texts texts = {.map = {.count = 0}};
    const char *kept[N];
    char text[16];
    for (int i = 0; i < 2 * N; i++) {
        snprintf(text, sizeof text, "%d", i % N);
        const char *one = texts_intern(&texts, text);
        CU_ASSERT_STRING_EQUAL(one, text);
        CU_ASSERT_PTR_NOT_EQUAL(one, text);
        if (i < N)
            kept[i] = one;
        CU_ASSERT_PTR_EQUAL(one, kept[i % N]);
    }
    CU_ASSERT_STRING_EQUAL(texts_intern(&texts, ""), "");
    CU_ASSERT_EQUAL(texts.map.count, N + 1);
    texts_dispose(&texts);
    CU_ASSERT_EQUAL(texts.map.count, 0);
}

/* Two texts of one hash are two. */
static void test_equal_hashes(void)
{
    struct texts texts = {.map = {.count = 0}};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_STRING_EQUAL(texts_intern(&texts, "8yn0iYCKYHlIj4-BwPqk"), "8yn0iYCKYHlIj4-BwPqk");
        CU_ASSERT_STRING_EQUAL(texts_intern(&texts, "GReLUrM4wMqfg9yzV3KQ"), "GReLUrM4wMqfg9yzV3KQ");
    }
    CU_ASSERT_EQUAL(texts.map.count, 2);
    texts_dispose(&texts);
}

int main(void)
{
    static const struct test tests[] = {
        {"equal texts are the same one", test_equal_texts}, {"equal hashes", test_equal_hashes}, {NULL, NULL}};
    return testing_run("texts", tests);
}
