/* FNV-1a, 64 bits (Fowler, Noll, Vo): tells contents apart; no defence against somebody who wants two to be equal. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Of several pieces each goes on from the hash of those before it; the first from HASH_START. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
