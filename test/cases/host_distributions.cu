// The distributions of <random> and std::sample give the GNU C++ library's numbers, call after call and with parameters of a call: what a
// program's data are made of.
// levels: nightly
// stdout: gamma_distribution<> 4.65848111 4.24376686 3.76501054 3.95559149 1.54312461 7.90931451
// stdout: gamma_distribution<float> 0.338074565 2.47749209 0.140382454 3.61879659 0.00983368512 0.797029793
// stdout: chi_squared_distribution<> 2.57402832 2.26777517 1.92329 0.542466286 0.512023179 5.15794665
// stdout: fisher_f_distribution<> 8.3392147 3.17431805 3.80987761 2.41155621 0.027209815 7.00528172
// stdout: student_t_distribution<> 0.134464629 -0.0529324042 0.87488137 0.716572923 -1.61423608 1.71725686
// stdout: geometric_distribution<> 0 4 1 5 3 0
// stdout: negative_binomial_distribution<> 11 5 10 9 4 12
// stdout: poisson_distribution<> 2 3 7 1196 2 4
// stdout: poisson_distribution<long> 38 38 32 2 43 47
// stdout: binomial_distribution<> 3 4 2 21 4 4
// stdout: binomial_distribution<> 68 73 70 17 73 72
// stdout: 0 2 5 7 and 0 1 7 10
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <list>
#include <random>

template <class Distribution> void show(const char *name, Distribution of, typename Distribution::param_type other) {
  std::mt19937 words(5);
  std::minstd_rand0 short_words(5);
  printf("%s", name);
  for (int i = 0; i < 3; i++) printf(" %.9g", (double)of(words));
  printf(" %.9g", (double)of(words, other));
  of.reset();
  for (int i = 0; i < 2; i++) printf(" %.9g", (double)of(short_words));
  puts("");
}
#define SHOW(type, more, ...) show(#type, std::type __VA_ARGS__, std::type::param_type more)

int main() {
  SHOW(gamma_distribution<>, (1, 2), (2.5, 2));
  SHOW(gamma_distribution<float>, (4, 1), (.5f, 2));
  SHOW(chi_squared_distribution<>, (5), (3));
  SHOW(fisher_f_distribution<>, (4, 3), (2, 3));
  SHOW(student_t_distribution<>, (5), (3));
  SHOW(geometric_distribution<>, (.5), (.3));
  SHOW(negative_binomial_distribution<>, (9, .5), (4, .3));
  SHOW(poisson_distribution<>, (1200.5), (4));
  SHOW(poisson_distribution<long>, (3), (40));
  SHOW(binomial_distribution<>, (1000, .02), (9, .3));
  SHOW(binomial_distribution<>, (20, .9), (100, .7));
  std::mt19937 words(5);
  std::minstd_rand short_words(3);
  int numbers[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, chosen[4];
  std::list<int> linked(numbers, numbers + 11);
  std::sample(numbers, numbers + 11, chosen, 4, words);
  for (int each : chosen) printf("%d ", each);
  printf("and");
  std::sample(linked.begin(), linked.end(), chosen, 4, short_words);
  for (int each : chosen) printf(" %d", each);
  puts("");
}
