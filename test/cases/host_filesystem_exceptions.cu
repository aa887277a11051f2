// What std::filesystem throws, which is compiled without exceptions: its own type, with the paths, the code and GNU's words.
// levels: nightly
// stdout: file_size: cannot get file size | missing.bin | none 1
// stdout: rename: cannot rename | missing.bin > b.bin 1
// stdout: create_directory: cannot create directory | nowhere/x | none 1
// stdout: directory_iterator: directory iterator cannot open directory | nowhere | none 1
// stdout: no throw: 1 0 0 1
// stdout: a system_error: 1
// stdout: 3 files, 2 below
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
namespace fs = std::filesystem;

template <class Body> static void tell(const char *name, Body body) {
  try {
    body();
    printf("%s: nothing thrown\n", name);
  } catch (const fs::filesystem_error &e) {
    std::string text = e.what();
    size_t from = text.find(": ") + 2;
    printf("%s: %s | %s%s 1\n", name, text.substr(from, text.find(':', from) - from).c_str(), e.path1().c_str(),
           e.path2().empty() ? " | none" : (" > " + e.path2().string()).c_str());
    if (e.code() != std::errc::no_such_file_or_directory) printf("code %d\n", e.code().value());
  }
}

int main() {
  tell("file_size", [] { fs::file_size("missing.bin"); });
  tell("rename", [] { fs::rename("missing.bin", "b.bin"); });
  tell("create_directory", [] { fs::create_directory("nowhere/x"); });
  tell("directory_iterator", [] { fs::directory_iterator all("nowhere"); });
  std::error_code code;
  fs::file_size("missing.bin", code);
  printf("no throw: %d %d %d %d\n", code == std::errc::no_such_file_or_directory, fs::exists("missing.bin"), fs::remove("missing.bin"),
         fs::status("missing.bin").type() == fs::file_type::not_found);
  try {
    fs::copy_file("missing.bin", "b.bin");
  } catch (const std::system_error &) {
    printf("a system_error: 1\n");
  }
  fs::create_directories("d/e");
  std::ofstream("d/a.txt") << "a";
  std::ofstream("d/e/b.txt") << "b";
  int below = 0, all = 0;
  for (auto &each : fs::directory_iterator("d")) below += each.exists();
  for (auto &each : fs::recursive_directory_iterator("d")) all += each.exists();
  printf("%d files, %d below\n", all, below);
}
