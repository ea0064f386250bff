/* eppa-recover NAME.eppa: make the archive NAME.otf2 of what a run recorded that did not come to its end. With --watch,
 * as libeppa starts it, it waits for the run to end, and does so if the run has not made the archive itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/recovery.h"
#include "eppa/archive/say.h"
#include "eppa/archive/spool.h"

#include <stdio.h>

static const char usage[] = "Usage: eppa-recover NAME.eppa\n"
                            "Make the trace NAME.otf2 from the records of a traced run that was killed.\n"
                            "  -h, --help     show this\n"
                            "  -V, --version  show the version\n"
                            "\nExample: eppa-recover run.eppa && simrun run.otf2\n";

static bool is_option(const char *word, const char *brief, const char *name)
{
    return strcmp(word, brief) == 0 || strcmp(word, name) == 0;
}

/* Standard output may be a full disk. */
static int tell(const char *text)
{
    return fputs(text, stdout) == EOF || fflush(stdout) == EOF;
}

int main(int argc, char **argv)
{
    char message[SPOOL_MAX_PATH + 256];
    bool watches = argc == 3 && strcmp(argv[1], "--watch") == 0;
    if (argc == 2 && is_option(argv[1], "-h", "--help"))
        return tell(usage);
    if (argc == 2 && is_option(argv[1], "-V", "--version"))
        return tell("eppa-recover " SIMRUN_VERSION "\n");
    if (!watches && (argc != 2 || argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    if (recovery_run(argv[argc - 1], watches, message, sizeof message) == 0)
        return 0;
    say_line("eppa-recover", "%s", message);
    return 2;
}
