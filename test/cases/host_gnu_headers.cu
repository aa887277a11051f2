// Parts of GCC's C++ library and of the GNU C library by themselves, as editors propose them, and the library's names before C++17.
// levels: nightly
// stdout: x.txt 3 1 2 3 7
#include <bits/algorithmfwd.h>
#include <bits/shared_ptr.h>
#include <bits/stdint-uintn.h>
#include <bits/stl_pair.h>
#include <bits/stl_vector.h>
#include <bits/time.h>
#include <bits/types/struct_timeval.h>
#include <bits/unique_ptr.h>
#include <cstdio>
#include <experimental/filesystem>
#include <experimental/optional>
#include <experimental/string_view>
#include <stdint-gcc.h>
namespace files = std::experimental::filesystem;

int main() {
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end());
  std::unique_ptr<int> p(new int(7));
  std::experimental::optional<std::experimental::string_view> text("abc");
  timeval t = {};
  (void)t;
  printf("%s %d %d %d %d %d\n", files::path("/tmp/x.txt").filename().c_str(), (int)text->size(), v[0], v[1], v[2], *p);
}
