/* Unwinds the stack, and remembers what it has found.
 *
 * A path that has been unwound is known by where on the stack its return addresses lie. The next call of the same place
 * whose own return address lies where it did is on the same path if all further addresses are still where they were:
 * they are compared from the inner ones outwards, which takes some ns. While they are equal, the frames that hold them
 * are the same, so that the next place compared is within the stack. This needs processors that push return addresses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/paths.h"

#include "base/map.h"
#include "eppa/record/python.h"
#include "eppa/record/recorder.h"

#include <stdlib.h>
#include <unwind.h>

enum { FIRST_WALKS = 256, MOST_WALKS = 1 << 18, MOST_FRAMES = 128, ALTERNATIVES = 8 };

/* A frame of a path that has been unwound. Walk 0 is none. */
struct walk {
    uintptr_t address, slot; /* where it returns to, and where on the stack that is written */
    uint32_t outer;          /* the walk around it */
    uint32_t next;           /* another one with the same address and slot */
    uint32_t path;
    bool is_cut;
};

static struct {
    struct map walks_of; /* address and slot -> the latest walk */
    struct walk *walks;
    uint32_t n_walks, room;
    struct map numbers; /* path around it and site -> path */
    uint32_t n_paths;
    uint64_t n_cut;
} paths;

struct frame {
    uintptr_t address, slot;
    uint32_t site;
};

struct unwinding {
    struct frame frames[MOST_FRAMES]; /* from the call outwards */
    int n;
    uintptr_t first; /* the address that the call returns to */
    bool is_cut;
};

uint64_t paths_n_cut(void)
{
    return paths.n_cut;
}

/* The site within a path: its number, or the path itself if there are too many. */
static uint32_t path_within(uint32_t outer, uint32_t site, bool *is_cut)
{
    struct map_key key = map_key((int32_t)outer, (int32_t)site, 0, 0);
    struct map_entry *entry = map_find(&paths.numbers, key);
    if (entry != NULL)
        return entry->index;
    if (paths.n_paths == SPOOL_MAX_PATHS || !map_reserve(&paths.numbers)) {
        *is_cut = true;
        return outer;
    }
    struct define_path path = {outer, site};
    recorder_define(DEFINE_PATH, &(struct part){&path, sizeof path}, 1);
    map_add(&paths.numbers, key)->index = ++paths.n_paths;
    return paths.n_paths;
}

/* Add the frame whose callee's frame ends where the context says. */
static _Unwind_Reason_Code step_out(struct _Unwind_Context *context, void *data)
{
    struct unwinding *unwinding = data;
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (address == 0)
        return _URC_END_OF_STACK;
    if (unwinding->n == 0 && address != unwinding->first)
        return _URC_NO_REASON;
    unwinding->is_cut = unwinding->n == MOST_FRAMES;
    if (unwinding->is_cut)
        return _URC_END_OF_STACK;
    uintptr_t slot = (uintptr_t)_Unwind_GetCFA(context) - sizeof(void *);
    unwinding->frames[unwinding->n++] = (struct frame){address, slot, 0};
    return _URC_NO_REASON;
}

/* Give the frames their sites, and leave out those of the interpreter and around it, where the program is in Python. */
static void find_sites(struct unwinding *unwinding)
{
    for (int i = 0; i < unwinding->n; i++) {
        const void *address;
        memcpy(&address, &unwinding->frames[i].address, sizeof address);
        unwinding->frames[i].site = callers_frame(address);
        if (python_depth() > 0 && callers_are_together(address, python_function())) {
            unwinding->n = i;
            unwinding->is_cut = false;
        }
    }
}

static uint32_t python_path(bool *is_cut)
{
    uint32_t path = 0;
    for (int i = python_depth(); i > 0; i--) {
        uint32_t site = python_site(i - 1);
        path = site == 0 ? path : path_within(path, site, is_cut);
    }
    return path;
}

/* Room for one more walk; walk 0 comes first. */
static bool reserve_walk(void)
{
    if (paths.n_walks == paths.room) {
        uint32_t room = paths.room == 0 ? FIRST_WALKS : 2 * paths.room;
        struct walk *walks = room > MOST_WALKS ? NULL : realloc(paths.walks, room * sizeof *walks);
        if (walks == NULL)
            return false;
        paths.walks = walks;
        paths.room = room;
        paths.n_walks += paths.n_walks == 0;
    }
    return map_reserve(&paths.walks_of);
}

/* Remember a frame; 0: there is no room. */
static uint32_t add_walk(const struct frame *frame, uint32_t outer, uint32_t path, bool is_cut)
{
    if (!reserve_walk())
        return 0;
    struct map_entry *entry = map_add(&paths.walks_of, (struct map_key){frame->address, frame->slot});
    uint32_t next = entry->index == MAP_NOTHING ? 0 : entry->index;
    paths.walks[paths.n_walks] = (struct walk){frame->address, frame->slot, outer, next, path, is_cut};
    entry->index = paths.n_walks;
    return paths.n_walks++;
}

/* Unwind, and remember the walk unless there is no way to tell that it stands: the interpreter's frames say nothing of
 * Python's. */
static uint32_t unwind(struct caller caller)
{
    struct unwinding unwinding = {.first = (uintptr_t)caller.address};
    bool in_python = python_depth() > 0;
    if (!in_python || callers_frame(caller.address) != 0)
        _Unwind_Backtrace(step_out, &unwinding);
    find_sites(&unwinding);
    bool is_cut = unwinding.is_cut;
    uint32_t path = python_path(&is_cut), walk = 0;
    for (int i = unwinding.n - 1; i >= 0; i--) {
        const struct frame *frame = &unwinding.frames[i];
        path = frame->site == 0 ? path : path_within(path, frame->site, &is_cut);
        if (!in_python && (walk != 0 || i == unwinding.n - 1))
            walk = add_walk(frame, walk, path, is_cut);
    }
    paths.n_cut += is_cut;
    return path;
}

#ifdef __x86_64__
/* Are the return addresses around a walk where they were? */
static __attribute__((no_sanitize("address"))) bool stands(const struct walk *walk)
{
    for (uint32_t outer = walk->outer; outer != 0; outer = paths.walks[outer].outer) {
        const uintptr_t *slot;
        memcpy(&slot, &paths.walks[outer].slot, sizeof slot);
        if (*slot != paths.walks[outer].address)
            return false;
    }
    return true;
}

static const struct walk *find_walk(struct caller caller)
{
    struct map_key key = {(uintptr_t)caller.address, (uintptr_t)caller.slot};
    const struct map_entry *entry = python_depth() > 0 ? NULL : map_find(&paths.walks_of, key);
    uint32_t walk = entry == NULL ? 0 : entry->index;
    for (int i = 0; i < ALTERNATIVES && walk != 0; i++, walk = paths.walks[walk].next)
        if (stands(&paths.walks[walk]))
            return &paths.walks[walk];
    return NULL;
}
#else
static const struct walk *find_walk(struct caller caller)
{
    (void)caller;
    return NULL;
}
#endif

uint32_t paths_find(struct caller caller)
{
    const struct walk *walk = find_walk(caller);
    if (walk == NULL)
        return unwind(caller);
    paths.n_cut += walk->is_cut;
    return walk->path;
}
