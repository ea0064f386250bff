/* Writes how many runs are done and how long the rest takes, to a terminal.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/progress.h"

#include "experiment/progress_internal.h"
#include "os/host_use.h"

#include <stdio.h>
#include <string.h>

#define EVERY_S 0.1

/* --- on a terminal --- */

/* Whole seconds, minutes, hours or days. */
struct duration {
    double number;
    const char *unit;
};

static struct duration duration_of(double seconds)
{
    if (seconds < 99.5)
        return (struct duration){seconds < 1 ? 1 : seconds, "s"};
    if (seconds < 99.5 * 60)
        return (struct duration){seconds / 60, "min"};
    return seconds < 99.5 * 3600 ? (struct duration){seconds / 3600, "h"} : (struct duration){seconds / 86400, "days"};
}

void progress_format_duration(char *text, size_t size, double seconds)
{
    struct duration duration = duration_of(seconds);
    snprintf(text, size, duration.number < 1e6 ? "%.0f %s" : "%.2g %s", duration.number, duration.unit);
}

void progress_format_left(char *text, size_t size, double elapsed_s, int simulated, double recent_s, int remaining)
{
    static const double differs = 1.5;
    text[0] = '\0';
    if (simulated < 1 || remaining < 1)
        return;
    double all_s = elapsed_s / simulated * remaining;
    double last_s = simulated > PROGRESS_RECENT ? recent_s / PROGRESS_RECENT * remaining : all_s;
    struct duration least = duration_of(all_s < last_s ? all_s : last_s),
                    most = duration_of(all_s < last_s ? last_s : all_s);
    bool same_unit = strcmp(least.unit, most.unit) == 0;
    if ((last_s < differs * all_s && all_s < differs * last_s) || (same_unit && most.number < least.number + 1))
        snprintf(text, size, ", about %.0f %s left", duration_of(all_s).number, duration_of(all_s).unit);
    else if (same_unit)
        snprintf(text, size, ", %.0f to %.0f %s left", least.number, most.number, most.unit);
    else
        snprintf(text, size, ", %.0f %s to %.0f %s left", least.number, least.unit, most.number, most.unit);
}

static void show(const struct progress *progress)
{
    char left[64];
    int simulated = progress->done - progress->known;
    double recent_s = host_clock_s() - progress->ends_s[(simulated + 1) % (PROGRESS_RECENT + 1)];
    progress_format_left(left, sizeof left, host_clock_s() - progress->start_s, simulated, recent_s,
                         progress->total - progress->done);
    fprintf(stderr, "\r%d of %d runs%s\033[K", progress->done, progress->total, left);
}

void progress_open(struct progress *progress, bool shown, int total, int known, struct run_cache *cache)
{
    *progress = (struct progress){.shown = shown, .total = total, .known = known, .done = known, .cache = cache};
    progress->start_s = progress->last_s = host_clock_s();
    progress_prepare_message(progress);
    progress_catch_signals(progress);
    if (shown)
        show(progress);
}

void progress_step(struct progress *progress)
{
    progress->done++;
    progress->ends_s[(progress->done - progress->known) % (PROGRESS_RECENT + 1)] = host_clock_s();
    progress_prepare_message(progress);
    if (!progress->shown || host_clock_s() < progress->last_s + EVERY_S)
        return;
    progress->last_s = host_clock_s();
    show(progress);
}

void progress_close(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress_restore_signals();
}
