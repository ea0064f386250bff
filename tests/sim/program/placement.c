/* Placement: the shape of the sub-mesh, who sits where, the root, the links, and what is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/program/placement.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPLAINTS = 20, MAX_HOSTS = 160 };

enum { WIDE, TALL, ROW, COLUMN, FLAT, SQUARE, PADDED, ODD, SINGLE, NO_MESH, N_MACHINES };
static const struct machine machines[N_MACHINES] = {
    [WIDE] = {.name = (char[]){"wide"},
              .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 16, .mesh_height = 8, .mesh_pitch = 16}},
    [TALL] = {.name = (char[]){"tall"},
              .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 4, .mesh_height = 32, .mesh_pitch = 4}},
    [ROW] = {.name = (char[]){"row"},
             .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 128, .mesh_height = 1, .mesh_pitch = 128}},
    [COLUMN] = {.name = (char[]){"column"},
                .net = &(struct interconnect){.n_hosts = 128, .mesh_width = 1, .mesh_height = 128, .mesh_pitch = 1}},
    [FLAT] = {.name = (char[]){"flat"},
              .net = &(struct interconnect){.n_hosts = 48, .mesh_width = 24, .mesh_height = 2, .mesh_pitch = 24}},
    [SQUARE] = {.name = (char[]){"square"},
                .net = &(struct interconnect){.n_hosts = 121, .mesh_width = 11, .mesh_height = 11, .mesh_pitch = 11}},
    [PADDED] = {.name = (char[]){"padded"},
                .net = &(struct interconnect){.n_hosts = 160, .mesh_width = 7, .mesh_height = 10, .mesh_pitch = 16}},
    [ODD] = {.name = (char[]){"odd"},
             .net = &(struct interconnect){.n_hosts = 21, .mesh_width = 7, .mesh_height = 3, .mesh_pitch = 7}},
    [SINGLE] = {.name = (char[]){"single"},
                .net = &(struct interconnect){.n_hosts = 1, .mesh_width = 1, .mesh_height = 1, .mesh_pitch = 1}},
    [NO_MESH] = {.name = (char[]){"cluster"}, .net = &(struct interconnect){.n_hosts = 128}},
};

static const char *row_text(const struct machine *machine, const struct placement_request *request)
{
    static char text[160];
    snprintf(text, sizeof text, "%s: %d ranks, %d to a host, on %dx%d, %s, root %s", machine->name, request->n_ranks,
             request->ranks_per_host, request->width, request->height, layout_names[request->layout],
             root_place_names[request->root]);
    return text;
}

static void complain(const char *row, const char *what, int64_t found, int64_t expected)
{
    static int complaints;
    if (complaints++ >= MAX_COMPLAINTS)
        return;
    fprintf(stderr, "\n  %s: %s is %" PRId64 " instead of %" PRId64, row, what, found, expected);
    CU_FAIL("a placement is wrong");
}

static void expect(const char *row, const char *what, int64_t found, int64_t expected)
{
    if (found != expected)
        complain(row, what, found, expected);
}

/* Place the ranks; false, with a complaint, when they are refused. */
static bool place(struct placement *placement, const struct placement_request *request, const struct machine *machine)
{
    struct sim_error error = {0};
    if (placement_init(placement, request, machine, &error) == 0)
        return true;
    fprintf(stderr, "\n  %s", error.message);
    complain(row_text(machine, request), "the status", -1, 0);
    return false;
}

/* --- shapes --- */

static const struct {
    int machine, ranks, per_host, width, height;
} shapes[] = {
    {WIDE, 1, 1, 1, 1},    {WIDE, 2, 1, 2, 1},    {WIDE, 4, 1, 2, 2},       {WIDE, 8, 1, 4, 2},
    {WIDE, 16, 1, 4, 4},   {WIDE, 32, 1, 8, 4},   {WIDE, 64, 1, 8, 8},      {WIDE, 128, 1, 16, 8},
    {WIDE, 3, 1, 2, 2},    {WIDE, 5, 1, 3, 2},    {WIDE, 7, 1, 4, 2},       {WIDE, 9, 1, 3, 3},
    {WIDE, 10, 1, 4, 3},   {WIDE, 13, 1, 5, 3},   {WIDE, 100, 1, 13, 8},    {WIDE, 127, 1, 16, 8},
    {WIDE, 13, 3, 3, 2},   {WIDE, 384, 3, 16, 8}, {WIDE, 5, 100, 1, 1},     {TALL, 4, 1, 2, 2},
    {TALL, 8, 1, 4, 2},    {TALL, 16, 1, 4, 4},   {TALL, 17, 1, 3, 6},      {TALL, 128, 1, 4, 32},
    {ROW, 1, 1, 1, 1},     {ROW, 2, 1, 2, 1},     {ROW, 13, 1, 13, 1},      {ROW, 128, 1, 128, 1},
    {COLUMN, 1, 1, 1, 1},  {COLUMN, 2, 1, 1, 2},  {COLUMN, 128, 1, 1, 128}, {FLAT, 8, 1, 4, 2},
    {FLAT, 9, 1, 9, 1},    {FLAT, 48, 1, 24, 2},  {SQUARE, 121, 1, 11, 11}, {SINGLE, 1, 1, 1, 1},
    {PADDED, 16, 1, 4, 4}, {PADDED, 49, 1, 7, 7}, {PADDED, 50, 1, 5, 10},   {NO_MESH, 13, 1, 0, 0},
};

static void test_shapes(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct machine *machine = &machines[shapes[i].machine];
        struct placement_request request = {.n_ranks = shapes[i].ranks, .ranks_per_host = shapes[i].per_host};
        struct placement placement;
        if (!place(&placement, &request, machine))
            continue;
        expect(row_text(machine, &request), "the width", placement.width, shapes[i].width);
        expect(row_text(machine, &request), "the height", placement.height, shapes[i].height);
    }
    CU_PASS("all shapes have been chosen");
}

/* The least area of a mesh for n nodes, with the least difference of its sides; 0 where there is none. Its width is
 * from `low` to `high` percent of its height. */
static int least_area(const struct machine *machine, int n, int low, int high, int *difference)
{
    int least = 0;
    for (int h = 1; h <= machine->net->mesh_height; h++)
        for (int w = 1; w <= machine->net->mesh_width; w++)
            if (w * h >= n && 100 * w >= low * h && 100 * w <= high * h &&
                (least == 0 || w * h < least || (w * h == least && abs(w - h) < *difference))) {
                least = w * h;
                *difference = abs(w - h);
            }
    return least;
}

static void test_least_area(void)
{
    for (int m = 0; m < NO_MESH; m++)
        for (int n = 1; n <= machines[m].net->mesh_width * machines[m].net->mesh_height; n++) {
            struct placement_request request = {.n_ranks = n, .ranks_per_host = 1};
            struct placement placement;
            if (!place(&placement, &request, &machines[m]))
                continue;
            int difference = 0;
            int area = least_area(&machines[m], n, 100, 200, &difference);
            if (area == 0)
                area = least_area(&machines[m], n, 50, 200, &difference);
            if (area == 0)
                area = least_area(&machines[m], n, 0, 1000000, &difference);
            const char *row = row_text(&machines[m], &request);
            expect(row, "the area", placement.width * placement.height, area);
            expect(row, "width - height", abs(placement.width - placement.height), difference);
            expect(row, "it fits",
                   placement.width <= machines[m].net->mesh_width && placement.height <= machines[m].net->mesh_height,
                   true);
        }
    CU_PASS("all counts have been placed");
}

/* --- who sits where --- */

static void check_fields(const char *row, const struct placement *placement, const struct placement_request *request,
                         const struct machine *machine)
{
    int slots = 0;
    for (int rank = 0; rank < request->n_ranks; rank += request->ranks_per_host)
        slots++;
    expect(row, "the number of ranks", placement->n_ranks, request->n_ranks);
    expect(row, "ranks per host", placement->ranks_per_host, request->ranks_per_host);
    expect(row, "the number of slots", placement->n_slots, slots);
    expect(row, "the layout", (int64_t)placement->layout, (int64_t)request->layout);
    expect(row, "the pitch", placement->pitch, machine->net->mesh_pitch);
    expect(row, "the root's place on its host", placement->root % request->ranks_per_host, 0);
    expect(row, "the root is a rank", placement->root >= 0 && placement->root < request->n_ranks, true);
}

/* Consecutive ranks share a host, every host has a slot of its own, and all of them are hosts of the machine. */
static void check_hosts(const char *row, const struct placement *placement, const struct machine *machine)
{
    int slot_of_host[MAX_HOSTS];
    memset(slot_of_host, 0xff, sizeof slot_of_host);
    for (int rank = 0; rank < placement->n_ranks; rank++) {
        int slot = rank / placement->ranks_per_host, host = placement_host(placement, rank);
        if (host < 0 || host >= machine->net->n_hosts) {
            complain(row, "a host", host, machine->net->n_hosts);
            return;
        }
        if (slot_of_host[host] == -1)
            slot_of_host[host] = slot;
        expect(row, "the slot of a host", slot_of_host[host], slot);
        if (placement->height == 0)
            expect(row, "a host outside a mesh", host, slot);
    }
}

/* Each slot's node by walking from node to node, row by row. */
static void check_nodes(const char *row, const struct placement *placement)
{
    int walk_x = 0, walk_y = 0, direction = 1;
    for (int slot = 0; slot < placement->n_slots; slot++) {
        int x = -1, y = -1;
        placement_node(placement, slot, &x, &y);
        expect(row, "x", x, walk_x);
        expect(row, "y", y, walk_y);
        expect(row, "the slot at a slot's node", placement_slot_at(placement, x, y), slot);
        expect(row, "the host of a slot", placement_host(placement, slot * placement->ranks_per_host),
               y * placement->pitch + x);
        if (walk_x + direction >= 0 && walk_x + direction < placement->width) {
            walk_x += direction;
        } else {
            walk_y++;
            direction = placement->layout == LAYOUT_SNAKE ? -direction : direction;
            walk_x = direction > 0 ? 0 : placement->width - 1;
        }
    }
}

static void check_snake(const char *row, const struct placement *placement)
{
    for (int slot = 1; slot < placement->n_slots; slot++) {
        int x0, y0, x1, y1;
        placement_node(placement, slot - 1, &x0, &y0);
        placement_node(placement, slot, &x1, &y1);
        expect(row, "the distance of consecutive slots", abs(x1 - x0) + abs(y1 - y0), 1);
    }
}

/* Every place in and around the sub-mesh holds one slot or none, and all slots are found. */
static void check_places(const char *row, const struct placement *placement)
{
    int found = 0;
    for (int y = -2; y < placement->height + 2; y++)
        for (int x = -2; x < placement->width + 2; x++) {
            int slot = placement_slot_at(placement, x, y);
            bool inside = x >= 0 && y >= 0 && x < placement->width && y < placement->height;
            if (!inside || slot < 0) {
                expect(row, "the slot of an empty place", slot, -1);
                continue;
            }
            int slot_x = -1, slot_y = -1;
            placement_node(placement, slot, &slot_x, &slot_y);
            expect(row, "x of the slot at a place", slot_x, x);
            expect(row, "y of the slot at a place", slot_y, y);
            found++;
        }
    expect(row, "the number of occupied places", found, placement->n_slots);
}

static void check_links(const char *row, const struct placement *placement)
{
    int64_t links = 0;
    for (int a = 0; a < placement->n_slots && placement->height > 0; a++)
        for (int b = 0; b < a; b++) {
            int ax, ay, bx, by;
            placement_node(placement, a, &ax, &ay);
            placement_node(placement, b, &bx, &by);
            links += abs(ax - bx) + abs(ay - by) == 1;
        }
    if (placement->height == 0 && placement->n_slots > 1)
        links = placement->n_slots; /* a cable to the switch each */
    expect(row, "the number of links", placement_link_count(placement), links);
}

static void check_row(const struct placement_request *request, const struct machine *machine)
{
    struct placement placement;
    if (!place(&placement, request, machine))
        return;
    const char *row = row_text(machine, request);
    check_fields(row, &placement, request, machine);
    check_hosts(row, &placement, machine);
    if (placement.height > 0) {
        check_nodes(row, &placement);
        check_places(row, &placement);
    }
    if (placement.height > 0 && placement.layout == LAYOUT_SNAKE)
        check_snake(row, &placement);
    check_links(row, &placement);
}

static int room_of(const struct machine *machine)
{
    return machine->net->mesh_width > 0 ? machine->net->mesh_width * machine->net->mesh_height : machine->net->n_hosts;
}

static void test_all_counts(void)
{
    struct placement_request request = {0};
    for (int m = 0; m < N_MACHINES; m++)
        for (int layout = LAYOUT_SNAKE; layout <= LAYOUT_ROW_MAJOR; layout++)
            for (request.ranks_per_host = 1; request.ranks_per_host <= 3; request.ranks_per_host++)
                for (request.n_ranks = 1; request.n_ranks <= room_of(&machines[m]) * request.ranks_per_host;
                     request.n_ranks++) {
                    request.layout = (enum layout)layout;
                    request.root = (enum root_place)(request.n_ranks % 3);
                    check_row(&request, &machines[m]);
                }
    CU_PASS("all counts have been placed");
}

/* Every shape that is asked for is taken as it is, whatever part of it is full. */
static void test_given_shapes(void)
{
    static const int both[] = {TALL, ODD, PADDED};
    for (size_t m = 0; m < sizeof both / sizeof *both; m++)
        for (int shape = 0; shape < room_of(&machines[both[m]]); shape++)
            for (int n = 1;
                 n <= (shape % machines[both[m]].net->mesh_width + 1) * (shape / machines[both[m]].net->mesh_width + 1);
                 n++) {
                const struct machine *machine = &machines[both[m]];
                struct placement_request request = {.n_ranks = n * 2 - n % 2,
                                                    .ranks_per_host = 2,
                                                    .width = shape % machine->net->mesh_width + 1,
                                                    .height = shape / machine->net->mesh_width + 1,
                                                    .layout = n % 2 == 0 ? LAYOUT_SNAKE : LAYOUT_ROW_MAJOR};
                struct placement placement;
                if (!place(&placement, &request, machine))
                    continue;
                expect(row_text(machine, &request), "the width", placement.width, request.width);
                expect(row_text(machine, &request), "the height", placement.height, request.height);
                check_row(&request, machine);
            }
    CU_PASS("all shapes have been taken");
}

/* --- the root --- */

/* Width and height 0: near-square. The roots for a snake and for row-major order. */
static const struct {
    int machine, ranks, per_host, width, height;
    enum root_place place;
    int snake, row_major;
} roots[] = {
    {WIDE, 1, 1, 0, 0, ROOT_EDGE, 0, 0},
    {WIDE, 1, 1, 0, 0, ROOT_CENTRE, 0, 0},
    {WIDE, 2, 1, 0, 0, ROOT_EDGE, 1, 1},
    {WIDE, 2, 1, 0, 0, ROOT_CENTRE, 1, 1},
    {WIDE, 4, 1, 0, 0, ROOT_EDGE, 1, 1},
    {WIDE, 4, 1, 0, 0, ROOT_CENTRE, 2, 3},
    {WIDE, 8, 1, 0, 0, ROOT_EDGE, 2, 2},
    {WIDE, 8, 1, 0, 0, ROOT_CENTRE, 5, 6},
    {WIDE, 16, 1, 0, 0, ROOT_EDGE, 2, 2},
    {WIDE, 16, 1, 0, 0, ROOT_CENTRE, 10, 10},
    {WIDE, 32, 1, 0, 0, ROOT_EDGE, 4, 4},
    {WIDE, 32, 1, 0, 0, ROOT_CENTRE, 20, 20},
    {WIDE, 64, 1, 0, 0, ROOT_EDGE, 4, 4},
    {WIDE, 64, 1, 0, 0, ROOT_CENTRE, 36, 36},
    {WIDE, 128, 1, 0, 0, ROOT_EDGE, 8, 8},
    {WIDE, 128, 1, 0, 0, ROOT_CENTRE, 72, 72},
    {WIDE, 128, 1, 0, 0, ROOT_CORNER, 0, 0},
    {WIDE, 13, 1, 0, 0, ROOT_CORNER, 0, 0},
    /* Not full: where nobody sits on the place, the last one is the root. */
    {WIDE, 13, 1, 5, 3, ROOT_EDGE, 2, 2},
    {WIDE, 13, 1, 5, 3, ROOT_CENTRE, 7, 7},
    {WIDE, 13, 1, 16, 8, ROOT_EDGE, 8, 8},
    {WIDE, 13, 1, 16, 8, ROOT_CENTRE, 12, 12},
    {WIDE, 8, 1, 16, 1, ROOT_EDGE, 7, 7},
    {WIDE, 9, 1, 16, 1, ROOT_EDGE, 8, 8},
    {WIDE, 3, 1, 2, 2, ROOT_CENTRE, 2, 2},
    {WIDE, 5, 1, 3, 2, ROOT_CENTRE, 4, 4},
    {WIDE, 4, 1, 3, 2, ROOT_CENTRE, 3, 3},
    {WIDE, 69, 1, 16, 8, ROOT_CENTRE, 68, 68},
    /* Several ranks to a host: the first of them. */
    {WIDE, 13, 3, 0, 0, ROOT_EDGE, 3, 3},
    {WIDE, 13, 3, 0, 0, ROOT_CENTRE, 12, 12},
    {WIDE, 16, 2, 0, 0, ROOT_CENTRE, 10, 12},
    {WIDE, 2, 2, 0, 0, ROOT_CENTRE, 0, 0},
    {TALL, 128, 1, 0, 0, ROOT_EDGE, 2, 2},
    {TALL, 128, 1, 0, 0, ROOT_CENTRE, 66, 66},
    {TALL, 20, 1, 4, 5, ROOT_CENTRE, 10, 10},
    {TALL, 12, 1, 4, 3, ROOT_CENTRE, 5, 6},
    {ROW, 128, 1, 0, 0, ROOT_EDGE, 64, 64},
    {ROW, 128, 1, 0, 0, ROOT_CENTRE, 64, 64},
    {ROW, 13, 1, 0, 0, ROOT_EDGE, 6, 6},
    {ROW, 13, 1, 128, 1, ROOT_EDGE, 12, 12},
    {COLUMN, 128, 1, 0, 0, ROOT_EDGE, 0, 0},
    {COLUMN, 128, 1, 0, 0, ROOT_CENTRE, 64, 64},
    {COLUMN, 13, 1, 1, 13, ROOT_CENTRE, 6, 6},
    {NO_MESH, 13, 1, 0, 0, ROOT_EDGE, 0, 0},
    {NO_MESH, 13, 1, 0, 0, ROOT_CENTRE, 0, 0},
    {NO_MESH, 13, 1, 0, 0, ROOT_CORNER, 0, 0},
};

static void test_roots(void)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (int layout = LAYOUT_SNAKE; layout <= LAYOUT_ROW_MAJOR; layout++) {
            const struct machine *machine = &machines[roots[i].machine];
            struct placement_request request = {.n_ranks = roots[i].ranks,
                                                .ranks_per_host = roots[i].per_host,
                                                .width = roots[i].width,
                                                .height = roots[i].height,
                                                .layout = (enum layout)layout,
                                                .root = roots[i].place};
            struct placement placement;
            if (place(&placement, &request, machine))
                expect(row_text(machine, &request), "the root", placement.root,
                       layout == LAYOUT_SNAKE ? roots[i].snake : roots[i].row_major);
        }
    CU_PASS("all roots have been found");
}

/* --- links --- */

static const struct {
    int machine, ranks, per_host, width, height, links;
} link_counts[] = {
    {WIDE, 1, 1, 0, 0, 0},    {WIDE, 2, 1, 0, 0, 1},     {WIDE, 4, 1, 0, 0, 4},    {WIDE, 8, 1, 0, 0, 10},
    {WIDE, 16, 1, 0, 0, 24},  {WIDE, 128, 1, 0, 0, 232}, {WIDE, 13, 1, 5, 3, 18},  {WIDE, 13, 1, 16, 8, 12},
    {WIDE, 48, 3, 0, 0, 24},  {ROW, 128, 1, 0, 0, 127},  {COLUMN, 9, 1, 0, 0, 8},  {TALL, 128, 1, 0, 0, 220},
    {NO_MESH, 1, 1, 0, 0, 0}, {NO_MESH, 3, 3, 0, 0, 0},  {NO_MESH, 2, 1, 0, 0, 2}, {NO_MESH, 128, 1, 0, 0, 128},
};

static void test_link_counts(void)
{
    for (size_t i = 0; i < sizeof link_counts / sizeof *link_counts; i++) {
        const struct machine *machine = &machines[link_counts[i].machine];
        struct placement_request request = {.n_ranks = link_counts[i].ranks,
                                            .ranks_per_host = link_counts[i].per_host,
                                            .width = link_counts[i].width,
                                            .height = link_counts[i].height};
        struct placement placement;
        if (place(&placement, &request, machine))
            expect(row_text(machine, &request), "the number of links", placement_link_count(&placement),
                   link_counts[i].links);
    }
    CU_PASS("all links have been counted");
}

/* --- what is refused --- */

static const struct {
    int machine, ranks, per_host, width, height;
    const char *message;
} errors[] = {
    {WIDE, 129, 1, 0, 0,
     "parameter 'ranks': 129 ranks on the 128 hosts of wide with 1 per host; at most 128, or set 'ranks_per_host'"},
    {WIDE, 385, 3, 0, 0,
     "parameter 'ranks': 385 ranks on the 128 hosts of wide with 3 per host; at most 384, or set 'ranks_per_host'"},
    {NO_MESH, 129, 1, 0, 0,
     "parameter 'ranks': 129 ranks on the 128 hosts of cluster with 1 per host; at most 128, or set 'ranks_per_host'"},
    {PADDED, 71, 1, 0, 0, /* hosts beside the mesh take no ranks */
     "parameter 'ranks': 71 ranks on the 70 hosts of padded with 1 per host; at most 70, or set 'ranks_per_host'"},
    {WIDE, INT_MAX, 1, 0, 0,
     "parameter 'ranks': 2147483647 ranks on the 128 hosts of wide with 1 per host; at most 128, or set "
     "'ranks_per_host'"},
    {WIDE, 129, 1, 17, 8, /* the number of ranks is looked at first */
     "parameter 'ranks': 129 ranks on the 128 hosts of wide with 1 per host; at most 128, or set 'ranks_per_host'"},
    {WIDE, 4, 1, 17, 1, "parameter 'mesh': 17x1 does not fit into the 16x8 mesh of wide"},
    {WIDE, 4, 1, 1, 9, "parameter 'mesh': 1x9 does not fit into the 16x8 mesh of wide"},
    {WIDE, 4, 1, 65536, 65536, "parameter 'mesh': 65536x65536 does not fit into the 16x8 mesh of wide"},
    {TALL, 4, 1, 8, 4, "parameter 'mesh': 8x4 does not fit into the 4x32 mesh of tall"},
    {WIDE, 13, 1, 4, 3,
     "parameter 'mesh': 4x3 has 12 nodes, too few for 13 ranks with 1 per host; set 'mesh' or 'ranks_per_host'"},
    {WIDE, 128, 1, 16, 7,
     "parameter 'mesh': 16x7 has 112 nodes, too few for 128 ranks with 1 per host; set 'mesh' or 'ranks_per_host'"},
    {WIDE, 13, 3, 2, 2,
     "parameter 'mesh': 2x2 has 4 nodes, too few for 13 ranks with 3 per host; set 'mesh' or 'ranks_per_host'"},
    {NO_MESH, 4, 1, 2, 2, "parameter 'mesh': cluster is not a mesh; allowed: auto"},
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct placement_request request = {.n_ranks = errors[i].ranks,
                                            .ranks_per_host = errors[i].per_host,
                                            .width = errors[i].width,
                                            .height = errors[i].height};
        struct placement placement = {.n_ranks = -77, .root = -78};
        struct sim_error error = {0};
        const char *row = row_text(&machines[errors[i].machine], &request);
        expect(row, "the result", placement_init(&placement, &request, &machines[errors[i].machine], &error), -1);
        expect(row, "the status", (int64_t)error.status, SIM_BAD_INPUT);
        expect(row, "the placement's number of ranks", placement.n_ranks, -77);
        expect(row, "the placement's root", placement.root, -78);
        if (strcmp(error.message, errors[i].message) != 0)
            fprintf(stderr, "\n  %s: \"%s\"", row, error.message);
        CU_ASSERT_STRING_EQUAL(error.message, errors[i].message);
    }
}

static void test_names(void)
{
    CU_ASSERT_STRING_EQUAL(layout_names[LAYOUT_SNAKE], "snake");
    CU_ASSERT_STRING_EQUAL(layout_names[LAYOUT_ROW_MAJOR], "row-major");
    CU_ASSERT_PTR_NULL(layout_names[LAYOUT_ROW_MAJOR + 1]);
    CU_ASSERT_STRING_EQUAL(root_place_names[ROOT_EDGE], "edge");
    CU_ASSERT_STRING_EQUAL(root_place_names[ROOT_CORNER], "corner");
    CU_ASSERT_STRING_EQUAL(root_place_names[ROOT_CENTRE], "centre");
    CU_ASSERT_PTR_NULL(root_place_names[ROOT_CENTRE + 1]);
}

int main(void)
{
    static const struct test tests[] = {
        {"names", test_names},
        {"shapes", test_shapes},
        {"least area", test_least_area},
        {"all counts", test_all_counts},
        {"given shapes", test_given_shapes},
        {"roots", test_roots},
        {"links", test_link_counts},
        {"errors", test_errors},
        {NULL, NULL},
    };
    return testing_run("placement", tests);
}
