/* Values as bytes, there and back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/transport.h"

#include "base/memory.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide_uint;

/* The next bytes; NULL where there are not so many. */
static const unsigned char *take(struct transport *transport, size_t n_bytes)
{
    const unsigned char *bytes = transport->from;
    transport->failed = transport->failed || transport->size < n_bytes;
    if (transport->failed)
        return NULL;
    transport->from += n_bytes;
    transport->size -= n_bytes;
    return bytes;
}

void transport_number(struct transport *transport, wide_int *number, int n_bytes)
{
    unsigned char bytes[TRANSPORT_WIDE];
    if (transport->to != NULL) {
        for (int i = 0; i < n_bytes; i++)
            bytes[i] = (unsigned char)((wide_uint)*number >> (8 * i));
        fwrite(bytes, 1, (size_t)n_bytes, transport->to);
        return;
    }
    const unsigned char *found = take(transport, (size_t)n_bytes);
    wide_uint sum = found != NULL && (found[n_bytes - 1] & 0x80) != 0 ? ~(wide_uint)0 : 0; /* of the sign */
    for (int i = n_bytes - 1; found != NULL && i >= 0; i--)
        sum = sum << 8 | found[i];
    *number = (wide_int)sum;
}

void transport_int64(struct transport *transport, int64_t *number)
{
    wide_int wide = *number;
    transport_number(transport, &wide, sizeof *number);
    *number = (int64_t)wide;
}

void transport_real(struct transport *transport, double *number)
{
    int64_t bits;
    memcpy(&bits, number, sizeof bits);
    transport_int64(transport, &bits);
    memcpy(number, &bits, sizeof bits);
}

/* The bytes of a text behind their number; NULL where they cannot be read. */
static const unsigned char *take_text(struct transport *transport, size_t *length, int n_bytes)
{
    wide_int found;
    transport_number(transport, &found, n_bytes);
    *length = found < 0 ? SIZE_MAX : (size_t)found;
    const unsigned char *text = take(transport, *length);
    transport->failed = transport->failed || memchr(text, '\0', *length) != NULL;
    return transport->failed ? NULL : text;
}

static void put_text(struct transport *transport, const char *text, int n_bytes)
{
    wide_int length = (wide_int)strlen(text);
    transport_number(transport, &length, n_bytes);
    fwrite(text, 1, (size_t)length, transport->to);
}

void transport_text(struct transport *transport, char *text, size_t size, int n_bytes)
{
    size_t length;
    if (transport->to != NULL) {
        put_text(transport, text, n_bytes);
        return;
    }
    const unsigned char *found = take_text(transport, &length, n_bytes);
    transport->failed = transport->failed || length >= size;
    if (!transport->failed)
        memcpy(text, found, length);
    text[transport->failed ? 0 : length] = '\0';
}

void transport_long_text(struct transport *transport, char **text)
{
    enum { OF_LENGTH = 4 };
    size_t length;
    if (transport->to != NULL) {
        put_text(transport, *text, OF_LENGTH);
        return;
    }
    const unsigned char *found = take_text(transport, &length, OF_LENGTH);
    *text = found != NULL ? xcalloc(length + 1, 1) : NULL;
    if (found != NULL)
        memcpy(*text, found, length);
}

void transport_bytes(struct transport *transport, void *bytes, size_t length)
{
    if (transport->to != NULL) {
        fwrite(bytes, 1, length, transport->to);
        return;
    }
    const unsigned char *found = take(transport, length);
    if (found != NULL)
        memcpy(bytes, found, length);
}

size_t transport_left(const struct transport *transport)
{
    return transport->failed ? 0 : transport->size;
}
