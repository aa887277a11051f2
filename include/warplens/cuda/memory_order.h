/* cuda::memory_order, which all of libcu++ brings along: programs name it without its own header. */
#ifndef WARPLENS_CUDA_MEMORY_ORDER
#define WARPLENS_CUDA_MEMORY_ORDER

namespace cuda {
enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};
} // namespace cuda

#endif
