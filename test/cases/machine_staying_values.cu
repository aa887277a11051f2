// Values that stay in front of a branch with the loads that they need, where two registers would be needed behind it in place of one, and
// such that go behind it; of eight warps three take the branch (read on an H200: scripts/fidelity/cases/machine_staying_values.json).
// levels: 2
// stdout: difference 13998
// stdout: sum 40104
// stdout: choice 64956
// stdout: parts 27421
// stdout: both 10417
// stdout: one 26589
// stdout: two 43653
#include <cstdio>

#define KERNEL(name) __global__ void name(const int *__restrict__ in, int *__restrict__ out, int n)
#define START \
  __shared__ int s[64]; \
  int t = threadIdx.x, x = in[t], y = in[t + 256]; \
  if ((t & 31) == 31) s[t >> 5] = x; \
  __syncthreads();

// Stay.
KERNEL(difference) {
  START
  int e = s[t >> 5] + y - x;
  if (t < n) out[t] = e;
}
KERNEL(sum) {
  START
  int e = s[t >> 5] + x + y;
  if (t < n) out[t] = e;
}
KERNEL(choice) {
  START
  int e = (s[t >> 5] ^ x) * 3 + y;
  if (t < n) out[t] = e;
}
KERNEL(parts) {
  int t = threadIdx.x, x = in[t], y = in[t + 256];
  if (x == 7) out[t + 256] = y;
  int e = (in[t + 512] + x) ^ y;
  if (t < n) out[t] = e;
}
KERNEL(both) {
  int t = threadIdx.x, x = in[t], y = in[t + 256];
  out[t + 256] = x;
  out[t + 512] = y;
  int e = in[t + 512] ^ (x & y);
  if (t < n) out[t] = e;
}
// Go behind the branch.
KERNEL(one) {
  START
  int e = s[t >> 5] + x;
  if (y > 0 && t < n) out[t] = e;
}
KERNEL(two) {
  START
  int e = s[t >> 5] + x + s[t & 3];
  if (y > 0 && t < n) out[t] = e;
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof *in);
  cudaMallocManaged(&out, 1024 * sizeof *out);
  for (int i = 0; i < 1024; i++) in[i] = i * 7 % 301 + 1;
#define RUN(name) \
  do { \
    for (int i = 0; i < 1024; i++) out[i] = 0; \
    name<<<1, 256>>>(in, out, 96); \
    cudaDeviceSynchronize(); \
    int sum = 0; \
    for (int i = 0; i < 256; i++) sum += out[i]; \
    printf(#name " %d\n", sum); \
  } while (0)
  RUN(difference); RUN(sum); RUN(choice); RUN(parts); RUN(both); RUN(one); RUN(two);
}
