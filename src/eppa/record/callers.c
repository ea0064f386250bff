/* From return addresses to numbered sites: a table of addresses that have been seen, and the modules they are in.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/callers.h"

#include "eppa/record/python.h"
#include "eppa/record/recorder.h"
#include "eppa/record/settings.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

enum { N_SLOTS = 4 * SPOOL_MAX_SITES, MAX_MODULES = 256, MAX_FRAMES = 64 };
#define IN_LIBRARY UINT32_MAX

/* At most half of the slots are in use, so that a search ends. */
static struct slot {
    const void *address;
    uint32_t site;
} slots[N_SLOTS];
static uint32_t n_slots;
static struct call_site sites[SPOOL_MAX_SITES];
static uint32_t n_sites;
static struct module modules[MAX_MODULES];
static uint32_t n_modules;

static bool is_set(enum setting setting, bool speaks)
{
    const char *text = settings_text(setting);
    if (text == NULL || text[0] == '\0' || strcmp(text, "0") == 0)
        return false;
    if (strcmp(text, "1") == 0)
        return true;
    if (speaks)
        eppa_say("%s: '%s'; allowed: 0 or 1; using 0", settings_name(setting), text);
    return false;
}

bool callers_wanted(bool speaks)
{
    return is_set(SETTING_SITES, speaks);
}

bool callers_want_paths(bool speaks)
{
    return is_set(SETTING_PATHS, speaks);
}

/* Libraries by the beginnings of their files' names: they call each other, and the program does not call from there.
 * For mpi4py, which calls MPI for Python, it is the module MPI. */
static bool is_of_mpi(const char *path)
{
    static const char *const names[] = {"libeppa.",    "libeppa-",    "libmpi.",     "libmpi_",     "libmpich.",
                                        "libmpich-",   "libmpifort.", "libmpifort-", "libmpichf90", "libmpichfort",
                                        "libopen-rte", "libopen-pal", "mca_"};
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    if (strstr(path, "/mpi4py/MPI.") != NULL)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* The program has no name there. */
static char *path_of(const char *name)
{
    char path[PATH_MAX];
    if (name[0] != '\0')
        return realpath(name, NULL);
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    return strdup(path);
}

struct search {
    uintptr_t address;
    struct module found;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || search->address < start || search->address - start >= part->p_memsz)
            continue;
        search->found = (struct module){start, start + part->p_memsz, info->dlpi_addr, false, path_of(info->dlpi_name)};
        return 1;
    }
    return 0;
}

/* The module of an address; MAX_MODULES: it has no file. */
static uint32_t find_module(uintptr_t address)
{
    for (uint32_t i = 0; i < n_modules; i++)
        if (address >= modules[i].start && address < modules[i].end)
            return i;
    struct search search = {.address = address};
    if (n_modules == MAX_MODULES || dl_iterate_phdr(look_into, &search) == 0 || search.found.path == NULL)
        return MAX_MODULES;
    search.found.is_mpi = is_of_mpi(search.found.path);
    modules[n_modules] = search.found;
    return n_modules++;
}

static void define_site(const struct call_site *site)
{
    const char *path = modules[site->module].path;
    recorder_define(DEFINE_SITE, (struct part[]){{&site->place, sizeof site->place}, {path, strlen(path) + 1}}, 2);
}

/* An address is met for the first time. */
static uint32_t learn(uintptr_t address)
{
    uint32_t module = find_module(address);
    if (module == MAX_MODULES)
        return 0;
    if (modules[module].is_mpi)
        return IN_LIBRARY;
    if (n_sites == SPOOL_MAX_SITES)
        return 0;
    sites[n_sites] = (struct call_site){module, address - modules[module].base};
    define_site(&sites[n_sites]);
    return ++n_sites;
}

static uint32_t look_up(const void *address)
{
    uint32_t at = (uint32_t)(((uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15)) >> 32) % N_SLOTS;
    while (slots[at].address != NULL && slots[at].address != address)
        at = (at + 1) % N_SLOTS;
    if (slots[at].address == address)
        return slots[at].site;
    if (n_slots == N_SLOTS / 2)
        return 0;
    n_slots++;
    slots[at].site = learn((uintptr_t)address);
    slots[at].address = address;
    return slots[at].site;
}

struct unwinding {
    bool has_met; /* the library */
    int n;
    uint32_t site;
};

/* Frames come from this one outwards: those of this library, then MPI's, then who has called it. */
static _Unwind_Reason_Code step_out(struct _Unwind_Context *context, void *data)
{
    struct unwinding *unwinding = data;
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (address == 0 || ++unwinding->n > MAX_FRAMES)
        return _URC_END_OF_STACK;
    const void *place;
    memcpy(&place, &address, sizeof place);
    uint32_t site = look_up(place);
    unwinding->has_met = unwinding->has_met || site == IN_LIBRARY;
    if (site == IN_LIBRARY || !unwinding->has_met)
        return _URC_NO_REASON;
    unwinding->site = site;
    return _URC_END_OF_STACK;
}

uint32_t callers_site(const void *address)
{
    uint32_t site = look_up(address);
    if (site != IN_LIBRARY)
        return site;
    if (python_depth() > 0)
        return python_site(0);
    struct unwinding unwinding = {0};
    _Unwind_Backtrace(step_out, &unwinding);
    return unwinding.site;
}

uint32_t callers_frame(const void *address)
{
    uint32_t site = look_up(address);
    return site == IN_LIBRARY ? 0 : site;
}

uint32_t callers_define_source(uint64_t line, const char *file, const char *function)
{
    if (n_sites == SPOOL_MAX_SITES)
        return 0;
    recorder_define(DEFINE_SOURCE,
                    (struct part[]){{&line, sizeof line}, {file, strlen(file) + 1}, {function, strlen(function) + 1}},
                    3);
    return ++n_sites;
}

bool callers_are_together(const void *address, const void *function)
{
    uint32_t module = find_module((uintptr_t)address);
    return module != MAX_MODULES && module == find_module((uintptr_t)function);
}

struct call_site callers_get(uint32_t number)
{
    return sites[number - 1];
}

const char *callers_module(uint32_t module)
{
    return modules[module].path;
}

uint32_t callers_n_modules(void)
{
    return n_modules;
}
