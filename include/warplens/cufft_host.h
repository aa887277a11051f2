/* cuFFT's functions: plans, and launches of warplens/cufft_kernels.h in a plan's stream. */
#ifndef WARPLENS_CUFFT_HOST_H
#define WARPLENS_CUFFT_HOST_H

#include <math.h>
#include <vector>
#include <warplens/cufft_kernels.h>

/* A program's function for each element that goes in or comes out (cufftXtSetCallback): `launch` starts fftLoadCalling or
   fftStoreCalling with it. */
struct __warplens_fft_callback {
  void (*launch)(const __warplens_fft_callback &, dim3 blocks, cudaStream_t, const void *from, void *to, const warplens::FftLayout &,
                 warplens::FftForm, int elements);
  void *function, *info;
  size_t sharedBytes;
};

struct __warplens_fft_plan {
  bool isMade;
  cufftType type;
  int batch;
  /* What goes in and what comes out; of real transforms `isPacked` ones in place have rows of the length of their halves. */
  warplens::FftLayout in, out;
  bool isPacked;
  cudaStream_t stream;
  /* Two buffers for all transforms, and the roots of each dimension's lines. */
  void *work[2], *roots[3];
  __warplens_fft_callback load, store;

  bool isDouble() const { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
  bool takesReal() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool givesReal() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
  int elements() const { return in.n[0] * in.n[1] * in.n[2]; }
  size_t bytes() const { return (size_t)elements() * batch * (isDouble() ? 16 : 8); }
};

/* A handle is a place in this list. */
inline std::vector<__warplens_fft_plan *> &__warplens_fft_plans() {
  static std::vector<__warplens_fft_plan *> plans;
  return plans;
}
static inline __warplens_fft_plan *__warplens_fft_of(cufftHandle handle) {
  auto &plans = __warplens_fft_plans();
  return handle >= 0 && handle < (int)plans.size() ? plans[handle] : nullptr;
}

static inline cufftResult cufftCreate(cufftHandle *handle) {
  auto &plans = __warplens_fft_plans();
  *handle = (int)plans.size();
  plans.push_back(new __warplens_fft_plan{});
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftDestroy(cufftHandle handle) {
  auto plan = __warplens_fft_of(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  for (void *memory : plan->work) cudaFree(memory);
  for (void *memory : plan->roots) cudaFree(memory);
  delete plan;
  __warplens_fft_plans()[handle] = nullptr;
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  auto plan = __warplens_fft_of(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftGetVersion(int *version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value || type > PATCH_LEVEL) return CUFFT_INVALID_VALUE;
  *value = parts[type];
  return CUFFT_SUCCESS;
}
/* A plan has memory of its own, whatever it is given. */
static inline cufftResult cufftSetAutoAllocation(cufftHandle handle, int) {
  return __warplens_fft_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
static inline cufftResult cufftSetWorkArea(cufftHandle handle, void *) {
  return __warplens_fft_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
static inline cufftResult cufftSetCompatibilityMode(cufftHandle handle, cufftCompatibility) {
  return __warplens_fft_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

/* exp(-2 pi i k / n) for every k, on the device. */
template <class C> static inline void *__warplens_fft_roots(int n) {
  std::vector<C> roots(n);
  for (int k = 0; k < n; k++) {
    double angle = -2 * 3.14159265358979323846 * k / n;
    roots[k] = {(decltype(C::x))cos(angle), (decltype(C::x))sin(angle)};
  }
  void *memory = nullptr;
  if (cudaMalloc(&memory, n * sizeof(C)) != cudaSuccess) return nullptr;
  cudaMemcpy(memory, roots.data(), n * sizeof(C), cudaMemcpyHostToDevice);
  return memory;
}
/* Elements of transforms that lie one behind the other. */
static inline warplens::FftLayout __warplens_fft_packed(const int (&n)[3], int lastOfRow) {
  return {{n[0], n[1], n[2]}, {n[0], n[1], lastOfRow}, 1, n[0] * n[1] * lastOfRow};
}
template <class Int>
static inline cufftResult __warplens_fft_make(cufftHandle handle, int rank, Int *n, Int *inembed, Int istride, Int idist,
                                              Int *onembed, Int ostride, Int odist, cufftType type, Int batch, size_t *workSize) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || plan->isMade) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_SIZE;
  int sizes[3] = {1, 1, 1};
  for (int d = 0; d < rank; d++) {
    if (n[d] < 1) return CUFFT_INVALID_SIZE;
    sizes[3 - rank + d] = (int)n[d];
  }
  plan->type = type;
  plan->batch = (int)batch;
  int half = sizes[2] / 2 + 1;
  plan->in = __warplens_fft_packed(sizes, plan->givesReal() ? half : sizes[2]);
  plan->out = __warplens_fft_packed(sizes, plan->takesReal() ? half : sizes[2]);
  plan->isPacked = !inembed || !onembed;
  if (!plan->isPacked) {
    for (int d = 0; d < rank; d++) {
      plan->in.embed[3 - rank + d] = (int)inembed[d];
      plan->out.embed[3 - rank + d] = (int)onembed[d];
    }
    plan->in.stride = (int)istride, plan->in.distance = (int)idist;
    plan->out.stride = (int)ostride, plan->out.distance = (int)odist;
  }
  for (void *&memory : plan->work)
    if (cudaMalloc(&memory, plan->bytes()) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  for (int d = 0; d < 3; d++) {
    if (sizes[d] == 1) continue;
    plan->roots[d] = plan->isDouble() ? __warplens_fft_roots<double2>(sizes[d]) : __warplens_fft_roots<float2>(sizes[d]);
    if (!plan->roots[d]) return CUFFT_ALLOC_FAILED;
  }
  if (workSize) *workSize = plan->bytes();
  plan->isMade = true;
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                            int ostride, int odist, cufftType type, int batch, size_t *workSize) {
  return __warplens_fft_make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
static inline cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long *n, long long *inembed, long long istride,
                                              long long idist, long long *onembed, long long ostride, long long odist,
                                              cufftType type, long long batch, size_t *workSize) {
  return __warplens_fft_make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
static inline cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *workSize) {
  return __warplens_fft_make<int>(handle, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, workSize);
}
static inline cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  int n[] = {nx, ny};
  return __warplens_fft_make<int>(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, workSize);
}
static inline cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  int n[] = {nx, ny, nz};
  return __warplens_fft_make<int>(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, workSize);
}
static inline cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                        int ostride, int odist, cufftType type, int batch) {
  cufftCreate(handle);
  return cufftMakePlanMany(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
static inline cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch) {
  cufftCreate(handle);
  return cufftMakePlan1d(*handle, nx, type, batch, nullptr);
}
static inline cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type) {
  cufftCreate(handle);
  return cufftMakePlan2d(*handle, nx, ny, type, nullptr);
}
static inline cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type) {
  cufftCreate(handle);
  return cufftMakePlan3d(*handle, nx, ny, nz, type, nullptr);
}
static inline cufftResult cufftGetSize(cufftHandle handle, size_t *workSize) {
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade) return CUFFT_INVALID_PLAN;
  *workSize = plan->bytes();
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftEstimateMany(int rank, int *n, int *, int, int, int *, int, int, cufftType type, int batch,
                                            size_t *workSize) {
  *workSize = batch * (type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D ? 16 : 8);
  for (int d = 0; d < rank; d++) *workSize *= n[d];
  return CUFFT_SUCCESS;
}
static inline cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize) {
  return cufftEstimateMany(1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, workSize);
}
static inline cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize) {
  int n[] = {nx, ny};
  return cufftEstimateMany(2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, workSize);
}
static inline cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize) {
  int n[] = {nx, ny, nz};
  return cufftEstimateMany(3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, workSize);
}
/* Estimates with a plan's settings, which change nothing here. */
static inline cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                           int ostride, int odist, cufftType type, int batch, size_t *workSize) {
  if (!__warplens_fft_of(handle)) return CUFFT_INVALID_PLAN;
  return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
static inline cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *workSize) {
  return __warplens_fft_of(handle) ? cufftEstimate1d(nx, type, batch, workSize) : CUFFT_INVALID_PLAN;
}
static inline cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *workSize) {
  return __warplens_fft_of(handle) ? cufftEstimate2d(nx, ny, type, workSize) : CUFFT_INVALID_PLAN;
}
static inline cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *workSize) {
  return __warplens_fft_of(handle) ? cufftEstimate3d(nx, ny, nz, type, workSize) : CUFFT_INVALID_PLAN;
}

static inline warplens::FftLine __warplens_fft_line(int n) {
  warplens::FftLine line = {n, 0, {}};
  for (int factor = 4, rest = n; rest > 1; factor = factor == 4 ? 2 : factor == 2 ? 3 : factor + 2) {
    // What is left is a prime once its root is passed.
    if (factor > 3 && factor != 4 && (long long)factor * factor > rest) factor = rest;
    for (; rest % factor == 0; rest /= factor) line.radix[line.passes++] = factor;
  }
  return line;
}

/* The transforms of one plan: `current` moves from the input to one of the two buffers, and to `target` in the end if there is one. */
template <class C> struct __warplens_fft_run {
  const __warplens_fft_plan &plan;
  bool inverse;
  const C *current;

  C *other() const { return (C *)(current == plan.work[0] ? plan.work[1] : plan.work[0]); }

  /* Along one dimension; `step`: what lies between neighbours. */
  void along(int d, int step, C *target) {
    using namespace warplens;
    const FftLine line = __warplens_fft_line(plan.in.n[d]);
    const int n = line.n, lines = plan.elements() / n * plan.batch;
    const C *roots = (const C *)plan.roots[d];
    const int lineBytes = 2 * n * (int)sizeof(C);
    if (lineBytes <= fftSharedBytes) {
      int together = 1;
      while (together < 8 && together < lines && 2 * together * lineBytes <= fftSharedBytes) together *= 2;
      C *to = target ? target : other();
      fftLines<<<(lines + together - 1) / together, fftThreads, together * lineBytes, plan.stream>>>(current, to, roots, line, step,
                                                                                                    lines, together, inverse);
      current = to;
      return;
    }
    for (int pass = 0, done = 1; pass < line.passes; done *= line.radix[pass++]) {
      C *to = pass == line.passes - 1 && target && target != current ? target : other();
      const int parts = lines * fftParts(n, line.radix[pass]);
      fftPass<<<(parts + fftThreads - 1) / fftThreads, fftThreads, 0, plan.stream>>>(current, to, roots, n, line.radix[pass], done,
                                                                                   step, lines, inverse);
      current = to;
    }
  }
};

template <class C>
static inline cufftResult __warplens_fft_execute(cufftHandle handle, cufftType type, const void *in, void *out, bool inverse) {
  using namespace warplens;
  auto plan = __warplens_fft_of(handle);
  if (!plan || !plan->isMade || plan->type != type) return CUFFT_INVALID_PLAN;
  if (!in || !out) return CUFFT_INVALID_VALUE;
  const int elements = plan->elements(), last = plan->in.n[2];
  const bool isReal = plan->takesReal() || plan->givesReal();
  FftLayout from = plan->in, to = plan->out;
  if (isReal && plan->isPacked && in == out) (plan->takesReal() ? from : to) = __warplens_fft_packed(from.n, 2 * (last / 2 + 1));
  const bool isDirect = !isReal && plan->isPacked;
  const dim3 blocks((elements + fftThreads - 1) / fftThreads, plan->batch);
  __warplens_fft_run<C> run = {*plan, inverse, (const C *)in};
  const auto &load = plan->load, &store = plan->store;
  if (!isDirect || load.launch) {
    const FftForm form = plan->takesReal() ? fftReal : plan->givesReal() ? fftHalf : fftComplex;
    if (load.launch) load.launch(load, blocks, plan->stream, in, plan->work[0], from, form, elements);
    else fftLoad<<<blocks, fftThreads, 0, plan->stream>>>(in, (C *)plan->work[0], from, form, elements);
    run.current = (const C *)plan->work[0];
  }
  for (int d = 2, step = 1; d >= 0; step *= plan->in.n[d--])
    if (plan->in.n[d] > 1) run.along(d, step, isDirect && !store.launch ? (C *)out : nullptr);
  const FftForm form = plan->takesReal() ? fftHalf : plan->givesReal() ? fftReal : fftComplex;
  if (store.launch) store.launch(store, blocks, plan->stream, run.current, out, to, form, elements);
  else if (run.current != out) fftStore<<<blocks, fftThreads, 0, plan->stream>>>(run.current, out, to, form, elements);
  return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
static inline cufftResult cufftExecC2C(cufftHandle handle, cufftComplex *in, cufftComplex *out, int direction) {
  return __warplens_fft_execute<float2>(handle, CUFFT_C2C, in, out, direction == CUFFT_INVERSE);
}
static inline cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction) {
  return __warplens_fft_execute<double2>(handle, CUFFT_Z2Z, in, out, direction == CUFFT_INVERSE);
}
static inline cufftResult cufftExecR2C(cufftHandle handle, cufftReal *in, cufftComplex *out) {
  return __warplens_fft_execute<float2>(handle, CUFFT_R2C, in, out, false);
}
static inline cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *in, cufftReal *out) {
  return __warplens_fft_execute<float2>(handle, CUFFT_C2R, in, out, true);
}
static inline cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal *in, cufftDoubleComplex *out) {
  return __warplens_fft_execute<double2>(handle, CUFFT_D2Z, in, out, false);
}
static inline cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleReal *out) {
  return __warplens_fft_execute<double2>(handle, CUFFT_Z2D, in, out, true);
}

__WARPLENS_WIDE_SIZES(cufftResult, cufftMakePlanMany)
__WARPLENS_WIDE_SIZES(cufftResult, cufftMakePlanMany64)
__WARPLENS_WIDE_SIZES(cufftResult, cufftMakePlan1d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftMakePlan2d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftMakePlan3d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftGetSize)
__WARPLENS_WIDE_SIZES(cufftResult, cufftEstimateMany)
__WARPLENS_WIDE_SIZES(cufftResult, cufftEstimate1d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftEstimate2d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftEstimate3d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftGetSizeMany)
__WARPLENS_WIDE_SIZES(cufftResult, cufftGetSize1d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftGetSize2d)
__WARPLENS_WIDE_SIZES(cufftResult, cufftGetSize3d)
#endif
