/* cuSPARSE's systems of three diagonals (gtsv2, with several right sides or many systems) and of five (gpsv): a thread for each system,
   by elimination with exchanges of rows, whatever the algorithm that was asked for. Templates, so that programs pay for what they call.
   Source: cuSPARSE documentation, "cusparse<t>gtsv2()" to "cusparse<t>gpsvInterleavedBatch()". */
#ifndef WARPLENS_CUSPARSE_BANDS_H
#define WARPLENS_CUSPARSE_BANDS_H

#include <warplens/cusparse_host.h>

namespace warplens {
/* Where elements of one diagonal, or of x, lie: those of a system `step` apart, systems `jump` apart. */
struct SystemPlaces {
  int step, jump;
};
/* Diagonals from two below to two above the main one; null for the outer ones of systems of three. */
template <class T> struct Bands {
  const T *diagonals[5];
};
/* Row i of the working copy has columns i - 2 to i + 4: exchanges of rows need two more than the matrix has. */
template <class T>
__global__ void bandSystems(int m, int count, Bands<T> bands, SystemPlaces in, T *xs, SystemPlaces out, T *work) {
  int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= count) return;
  T *a = work + system * 7 * m, *x = xs + system * out.jump;
  auto at = [&](int row, int column) -> T & { return a[row * 7 + column - row + 2]; };
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 7; j++) {
      int column = i - 2 + j;
      bool is = j < 5 && bands.diagonals[j] && column >= 0 && column < m;
      a[i * 7 + j] = is ? bands.diagonals[j][system * in.jump + i * in.step] : T(0);
    }
  for (int k = 0; k < m; k++) {
    int pivot = k, last = k + 2 < m ? k + 2 : m - 1, end = k + 4 < m ? k + 4 : m - 1;
    for (int row = k + 1; row <= last; row++) {
      T best = at(pivot, k), other = at(row, k);
      if ((other < 0 ? -other : other) > (best < 0 ? -best : best)) pivot = row;
    }
    if (pivot != k) {
      for (int column = k; column <= end; column++) {
        T kept = at(k, column);
        at(k, column) = at(pivot, column), at(pivot, column) = kept;
      }
      T kept = x[k * out.step];
      x[k * out.step] = x[pivot * out.step], x[pivot * out.step] = kept;
    }
    for (int row = k + 1; row <= last; row++) {
      T factor = at(row, k) / at(k, k);
      if (factor == 0) continue;
      for (int column = k + 1; column <= end; column++) at(row, column) -= factor * at(k, column);
      x[row * out.step] -= factor * x[k * out.step];
    }
  }
  for (int k = m - 1; k >= 0; k--) {
    T sum = x[k * out.step];
    for (int column = k + 1; column <= k + 4 && column < m; column++) sum -= at(k, column) * x[column * out.step];
    x[k * out.step] = sum / at(k, k);
  }
}
} // namespace warplens

template <class T>
static inline cusparseStatus_t __warplens_bands(cusparseHandle_t handle, int m, int count, warplens::Bands<T> bands,
                                                warplens::SystemPlaces in, T *x, warplens::SystemPlaces out, void *work) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 3 || count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (count > 0)
    warplens::bandSystems<<<(count + 63) / 64, 64, 0, handle->stream>>>(m, count, bands, in, x, out, (T *)work);
  return __warplens_sparse_status();
}
template <class T> static inline cusparseStatus_t __warplens_band_bytes(int m, int count, size_t *bytes) {
  *bytes = sizeof(T) * 7 * (size_t)m * (size_t)(count > 0 ? count : 1);
  return m < 3 || count < 0 ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_SUCCESS;
}

#define __WARPLENS_SPARSE(name) template <class = void> static inline cusparseStatus_t cusparse##name
#define __WARPLENS_THREE(name, T)                                                                                          \
  __WARPLENS_SPARSE(name##_bufferSizeExt)(cusparseHandle_t, int m, int n, const T *, const T *, const T *, const T *, int, \
                                          size_t *bytes) {                                                                 \
    return __warplens_band_bytes<T>(m, n, bytes);                                                                          \
  }                                                                                                                        \
  __WARPLENS_SPARSE(name)(cusparseHandle_t h, int m, int n, const T *dl, const T *d, const T *du, T *b, int ldb,           \
                          void *work) {                                                                                    \
    if (ldb < m) return CUSPARSE_STATUS_INVALID_VALUE;                                                                     \
    return __warplens_bands<T>(h, m, n, {{nullptr, dl, d, du, nullptr}}, {1, 0}, b, {1, ldb}, work);                       \
  }
#define __WARPLENS_BANDS(letter, T)                                                                                        \
  __WARPLENS_THREE(letter##gtsv2, T)                                                                                       \
  __WARPLENS_THREE(letter##gtsv2_nopivot, T)                                                                               \
  __WARPLENS_SPARSE(letter##gtsv2StridedBatch_bufferSizeExt)(cusparseHandle_t, int m, const T *, const T *, const T *,     \
                                                             const T *, int count, int, size_t *bytes) {                   \
    return __warplens_band_bytes<T>(m, count, bytes);                                                                      \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##gtsv2StridedBatch)(cusparseHandle_t h, int m, const T *dl, const T *d, const T *du, T *x,      \
                                               int count, int stride, void *work) {                                        \
    if (stride < m) return CUSPARSE_STATUS_INVALID_VALUE;                                                                  \
    return __warplens_bands<T>(h, m, count, {{nullptr, dl, d, du, nullptr}}, {1, stride}, x, {1, stride}, work);           \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##gtsvInterleavedBatch_bufferSizeExt)(cusparseHandle_t, int, int m, const T *, const T *,        \
                                                                const T *, const T *, int count, size_t *bytes) {          \
    return __warplens_band_bytes<T>(m, count, bytes);                                                                      \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##gtsvInterleavedBatch)(cusparseHandle_t h, int, int m, T *dl, T *d, T *du, T *x, int count,     \
                                                  void *work) {                                                            \
    return __warplens_bands<T>(h, m, count, {{nullptr, dl, d, du, nullptr}}, {count, 1}, x, {count, 1}, work);             \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##gpsvInterleavedBatch_bufferSizeExt)(cusparseHandle_t, int, int m, const T *, const T *,        \
                                                                const T *, const T *, const T *, const T *, int count,     \
                                                                size_t *bytes) {                                           \
    return __warplens_band_bytes<T>(m, count, bytes);                                                                      \
  }                                                                                                                        \
  __WARPLENS_SPARSE(letter##gpsvInterleavedBatch)(cusparseHandle_t h, int, int m, T *ds, T *dl, T *d, T *du, T *dw, T *x,  \
                                                  int count, void *work) {                                                 \
    return __warplens_bands<T>(h, m, count, {{ds, dl, d, du, dw}}, {count, 1}, x, {count, 1}, work);                       \
  }
__WARPLENS_BANDS(S, float)
__WARPLENS_BANDS(D, double)
#undef __WARPLENS_BANDS
#undef __WARPLENS_THREE
#undef __WARPLENS_SPARSE

__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSgtsv2_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSgtsv2_nopivot_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSgtsv2StridedBatch_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSgtsvInterleavedBatch_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseSgpsvInterleavedBatch_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDgtsv2_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDgtsv2_nopivot_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDgtsv2StridedBatch_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDgtsvInterleavedBatch_bufferSizeExt)
__WARPLENS_WIDE_SIZES(cusparseStatus_t, cusparseDgpsvInterleavedBatch_bufferSizeExt)
#endif
