/* The kernels behind cufft.h. A transform of several dimensions is one of lines along each; a line is taken apart into its prime
   factors (fours first) by Stockham's method, whose passes leave everything in order: pass after pass from one buffer into the
   other, both in shared memory where they fit. `C` is float2 or double2; `roots` has exp(-2 pi i k / n) for each k of a line. */
#ifndef WARPLENS_CUFFT_KERNELS_H
#define WARPLENS_CUFFT_KERNELS_H

namespace warplens {
constexpr int fftThreads = 256;
constexpr int fftSharedBytes = 48 * 1024;
/* Factors up to this one have passes in registers, larger primes a thread for each result. */
constexpr int fftLargestRadix = 7;

/* A line's length and its factors. */
struct FftLine {
  int n, passes;
  int radix[32];
};
/* Where an array's elements lie: the dimensions of one transform and of what it is embedded in, outermost first, always three. */
struct FftLayout {
  int n[3], embed[3];
  int stride, distance;
};
enum FftForm { fftComplex, fftReal, fftHalf };

template <class C> __device__ inline C fftProduct(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
template <class C> __device__ inline C fftRoot(const C *roots, int k, bool inverse) {
  C root = roots[k];
  return {root.x, inverse ? -root.y : root.y};
}
template <class C> __device__ inline C fftSum(C a, C b) { return {a.x + b.x, a.y + b.y}; }
template <class C> __device__ inline C fftDifference(C a, C b) { return {a.x - b.x, a.y - b.y}; }

/* One transform of R elements in registers. */
template <int R, class C> __device__ inline void fftSmall(C (&x)[R], const C *roots, int n, bool inverse) {
  if constexpr (R == 2) {
    C first = x[0];
    x[0] = fftSum(first, x[1]);
    x[1] = fftDifference(first, x[1]);
  } else if constexpr (R == 4) {
    C a = fftSum(x[0], x[2]), b = fftDifference(x[0], x[2]), c = fftSum(x[1], x[3]), d = fftDifference(x[1], x[3]);
    C turned = inverse ? C{-d.y, d.x} : C{d.y, -d.x};
    x[0] = fftSum(a, c);
    x[1] = fftSum(b, turned);
    x[2] = fftDifference(a, c);
    x[3] = fftDifference(b, turned);
  } else {
    C y[R];
#pragma unroll
    for (int q = 0; q < R; q++) {
      y[q] = x[0];
#pragma unroll
      for (int r = 1; r < R; r++) y[q] = fftSum(y[q], fftProduct(x[r], fftRoot(roots, q * r % R * (n / R), inverse)));
    }
#pragma unroll
    for (int q = 0; q < R; q++) x[q] = y[q];
  }
}
/* Results number j of a pass behind which `done` * R elements are transformed; `step` elements lie between neighbours of a line. */
template <int R, class C>
__device__ inline void fftButterfly(const C *in, C *out, int j, int n, int done, int step, const C *roots, bool inverse) {
  C x[R];
  int k = j % done;
#pragma unroll
  for (int r = 0; r < R; r++) {
    x[r] = in[(j + r * (n / R)) * step];
    if (r > 0 && done > 1) x[r] = fftProduct(x[r], fftRoot(roots, k * r * (n / (done * R)), inverse));
  }
  fftSmall<R>(x, roots, n, inverse);
#pragma unroll
  for (int r = 0; r < R; r++) out[((j / done) * done * R + k + r * done) * step] = x[r];
}
/* The same for any prime: result number t of a line, added up in double, for sums of thousands of floats lose too much. */
template <class C>
__device__ inline void fftOfPrime(const C *in, C *out, int t, int n, int prime, int done, int step, const C *roots, bool inverse) {
  int j = t % (n / prime), q = t / (n / prime), k = j % done;
  double2 sum = {in[j * step].x, in[j * step].y};
  for (int r = 1; r < prime; r++) {
    int turn = k * r * (n / (done * prime)) + (int)((long long)q * r % prime) * (n / prime);
    C product = fftProduct(in[(j + r * (n / prime)) * step], fftRoot(roots, turn % n, inverse));
    sum.x += product.x;
    sum.y += product.y;
  }
  out[((j / done) * done * prime + k + q * done) * step] = {(decltype(C::x))sum.x, (decltype(C::x))sum.y};
}
/* How many threads' worth a pass over a line is. */
__host__ __device__ inline int fftParts(int n, int radix) { return radix > fftLargestRadix ? n : n / radix; }
template <class C>
__device__ inline void fftPart(const C *in, C *out, int j, int n, int radix, int done, int step, const C *roots, bool inverse) {
  switch (radix) {
  case 2: return fftButterfly<2>(in, out, j, n, done, step, roots, inverse);
  case 3: return fftButterfly<3>(in, out, j, n, done, step, roots, inverse);
  case 4: return fftButterfly<4>(in, out, j, n, done, step, roots, inverse);
  case 5: return fftButterfly<5>(in, out, j, n, done, step, roots, inverse);
  case 7: return fftButterfly<7>(in, out, j, n, done, step, roots, inverse);
  default: return fftOfPrime(in, out, j, n, radix, done, step, roots, inverse);
  }
}

/* Element t of `count` lines that a block has in shared memory from line `first` on: where it is there, and outside. Lines side by
   side are read across, so that neighbours in memory belong to neighbouring threads. */
struct FftElement {
  int inside, outside;
  __device__ FftElement(int t, int n, int count, int first, int step) {
    int here = step == 1 ? t / n : t % count, element = step == 1 ? t % n : t / count, number = first + here;
    inside = here * n + element;
    outside = number / step * step * n + number % step + element * step;
  }
};
/* Whole lines in shared memory, `together` in a block. `in` may be `out`. */
template <class C>
__global__ void fftLines(const C *in, C *out, const C *roots, FftLine line, int step, int lines, int together, bool inverse) {
  extern __shared__ double2 fftMemory[];
  const int n = line.n, first = blockIdx.x * together, count = min(together, lines - first);
  C *from = (C *)fftMemory, *to = from + together * n;
  for (int t = threadIdx.x; t < count * n; t += blockDim.x) {
    FftElement element(t, n, count, first, step);
    from[element.inside] = in[element.outside];
  }
  for (int pass = 0, done = 1; pass < line.passes; done *= line.radix[pass++]) {
    __syncthreads();
    int parts = fftParts(n, line.radix[pass]);
    for (int t = threadIdx.x; t < count * parts; t += blockDim.x)
      fftPart(from + t / parts * n, to + t / parts * n, t % parts, n, line.radix[pass], done, 1, roots, inverse);
    C *other = from;
    from = to;
    to = other;
  }
  __syncthreads();
  for (int t = threadIdx.x; t < count * n; t += blockDim.x) {
    FftElement element(t, n, count, first, step);
    out[element.outside] = from[element.inside];
  }
}
/* One pass over lines that are too long for that. */
template <class C>
__global__ void fftPass(const C *in, C *out, const C *roots, int n, int radix, int done, int step, int lines, bool inverse) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, parts = fftParts(n, radix);
  if (t >= lines * parts) return;
  int start = t / step / parts * n * step + t % step;
  fftPart(in + start, out + start, t / step % parts, n, radix, done, step, roots, inverse);
}

/* Where element `i` of transform `batch` is; those of a half that are not there are conjugates of others, and `mirrored`. */
__device__ inline int fftPlace(const FftLayout &layout, int i, int batch, bool isHalf, bool *mirrored) {
  int place[3];
  for (int d = 2, rest = i; d >= 0; rest /= layout.n[d--]) place[d] = rest % layout.n[d];
  *mirrored = isHalf && place[2] > layout.n[2] / 2;
  if (*mirrored)
    for (int d = 0; d < 3; d++) place[d] = (layout.n[d] - place[d]) % layout.n[d];
  return ((place[0] * layout.embed[1] + place[1]) * layout.embed[2] + place[2]) * layout.stride + batch * layout.distance;
}
/* Arrays that are real, halved or embedded in others: into whole complex ones, one behind the other, and back. */
template <class C> __global__ void fftLoad(const void *in, C *out, FftLayout layout, FftForm form, int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (i >= elements) return;
  bool mirrored;
  int place = fftPlace(layout, i, batch, form == fftHalf, &mirrored);
  C value = {0, 0};
  if (form == fftReal) value.x = ((const decltype(C::x) *)in)[place];
  else value = ((const C *)in)[place];
  if (mirrored) value.y = -value.y;
  out[batch * elements + i] = value;
}
template <class C> __global__ void fftStore(const C *in, void *out, FftLayout layout, FftForm form, int elements) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (i >= elements) return;
  bool mirrored;
  int place = fftPlace(layout, i, batch, form == fftHalf, &mirrored);
  C value = in[batch * elements + i];
  if (form == fftReal) ((decltype(C::x) *)out)[place] = value.x;
  else if (!mirrored) ((C *)out)[place] = value;
}
} // namespace warplens

#endif
