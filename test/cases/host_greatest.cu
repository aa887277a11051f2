// Greatest and least of doubles on the host, by fmax and fmin, as programs compare their results: clang's vectoriser fails over such loops.
// stdout: 2.500000 -39.000000 0.250000 1.500000
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
static double greatest(const std::vector<double> &a, const std::vector<double> &b) {
  double most = 0.0;
  for (size_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::fabs(a[i] - b[i]));
  return most;
}
static double least(const double *a, const double *b, int n) {
  double least = 1.0;
  for (int i = 0; i < n; ++i) least = fmin(least, a[i] * b[i]);
  return least;
}
static double mixed(const float *a, const double *b, int n) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = std::max(most, std::fmax(0.0, fabs((double)a[i] - b[i]) / fmax(1e-9, fabs(b[i]))));
  return most;
}
static float singles(const float *a, const float *b, int n) {
  float most = 0.0f;
  for (int i = 0; i < n; ++i) most = std::fmax(most, std::fabs(a[i] - b[i]));
  return most;
}
int main(int count, char **) {
  std::vector<double> a(39 * count, 1.0), b(39 * count, 1.0);
  std::vector<float> c(39 * count, 1.0f), d(39 * count, 2.5f);
  b[17] = 3.5;
  a[38] = -39.0;
  const double lowest = least(a.data(), b.data(), 39);
  a[38] = 1.0;
  std::vector<double> e(39 * count, 0.8);
  printf("%f %f %f %f\n", greatest(a, b), lowest, mixed(c.data(), e.data(), 39), singles(c.data(), d.data(), 39));
}
