/* The hash table: against a list, for keys that are alike, when memory is short of room, and what is taken out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/map.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_SEARCH = 40, LIST_MAX = 300 };

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % bound;
}

static void test_empty(void)
{
    struct map map = {0};
    uint32_t index = 7;
    CU_ASSERT_PTR_NULL(map_find(&map, map_key(0, 0, 0, 0)));
    CU_ASSERT_FALSE(map_get(&map, map_key_64(3), &index));
    CU_ASSERT_EQUAL(index, 7);
    map_dispose(&map);
}

/* Each part of a key counts, and all bits are allowed. */
static void test_near_keys(void)
{
    static const int32_t keys[][4] = {{0, 0, 0, 0}, {1, 0, 0, 0},  {0, 1, 0, 0},     {0, 0, 1, 0},
                                      {0, 0, 0, 1}, {-1, 0, 0, 0}, {-1, -1, -1, -1}, {0, 0, INT32_MIN, 0}};
    enum { N = sizeof keys / sizeof *keys };
    struct map map = {0};
    for (uint32_t i = 0; i < N; i++) {
        struct map_key key = map_key(keys[i][0], keys[i][1], keys[i][2], keys[i][3]);
        CU_ASSERT_PTR_NULL(map_find(&map, key));
        struct map_entry *entry = map_add(&map, key);
        CU_ASSERT_EQUAL(entry->index, MAP_NOTHING);
        entry->index = i;
        CU_ASSERT_EQUAL(map_add(&map, key)->index, i); /* the same one again */
    }
    CU_ASSERT_EQUAL(map.count, N);
    for (uint32_t i = 0; i < N; i++)
        CU_ASSERT_EQUAL(map_find(&map, map_key(keys[i][0], keys[i][1], keys[i][2], keys[i][3]))->index, i);
    map_dispose(&map);
}

static void test_pointers(void)
{
    static int objects[1000];
    struct map map = {0};
    for (int i = 0; i < 1000; i++)
        map_add(&map, map_key_64((uintptr_t)&objects[i]))->pointer = &objects[i];
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_PTR_EQUAL(map_find(&map, map_key_64((uintptr_t)&objects[i]))->pointer, &objects[i]);
    map_dispose(&map);
}

/* --- keys that are alike --- */

/* Four numbers each of so many values, `stride` apart; the parts of a 64-bit key where all four are 0. */
static const struct grid {
    const char *name;
    int32_t n[4], stride;
    int shift;
} grids[] = {
    {"the first part", {65536, 1, 1, 1}, 1, 0},
    {"the second part", {1, 65536, 1, 1}, 1, 0},
    {"the third part", {1, 1, 65536, 1}, 1, 0},
    {"the fourth part", {1, 1, 1, 65536}, 1, 0},
    {"the first part, 65536 apart", {32768, 1, 1, 1}, 65536, 0},
    {"the second part, 65536 apart", {1, 32768, 1, 1}, 65536, 0},
    {"the third part, 65536 apart", {1, 1, 32768, 1}, 65536, 0},
    {"the fourth part, 65536 apart", {1, 1, 1, 32768}, 65536, 0},
    {"all to all", {256, 256, 1, 1}, 1, 0},
    {"all to all, 4096 apart", {256, 256, 1, 1}, 4096, 0},
    {"tags and contexts", {1, 1, 256, 256}, 1, 0},
    {"all parts", {16, 16, 16, 16}, 1 << 24, 0},
    {"64 bits, one after the other", {65536, 0, 0, 0}, 1, 0},
    {"64 bits, addresses", {65536, 0, 0, 0}, 1, 6},
    {"64 bits, from bit 20", {65536, 0, 0, 0}, 1, 20},
    {"64 bits, from bit 32", {65536, 0, 0, 0}, 1, 32},
    {"64 bits, from bit 48", {65536, 0, 0, 0}, 1, 48},
};

static struct map_key key_of(const struct grid *grid, int32_t number)
{
    int32_t part[4];
    if (grid->n[1] == 0)
        return map_key_64((uint64_t)number << grid->shift);
    for (int i = 0; i < 4; number /= grid->n[i++])
        part[i] = (int32_t)((uint32_t)(number % grid->n[i]) * (uint32_t)grid->stride);
    return map_key(part[0], part[1], part[2], part[3]);
}

static int32_t size_of(const struct grid *grid)
{
    return grid->n[1] == 0 ? grid->n[0] : grid->n[0] * grid->n[1] * grid->n[2] * grid->n[3];
}

/* The longest way from where the search for a key begins to the key. */
static size_t longest_search(const struct map *map)
{
    size_t longest = 0;
    for (size_t i = 0; i < map->size; i++) {
        size_t steps = (i - map_home(map, map->entries[i].key)) & (map->size - 1);
        if (map->entries[i].index != MAP_NOTHING && steps > longest)
            longest = steps;
    }
    return longest;
}

static void run_grid(const struct grid *grid)
{
    struct map map = {0};
    bool right = true;
    for (int32_t i = 0; i < size_of(grid); i++)
        map_add(&map, key_of(grid, i))->index = (uint32_t)i;
    size_t longest = longest_search(&map);
    right = map.count == (size_t)size_of(grid) && map.size <= 4 * map.count;
    for (int32_t i = 0; i < size_of(grid); i++) {
        struct map_entry *entry = map_find(&map, key_of(grid, i));
        right = right && entry != NULL && entry->index == (uint32_t)i;
        if (right && i % 3 == 0)
            map_remove(&map, entry);
    }
    for (int32_t i = 0; i < size_of(grid); i++)
        right = right && (map_find(&map, key_of(grid, i)) != NULL) == (i % 3 != 0);
    if (!right || longest > LONGEST_SEARCH) {
        fprintf(stderr, "\n  %s: %zu steps at most", grid->name, longest);
        CU_FAIL("keys are lost or lie together");
    }
    map_dispose(&map);
}

static void test_grids(void)
{
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        run_grid(&grids[g]);
    CU_PASS("all grids have run");
}

/* --- against a list --- */

static void test_against_list(void)
{
    struct map map = {0};
    uint32_t list[LIST_MAX];
    bool there[LIST_MAX] = {false}, right = true;
    size_t count = 0;
    for (uint32_t i = 0; right && i < 200000; i++) {
        uint32_t name = random_below(i / 10000 % 2 == 0 ? LIST_MAX : LIST_MAX / 10);
        struct map_key key = map_key((int32_t)name % 7, (int32_t)name / 7, -1, 0);
        struct map_entry *entry = map_find(&map, key);
        right = (entry != NULL) == there[name] && (entry == NULL || entry->index == list[name]);
        if (right && there[name] && random_below(2) == 0) {
            map_remove(&map, entry);
            there[name] = false;
            count--;
        } else {
            count += !there[name];
            map_add(&map, key)->index = list[name] = i;
            there[name] = true;
        }
        right = right && map.count == count;
    }
    CU_ASSERT_TRUE(right);
    CU_ASSERT_TRUE(map.size <= 1024); /* what is taken out leaves nothing behind */
    map_dispose(&map);
}

/* Room that has been made is room for one more. */
static void test_reserve(void)
{
    struct map map = {0};
    for (uint32_t i = 0; i < 100; i++) {
        CU_ASSERT_TRUE_FATAL(map_reserve(&map));
        const struct map_entry *entries = map.entries;
        map_add(&map, map_key_64(i))->index = i;
        CU_ASSERT_PTR_EQUAL(map.entries, entries);
    }
    CU_ASSERT_EQUAL(map.count, 100);
    map_dispose(&map);
}

int main(void)
{
    static const struct test tests[] = {
        {"empty", test_empty},
        {"keys that are nearly the same", test_near_keys},
        {"pointers", test_pointers},
        {"keys that are alike", test_grids},
        {"against a list", test_against_list},
        {"room", test_reserve},
        {NULL, NULL},
    };
    return testing_run("map", tests);
}
