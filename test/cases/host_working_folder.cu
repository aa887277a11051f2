// Absolute paths in programs that ask where they are, a change of folder, and /tmp, which is the program's own.
// stdout: whole 1 1, below 1 below, above 1
// stdout: temporary 1 /tmp, kept 1, gone 0, file hello, folder 1
// stderr: warning: /tmp/warplens_left.txt went with the program, whose /tmp is in memory
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
namespace fs = std::filesystem;
bool opens(const fs::path &path) {
  FILE *file = fopen(path.c_str(), "r");
  return file && fclose(file) == 0;
}
int main() {
  fs::create_directory("below");
  std::ofstream("below/x.txt") << "text";
  const fs::path whole = fs::current_path() / "below" / "x.txt";
  printf("whole %d %d, ", fs::exists(whole), opens(whole));
  chdir("below");
  printf("below %d %s, ", opens("x.txt"), fs::path(getcwd(nullptr, 0)).filename().c_str());
  chdir("..");
  printf("above %d\n", opens("below/x.txt"));

  const fs::path name = fs::temp_directory_path() / "warplens_case.txt";
  std::ofstream(name) << "text";
  printf("temporary %d %s, kept %d, ", opens(name), fs::temp_directory_path().c_str(), fs::file_size(name) == 4);
  fs::remove(name);
  std::ofstream("/tmp/warplens_left.txt") << "text";
  FILE *file = tmpfile();
  char line[16];
  fputs("hello", file), rewind(file), fgets(line, sizeof line, file);
  char folder[] = "/tmp/warplens_XXXXXX";
  printf("gone %d, file %s, folder %d\n", fs::exists(name), line, mkdtemp(folder) && fs::is_directory(folder));
}
