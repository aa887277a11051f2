// <iomanip> alone has std::stringstream, as with GCC's library.
// stdout: 007
#include <cstdio>
#include <iomanip>

int main() {
  std::stringstream text;
  text << std::setw(3) << std::setfill('0') << 7;
  printf("%s\n", text.str().c_str());
  return 0;
}
