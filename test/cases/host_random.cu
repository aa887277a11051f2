// rand and its relatives give the GNU C library's numbers: without a seed, with one, and rand_r.
// levels: nightly
// stdout: 1804289383 846930886 1681692777
// stdout: 1000717115 1824263957 1070373502 160509365 945947045
// stdout: 1804289383
// stdout: 1187592820 153898277 1377876785
#include <cstdio>
#include <cstdlib>

int main() {
  for (int i = 0; i < 3; i++) printf(i < 2 ? "%d " : "%d\n", rand());
  srand(2009);
  for (int i = 0; i < 5; i++) printf(i < 4 ? "%d " : "%d\n", rand());
  srandom(0);
  printf("%ld\n", random());
  unsigned seed = 7;
  for (int i = 0; i < 3; i++) printf(i < 2 ? "%d " : "%d\n", rand_r(&seed));
}
