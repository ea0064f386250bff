/* Looks places up in the debug information of programs and in their tables of symbols, by libdw.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/sites/resolve.h"

#include "base/utf8.h"
#include "eppa/sites/open.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NESTED = 64 };

/* Debug information apart from the program is looked for on this machine only. */
static int find_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                           const char *link, GElf_Word crc, char **found)
{
    return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
}

void resolver_dispose(struct resolver *resolver)
{
    if (resolver->session != NULL)
        dwfl_end(resolver->session);
    free(resolver->path);
    *resolver = (struct resolver){0};
}

/* At the addresses that the file itself counts with. The session closes the file. */
static Dwfl *open_session(const char *path)
{
    static char *no_path;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = find_debug_file,
                                             .section_address = dwfl_offline_section_address,
                                             .debuginfo_path = &no_path};
    int file = sites_open(path);
    Dwfl *session = file < 0 ? NULL : dwfl_begin(&callbacks);
    if (session != NULL && dwfl_report_elf(session, "", path, file, 0, true) != NULL) {
        dwfl_report_end(session, NULL, NULL);
        return session;
    }
    if (file >= 0)
        close(file);
    if (session != NULL)
        dwfl_end(session);
    return NULL;
}

static Dwfl_Module *find_module(struct resolver *resolver, const char *path, uint64_t place)
{
    if (resolver->path == NULL || strcmp(resolver->path, path) != 0) {
        resolver_dispose(resolver);
        resolver->path = strdup(path);
        resolver->session = open_session(path);
    }
    return resolver->session == NULL ? NULL : dwfl_addrmodule(resolver->session, place);
}

/* Follow where a function is said to be the same as another one, to what has its surroundings. */
static Dwarf_Die *declaration_of(Dwarf_Die *function, Dwarf_Die *found)
{
    Dwarf_Attribute attribute;
    *found = *function;
    while (dwarf_attr(found, DW_AT_abstract_origin, &attribute) != NULL ||
           dwarf_attr(found, DW_AT_specification, &attribute) != NULL)
        if (dwarf_formref_die(&attribute, found) == NULL)
            break;
    return found;
}

/* Name a function with the modules, namespaces and types that it is in: "a::b::f". */
static void name_function(Dwarf_Die *function, char text[SITE_MAX_TEXT])
{
    Dwarf_Die declaration, *around = NULL;
    size_t used = 0;
    int n = dwarf_getscopes_die(declaration_of(function, &declaration), &around);
    for (int i = n - 1; i >= 0; i--) {
        int tag = dwarf_tag(&around[i]);
        const char *name = i == 0 ? dwarf_diename(function) : dwarf_diename(&around[i]);
        bool is_part = i == 0 || tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                       tag == DW_TAG_structure_type;
        if (is_part && name != NULL && used + 3 < SITE_MAX_TEXT)
            used += (size_t)snprintf(text + used, SITE_MAX_TEXT - used, "%s%s", used > 0 ? "::" : "", name);
    }
    free(around);
}

/* Functions of the source around a place, the outermost first. */
struct found {
    Dwarf_Die functions[SITE_MAX_FRAMES];
    int n;
};

static void add_function(struct found *found, const Dwarf_Die *function)
{
    int tag = dwarf_tag((Dwarf_Die *)function);
    if (found->n < SITE_MAX_FRAMES && (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine))
        found->functions[found->n++] = *function;
}

/* Search below a piece of the source; also in procedures that are not around the place, which may contain some that
 * are, if `contained`. libdw's own search does not look into modules of Fortran, nor outwards from what is inlined. */
static void search(struct found *found, Dwarf_Die *around, Dwarf_Addr place, bool contained, int depth)
{
    Dwarf_Die child;
    if (depth == MOST_NESTED || dwarf_child(around, &child) != 0)
        return;
    do {
        int tag = dwarf_tag(&child);
        bool is_there = dwarf_haspc(&child, place) > 0;
        if (is_there)
            add_function(found, &child);
        if (is_there || tag == DW_TAG_module || tag == DW_TAG_namespace || (contained && tag == DW_TAG_subprogram))
            search(found, &child, place, contained, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void find_functions(struct found *found, Dwfl_Module *module, Dwarf_Addr place)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, place, &bias);
    found->n = 0;
    if (unit != NULL)
        search(found, unit, place - bias, false, 0);
    if (unit != NULL && found->n == 0)
        search(found, unit, place - bias, true, 0);
}

static const char *find_line(Dwfl_Module *module, Dwarf_Addr place, int *line)
{
    Dwfl_Line *found = dwfl_module_getsrc(module, place);
    const char *file = found == NULL ? NULL : dwfl_lineinfo(found, NULL, line, NULL, NULL, NULL);
    return file == NULL || *line <= 0 ? NULL : sites_file_name(file);
}

static bool name_line(Dwfl_Module *module, Dwarf_Addr place, char *text, size_t size)
{
    int line = 0;
    struct found found;
    const char *file = find_line(module, place, &line);
    char function[SITE_MAX_TEXT] = "";
    if (file == NULL)
        return false;
    find_functions(&found, module, place);
    if (found.n > 0)
        name_function(&found.functions[found.n - 1], function);
    size_t used = (size_t)snprintf(text, size, "%s:%d", file, line);
    if (function[0] != '\0' && used + sizeof " in " < size) {
        memcpy(text + used, " in ", sizeof " in ");
        utf8_copy(text + used + sizeof " in " - 1, size - used - sizeof " in " + 1, function);
    }
    return true;
}

/* The name in the source of a symbol: __m_MOD_sub of Fortran is m::sub, and C++ has a function for its own, which is
 * looked for where it is needed. To be freed. */
static char *demangle(const char *symbol)
{
    typedef char *demangler(const char *, char *, size_t *, int *);
    const char *mod = strncmp(symbol, "__", 2) == 0 ? strstr(symbol + 2, "_MOD_") : NULL;
    char *name = NULL;
    if (mod != NULL)
        return asprintf(&name, "%.*s::%s", (int)(mod - symbol - 2), symbol + 2, mod + 5) < 0 ? NULL : name;
    void *library = strncmp(symbol, "_Z", 2) == 0 ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *found = library == NULL ? NULL : dlsym(library, "__cxa_demangle");
    demangler *function;
    memcpy(&function, &found, sizeof function);
    return function == NULL ? NULL : function(symbol, NULL, NULL, NULL);
}

/* Where the parameters of a demangled name begin: at the parenthesis that the last one closes. */
static size_t without_parameters(const char *name)
{
    const char *last = strrchr(name, ')');
    int depth = 0;
    for (const char *c = last; c != NULL && c > name; c--) {
        depth += (*c == ')') - (*c == '(');
        if (depth == 0)
            return (size_t)(c - name);
    }
    return strlen(name);
}

static void name_symbol(Dwfl_Module *module, Dwarf_Addr place, const char *path, char text[SITE_MAX_TEXT])
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *found = module == NULL ? NULL : dwfl_module_addrinfo(module, place, &offset, &symbol, NULL, NULL, NULL);
    char *name = found == NULL ? NULL : demangle(found);
    if (name != NULL)
        name[without_parameters(name)] = '\0';
    utf8_copy(text, SITE_MAX_TEXT, name != NULL ? name : found != NULL ? found : sites_file_name(path));
    free(name);
}

/* Fill in a frame of the source; the next one, within which it is inlined, goes on at the line that is returned. */
static uint32_t fill_frame(struct site_frame *frame, Dwarf_Die *function, const char *file, uint32_t line)
{
    char name[SITE_MAX_TEXT] = "";
    Dwarf_Attribute attribute;
    Dwarf_Word call_line = 0;
    name_function(function, name);
    utf8_trim(name);
    utf8_copy(frame->function, SITE_MAX_TEXT, name);
    utf8_copy(frame->file, SITE_MAX_TEXT, file);
    frame->line = line;
    dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attribute), &call_line);
    return (uint32_t)call_line;
}

/* The file from which an inlined function is called. */
static const char *call_file(Dwarf_Die *function, const char *otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    Dwarf_Files *files;
    Dwarf_Die unit;
    size_t n = 0;
    if (dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attribute), &number) != 0 ||
        dwarf_diecu(function, &unit, NULL, NULL) == NULL || dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
        return otherwise;
    return sites_file_name(dwarf_filesrc(files, number, NULL, NULL));
}

int resolver_frames(struct resolver *resolver, const char *path, uint64_t place,
                    struct site_frame frames[SITE_MAX_FRAMES])
{
    struct found found = {.n = 0};
    Dwfl_Module *module = find_module(resolver, path, place - 1);
    int line = 0;
    const char *file = module == NULL ? NULL : find_line(module, place - 1, &line);
    if (file != NULL)
        find_functions(&found, module, place - 1);
    uint32_t at = (uint32_t)line;
    for (int i = found.n - 1; i >= 0; i--) {
        at = fill_frame(&frames[i], &found.functions[i], file, at);
        file = call_file(&found.functions[i], file);
    }
    if (found.n > 0)
        return found.n;
    name_symbol(module, place - 1, path, frames[0].function);
    utf8_copy(frames[0].file, SITE_MAX_TEXT, file != NULL ? file : sites_file_name(path));
    frames[0].line = (uint32_t)line;
    return 1;
}

/* The call is before where it returns to: the byte before is within it. */
void resolver_name(struct resolver *resolver, const char *path, uint64_t place, char text[SITE_MAX_TEXT])
{
    char found[SITE_MAX_TEXT];
    Dwarf_Addr call = place - 1;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    Dwfl_Module *module = find_module(resolver, path, call);
    const char *name = NULL;
    if (module == NULL || !name_line(module, call, found, sizeof found)) {
        if (module != NULL)
            name = dwfl_module_addrinfo(module, call, &offset, &symbol, NULL, NULL, NULL);
        if (name != NULL)
            snprintf(found, sizeof found, "%s+0x%llx in %s", name, (unsigned long long)offset + 1,
                     sites_file_name(path));
        else
            snprintf(found, sizeof found, "%s+0x%llx", sites_file_name(path), (unsigned long long)place);
    }
    utf8_trim(found);
    utf8_copy(text, SITE_MAX_TEXT, found);
}
