// Ways out of loops in loops.
// stdout: 3972236976
#include <cstdio>
__global__ void nested(int *out, const int *in, int n) {
  int i = threadIdx.x, s = 0;
  for (int j = 0; j < n; j++) {
    int t = in[(i * 7 + j * 3) % 61];
    for (int k = 0; k < n; k++) {
      t += in[(t + k + i) % 61];
      if (t % 11 == 3) { out[64 + t % 64] = j; s += t * k; break; }
      if (t % 13 == 5) { for (int q = 0; q < t % 4; q++) out[128 + (q * i) % 64] = q; s ^= t + k; goto next; }
      if (t % 17 == 2) { out[192 + i] = t; s -= k; goto done; }
    }
    s += t;
  next:
    if (s % 19 == 4) { out[256 + i % 7] = 1; s += j * 3; break; }
    s = s * 3 + j;
  }
done:
  out[i] = s;
}
__global__ void early(int *out, const int *in, int n) {
  int i = threadIdx.x, s = i;
  for (int j = 0; j < n; j++) {
    s += in[(i + j * 5 + s) % 61];
    if (s % 7 == 1) { out[i] = s + j; return; }
    if (s % 9 == 2) { int t = 0; while (t < j) t += in[(s + t) % 61] % 3 + 1; out[i] = t * 100 + s; return; }
  }
  out[i] = -s;
}
int main() {
  int *out, *in;
  cudaMallocManaged(&out, 320 * 4); cudaMallocManaged(&in, 64 * 4);
  unsigned r = 1, h = 0;
  for (int i = 0; i < 320; i++) out[i] = 0;
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < 64; i++) in[i] = (r = r * 1664525 + 1013904223) >> 20 & 63;
    nested<<<1, 64>>>(out, in, round); cudaDeviceSynchronize();
    for (int i = 0; i < 320; i++) if (i < 64 || i >= 192) h = h * 31 + out[i];
    early<<<1, 64>>>(out, in, round); cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) h = h * 31 + out[i];
  }
  printf("%u\n", h);
}
