#include "base/error.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Parts of messages come from files: whatever they hold, the message is one line that can be printed. */
static void clean(struct sim_error *error)
{
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    utf8_trim(message);
    utf8_copy(error->message, sizeof error->message, message);
}

int sim_error_set(struct sim_error *error, enum sim_status status, const char *file, long line, const char *format, ...)
{
    size_t used = 0;
    error->status = status;
    error->message[0] = '\0';
    if (file != NULL) {
        int n = line > 0 ? snprintf(error->message, sizeof error->message, "%s:%ld: ", file, line)
                         : snprintf(error->message, sizeof error->message, "%s: ", file);
        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof error->message)
            used = sizeof error->message - 1;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
    va_end(arguments);
    clean(error);
    return -1;
}
