/* NVRTC's --device-as-default-execution-space: functions that say nothing are the device's. */
#ifndef WARPLENS_DEVICE_BY_DEFAULT_H
#define WARPLENS_DEVICE_BY_DEFAULT_H
#pragma clang force_cuda_host_device begin
#endif
