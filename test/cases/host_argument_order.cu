// Arguments with random numbers are evaluated from right to left, as by GCC, nvcc's host compiler: in calls of functions, members and
// constructors, with wrappers, macros, distributions and lambdas; in braces from left to right.
// levels: nightly
// stdout: global 88.6 38.3 0
// stdout: function 61 76.5 67.5
// stdout: declared 1.18151 3 0.640244
// stdout: made 4.68 2.632 0
// stdout: vector 1 3 9, line 64
// stdout: 0 as they are, 8 0
// stdout: nested 80600
// stdout: braces 6 4
// stdout: emplaced 0.779919 0.227339 0.0763083
// stdout: pushed 0.318972 0.438409 0
// stdout: pair 6 4, larger 5
// stdout: 0 4 7 6 2 3 5 1 e
// stdout: tree 35 65 13 37 53 65 10 71 40 61 99 8 84 27 46
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>
#define UNIT (rand() / (float)RAND_MAX)
#define BELOW(n) (rand() % (n))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
struct Point {
  float x, y, z;
  Point() = default;
  Point(float x, float y, float z = 0) : x(x), y(y), z(z) {}
};
struct Pair { int first, second; };
struct Tree {
  std::unique_ptr<Tree> left, right;
  int value;
  Tree(int value, std::unique_ptr<Tree> left, std::unique_ptr<Tree> right)
      : left(std::move(left)), right(std::move(right)), value(value) {}
};
static float frand() { return BELOW(1000) / 10.0f; }
template <class T> static T between(T low, T high) { return low + (T)(frand() / 100 * (high - low)); }
static Point global(frand(), frand());
static std::unique_ptr<Tree> grow(int depth) {
  if (depth == 0) return nullptr;
  return std::unique_ptr<Tree>(new Tree(rand() % 100, grow(depth - 1), grow(depth - 1)));
}
static void print(const Tree *tree) {
  if (!tree) return;
  printf(" %d", tree->value);
  print(tree->left.get()), print(tree->right.get());
}
static void show(const char *name, Point p) { printf("%s %g %g %g\n", name, p.x, p.y, p.z); }
static int digits(int a, int b) { return 100 * a + b; }

int main() {
  show("global", global);
  srand(5);
  show("function", Point(frand(), frand(), frand()));
  Point declared(UNIT * 8, 3, UNIT * 8), *made = new Point(between(1.f, 5.f), between(2.f, 3.f));
  show("declared", declared);
  show("made", *made);
  float3 vector = make_float3(rand() % 10, rand() % 10,  // two, and
                              rand() % 10);
  printf("vector %g %g %g, line %d\n", vector.x, vector.y, vector.z, __LINE__);
  printf("%d %s %d %d\n", BELOW(10), "as they are,", BELOW(10), LARGER(BELOW(10), BELOW(10)));
  printf("nested %d\n", digits(digits(rand() % 10, rand() % 10), digits(rand() % 10, rand() % 10)));
  Pair braces = {rand() % 10, rand() % 10};
  printf("braces %d %d\n", braces.first, braces.second);

  std::mt19937 words(7);
  std::uniform_real_distribution<float> some(0, 1);
  auto roll = [&]() { return (int)(words() % 6) + 1; };
  std::vector<Point> points;
  points.emplace_back(some(words), some(words), some(words));
  points.push_back({some(words), some(words)});
  show("emplaced", points[0]);
  show("pushed", points[1]);
  std::pair<int, int> pair = std::make_pair<int, int>(roll(), roll());
  printf("pair %d %d, larger %d\n", pair.first, pair.second, std::max(roll(), 7 - roll()));
  int list[] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < 9; i++) std::swap(list[roll()], list[rand() % 8]);
  for (int each : list) printf("%d ", each);
  std::string text = std::string(roll(), 'a' + roll());
  printf("%s\ntree", text.c_str());
  print(grow(4).get());
  puts("");
}
