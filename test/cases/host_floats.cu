// Doubles in printf's formats, of any size, as the GNU C library writes them: the last line is a digest of 40,000 texts made by it.
// stdout: 0 a+2.1201840400810927235E-105b text 7        |
// stdout: 8000 a                  +3.458350000000000e+04b text 7|
// stdout: 16000 a-3887381060597206.0000000000000000000b text 7    |
// stdout: 24000 a 2b text 7|
// stdout: 32000 a1.007922500119328875000000000000E+15b text 7|
// stdout: 1.000 100.0% 2.500000 0.100000      3.14 0.0001  x 0.000000e+00 -0.000000 1000000000000000019884624838656.000000 9.99989e-321 1.23457e+08
// stdout: 2.500000 x 1234567890123 c 0x10 0.500000
// stdout: 4fce1aa4e8141b60
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <string>
static unsigned long long s = 88172645463325252ull;
static unsigned long long rnd() { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return s; }
int main() {
  const char *flags[] = {"", "-", "+", " ", "0", "#", "+0", "-#", "0 #", "-+"};
  const char *widths[] = {"", "3", "12", "25", "40"};
  const char *precs[] = {"", ".0", ".1", ".2", ".3", ".6", ".9", ".15", ".17", ".19", ".20", ".30"};
  const char letters[] = "fFeEgG";
  char f[64], b[2000], digest[64];
  unsigned long long h = 14695981039346656037ull;
  for (int i = 0; i < 40000; i++) {
    double x;
    switch (rnd() % 8) {
      case 0: { unsigned long long u = rnd(); memcpy(&x, &u, 8); break; }
      case 1: x = (double)(long long)rnd() / 1024.0; break;
      case 2: x = (int)(rnd() % 2000001) / 1000.0 - 1000; break;
      case 3: x = (rnd() % 100000) * 0.5; break;
      case 4: x = (rnd() % 1000) / 64.0; break;
      case 5: x = strtod(("1e" + std::to_string((int)(rnd() % 50) - 25)).c_str(), 0); break;
      case 6: x = 1.0 - strtod(("1e-" + std::to_string(rnd() % 18)).c_str(), 0); break;
      default: { x = (rnd() >> 11) * 0x1p-53; x *= std::ldexp(1.0, (int)(rnd() % 80) - 40); };
    }
    if (x != x) x = 0.0;
    int i1 = rnd() % 10, i2 = rnd() % 5, i3 = rnd() % 12, i4 = rnd() % 6, i5 = (int)(rnd() % 20) - 10;
    if (strchr(flags[i1], '#') && i4 > 3) i4 = 0;
    snprintf(f, sizeof f, "%%d a%%%s%s%s%cb %%s %%*d|", flags[i1], widths[i2], precs[i3], letters[i4]);
    int n = snprintf(b, sizeof b, f, i, x, "text", i5, 7);
    for (int k = 0; k < n; k++) h = (h ^ (unsigned char)b[k]) * 1099511628211ull;
    if (i % 8000 == 0) printf("%s\n", b);
  }
  printf("%.3f %5.1f%% %Lf %lf %*.*f %-8.3gx %e %f %f %g %g\n", 1.0005, 99.95, (long double)2.5, 0.1, 9, 2, 3.14159, 0.0001, 0.0, -0.0, 1e30, 1e-320, 123456789.0);
  printf("%f %s %lld %c %p %f\n", 2.5, "x", 1234567890123ll, 'c', (void *)16, 0.5);
  printf("%llx\n", h);
}
