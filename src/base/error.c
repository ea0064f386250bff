#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

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
    return -1;
}
