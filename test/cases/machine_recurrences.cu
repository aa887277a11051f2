// Recurrences along the rows and columns of a matrix of known size, whose rounds do not always divide by four: which of the loads the machine
// makes (analysis/loops/roundsOfSums.ts; read on an H200: scripts/fidelity/cases/machine_recurrences.json).
// levels: 2
// stdout: no error
#include <cstdio>

#define N 256
#define EACH int c = blockIdx.x * blockDim.x + threadIdx.x; if (c < N)

__global__ void row(double *a) { EACH for (int k = 1; k < N; k++) a[c * N + k] += a[c * N + k - 1]; }
__global__ void column(double *a) { EACH for (int k = 1; k < N; k++) a[k * N + c] += a[(k - 1) * N + c]; }
__global__ void rowEven(double *a) { EACH for (int k = 1; k < N - 1; k++) a[c * N + k] += a[c * N + k - 1]; }
__global__ void columnEven(double *a) { EACH for (int k = 1; k < N - 1; k++) a[k * N + c] += a[(k - 1) * N + c]; }
__global__ void rowFours(float *a) { EACH for (int k = 1; k < N - 3; k++) a[c * N + k] += a[c * N + k - 1]; }
__global__ void columnFours(float *a) { EACH for (int k = 1; k < N - 3; k++) a[k * N + c] += a[(k - 1) * N + c]; }
__global__ void rowBack(float *a, float *b) { EACH for (int k = N - 2; k >= 0; k--) a[c * N + k] -= a[c * N + k + 1] * b[c * N + k]; }
__global__ void columnBack(float *a, float *b) { EACH for (int k = N - 2; k >= 0; k--) a[k * N + c] -= a[(k + 1) * N + c] * b[k * N + c]; }
__global__ void rowThrice(float *a) { EACH for (int k = 1; k < N - 1; k++) a[c * N + k] = (a[c * N + k - 1] + a[c * N + k] + a[c * N + k + 1]) * 0.3f; }
__global__ void columnThrice(float *a) { EACH for (int k = 1; k < N - 1; k++) a[k * N + c] = (a[(k - 1) * N + c] + a[k * N + c] + a[(k + 1) * N + c]) * 0.3f; }
__global__ void rowOf(float *a, float *b) { EACH for (int k = 1; k < N; k++) a[c * N + k] = a[c * N + k - 1] * b[c * N + k]; }
__global__ void columnOf(float *a, float *b) { EACH for (int k = 1; k < N; k++) a[k * N + c] = a[(k - 1) * N + c] * b[k * N + c]; }
__global__ void rowOnly(const float *__restrict__ a, float *__restrict__ b) { EACH for (int k = 1; k < N; k++) b[c * N + k] = a[c * N + k - 1] * a[c * N + k]; }
__global__ void columnOnly(const float *__restrict__ a, float *__restrict__ b) { EACH for (int k = 1; k < N; k++) b[k * N + c] = a[(k - 1) * N + c] * a[k * N + c]; }
__global__ void adiRow(double *X, double *A, double *B) { EACH for (int k = 1; k <= N - 1; k++) X[c * N + k] -= X[c * N + (k - 1)] * A[c * N + k] / B[c * N + (k - 1)]; }
__global__ void adiColumn(double *X, double *A, double *B) { EACH for (int k = 1; k < N; k++) X[k * N + c] -= X[(k - 1) * N + c] * A[k * N + c] / B[(k - 1) * N + c]; }
__global__ void adiBack(double *X, double *A, double *B) { EACH for (int k = 0; k <= N - 3; k++) X[c * N + (N - k - 2)] = (X[c * N + (N - 2 - k)] - X[c * N + (N - 2 - k - 1)] * A[c * N + (N - k - 3)]) / B[c * N + (N - 3 - k)]; }
__global__ void adiFactors(double *A, double *B) { EACH for (int k = 1; k < N; k++) B[c * N + k] -= A[c * N + k] * A[c * N + k] / B[c * N + k - 1]; }
__global__ void unknownRow(float *a, float *b, int n) { EACH for (int k = 1; k < n; k++) a[c * N + k] -= a[c * N + k - 1] * b[c * N + k]; }
__global__ void unknownColumn(float *a, float *b, int n) { EACH for (int k = 1; k < n; k++) a[k * N + c] -= a[(k - 1) * N + c] * b[k * N + c]; }
__global__ void unknownSize(float *a, float *b, int n) { int c = blockIdx.x * blockDim.x + threadIdx.x; if (c < n) for (int k = 1; k < n; k++) a[c * n + k] -= a[c * n + k - 1] * b[c * n + k]; }
__global__ void short9(float *a) { EACH for (int k = 1; k < 10; k++) a[c * N + k] += a[c * N + k - 1]; }
__global__ void short50(float *a) { EACH for (int k = 1; k < 51; k++) a[k * N + c] += a[(k - 1) * N + c]; }
__global__ void short37(float *a) { EACH for (int k = 1; k < 38; k++) a[k * N + c] += a[(k - 1) * N + c]; }

int main() {
  double *X, *A, *B;
  const int bytes = N * N * sizeof(double);
  cudaMalloc(&X, bytes);
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMemset(X, 0, bytes);
  cudaMemset(A, 0x3f, bytes);
  cudaMemset(B, 0x3f, bytes);
  float *a = (float *)X, *b = (float *)A;
  const int blocks = N / 64, threads = 64;
  row<<<blocks, threads>>>(X);
  column<<<blocks, threads>>>(X);
  rowEven<<<blocks, threads>>>(X);
  columnEven<<<blocks, threads>>>(X);
  rowFours<<<blocks, threads>>>(a);
  columnFours<<<blocks, threads>>>(a);
  rowBack<<<blocks, threads>>>(a, b);
  columnBack<<<blocks, threads>>>(a, b);
  rowThrice<<<blocks, threads>>>(a);
  columnThrice<<<blocks, threads>>>(a);
  rowOf<<<blocks, threads>>>(a, b);
  columnOf<<<blocks, threads>>>(a, b);
  rowOnly<<<blocks, threads>>>(a, b);
  columnOnly<<<blocks, threads>>>(a, b);
  adiRow<<<blocks, threads>>>(X, A, B);
  adiColumn<<<blocks, threads>>>(X, A, B);
  adiBack<<<blocks, threads>>>(X, A, B);
  adiFactors<<<blocks, threads>>>(A, B);
  unknownRow<<<blocks, threads>>>(a, b, N);
  unknownColumn<<<blocks, threads>>>(a, b, N);
  unknownSize<<<blocks, threads>>>(a, b, N);
  short9<<<blocks, threads>>>(a);
  short50<<<blocks, threads>>>(a);
  short37<<<blocks, threads>>>(a);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
