/* The tracer's pending requests: many, some with one handle, against what must be found.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/pending.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdlib.h>

/* In place of src/eppa/wrap/neighbours.c, which calls MPI. */
struct neighbour_list {
    int unused;
};
void neighbour_list_free(struct neighbour_list *list);
static int n_freed;

void neighbour_list_free(struct neighbour_list *list)
{
    n_freed += list != NULL;
}

static struct request *add(int handle, uint32_t number, bool is_active)
{
    return request_add((uintptr_t)handle, &(struct request){.number = number, .is_active = is_active});
}

static int64_t found(int handle)
{
    const struct request *request = request_find((uintptr_t)handle);
    return request != NULL ? (int64_t)request->number : -1;
}

/* All are found while there are many, and none that has been removed. */
static void test_many(void)
{
    enum { N = 3000 };
    CU_ASSERT_EQUAL(found(0), -1);
    for (int i = 0; i < N; i++)
        CU_ASSERT_PTR_NOT_NULL_FATAL(add(i, (uint32_t)i, true));
    for (int i = 0; i < N; i += 2)
        request_remove(request_find((uintptr_t)i));
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += found(i) != (i % 2 == 0 ? -1 : i);
    CU_ASSERT_EQUAL(wrong, 0);
    for (int i = 1; i < N; i += 2)
        request_remove(request_find((uintptr_t)i));
}

/* Requests with the same handle are found in the order of their coming, whichever goes first; active ones before
 * others. */
static void test_shared(void)
{
    for (int first = 0; first < 3; first++) {
        struct request *requests[3];
        for (int i = 0; i < 3; i++)
            requests[i] = add(7, (uint32_t)i, true);
        CU_ASSERT_EQUAL(found(7), 0);
        request_remove(requests[first]);
        CU_ASSERT_EQUAL(found(7), first == 0 ? 1 : 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(add(7, 3, true));
        int64_t order[3] = {first == 0 ? 1 : 0, first == 2 ? 1 : 2, 3};
        for (int i = 0; i < 3; i++) {
            CU_ASSERT_EQUAL(found(7), order[i]);
            request_remove(request_find((uintptr_t)7));
        }
        CU_ASSERT_EQUAL(found(7), -1);
    }
    struct request *idle = add(7, 0, false), *active = add(7, 1, true);
    CU_ASSERT_EQUAL(found(7), 1);
    request_remove(active);
    CU_ASSERT_EQUAL(found(7), 0);
    request_remove(idle);
    CU_ASSERT_EQUAL(found(7), -1);
}

/* Memory that a request owns is freed with it. */
static void test_owned(void)
{
    static struct neighbour_list list;
    request_remove(request_add((uintptr_t)0, &(struct request){.neighbours = &list}));
    CU_ASSERT_EQUAL(n_freed, 1);
}

int main(void)
{
    static const struct test tests[] = {
        {"many", test_many},
        {"of one handle", test_shared},
        {"what they own", test_owned},
        {NULL, NULL},
    };
    return testing_run("requests", tests);
}
