/* hostile: a traced program without MPI. Its scopes and parameters have names that would show in a page which took them
 * for HTML, or had no room for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <eppa.h>

#include <string.h>

int main(void)
{
    static const char *const names[] = {"</script><img src=x onerror=\"document.title=1\">", "\"'&amp; `${1}` \\u003c",
                                        "a\nb\tc\x01\x7f", "\xf0\x9f\x98\x80 \xe2\x80\xae"};
    static char long_name[10001];
    memset(long_name, 'x', sizeof long_name - 1);
    if (eppa_init(0, 1) != 0)
        return 1;
    for (unsigned i = 0; i <= sizeof names / sizeof names[0]; i++) {
        const char *name = i < sizeof names / sizeof names[0] ? names[i] : long_name;
        eppa_parameter((const char[]){'p', (char)('0' + i), '\0'}, name);
        eppa_enter(name);
        for (volatile int spent = 0; spent < 100000; spent++)
            continue;
        eppa_leave(name);
    }
    eppa_finalize();
    return 0;
}
