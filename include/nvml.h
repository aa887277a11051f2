/* NVML, the part that programs ask about the device that they run on: names, clocks, sizes. What a sensor would have to tell
   (power, energy, temperature, utilisation, fans) gives NVML_ERROR_NOT_SUPPORTED, as NVML does on devices that have none.
   Source: NVML API Reference. */
#ifndef WARPLENS_NVML_H
#define WARPLENS_NVML_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NVML_API_VERSION 12
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80

typedef enum nvmlReturn_enum {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_ALREADY_INITIALIZED = 5,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_INSUFFICIENT_POWER = 8,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_TIMEOUT = 10,
  NVML_ERROR_IRQ_ISSUE = 11,
  NVML_ERROR_LIBRARY_NOT_FOUND = 12,
  NVML_ERROR_FUNCTION_NOT_FOUND = 13,
  NVML_ERROR_CORRUPTED_INFOROM = 14,
  NVML_ERROR_GPU_IS_LOST = 15,
  NVML_ERROR_RESET_REQUIRED = 16,
  NVML_ERROR_OPERATING_SYSTEM = 17,
  NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
  NVML_ERROR_IN_USE = 19,
  NVML_ERROR_MEMORY = 20,
  NVML_ERROR_NO_DATA = 21,
  NVML_ERROR_VGPU_ECC_NOT_SUPPORTED = 22,
  NVML_ERROR_INSUFFICIENT_RESOURCES = 23,
  NVML_ERROR_FREQ_NOT_SUPPORTED = 24,
  NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
  NVML_ERROR_DEPRECATED = 26,
  NVML_ERROR_NOT_READY = 27,
  NVML_ERROR_GPU_NOT_FOUND = 28,
  NVML_ERROR_INVALID_STATE = 29,
  NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef enum nvmlClockType_enum {
  NVML_CLOCK_GRAPHICS = 0,
  NVML_CLOCK_SM = 1,
  NVML_CLOCK_MEM = 2,
  NVML_CLOCK_VIDEO = 3
} nvmlClockType_t;
typedef enum nvmlTemperatureSensors_enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
/* What structures that may grow begin with. */
#define NVML_STRUCT_VERSION(data, version) ((unsigned int)(sizeof(nvml##data##_v##version##_t) | (version) << 24))
typedef struct {
  unsigned int version;
  nvmlTemperatureSensors_t sensorType;
  int temperature;
} nvmlTemperature_v1_t;
typedef nvmlTemperature_v1_t nvmlTemperature_t;
#define nvmlTemperature_v1 NVML_STRUCT_VERSION(Temperature, 1)
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef struct nvmlMemory_st {
  unsigned long long total, free, used;
} nvmlMemory_t;
typedef struct nvmlUtilization_st {
  unsigned int gpu, memory;
} nvmlUtilization_t;

typedef struct nvmlPciInfo_st {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;
typedef enum nvmlEnableState_enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;
typedef enum nvmlComputeMode_enum {
  NVML_COMPUTEMODE_DEFAULT = 0,
  NVML_COMPUTEMODE_EXCLUSIVE_THREAD = 1,
  NVML_COMPUTEMODE_PROHIBITED = 2,
  NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} nvmlComputeMode_t;
typedef enum nvmlRestrictedAPI_enum {
  NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
  NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1
} nvmlRestrictedAPI_t;

typedef enum nvmlTemperatureThresholds_enum {
  NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
  NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1,
  NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2,
  NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3
} nvmlTemperatureThresholds_t;
typedef enum nvmlSamplingType_enum {
  NVML_TOTAL_POWER_SAMPLES = 0,
  NVML_GPU_UTILIZATION_SAMPLES = 1,
  NVML_MEMORY_UTILIZATION_SAMPLES = 2,
  NVML_ENC_UTILIZATION_SAMPLES = 3,
  NVML_DEC_UTILIZATION_SAMPLES = 4,
  NVML_PROCESSOR_CLK_SAMPLES = 5,
  NVML_MEMORY_CLK_SAMPLES = 6
} nvmlSamplingType_t;
typedef enum nvmlValueType_enum {
  NVML_VALUE_TYPE_DOUBLE = 0,
  NVML_VALUE_TYPE_UNSIGNED_INT = 1,
  NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
  NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3
} nvmlValueType_t;
typedef union nvmlValue_st {
  double dVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
} nvmlValue_t;
typedef struct nvmlSample_st {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;
#define nvmlClocksThrottleReasonNone 0x0ULL
#define nvmlClocksThrottleReasonGpuIdle 0x1ULL
#define nvmlClocksThrottleReasonApplicationsClocksSetting 0x2ULL
#define nvmlClocksThrottleReasonSwPowerCap 0x4ULL
#define nvmlClocksThrottleReasonHwSlowdown 0x8ULL
#define nvmlClocksThrottleReasonSyncBoost 0x10ULL
#define nvmlClocksThrottleReasonSwThermalSlowdown 0x20ULL
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x40ULL
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x80ULL
#define nvmlClocksThrottleReasonDisplayClockSetting 0x100ULL
#define nvmlClocksThrottleReasonAll 0x1ffULL

#define nvmlInit_v2 nvmlInit
#define nvmlDeviceGetPciInfo_v3 nvmlDeviceGetPciInfo
#define nvmlDeviceGetCount_v2 nvmlDeviceGetCount
#define nvmlDeviceGetHandleByIndex_v2 nvmlDeviceGetHandleByIndex
#define nvmlDeviceGetHandleByPciBusId_v2 nvmlDeviceGetHandleByPciBusId

static inline nvmlReturn_t nvmlInit(void) { return NVML_SUCCESS; }
static inline nvmlReturn_t nvmlShutdown(void) { return NVML_SUCCESS; }
static inline const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
  case NVML_SUCCESS: return "Success";
  case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
  case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
  case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
  case NVML_ERROR_NOT_FOUND: return "Not Found";
  case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
  default: return "Unknown Error";
  }
}

/* A handle is the device's number plus one. */
static inline int __warplens_nvml_number(nvmlDevice_t device) { return (int)(size_t)device - 1; }
static inline nvmlReturn_t __warplens_nvml_result(cudaError_t error) {
  return error == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
static inline nvmlReturn_t nvmlDeviceGetCount(unsigned int *count) {
  return __warplens_nvml_result(cudaGetDeviceCount((int *)count));
}
static inline nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
  unsigned int count = 0;
  nvmlDeviceGetCount(&count);
  if (index >= count) return NVML_ERROR_INVALID_ARGUMENT;
  *device = (nvmlDevice_t)(size_t)(index + 1);
  return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *name, nvmlDevice_t *device) {
  unsigned int count = 0;
  nvmlDeviceGetCount(&count);
  for (unsigned int index = 0; index < count; index++) {
    char own[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
    if (cudaDeviceGetPCIBusId(own, sizeof own, (int)index) == cudaSuccess && strcasecmp(own, name) == 0)
      return nvmlDeviceGetHandleByIndex(index, device);
  }
  return NVML_ERROR_NOT_FOUND;
}
static inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index) {
  *index = (unsigned int)__warplens_nvml_number(device);
  return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length) {
  struct cudaDeviceProp properties;
  nvmlReturn_t result = __warplens_nvml_result(cudaGetDeviceProperties(&properties, __warplens_nvml_number(device)));
  if (result != NVML_SUCCESS) return result;
  if (strlen(properties.name) >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(name, properties.name);
  return NVML_SUCCESS;
}
/* Memory in use is that of this program. */
static inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  int current = 0;
  size_t available = 0, total = 0;
  cudaGetDevice(&current);
  cudaError_t error = cudaSetDevice(__warplens_nvml_number(device));
  if (error == cudaSuccess) error = cudaMemGetInfo(&available, &total);
  cudaSetDevice(current);
  memory->total = total;
  memory->free = available;
  memory->used = total - available;
  return __warplens_nvml_result(error);
}
/* Clocks in MHz: the device always runs at its highest. */
static inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  if (type == NVML_CLOCK_VIDEO) return NVML_ERROR_NOT_SUPPORTED;
  enum cudaDeviceAttr attribute = type == NVML_CLOCK_MEM ? cudaDevAttrMemoryClockRate : cudaDevAttrClockRate;
  int kilohertz = 0;
  cudaError_t error = cudaDeviceGetAttribute(&kilohertz, attribute, __warplens_nvml_number(device));
  *clock = (unsigned int)kilohertz / 1000;
  return __warplens_nvml_result(error);
}
static inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  return nvmlDeviceGetMaxClockInfo(device, type, clock);
}
static inline nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *bits) {
  return __warplens_nvml_result(
      cudaDeviceGetAttribute((int *)bits, cudaDevAttrGlobalMemoryBusWidth, __warplens_nvml_number(device)));
}
static inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, __warplens_nvml_number(device));
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, __warplens_nvml_number(device));
  return __warplens_nvml_result(error);
}
static inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  return __warplens_nvml_result(cudaDriverGetVersion(version));
}

static inline nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock) {
  return nvmlDeviceGetMaxClockInfo(device, type, clock);
}
/* The one clock that the device has, of memory and of its multiprocessors beside that. */
static inline nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count, unsigned int *clocks) {
  unsigned int room = *count;
  *count = 1;
  return room < 1 ? NVML_ERROR_INSUFFICIENT_SIZE : nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, clocks);
}
static inline nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memoryClock, unsigned int *count,
                                                                unsigned int *clocks) {
  unsigned int own = 0, room = *count;
  nvmlReturn_t result = nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &own);
  if (result != NVML_SUCCESS) return result;
  if (memoryClock != own) return NVML_ERROR_NOT_FOUND;
  *count = 1;
  return room < 1 ? NVML_ERROR_INSUFFICIENT_SIZE : nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, clocks);
}
/* Clocks cannot be set, as for users without the right to. */
static inline nvmlReturn_t nvmlDeviceSetApplicationsClocks(nvmlDevice_t device, unsigned int memory, unsigned int graphics) {
  return (void)device, (void)memory, (void)graphics, NVML_ERROR_NO_PERMISSION;
}
static inline nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device) { return (void)device, NVML_ERROR_NO_PERMISSION; }
static inline nvmlReturn_t nvmlDeviceGetAPIRestriction(nvmlDevice_t device, nvmlRestrictedAPI_t api, nvmlEnableState_t *restricted) {
  (void)device, (void)api;
  *restricted = NVML_FEATURE_ENABLED;
  return NVML_SUCCESS;
}
/* Nothing slows the device down. */
static inline nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons) {
  (void)device;
  *reasons = nvmlClocksThrottleReasonNone;
  return NVML_SUCCESS;
}
/* The newer names of the same. */
#define nvmlClocksEventReasonNone nvmlClocksThrottleReasonNone
#define nvmlClocksEventReasonGpuIdle nvmlClocksThrottleReasonGpuIdle
#define nvmlClocksEventReasonApplicationsClocksSetting nvmlClocksThrottleReasonApplicationsClocksSetting
#define nvmlClocksEventReasonSwPowerCap nvmlClocksThrottleReasonSwPowerCap
#define nvmlClocksEventReasonSyncBoost nvmlClocksThrottleReasonSyncBoost
#define nvmlClocksEventReasonSwThermalSlowdown nvmlClocksThrottleReasonSwThermalSlowdown
#define nvmlClocksEventReasonDisplayClockSetting nvmlClocksThrottleReasonDisplayClockSetting
#define nvmlClocksEventReasonAll nvmlClocksThrottleReasonAll
static inline nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons) {
  return nvmlDeviceGetCurrentClocksThrottleReasons(device, reasons);
}
static inline nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *info) {
  struct cudaDeviceProp properties;
  int number = __warplens_nvml_number(device);
  nvmlReturn_t result = __warplens_nvml_result(cudaGetDeviceProperties(&properties, number));
  if (result != NVML_SUCCESS) return result;
  memset(info, 0, sizeof *info);
  info->domain = (unsigned int)properties.pciDomainID;
  info->bus = (unsigned int)properties.pciBusID;
  info->device = (unsigned int)properties.pciDeviceID;
  snprintf(info->busIdLegacy, sizeof info->busIdLegacy, "%04X:%02X:%02X.0", info->domain & 0xffff, info->bus & 255, info->device & 255);
  snprintf(info->busId, sizeof info->busId, "%08X:%02X:%02X.0", info->domain, info->bus & 255, info->device & 255);
  return NVML_SUCCESS;
}

static inline nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode) {
  int number = 0;
  cudaError_t error = cudaDeviceGetAttribute(&number, cudaDevAttrComputeMode, __warplens_nvml_number(device));
  *mode = (nvmlComputeMode_t)number;
  return __warplens_nvml_result(error);
}

#define __WARPLENS_NO_SENSOR(name, ...)                                                                                    \
  static inline nvmlReturn_t name(nvmlDevice_t device, ##__VA_ARGS__) { return (void)device, NVML_ERROR_NOT_SUPPORTED; }
__WARPLENS_NO_SENSOR(nvmlDeviceGetPowerUsage, unsigned int *milliwatts)
__WARPLENS_NO_SENSOR(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t *mode)
__WARPLENS_NO_SENSOR(nvmlDeviceGetTotalEnergyConsumption, unsigned long long *millijoules)
__WARPLENS_NO_SENSOR(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t sensor, unsigned int *celsius)
__WARPLENS_NO_SENSOR(nvmlDeviceGetTemperatureV, nvmlTemperature_t *temperature)
__WARPLENS_NO_SENSOR(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t threshold, unsigned int *celsius)
__WARPLENS_NO_SENSOR(nvmlDeviceGetSamples, nvmlSamplingType_t type, unsigned long long since, nvmlValueType_t *valueType,
                     unsigned int *count, nvmlSample_t *samples)
__WARPLENS_NO_SENSOR(nvmlDeviceGetUtilizationRates, nvmlUtilization_t *utilization)
__WARPLENS_NO_SENSOR(nvmlDeviceGetFanSpeed, unsigned int *percent)
__WARPLENS_NO_SENSOR(nvmlDeviceGetPowerManagementLimit, unsigned int *milliwatts)
__WARPLENS_NO_SENSOR(nvmlDeviceGetEnforcedPowerLimit, unsigned int *milliwatts)
#undef __WARPLENS_NO_SENSOR

#endif
