/* The C library's <errno.h>, and errors that Linux has and WASI never gives, which programs return as theirs. The numbers are Linux's where
   WASI has no other error of that number. */
#ifndef WARPLENS_ERRNO_H
#define WARPLENS_ERRNO_H
#include_next <errno.h>
#define EBADFD 77
#define ERESTART 85
#define EUSERS 87
#define ESOCKTNOSUPPORT 94
#define EPFNOSUPPORT 96
#define ESHUTDOWN 108
#define EHOSTDOWN 112
#define EUCLEAN 117
#define EREMOTEIO 121
#define ENOMEDIUM 123
#define EMEDIUMTYPE 124
#define ENOKEY 126
#define EHWPOISON 133
#define ENODATA 161
#define ETIME 162
#define ENONET 164
#define ECOMM 170
#endif
