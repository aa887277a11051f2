/* qsort and qsort_r as the GNU C library has them, a merge sort: elements that compare equal keep their order, and a comparison that
   contradicts itself sorts as it does there. Weak: a program may have its own. */
#include <stdlib.h>
#include <string.h>

typedef int (*Compare)(const void *, const void *, void *);

/* The halves are sorted and then merged; `room` has space for all elements. */
static void merge_sort(char *elements, size_t count, size_t bytes, Compare compare, void *with, char *room) {
  if (count <= 1) return;
  size_t first = count / 2, second = count - first;
  char *left = elements, *right = elements + first * bytes, *to = room;
  merge_sort(left, first, bytes, compare, with, room);
  merge_sort(right, second, bytes, compare, with, room);
  while (first > 0 && second > 0) {
    int is_left = compare(left, right, with) <= 0;
    memcpy(to, is_left ? left : right, bytes);
    to += bytes;
    if (is_left) left += bytes, first--;
    else right += bytes, second--;
  }
  memcpy(to, left, first * bytes);
  memcpy(elements, room, (count - second) * bytes);
}
__attribute__((weak)) void qsort_r(void *elements, size_t count, size_t bytes, Compare compare, void *with) {
  if (count <= 1 || bytes == 0) return;
  char *room = (char *)malloc(count * bytes);
  if (!room) abort();
  merge_sort((char *)elements, count, bytes, compare, with, room);
  free(room);
}

static int compare_alone(const void *left, const void *right, void *compare) {
  return (*(int (**)(const void *, const void *))compare)(left, right);
}
__attribute__((weak)) void qsort(void *elements, size_t count, size_t bytes, int (*compare)(const void *, const void *)) {
  qsort_r(elements, count, bytes, compare_alone, &compare);
}
