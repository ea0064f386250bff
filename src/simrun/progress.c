#include "simrun/progress.h"

#include <stdio.h>
#include <time.h>

#define EVERY_S 0.1

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

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
    progress_format_left(left, sizeof left, now_s() - progress->start_s, progress->done - progress->known,
                         progress->total - progress->done);
    fprintf(stderr, "\r%d of %d runs%s\033[K", progress->done, progress->total, left);
}

void progress_open(struct progress *progress, bool shown, int total, int known)
{
    *progress = (struct progress){.shown = shown, .total = total, .known = known, .done = known};
    progress->start_s = progress->last_s = now_s();
    if (shown)
        show(progress);
}

void progress_step(struct progress *progress)
{
    progress->done++;
    if (!progress->shown || now_s() < progress->last_s + EVERY_S)
        return;
    progress->last_s = now_s();
    show(progress);
}

void progress_close(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
