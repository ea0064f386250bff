/* Names places without libdw: by file and number.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/sites/resolve.h"

#include "base/utf8.h"
#include "eppa/sites/open.h"

#include <stdio.h>

void resolver_name(struct resolver *resolver, const char *path, uint64_t place, char text[SITE_MAX_TEXT])
{
    char found[SITE_MAX_TEXT];
    (void)resolver;
    snprintf(found, sizeof found, "%s+0x%llx", sites_file_name(path), (unsigned long long)place);
    utf8_trim(found);
    utf8_copy(text, SITE_MAX_TEXT, found);
}

int resolver_frames(struct resolver *resolver, const char *path, uint64_t place,
                    struct site_frame frames[SITE_MAX_FRAMES])
{
    (void)resolver;
    (void)place;
    utf8_copy(frames[0].function, SITE_MAX_TEXT, sites_file_name(path));
    utf8_copy(frames[0].file, SITE_MAX_TEXT, sites_file_name(path));
    frames[0].line = 0;
    return 1;
}

void resolver_dispose(struct resolver *resolver)
{
    (void)resolver;
}
