/* Declarations that the files of this folder share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef DOCUMENT_DOCUMENT_INTERNAL_H
#define DOCUMENT_DOCUMENT_INTERNAL_H

#include "document/document.h"

/* NULL is fine. */
void row_source_free(struct row_source *source);

#endif
