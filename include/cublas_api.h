/* cuBLAS's declarations, as cublas_v2.h has them: programs include either. */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <cublas_v2.h>

#endif
