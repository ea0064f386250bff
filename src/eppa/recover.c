/* eppa-recover NAME.eppa: make the archive NAME.otf2 of what a run recorded that did not come to its end. With --watch,
 * as libeppa starts it, it waits for the run to end, and does so if the run has not made the archive itself. */
#include "eppa/archive/recovery.h"
#include "eppa/archive/say.h"
#include "eppa/archive/spool.h"

#include <stdio.h>

static const char usage[] = "usage: eppa-recover NAME.eppa\n"
                            "Makes NAME.otf2 from the records of a traced run that was killed.\n";

int main(int argc, char **argv)
{
    char message[SPOOL_MAX_PATH + 256];
    bool watches = argc == 3 && strcmp(argv[1], "--watch") == 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (!watches && (argc != 2 || argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    if (recovery_run(argv[argc - 1], watches, message, sizeof message) == 0)
        return 0;
    say_line("eppa-recover", "%s", message);
    return 2;
}
