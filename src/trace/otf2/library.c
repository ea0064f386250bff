/* The OTF2 library itself: what it complains of, and where it gets memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/events.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Complaints of the library ---- */

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode note_complaint(void *self, const char *file, uint64_t line,
                                                                           const char *function, OTF2_ErrorCode code,
                                                                           const char *format, va_list arguments)
{
    struct otf_complaint *complaint = self;
    (void)file, (void)line, (void)function;
    if (complaint->text[0] == '\0') {
        snprintf(complaint->text, sizeof complaint->text, "%s", OTF2_Error_GetDescription(code));
        size_t length = strlen(complaint->text);
        if (format != NULL && format[0] != '\0' && length + 3 < sizeof complaint->text) {
            memcpy(complaint->text + length, ": ", 3);
            vsnprintf(complaint->text + length + 2, sizeof complaint->text - length - 2, format, arguments);
        }
    }
    return code;
}

void otf_complaint_listen(struct otf_complaint *complaint)
{
    complaint->text[0] = '\0';
    OTF2_Error_RegisterCallback(note_complaint, complaint);
}

/* ---- Memory of the library ---- */

enum { FRESH_BYTES = 128 << 10, ANY_BYTES = 32 << 20 }; /* FRESH: less than the library's smallest chunk */

void otf_memory_from(enum otf_memory memory)
{
    mallopt(M_MMAP_THRESHOLD, memory == OTF_MEMORY_FRESH ? FRESH_BYTES : ANY_BYTES);
    mallopt(M_TRIM_THRESHOLD, ANY_BYTES); /* so that the next reader's first chunk is this one's */
}

/* Free memory that a former reader has left would be given out again, whatever its size. */
void otf_memory_forget(void)
{
    malloc_trim(0);
}
