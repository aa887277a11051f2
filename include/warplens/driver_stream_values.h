/* Values in memory that streams write and wait for. Streams run one after another here: a value that is waited for has been written by
   then, or comes from later work, which would need streams side by side; that stops the program, by name.
   Source: CUDA Driver API, "Stream Memory Operations". */
#ifndef WARPLENS_DRIVER_STREAM_VALUES_H
#define WARPLENS_DRIVER_STREAM_VALUES_H

#include <warplens/driver_graphs.h>

typedef enum CUstreamWaitValue_flags_enum {
  CU_STREAM_WAIT_VALUE_GEQ = 0,
  CU_STREAM_WAIT_VALUE_EQ = 1,
  CU_STREAM_WAIT_VALUE_AND = 2,
  CU_STREAM_WAIT_VALUE_NOR = 3,
  CU_STREAM_WAIT_VALUE_FLUSH = 1 << 30
} CUstreamWaitValue_flags;
typedef enum CUstreamWriteValue_flags_enum {
  CU_STREAM_WRITE_VALUE_DEFAULT = 0,
  CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1
} CUstreamWriteValue_flags;
typedef enum CUstreamBatchMemOpType_enum {
  CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
  CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
  CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
  CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
  CU_STREAM_MEM_OP_BARRIER = 6
} CUstreamBatchMemOpType;
typedef union CUstreamBatchMemOpParams_union {
  CUstreamBatchMemOpType operation;
  struct CUstreamMemOpWaitValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
      cuuint32_t value;
      cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
  } waitValue;
  struct CUstreamMemOpWriteValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
      cuuint32_t value;
      cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
  } writeValue;
  cuuint64_t pad[6];
} CUstreamBatchMemOpParams;

/* `bytes`: of the value. */
static __attribute__((unused, noinline)) CUresult __warplens_wait_value(CUstream stream, CUdeviceptr address, unsigned long long value,
                                                                        unsigned int bytes, unsigned int flags) {
  unsigned long long now = 0;
  const unsigned long long mask = bytes == 4 ? 0xffffffffull : ~0ull;
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (address % bytes != 0) return CUDA_ERROR_INVALID_VALUE;
  cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusNone) {
    fputs("warplens: error: waiting for a value in memory is not supported in a graph\n", stderr);
    abort();
  }
  CUresult result = (CUresult)cudaMemcpy(&now, (const void *)address, bytes, cudaMemcpyDefault);
  if (result != CUDA_SUCCESS) return result;
  const unsigned long long less = (now - value) & mask;
  switch (flags & 3) {
  case CU_STREAM_WAIT_VALUE_GEQ:
    if (!(less >> (8 * bytes - 1))) return CUDA_SUCCESS;
    break;
  case CU_STREAM_WAIT_VALUE_EQ:
    if (less == 0) return CUDA_SUCCESS;
    break;
  case CU_STREAM_WAIT_VALUE_AND:
    if (now & value) return CUDA_SUCCESS;
    break;
  default:
    if (~(now | value) & mask) return CUDA_SUCCESS;
  }
  fprintf(stderr,
          "warplens: error: a stream waits for a value in memory that nothing has written yet (%llu waited for, %llu there): streams run one "
          "after another here, waiting for later work is not supported\n",
          value, now);
  abort();
}
static __attribute__((unused, noinline)) CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                                                      unsigned int flags) {
  return __warplens_wait_value(stream, address, value, 4, flags);
}
static __attribute__((unused, noinline)) CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                                                      unsigned int flags) {
  return __warplens_wait_value(stream, address, value, 8, flags);
}
__WARPLENS_CALL__ CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
  (void)flags;
  return address % 4 ? CUDA_ERROR_INVALID_VALUE : cuMemsetD32Async(address, value, 1, stream);
}
__WARPLENS_CALL__ CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
  (void)flags;
  if (address % 8) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = cuMemsetD32Async(address, (unsigned int)value, 1, stream);
  return result == CUDA_SUCCESS ? cuMemsetD32Async(address + 4, (unsigned int)(value >> 32), 1, stream) : result;
}
static __attribute__((unused, noinline)) CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams *list,
                                                                     unsigned int flags) {
  CUresult result = CUDA_SUCCESS;
  (void)flags;
  for (unsigned int i = 0; i < count && result == CUDA_SUCCESS; ++i) {
    const CUstreamBatchMemOpParams *p = &list[i];
    switch (p->operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32: result = cuStreamWaitValue32(stream, p->waitValue.address, p->waitValue.value, p->waitValue.flags); break;
    case CU_STREAM_MEM_OP_WAIT_VALUE_64: result = cuStreamWaitValue64(stream, p->waitValue.address, p->waitValue.value64, p->waitValue.flags); break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_32: result = cuStreamWriteValue32(stream, p->writeValue.address, p->writeValue.value, p->writeValue.flags); break;
    case CU_STREAM_MEM_OP_WRITE_VALUE_64: result = cuStreamWriteValue64(stream, p->writeValue.address, p->writeValue.value64, p->writeValue.flags); break;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    case CU_STREAM_MEM_OP_BARRIER: break;
    default: result = CUDA_ERROR_INVALID_VALUE;
    }
  }
  return result;
}
#define cuStreamWaitValue32_v2 cuStreamWaitValue32
#define cuStreamWaitValue64_v2 cuStreamWaitValue64
#define cuStreamWriteValue32_v2 cuStreamWriteValue32
#define cuStreamWriteValue64_v2 cuStreamWriteValue64
#define cuStreamBatchMemOp_v2 cuStreamBatchMemOp
#endif
