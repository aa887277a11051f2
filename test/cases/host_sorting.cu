// The C library's sorts as glibc has them: equal elements keep their order, and a comparison that contradicts itself sorts all the same.
// stdout: apple1 apple2 fig1 fig2 kiwi1 pear1 pear2
// stdout: 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
// stdout: 9 7 5 3 1
// levels: nightly
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Fruit {
  char name[8];
  int number;
};
static int byName(const void *a, const void *b) { return strcmp(((const Fruit *)a)->name, ((const Fruit *)b)->name); }
/* Never says "less". */
static int isMore(const void *a, const void *b) { return *(const float *)a - *(const float *)b > 0.f ? 1 : 0; }
static int bySign(const void *a, const void *b, void *sign) { return *(int *)sign * (*(const int *)a - *(const int *)b); }

int main() {
  Fruit fruits[] = {{"pear", 1}, {"fig", 1}, {"apple", 1}, {"fig", 2}, {"kiwi", 1}, {"pear", 2}, {"apple", 2}};
  qsort(fruits, 7, sizeof *fruits, byName);
  for (int i = 0; i < 7; i++) printf("%s%d%c", fruits[i].name, fruits[i].number, i < 6 ? ' ' : '\n');
  float values[] = {4, 8, 1, 7, 3, 6, 2, 5};
  qsort(values, 8, sizeof *values, isMore);
  for (int i = 0; i < 8; i++) printf("%.1f%c", values[i], i < 7 ? ' ' : '\n');
  int numbers[] = {5, 1, 9, 3, 7}, sign = -1;
  qsort_r(numbers, 5, sizeof *numbers, bySign, &sign);
  for (int i = 0; i < 5; i++) printf("%d%c", numbers[i], i < 4 ? ' ' : '\n');
}
