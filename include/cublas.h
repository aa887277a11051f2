/* The older name of cublas_v2.h; its own interface without handles is not supported. */
#include <cublas_v2.h>
