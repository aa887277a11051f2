// cuFFT: every kind of transform, lengths of small and large primes and of more than fit into shared memory, two and three
// dimensions, batches, embedded arrays and real ones in place, against sums in double; the way back gives what went in, n times.
// The kernels are ours and are named so.
// levels: nightly
// reference: off
// stdout: 1 PASS, 2 PASS, 8 PASS, 30 PASS, 64 PASS, 97 PASS, 210 PASS, 243 PASS, 1000 PASS, 4096 PASS, 5003 PASS, 6144 PASS
// stdout: double 360 PASS, 4096 PASS
// stdout: two PASS, three PASS, long PASS
// stdout: real PASS, in place PASS, back PASS, three PASS
// stdout: embedded PASS
// stdout: invalid 1 8 1
// stdout: sizes 64 3072 1 version 11 4
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <cufft.h>
using Number = std::complex<double>;
using Numbers = std::vector<Number>;

// The sum itself, along each dimension.
Numbers transformed(Numbers x, std::vector<int> n, int sign) {
  for (size_t d = 0, step = x.size(); d < n.size(); d++) {
    const int length = n[d];
    step /= length;
    Numbers y(x.size());
    for (size_t i = 0; i < x.size(); i++) {
      const size_t k = i / step % length, start = i - k * step;
      for (int j = 0; j < length; j++) y[i] += x[start + j * step] * std::polar(1.0, sign * 2 * M_PI * (double)(k * j % length) / length);
    }
    x = y;
  }
  return x;
}
Numbers numbers(int count, bool isReal = false) {
  Numbers x(count);
  for (int i = 0; i < count; i++) x[i] = Number((i * 37 % 101) / 50.0 - 1, isReal ? 0 : (i * 53 % 89) / 44.0 - 1);
  return x;
}
template <class C> C *upload(const Numbers &x) {
  std::vector<C> values;
  for (Number v : x) values.push_back({(decltype(C::x))v.real(), (decltype(C::x))v.imag()});
  C *d;
  cudaMalloc(&d, x.size() * sizeof(C));
  cudaMemcpy(d, values.data(), x.size() * sizeof(C), cudaMemcpyHostToDevice);
  return d;
}
template <class C> Numbers download(const C *d, int count) {
  std::vector<C> values(count);
  cudaMemcpy(values.data(), d, count * sizeof(C), cudaMemcpyDeviceToHost);
  Numbers x;
  for (C v : values) x.push_back(Number(v.x, v.y));
  return x;
}
bool equal(const Numbers &a, const Numbers &b, double tolerance = 1e-6, double size = 1) {
  double difference = 0;
  for (size_t i = 0; i < a.size(); i++) difference = fmax(difference, abs(a[i] - b[i])), size = fmax(size, abs(b[i]));
  return a.size() == b.size() && difference <= tolerance * size;
}
const char *word(bool isGood) { return isGood ? "PASS" : "FAIL"; }
Numbers times(Numbers x, double factor) {
  for (Number &v : x) v *= factor;
  return x;
}

// Forward out of place, back in place; lengths too long for the sum are checked at some places only.
bool complexOnes(std::vector<int> n) {
  int count = 1;
  for (int length : n) count *= length;
  Numbers x = numbers(count);
  cufftComplex *in = upload<cufftComplex>(x), *out = upload<cufftComplex>(x);
  cufftHandle plan;
  cufftPlanMany(&plan, n.size(), n.data(), nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1);
  cufftExecC2C(plan, in, out, CUFFT_FORWARD);
  Numbers forward = download(out, count), some, expected;
  bool isGood = true;
  if (n.size() == 1 && count > 300) {
    for (int k = 0; k < count; k += count / 7) {
      Number sum = 0;
      for (int j = 0; j < count; j++) sum += x[j] * std::polar(1.0, -2 * M_PI * ((long long)j * k % count) / count);
      some.push_back(forward[k]);
      expected.push_back(sum);
    }
    double largest = 0;
    for (Number v : forward) largest = fmax(largest, abs(v));
    isGood = equal(some, expected, 1e-6, largest);
  } else isGood = equal(forward, transformed(x, n, -1));
  cufftExecC2C(plan, out, out, CUFFT_INVERSE);
  isGood = isGood && equal(download(out, count), times(x, count));
  cufftDestroy(plan);
  cudaFree(in);
  cudaFree(out);
  return isGood;
}
bool doubles(int n) {
  Numbers x = numbers(n);
  cufftDoubleComplex *in = upload<cufftDoubleComplex>(x);
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
  cufftExecZ2Z(plan, in, in, CUFFT_FORWARD);
  bool isGood = n > 1000 || equal(download(in, n), transformed(x, {n}, -1), 1e-14);
  cufftExecZ2Z(plan, in, in, CUFFT_INVERSE);
  return isGood && equal(download(in, n), times(x, n), 1e-14);
}
Numbers half(const Numbers &x, int rows, int columns) {
  Numbers part;
  for (int i = 0; i < rows * columns; i++)
    if (i % columns <= columns / 2) part.push_back(x[i]);
  return part;
}

int main() {
  const int lengths[] = {1, 2, 8, 30, 64, 97, 210, 243, 1000, 4096, 5003, 6144};
  for (int n : lengths) printf("%s%d %s", n == 1 ? "" : ", ", n, word(complexOnes({n})));
  printf("\ndouble 360 %s, 4096 %s\n", word(doubles(360)), word(doubles(4096)));
  printf("two %s, three %s, long %s\n", word(complexOnes({12, 50})), word(complexOnes({4, 6, 10})), word(complexOnes({3500, 2})));

  // Three real transforms of 10, out of place and in place, and back.
  cufftHandle plan, back;
  Numbers x = numbers(30, true), expected;
  for (int b = 0; b < 3; b++) {
    Numbers one = half(transformed(Numbers(x.begin() + 10 * b, x.begin() + 10 * b + 10), {10}, -1), 1, 10);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  float real[30], padded[36], result[30];
  for (int i = 0; i < 30; i++) real[i] = padded[i / 10 * 12 + i % 10] = x[i].real();
  float *in;
  cufftComplex *out;
  cudaMalloc(&in, sizeof padded);
  cudaMalloc(&out, 18 * sizeof *out);
  cufftPlan1d(&plan, 10, CUFFT_R2C, 3);
  cufftPlan1d(&back, 10, CUFFT_C2R, 3);
  cudaMemcpy(in, real, sizeof real, cudaMemcpyHostToDevice);
  cufftExecR2C(plan, in, out);
  printf("real %s, ", word(equal(download(out, 18), expected)));
  cudaMemcpy(in, padded, sizeof padded, cudaMemcpyHostToDevice);
  cufftExecR2C(plan, in, (cufftComplex *)in);
  printf("in place %s, ", word(equal(download((cufftComplex *)in, 18), expected)));
  cufftExecC2R(back, out, in);
  cudaMemcpy(result, in, sizeof result, cudaMemcpyDeviceToHost);
  printf("back %s, ", word(equal(Numbers(result, result + 30), times(x, 10))));

  const int rows = 15, columns = 8;
  Numbers grid = numbers(rows * columns, true);
  std::vector<double> doubles;
  for (Number v : grid) doubles.push_back(v.real());
  double *dIn;
  cufftDoubleComplex *dOut;
  cudaMalloc(&dIn, doubles.size() * sizeof(double));
  cudaMalloc(&dOut, rows * (columns / 2 + 1) * sizeof *dOut);
  cudaMemcpy(dIn, doubles.data(), doubles.size() * sizeof(double), cudaMemcpyHostToDevice);
  cufftHandle both[2];
  cufftPlan3d(&both[0], 3, 5, columns, CUFFT_D2Z);
  cufftPlan3d(&both[1], 3, 5, columns, CUFFT_Z2D);
  cufftExecD2Z(both[0], dIn, dOut);
  bool isGood = equal(download(dOut, rows * (columns / 2 + 1)), half(transformed(grid, {3, 5, columns}, -1), rows, columns), 1e-14);
  cufftExecZ2D(both[1], dOut, dIn);
  cudaMemcpy(doubles.data(), dIn, doubles.size() * sizeof(double), cudaMemcpyDeviceToHost);
  printf("three %s\n", word(isGood && equal(Numbers(doubles.begin(), doubles.end()), times(grid, rows * columns), 1e-14)));

  // The columns of a 6 x 5 array: a transform for each, 5 apart, one behind the other.
  int six[] = {6};
  Numbers table = numbers(30), sums(30);
  for (int column = 0; column < 5; column++) {
    Numbers one;
    for (int i = 0; i < 6; i++) one.push_back(table[i * 5 + column]);
    one = transformed(one, {6}, 1);
    for (int i = 0; i < 6; i++) sums[i * 5 + column] = one[i];
  }
  cufftComplex *columnsOf = upload<cufftComplex>(table);
  size_t workSize = 0;
  cufftHandle many;
  cufftCreate(&many);
  cufftMakePlanMany(many, 1, six, six, 5, 1, six, 5, 1, CUFFT_C2C, 5, &workSize);
  cufftExecC2C(many, columnsOf, columnsOf, CUFFT_INVERSE);
  printf("embedded %s\n", word(workSize > 0 && equal(download(columnsOf, 30), sums)));

  cufftHandle none;
  cufftDestroy(many);
  printf("invalid %d %d ", cufftExecC2C(many, columnsOf, columnsOf, CUFFT_FORWARD), cufftPlan1d(&none, 0, CUFFT_C2C, 1));
  printf("%d\n", cufftExecC2C(plan, columnsOf, columnsOf, CUFFT_FORWARD));

  size_t line = 0, box = 0;
  int version = 0;
  cufftCreate(&none);
  cufftGetSize1d(none, 4, CUFFT_C2C, 2, &line);
  cufftGetSize3d(none, 4, 6, 8, CUFFT_Z2Z, &box);
  cufftGetProperty(MAJOR_VERSION, &version);
  printf("sizes %d %d %d version %d %d\n", (int)line, (int)box, cufftGetSize2d(many, 4, 4, CUFFT_C2C, &line), version,
         cufftGetProperty(MINOR_VERSION, nullptr));
  return 0;
}
