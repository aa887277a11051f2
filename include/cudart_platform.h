/* What the runtime is built for, by the name that CUDA gives it: EGL's images are not supported. */
#ifndef __CUDART_PLATFORM_H__
#define __CUDART_PLATFORM_H__
#endif
