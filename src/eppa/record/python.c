/* Asks the interpreter of Python where a thread is.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/python.h"

#include "base/map.h"
#include "eppa/record/callers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CODES = 4096 };

/* The interpreter's functions. Objects, frames and threads are addresses here. */
static struct {
    int (*is_initialized)(void);
    int (*is_finalizing)(void); /* may be missing */
    void *(*this_thread)(void);
    int (*has_lock)(void);
    void (*take_lock)(void *thread);
    void *(*give_lock)(void);
    void *(*frame_of)(void *thread);
    void *(*code_of)(void *frame);
    void *(*back)(void *frame);
    int (*line_of)(void *frame);
    void *(*attribute)(void *object, const char *name);
    const char *(*text)(void *object);
    void (*release)(void *object);
    void (*clear_error)(void);
} python;
bool python_is_there;

/* The code of a function. It is kept alive, so that no other one has its address. Codes are added while the lock is
 * held, and do not change any more. */
struct code {
    char *file, *function;
};
static struct code codes[MOST_CODES + 1];
static uint32_t n_codes;
static struct map codes_of; /* object -> index into codes, from 1 */
static struct map sites_of; /* code and line -> site; used in turns */

static _Thread_local struct {
    struct {
        uint32_t code;
        int line;
    } frames[PYTHON_DEPTH];
    int depth;
} seen;

void python_find(void)
{
    static const char *const names[] = {
        "Py_IsInitialized",
        NULL,
        "PyGILState_GetThisThreadState",
        "PyGILState_Check",
        "PyEval_RestoreThread",
        "PyEval_SaveThread",
        "PyThreadState_GetFrame",
        "PyFrame_GetCode",
        "PyFrame_GetBack",
        "PyFrame_GetLineNumber",
        "PyObject_GetAttrString",
        "PyUnicode_AsUTF8",
        "Py_DecRef",
        "PyErr_Clear",
    };
    enum { N_NAMES = sizeof names / sizeof names[0] };
    void *found[N_NAMES] = {0};
    for (size_t i = 0; i < N_NAMES; i++) {
        found[i] = names[i] == NULL ? NULL : dlsym(RTLD_DEFAULT, names[i]);
        if (names[i] != NULL && found[i] == NULL)
            return;
    }
    found[1] = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
    if (found[1] == NULL)
        found[1] = dlsym(RTLD_DEFAULT, "_Py_IsFinalizing");
    _Static_assert(sizeof found == sizeof python, "each function has a name");
    memcpy(&python, found, sizeof python);
    python_is_there = true;
}

const void *python_function(void)
{
    const void *address;
    memcpy(&address, &python.frame_of, sizeof address);
    return address;
}

int python_depth(void)
{
    return seen.depth;
}

/* A copy of a text that an object has; to be freed. */
static char *copy_text(void *object, const char *name, const char *otherwise)
{
    void *value = python.attribute(object, name);
    const char *text = value == NULL ? NULL : python.text(value);
    char *copy = text == NULL && otherwise == NULL ? NULL : strdup(text == NULL ? otherwise : text);
    if (text == NULL)
        python.clear_error();
    if (value != NULL)
        python.release(value);
    return copy;
}

/* The number of a code, of which a reference is given; 0: there are too many. */
static uint32_t number_code(void *object)
{
    struct map_key key = map_key_64((uint64_t)(uintptr_t)object);
    struct map_entry *entry = map_find(&codes_of, key);
    if (entry != NULL || n_codes == MOST_CODES || !map_reserve(&codes_of)) {
        python.release(object);
        return entry == NULL ? 0 : entry->index;
    }
    char *file = copy_text(object, "co_filename", "?"), *function = copy_text(object, "co_qualname", NULL);
    if (function == NULL)
        function = copy_text(object, "co_name", "?");
    if (file == NULL || function == NULL) {
        free(file);
        free(function);
        python.release(object);
        return 0;
    }
    codes[++n_codes] = (struct code){file, function};
    map_add(&codes_of, key)->index = n_codes;
    return n_codes;
}

static void walk(void *thread)
{
    void *frame = python.frame_of(thread);
    while (frame != NULL && seen.depth < PYTHON_DEPTH) {
        void *outer = python.back(frame);
        uint32_t code = number_code(python.code_of(frame));
        if (code != 0) {
            seen.frames[seen.depth].code = code;
            seen.frames[seen.depth++].line = python.line_of(frame);
        }
        python.release(frame);
        frame = outer;
    }
    if (frame != NULL)
        python.release(frame);
}

void python_take_frames(void)
{
    seen.depth = 0;
    if (!python.is_initialized() || (python.is_finalizing != NULL && python.is_finalizing()))
        return;
    void *thread = python.this_thread();
    if (thread == NULL)
        return;
    bool has_lock = python.has_lock();
    if (!has_lock)
        python.take_lock(thread);
    walk(thread);
    if (!has_lock)
        python.give_lock();
}

uint32_t python_site(int i)
{
    uint32_t code = seen.frames[i].code;
    int line = seen.frames[i].line;
    struct map_key key = map_key((int32_t)code, line, 0, 0);
    struct map_entry *entry = map_find(&sites_of, key);
    if (entry != NULL)
        return entry->index;
    if (!map_reserve(&sites_of))
        return 0;
    uint32_t site = callers_define_source((uint64_t)(line > 0 ? line : 0), codes[code].file, codes[code].function);
    map_add(&sites_of, key)->index = site;
    return site;
}
