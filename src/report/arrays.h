/* Arrays of numbers as Extra-P keeps repetitions in an archive: one after another in values/N.vals, each as a file of
 * NumPy, with their places in values/N.indx.
 *
 * Source: extrap/fileio/values_io.py of github.com/extra-p/extrap, version 4.2; numpy.lib.format, version 1.0.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_ARRAYS_H
#define REPORT_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; on the heap. One of zeros is empty. */
struct bytes {
    unsigned char *bytes;
    size_t size, capacity;
};
/* Add some to a struct bytes. */
void bytes_add(void *bytes, const void *more, size_t length);

struct arrays {
    struct bytes bytes, places;
    int64_t count;
};
/* Begin with those of zeros. */
void arrays_begin(struct arrays *arrays);
void arrays_add(struct arrays *arrays, const double *values, size_t count);
/* The index of all that have been added; to be freed. */
struct bytes arrays_index(const struct arrays *arrays);
void arrays_dispose(struct arrays *arrays);

#endif
