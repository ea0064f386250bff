/* SHA-256, by the letters of FIPS 180-4, with its rounds written out eight at a time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* A round in which a ... h have moved on by themselves, so that nothing is copied: d and h alone get new values. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                               \
    do {                                                                                                               \
        uint32_t sum = (h) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((g) ^ ((e) & ((f) ^ (g)))) +            \
                       constants[i] + words[i];                                                                        \
        (d) += sum;                                                                                                    \
        (h) = sum + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (((a) & (b)) | ((c) & ((a) | (b))));              \
    } while (0)

static void add_block_plain(uint32_t state[8], const unsigned char *bytes)
{
    uint32_t words[64];
    for (int i = 0; i < 16; i++, bytes += 4)
        words[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (int i = 16; i < 64; i++) {
        uint32_t two = words[i - 2], fifteen = words[i - 15];
        words[i] = words[i - 16] + words[i - 7] + (rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ fifteen >> 3) +
                   (rotate(two, 17) ^ rotate(two, 19) ^ two >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
             h = state[7];
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    const uint32_t ends[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += ends[i];
}

#if defined __x86_64__ && defined __GNUC__
/* The same by the instructions that most processors since 2017 have for it, several times as fast: two rounds each. */
#include <cpuid.h>
#include <immintrin.h>

static bool ask_processor(void)
{
    enum { SHA = 1 << 29, SSSE3 = 1 << 9, SSE4_1 = 1 << 19 };
    unsigned a, b, c, d, features;
    return __get_cpuid(1, &a, &b, &features, &d) && (features & SSSE3) != 0 && (features & SSE4_1) != 0 &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & SHA) != 0;
}

/* Asked once: in a virtual machine it takes long. */
static bool has_instructions(void)
{
    static _Atomic int known_processor; /* 1 it has, -1 it has not */
    if (known_processor == 0)
        known_processor = ask_processor() ? 1 : -1;
    return known_processor > 0;
}

__attribute__((target("sha,ssse3,sse4.1"))) static void add_blocks_fast(uint32_t state[8], const unsigned char *bytes,
                                                                        size_t n_blocks)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i *ends = (__m128i *)(void *)state, words[4];
    memset(words, 0, sizeof words);
    const __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128(ends), 0xb1),
                  hgfe = _mm_shuffle_epi32(_mm_loadu_si128(ends + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
    for (; n_blocks > 0; n_blocks--, bytes += SHA256_BLOCK) {
        const __m128i first = abef, second = cdgh;
        for (int i = 0; i < 16; i++) {
            __m128i *four = &words[i % 4]; /* those of 16 words before become the next */
            const __m128i last = words[(i + 3) % 4];
            *four = i < 4 ? _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes + i), order)
                          : _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*four, words[(i + 1) % 4]),
                                                               _mm_alignr_epi8(last, words[(i + 2) % 4], 4)),
                                                 last);
            const __m128i sum =
                _mm_add_epi32(*four, _mm_loadu_si128((const __m128i *)(const void *)(constants + 4 * (size_t)i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, first);
        cdgh = _mm_add_epi32(cdgh, second);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(ends, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(ends + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#else
static bool has_instructions(void)
{
    return false;
}

static void add_blocks_fast(uint32_t state[8], const unsigned char *bytes, size_t n_blocks)
{
    (void)state, (void)bytes, (void)n_blocks;
}
#endif

static void add_blocks(struct sha256 *hash, const unsigned char *bytes, size_t n_blocks)
{
    if (hash->is_fast)
        add_blocks_fast(hash->state, bytes, n_blocks);
    else
        for (; n_blocks > 0; n_blocks--, bytes += SHA256_BLOCK)
            add_block_plain(hash->state, bytes);
}

void sha256_begin(struct sha256 *hash)
{
    *hash = (struct sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
        .is_fast = has_instructions()};
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t kept = (size_t)(hash->size % SHA256_BLOCK);
    hash->size += size;
    if (kept > 0) {
        size_t part = size < SHA256_BLOCK - kept ? size : SHA256_BLOCK - kept;
        memcpy(hash->rest + kept, at, part);
        at += part;
        size -= part;
        if (kept + part < SHA256_BLOCK)
            return;
        add_blocks(hash, hash->rest, 1);
    }
    add_blocks(hash, at, size / SHA256_BLOCK);
    if (size % SHA256_BLOCK > 0)
        memcpy(hash->rest, at + size / SHA256_BLOCK * SHA256_BLOCK, size % SHA256_BLOCK);
}

struct sha256_text sha256_end(struct sha256 *hash)
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = hash->size * 8;
    unsigned char length[8];
    struct sha256_text text;
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(hash, padding, 1 + (size_t)(119 - hash->size % SHA256_BLOCK) % SHA256_BLOCK);
    sha256_add(hash, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(text.digits + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
    return text;
}

struct sha256_text sha256_of(const void *bytes, size_t size)
{
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, bytes, size);
    return sha256_end(&hash);
}
