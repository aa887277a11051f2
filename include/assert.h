/* The C library's, and the name that GNU's has for the function it stands in. Without a guard: NDEBUG decides anew each time. */
#include_next <assert.h>
#ifndef __ASSERT_FUNCTION
#define __ASSERT_FUNCTION __extension__ __PRETTY_FUNCTION__
#endif
