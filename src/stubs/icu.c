/* Stub of ICU for a program that has libxml2 in itself: ICU is loaded when libxml2 asks it for an encoding, which it
 * does for those alone that it does not know itself. Only what libxml2 calls; without ICU such an encoding is
 * unknown.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>
#include <unicode/ucnv.h>

/* Names of ICU end in its version: these macros make texts of what unicode/urename.h makes of them. */
#define TEXT(name) #name
#define NAME(name) TEXT(name)
#define LIBRARY "libicuuc.so." U_ICU_VERSION_SHORT

static struct {
    UConverter *(*open)(const char *name, UErrorCode *status);
    void (*close)(UConverter *converter);
    void (*convert)(UConverter *to, UConverter *from, char **target, const char *target_end, const char **source,
                    const char *source_end, UChar *pivot, UChar **pivot_source, UChar **pivot_target,
                    const UChar *pivot_end, UBool reset, UBool flush, UErrorCode *status);
    void (*set_to)(UConverter *converter, UConverterToUCallback action, const void *context,
                   UConverterToUCallback *old_action, const void **old_context, UErrorCode *status);
    void (*set_from)(UConverter *converter, UConverterFromUCallback action, const void *context,
                     UConverterFromUCallback *old_action, const void **old_context, UErrorCode *status);
    UConverterToUCallback stop_to;
    UConverterFromUCallback stop_from;
} icu;

static const struct {
    const char *name;
    void *function; /* in `icu` */
} functions[] = {
    {NAME(ucnv_open), &icu.open},
    {NAME(ucnv_close), &icu.close},
    {NAME(ucnv_convertEx), &icu.convert},
    {NAME(ucnv_setToUCallBack), &icu.set_to},
    {NAME(ucnv_setFromUCallBack), &icu.set_from},
    {NAME(UCNV_TO_U_CALLBACK_STOP), &icu.stop_to},
    {NAME(UCNV_FROM_U_CALLBACK_STOP), &icu.stop_from},
};

static int load(void)
{
    static void *library;
    if (library != NULL)
        return 0;
    void *opened = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (opened == NULL)
        return -1;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(opened, functions[i].name);
        if (found == NULL)
            return -1;
        memcpy(functions[i].function, &found, sizeof found);
    }
    library = opened;
    return 0;
}

/* All others need a converter that this has given. */
UConverter *ucnv_open(const char *name, UErrorCode *status)
{
    if (load() == 0)
        return icu.open(name, status);
    *status = U_MISSING_RESOURCE_ERROR;
    return NULL;
}

void ucnv_close(UConverter *converter)
{
    if (converter != NULL)
        icu.close(converter);
}

void ucnv_convertEx(UConverter *to, UConverter *from, char **target, const char *target_end, const char **source,
                    const char *source_end, UChar *pivot, UChar **pivot_source, UChar **pivot_target,
                    const UChar *pivot_end, UBool reset, UBool flush, UErrorCode *status)
{
    icu.convert(to, from, target, target_end, source, source_end, pivot, pivot_source, pivot_target, pivot_end, reset,
                flush, status);
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action, const void *context,
                         UConverterToUCallback *old_action, const void **old_context, UErrorCode *status)
{
    icu.set_to(converter, action, context, old_action, old_context, status);
}

void ucnv_setFromUCallBack(UConverter *converter, UConverterFromUCallback action, const void *context,
                           UConverterFromUCallback *old_action, const void **old_context, UErrorCode *status)
{
    icu.set_from(converter, action, context, old_action, old_context, status);
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *arguments, const char *units, int32_t length,
                             UConverterCallbackReason reason, UErrorCode *status)
{
    icu.stop_to(context, arguments, units, length, reason, status);
}

void UCNV_FROM_U_CALLBACK_STOP(const void *context, UConverterFromUnicodeArgs *arguments, const UChar *units,
                               int32_t length, UChar32 code, UConverterCallbackReason reason, UErrorCode *status)
{
    icu.stop_from(context, arguments, units, length, code, reason, status);
}
