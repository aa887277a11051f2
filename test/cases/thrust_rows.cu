// Scans of rows of bytes, halves and shorts: LLVM makes integers of 5 and 6 bytes of a key and such a value.
// needs: /usr/include/thrust/version.h
// needs: /usr/include/cub/version.cuh
// levels: 2
// reference: off
// stdout: wrong 0 0 0
#include <algorithm>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/scan.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <cuda_fp16.h>
struct Row { int w; __host__ __device__ int operator()(int i) const { return i / w; } };
struct Sat { __device__ unsigned char operator()(unsigned char a, unsigned char b) const { unsigned short t = a + b; return t > 255 ? 255 : t; } };
struct Add { __device__ __half operator()(const __half &a, const __half &b) const { return __hadd(a, b); } };
int main() {
  const int n = 5000, w = 37;
  std::vector<unsigned char> b(n); std::vector<__half> h(n); std::vector<short> s(n);
  for (int i = 0; i < n; i++) b[i] = i * 7 % 23, h[i] = __float2half(i % 5), s[i] = i % 11 - 5;
  thrust::device_vector<unsigned char> db(b.begin(), b.end()); thrust::device_vector<__half> dh(h.begin(), h.end()); thrust::device_vector<short> ds(s.begin(), s.end());
  auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), Row{w});
  thrust::inclusive_scan_by_key(keys, keys + n, db.begin(), db.begin(), thrust::equal_to<int>(), Sat());
  thrust::inclusive_scan_by_key(keys, keys + n, dh.begin(), dh.begin(), thrust::equal_to<int>(), Add());
  thrust::inclusive_scan_by_key(keys, keys + n, ds.begin(), ds.begin());
  std::vector<unsigned char> rb(n); thrust::copy(db.begin(), db.end(), rb.begin());
  std::vector<__half> rh(n); thrust::copy(dh.begin(), dh.end(), rh.begin());
  std::vector<short> rs(n); thrust::copy(ds.begin(), ds.end(), rs.begin());
  int bad[3] = {};
  int x = 0; float y = 0; int z = 0;
  for (int i = 0; i < n; i++) {
    if (i % w == 0) x = 0, y = 0, z = 0;
    x = std::min(255, x + b[i]); y += __half2float(h[i]); z += s[i];
    bad[0] += rb[i] != x; bad[1] += __half2float(rh[i]) != y; bad[2] += rs[i] != z;
  }
  printf("wrong %d %d %d\n", bad[0], bad[1], bad[2]);
}
