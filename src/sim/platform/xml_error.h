/* The type in which libxml2 passes errors to a handler: constant since 2.12.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_XML_ERROR_H
#define SIM_PLATFORM_XML_ERROR_H

#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

#endif
