/* The partial files and folders of this process: what an output is before it has its name. They are removed when the
 * process is ended by a signal that it can see, or by want of memory. A child that was forked leaves those of its
 * parent.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_PARTIAL_H
#define OS_PARTIAL_H

/* From now on until it is forgotten; at most four at once. The name stays the caller's. */
void partial_remember(char *partial);
void partial_forget(const char *partial);
/* Have signals remove them. A file that may not grow is then an error of its write. */
void partial_catch_signals(void);
/* In a signal handler: leave nothing of any, and end as the signal does by itself. */
void partial_end_by_signal(int signal_number);
/* Keep descriptors for removing a folder, so that one can be removed when the limit of open files is reached; -1 and
 * errno if there are none to keep. Give them back, before it is removed or when it is not to be any more. */
int partial_reserve(void);
void partial_release(void);
/* Remove a folder and all that is in it; `folder` as for openat(). Good in a signal handler. */
void partial_remove_folder(int at, const char *folder);

/* A short name in the folder of `file`, whose own may be as long as any can be, with `end`; to be freed. */
char *partial_beside(const char *file, const char *end);

#endif
