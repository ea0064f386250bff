#include "simrun/progress.h"

#include "base/host_use.h"

#include <stdio.h>

#define EVERY_S 0.1

void progress_format_left(char *text, size_t size, double elapsed_s, int simulated, int remaining)
{
    text[0] = '\0';
    if (simulated < 1 || remaining < 1)
        return;
    double left_s = elapsed_s / simulated * remaining;
    if (left_s < 99.5)
        snprintf(text, size, ", about %.0f s left", left_s < 1 ? 1 : left_s);
    else if (left_s < 99.5 * 60)
        snprintf(text, size, ", about %.0f min left", left_s / 60);
    else
        snprintf(text, size, ", about %.0f h left", left_s / 3600);
}

static void show(const struct progress *progress)
{
    char left[48];
    progress_format_left(left, sizeof left, host_clock_s() - progress->start_s, progress->done - progress->known,
                         progress->total - progress->done);
    fprintf(stderr, "\r%d of %d runs%s\033[K", progress->done, progress->total, left);
}

void progress_open(struct progress *progress, bool shown, int total, int known)
{
    *progress = (struct progress){.shown = shown, .total = total, .known = known, .done = known};
    progress->start_s = progress->last_s = host_clock_s();
    if (shown)
        show(progress);
}

void progress_step(struct progress *progress)
{
    progress->done++;
    if (!progress->shown || host_clock_s() < progress->last_s + EVERY_S)
        return;
    progress->last_s = host_clock_s();
    show(progress);
}

void progress_close(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
