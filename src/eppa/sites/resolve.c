/* Looks places up in the debug information of programs and in their tables of symbols, by libdw.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/sites/resolve.h"

#include "base/utf8.h"
#include "eppa/sites/open.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* The innermost function of the source, inlined or not; NULL if none is known. */
static const char *find_function(Dwfl_Module *module, Dwarf_Addr place)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = dwfl_module_addrdie(module, place, &bias), *scopes = NULL;
    const char *name = NULL;
    int n = unit == NULL ? 0 : dwarf_getscopes(unit, place - bias, &scopes);
    for (int i = 0; i < n && name == NULL; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = dwarf_diename(&scopes[i]);
    }
    free(scopes);
    return name;
}

static bool name_line(Dwfl_Module *module, Dwarf_Addr place, char *text, size_t size)
{
    int line = 0;
    Dwfl_Line *found = dwfl_module_getsrc(module, place);
    const char *file = found == NULL ? NULL : dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL);
    if (file == NULL || line <= 0)
        return false;
    const char *function = find_function(module, place);
    snprintf(text, size, "%s:%d%s%s", sites_file_name(file), line, function == NULL ? "" : " in ",
             function == NULL ? "" : function);
    return true;
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
