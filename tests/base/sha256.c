/* SHA-256 against the vectors that NIST publishes with FIPS 180-4, in one piece and in pieces.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/sha256.h"
#include "tests/testing.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const struct {
    const char *text, *digits;
} vectors[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};
enum { N_VECTORS = sizeof vectors / sizeof vectors[0] };

static void test_vectors(void)
{
    for (size_t i = 0; i < N_VECTORS; i++)
        CU_ASSERT_STRING_EQUAL(sha256_of(vectors[i].text, strlen(vectors[i].text)).digits, vectors[i].digits);
}

/* A million letters a, in pieces of all lengths up to 200; by instructions of the processor, too, where it has them. */
static void try_million(bool plain)
{
    struct sha256 hash;
    char letters[200];
    size_t left = 1000000;
    memset(letters, 'a', sizeof letters);
    sha256_begin(&hash);
    hash.is_fast = hash.is_fast && !plain;
    for (size_t piece = 0; left > 0; piece = (piece + 1) % (sizeof letters + 1)) {
        size_t size = piece < left ? piece : left;
        sha256_add(&hash, letters, size);
        left -= size;
    }
    CU_ASSERT_STRING_EQUAL(sha256_end(&hash).digits,
                           "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_million(void)
{
    try_million(false);
    try_million(true);
}

/* Every length up to three blocks, cut at every place. */
static void test_pieces(void)
{
    char bytes[3 * SHA256_BLOCK];
    int wrong = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 37 + 11);
    for (size_t size = 0; size <= sizeof bytes; size++) {
        const struct sha256_text whole = sha256_of(bytes, size);
        for (size_t cut = 0; cut <= size; cut++) {
            struct sha256 hash;
            sha256_begin(&hash);
            hash.is_fast = hash.is_fast && cut % 2 == 0;
            sha256_add(&hash, bytes, cut);
            sha256_add(&hash, bytes + cut, size - cut);
            wrong += strcmp(sha256_end(&hash).digits, whole.digits) != 0;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"published vectors", test_vectors},
        {"a million letters", test_million},
        {"pieces", test_pieces},
        {NULL, NULL},
    };
    return testing_run("sha256", tests);
}
