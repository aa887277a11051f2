// cuSPARSE's systems of three and five diagonals: what is solved for must give the right sides again, also where rows are exchanged.
// levels: nightly
// stdout: gtsv2 1 1, exchanged 1, batch 1 1, interleaved 1 1, five 1 1, too small 3
#include <cmath>
#include <cstdio>
#include <vector>
#include <cusparse.h>
typedef std::vector<double> Doubles;
double *upload(const Doubles &v) {
  double *d;
  cudaMalloc(&d, v.size() * 8);
  cudaMemcpy(d, v.data(), v.size() * 8, cudaMemcpyHostToDevice);
  return d;
}
/* System `s` of bands whose elements lie step apart, systems jump apart, times x, against b. */
bool solves(const std::vector<Doubles> &bands, int reach, int m, int s, int step, int jump, const double *xs, const Doubles &b, int xStep,
            int xJump) {
  Doubles x(b.size());
  cudaMemcpy(x.data(), xs, x.size() * 8, cudaMemcpyDeviceToHost);
  for (int i = 0; i < m; i++) {
    double sum = 0;
    for (int j = -reach; j <= reach; j++)
      if (i + j >= 0 && i + j < m) sum += bands[j + reach][s * jump + i * step] * x[s * xJump + (i + j) * xStep];
    if (!(std::fabs(sum - b[s * xJump + i * xStep]) < 1e-9)) return false;
  }
  return true;
}
Doubles filled(int n, int seed, int shift) {
  Doubles v(n);
  for (int i = 0; i < n; i++) v[i] = (i * 7 + seed) % 11 - 5 + shift;
  return v;
}
int main() {
  cusparseHandle_t h;
  cusparseCreate(&h);
  const int m = 9;
  size_t bytes;
  double *work = upload(Doubles(7 * m * 4));
  std::vector<Doubles> three = {filled(2 * m, 1, 0), filled(2 * m, 2, 14), filled(2 * m, 3, 0)}, swapped = three;
  Doubles b = filled(2 * m, 4, 0);
  double *x = upload(b);
  cusparseDgtsv2_bufferSizeExt(h, m, 2, x, x, x, x, m, &bytes);
  cusparseDgtsv2(h, m, 2, upload(three[0]), upload(three[1]), upload(three[2]), x, m, work);
  printf("gtsv2 %d %d, ", solves(three, 1, m, 0, 1, 0, x, b, 1, m), solves(three, 1, m, 1, 1, 0, x, b, 1, m));
  for (int i = 0; i < m; i++) swapped[0][i] = 3 + i % 2, swapped[1][i] = i % 2 ? 0.25 : 0.1, swapped[2][i] = 2;
  x = upload(b);
  cusparseDgtsv2(h, m, 1, upload(swapped[0]), upload(swapped[1]), upload(swapped[2]), x, m, work);
  printf("exchanged %d, ", solves(swapped, 1, m, 0, 1, 0, x, b, 1, m));
  x = upload(b);
  cusparseDgtsv2StridedBatch(h, m, upload(three[0]), upload(three[1]), upload(three[2]), x, 2, m, work);
  printf("batch %d %d, ", solves(three, 1, m, 0, 1, m, x, b, 1, m), solves(three, 1, m, 1, 1, m, x, b, 1, m));
  x = upload(b);
  cusparseDgtsvInterleavedBatch(h, 0, m, upload(three[0]), upload(three[1]), upload(three[2]), x, 2, work);
  printf("interleaved %d %d, ", solves(three, 1, m, 0, 2, 1, x, b, 2, 1), solves(three, 1, m, 1, 2, 1, x, b, 2, 1));
  std::vector<Doubles> five = {filled(2 * m, 5, 0), three[0], filled(2 * m, 6, 0), three[2], filled(2 * m, 7, 1)};
  x = upload(b);
  cusparseDgpsvInterleavedBatch(h, 0, m, upload(five[0]), upload(five[1]), upload(five[2]), upload(five[3]), upload(five[4]), x, 2, work);
  printf("five %d %d, ", solves(five, 2, m, 0, 2, 1, x, b, 2, 1), solves(five, 2, m, 1, 2, 1, x, b, 2, 1));
  printf("too small %d\n", cusparseDgtsv2(h, 2, 1, x, x, x, x, 2, work));
}
