// cuSOLVER's eigenvalues of a range: by number, by value, all; of symmetric and Hermitian matrices and of pairs.
// levels: nightly
// reference: nightly
// stdout: by number 2 of 30: 1 2, vectors 1
// stdout: by value 3: 1 2 3, vectors 1, none 0
// stdout: Hermitian 2: 3 3.73205, all 5
// stdout: pairs 1: 0.5, generic 2: 0.267949 1
// stdout: refused 3 3
#include <cmath>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>

static cusolverDnHandle_t h;
static const int n = 5;
static const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
static const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;

template <class T> static T *upload(const std::vector<T> &v) {
  T *d;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T> static std::vector<T> download(const T *d, int count) {
  std::vector<T> v(count);
  cudaMemcpy(v.data(), d, count * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
/* 2 on the diagonal, -1 beside it: the eigenvalues are 2 - 2 cos(k pi / 6). */
static std::vector<double> matrix() {
  std::vector<double> a(n * n);
  for (int i = 0; i < n; i++) a[i * n + i] = 2;
  for (int i = 1; i < n; i++) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
  return a;
}
static bool areVectors(const double *d, const std::vector<double> &values) {
  std::vector<double> a = matrix(), v = download(d, n * n);
  for (size_t k = 0; k < values.size(); k++)
    for (int i = 0; i < n; i++) {
      double sum = -values[k] * v[k * n + i];
      for (int j = 0; j < n; j++) sum += a[j * n + i] * v[k * n + j];
      if (std::fabs(sum) > 1e-9) return false;
    }
  return true;
}

int main() {
  cusolverDnCreate(&h);
  int size = 0, found = 0, *info;
  double *w, *work;
  cudaMalloc(&info, sizeof(int));
  cudaMalloc(&w, n * sizeof(double));
  cudaMalloc(&work, 2 * n * (n + 1) * sizeof(double));

  double *a = upload(matrix());
  cusolverDnDsyevdx_bufferSize(h, vectors, CUSOLVER_EIG_RANGE_I, lower, n, a, n, 0, 0, 2, 3, &found, w, &size);
  cusolverDnDsyevdx(h, vectors, CUSOLVER_EIG_RANGE_I, lower, n, a, n, 0, 0, 2, 3, &found, w, work, size, info);
  std::vector<double> values = download(w, found);
  printf("by number %d of %d: %g %g, vectors %d\n", found, size, values[0], values[1], areVectors(a, values));
  a = upload(matrix());
  cusolverDnDsyevdx(h, vectors, CUSOLVER_EIG_RANGE_V, lower, n, a, n, 0.5, 3.5, 0, 0, &found, w, work, size, info);
  values = download(w, found);
  printf("by value %d: %g %g %g, vectors %d", found, values[0], values[1], values[2], areVectors(a, values));
  a = upload(matrix());
  cusolverDnDsyevdx(h, vectors, CUSOLVER_EIG_RANGE_V, lower, n, a, n, 10, 11, 0, 0, &found, w, work, size, info);
  printf(", none %d\n", found);

  std::vector<cuDoubleComplex> turned(n * n);
  for (int i = 0; i < n; i++) turned[i * n + i].x = 2;
  for (int i = 1; i < n; i++) turned[i * n + i - 1].y = 1, turned[(i - 1) * n + i].y = -1;
  cuDoubleComplex *z = upload(turned);
  cusolverDnZheevdx(h, vectors, CUSOLVER_EIG_RANGE_I, lower, n, z, n, 0, 0, 4, 5, &found, w, (cuDoubleComplex *)work, size, info);
  values = download(w, found);
  printf("Hermitian %d: %g %g", found, values[0], values[1]);
  z = upload(turned);
  cusolverDnZheevdx(h, vectors, CUSOLVER_EIG_RANGE_ALL, lower, n, z, n, 0, 0, 0, 0, &found, w, (cuDoubleComplex *)work, size, info);
  printf(", all %d\n", found);

  std::vector<double> twice(n * n);
  for (int i = 0; i < n; i++) twice[i * n + i] = 2;
  a = upload(matrix());
  cusolverDnDsygvdx(h, CUSOLVER_EIG_TYPE_1, vectors, CUSOLVER_EIG_RANGE_V, lower, n, a, n, upload(twice), n, 0.2, 0.7, 0, 0, &found, w,
                    work, size, info);
  values = download(w, found);
  printf("pairs %d: %g", found, values[0]);
  a = upload(matrix());
  double low = 0, high = 1.5;
  int64_t count;
  size_t onDevice, onHost;
  cusolverDnXsyevdx_bufferSize(h, nullptr, vectors, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, a, n, &low, &high, 0, 0, &count, CUDA_R_64F,
                               w, CUDA_R_64F, &onDevice, &onHost);
  cusolverDnXsyevdx(h, nullptr, vectors, CUSOLVER_EIG_RANGE_V, lower, n, CUDA_R_64F, a, n, &low, &high, 0, 0, &count, CUDA_R_64F, w,
                    CUDA_R_64F, work, onDevice, nullptr, onHost, info);
  values = download(w, (int)count);
  printf(", generic %d: %g %g\n", (int)count, values[0], values[1]);
  printf("refused %d %d\n", cusolverDnDsyevdx(h, vectors, CUSOLVER_EIG_RANGE_I, lower, n, a, n, 0, 0, 3, 6, &found, w, work, size, info),
         cusolverDnDsyevdx(h, vectors, CUSOLVER_EIG_RANGE_V, lower, n, a, n, 2, 1, 0, 0, &found, w, work, size, info));
}
