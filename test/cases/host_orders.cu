// Elements that compare equal lie where the GNU C++ library has them after std::sort, nth_element, partial_sort and the functions of heaps.
// levels: nightly
// stdout: 1 0 0 0 0 0 0
// stdout: 2 31 1 31 31 1 31
// stdout: 7 60181851 1007655591 60183711 1777811721 1007650941 60181851
// stdout: 16 2096479514 1239577854 3517821354 1361064030 1337281628 1696546364
// stdout: 17 4018549758 3504997946 3537864060 3377724876 2390778242 1776173220
// stdout: 100 3239320994 4261425492 2145611946 1739885452 3797220180 2524693396
// stdout: 1000 1948918548 1381582108 1486290158 306744940 1232493316 812432084
// stdout: 20000 4185547086 2836644232 1043106516 569561056 2924876442 3876889708
// stdout: 677959076, queue 11 15 16 17 0 6 4 19 1 3 2 14 5 8 9 12 13 7 10 18, c 0011 3
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <vector>

struct Item {
  int key, id;
  bool operator<(const Item &other) const { return key < other.key; }
};
static std::vector<Item> made(int count, int keys) {
  std::vector<Item> items;
  for (int i = 0; i < count; i++) items.push_back({rand() % keys, i});
  return items;
}
/* Every id at its place. */
static unsigned sum(const std::vector<Item> &items) {
  unsigned result = 0;
  for (const Item &each : items) result = result * 31 + each.id;
  return result;
}

int main() {
  srand(3);
  for (int count : {1, 2, 7, 16, 17, 100, 1000, 20000}) {
    auto sorted = made(count, 7), falling = sorted, nth = sorted, partial = sorted, heap = sorted;
    std::sort(sorted.begin(), sorted.end());
    std::sort(&falling[0], &falling[0] + count, [](const Item &a, const Item &b) { return a.key > b.key; });
    std::nth_element(nth.begin(), nth.begin() + count / 3, nth.end());
    std::partial_sort(partial.begin(), partial.begin() + count / 2, partial.end());
    std::make_heap(heap.begin(), heap.end());
    unsigned first = sum(heap);
    std::pop_heap(heap.begin(), heap.end());
    std::push_heap(heap.begin(), heap.end());
    std::sort_heap(heap.begin(), heap.end());
    printf("%d %u %u %u %u %u %u\n", count, sum(sorted), sum(falling), sum(nth), sum(partial), first, sum(heap));
  }
  auto rising = made(3000, 5);
  for (int i = 0; i < 3000; i++) rising[i].key = i < 1500 ? i / 4 : (3000 - i) / 4;
  std::sort(rising.begin(), rising.end());
  std::priority_queue<Item> queue;
  for (const Item &each : made(20, 3)) queue.push(each);
  printf("%u, queue", sum(rising));
  for (; !queue.empty(); queue.pop()) printf(" %d", queue.top().id);
  std::vector<std::unique_ptr<std::string>> texts;
  for (int i = 0; i < 40; i++) texts.emplace_back(new std::string(1, 'a' + rand() % 4));
  std::sort(texts.begin(), texts.end(), [](const auto &a, const auto &b) { return *a < *b; });
  std::vector<bool> bits = {true, false, true, false};
  std::sort(bits.begin(), bits.end());
  int numbers[] = {3, 1, 2};
  std::sort(std::begin(numbers), std::end(numbers), std::greater<int>());
  printf(", %s %d%d%d%d %d\n", texts[20]->c_str(), (int)bits[0], (int)bits[1], (int)bits[2], (int)bits[3], numbers[0]);
}
