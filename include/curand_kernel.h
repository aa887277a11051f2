/* cuRAND's device API. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#include <curand.h>
#include <warplens/curand_device.h>
#endif
