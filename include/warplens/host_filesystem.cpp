/*
 * Exceptions of std::filesystem: the compiled part of the C++ library has none, and would only say that it cannot throw. The linker
 * sends a program's calls here (`--wrap`, src/frontend/building/runtimeUnits.ts, which finds the names in this file): each asks for the error's code
 * and throws what the standard says, with the texts of GNU's library, nvcc's on Linux. Linked into programs that name the library and
 * have exceptions.
 */
#include <filesystem>
#include <string>
#include <system_error>
#include <type_traits>

namespace fs = std::filesystem;

namespace {

/** What a call that was not given a place for its error's code is given. */
template <class... Paths> class Call {
  const char *text;
  std::error_code *place;
  std::error_code own;
  std::tuple<const Paths &...> paths;

public:
  Call(const char *text, std::error_code *place, const Paths &...paths) : text(text), place(place), paths(paths...) {}
  std::error_code *code() { return place ? place : &own; }
  void check() const {
    if (place || !own) return;
    std::apply([&](const auto &...each) { throw fs::filesystem_error(text, each..., own); }, paths);
  }
};
/** A file that is not there has a status, too. */
bool isAnswer(fs::file_status status) { return status.type() == fs::file_type::not_found; }
template <class T> bool isAnswer(const T &) { return false; }

template <class Call, class Real> auto checked(Call call, Real real) {
  if constexpr (std::is_void_v<decltype(real(call.code()))>) {
    real(call.code());
    call.check();
  } else {
    auto result = real(call.code());
    if (!isAnswer(result)) call.check();
    return result;
  }
}

using Code = std::error_code *;

} // namespace

/* The function of that name: its parameters in front of the code, as they are declared and as they are handed on; the paths told of. */
#define WRAP(number, result, name, text, parameters, arguments, paths)                                                      \
  result real##number parameters __asm__("__real_" name);                                                                   \
  result wrap##number parameters __asm__("__wrap_" name);                                                                   \
  result wrap##number parameters {                                                                                          \
    return checked(Call paths, [&](Code code) { return real##number arguments; });                                          \
  }
#define ONE(number, result, name, text)                                                                                     \
  WRAP(number, result, name, text, (const fs::path &p, Code c), (p, code), (text, c, p))
#define TWO(number, result, name, text)                                                                                     \
  WRAP(number, result, name, text, (const fs::path &p, const fs::path &q, Code c), (p, q, code), (text, c, p, q))

ONE(1, fs::path, "_ZNSt3__210filesystem10__absoluteERKNS0_4pathEPNS_10error_codeE", "cannot make absolute path")
ONE(2, fs::path, "_ZNSt3__210filesystem11__canonicalERKNS0_4pathEPNS_10error_codeE", "cannot make canonical path")
ONE(3, fs::path, "_ZNSt3__210filesystem18__weakly_canonicalERKNS0_4pathEPNS_10error_codeE", "cannot make canonical path")
ONE(4, fs::path, "_ZNSt3__210filesystem14__read_symlinkERKNS0_4pathEPNS_10error_codeE", "read_symlink")
ONE(5, uintmax_t, "_ZNSt3__210filesystem11__file_sizeERKNS0_4pathEPNS_10error_codeE", "cannot get file size")
ONE(6, uintmax_t, "_ZNSt3__210filesystem12__remove_allERKNS0_4pathEPNS_10error_codeE", "cannot remove all")
ONE(7, bool, "_ZNSt3__210filesystem8__removeERKNS0_4pathEPNS_10error_codeE", "cannot remove")
ONE(8, bool, "_ZNSt3__210filesystem13__fs_is_emptyERKNS0_4pathEPNS_10error_codeE", "cannot check if file is empty")
ONE(9, bool, "_ZNSt3__210filesystem18__create_directoryERKNS0_4pathEPNS_10error_codeE", "cannot create directory")
ONE(10, bool, "_ZNSt3__210filesystem20__create_directoriesERKNS0_4pathEPNS_10error_codeE", "cannot create directories")
ONE(11, uintmax_t, "_ZNSt3__210filesystem17__hard_link_countERKNS0_4pathEPNS_10error_codeE", "cannot get link count")
ONE(12, fs::file_time_type, "_ZNSt3__210filesystem17__last_write_timeERKNS0_4pathEPNS_10error_codeE", "cannot get file time")
ONE(13, fs::space_info, "_ZNSt3__210filesystem7__spaceERKNS0_4pathEPNS_10error_codeE", "cannot get free space")
ONE(14, fs::file_status, "_ZNSt3__210filesystem8__statusERKNS0_4pathEPNS_10error_codeE", "status")
ONE(15, fs::file_status, "_ZNSt3__210filesystem16__symlink_statusERKNS0_4pathEPNS_10error_codeE", "symlink_status")
ONE(16, void, "_ZNSt3__210filesystem14__current_pathERKNS0_4pathEPNS_10error_codeE", "cannot set current path")

TWO(20, bool, "_ZNSt3__210filesystem12__equivalentERKNS0_4pathES3_PNS_10error_codeE", "cannot check file equivalence")
TWO(21, bool, "_ZNSt3__210filesystem18__create_directoryERKNS0_4pathES3_PNS_10error_codeE", "cannot create directory")
TWO(22, void, "_ZNSt3__210filesystem14__copy_symlinkERKNS0_4pathES3_PNS_10error_codeE", "cannot copy symlink")
TWO(23, void, "_ZNSt3__210filesystem16__create_symlinkERKNS0_4pathES3_PNS_10error_codeE", "cannot create symlink")
TWO(24, void, "_ZNSt3__210filesystem18__create_hard_linkERKNS0_4pathES3_PNS_10error_codeE", "cannot create hard link")
TWO(25, void, "_ZNSt3__210filesystem26__create_directory_symlinkERKNS0_4pathES3_PNS_10error_codeE", "cannot create directory symlink")
TWO(26, void, "_ZNSt3__210filesystem8__renameERKNS0_4pathES3_PNS_10error_codeE", "cannot rename")

WRAP(30, void, "_ZNSt3__210filesystem6__copyERKNS0_4pathES3_NS0_12copy_optionsEPNS_10error_codeE", "",
     (const fs::path &p, const fs::path &q, fs::copy_options o, Code c), (p, q, o, code), ("cannot copy", c, p, q))
WRAP(31, bool, "_ZNSt3__210filesystem11__copy_fileERKNS0_4pathES3_NS0_12copy_optionsEPNS_10error_codeE", "",
     (const fs::path &p, const fs::path &q, fs::copy_options o, Code c), (p, q, o, code), ("cannot copy file", c, p, q))
WRAP(32, void, "_ZNSt3__210filesystem13__permissionsERKNS0_4pathENS0_5permsENS0_12perm_optionsEPNS_10error_codeE", "",
     (const fs::path &p, fs::perms v, fs::perm_options o, Code c), (p, v, o, code), ("cannot set permissions", c, p))
WRAP(33, void, "_ZNSt3__210filesystem13__resize_fileERKNS0_4pathEyPNS_10error_codeE", "",
     (const fs::path &p, uintmax_t n, Code c), (p, n, code), ("cannot resize file", c, p))
WRAP(34, void,
     "_ZNSt3__210filesystem17__last_write_timeERKNS0_4pathENS_6chrono10time_pointINS0_16_FilesystemClockENS5_8durationInNS_5ratioILx1ELx1000000000EEEEEEEPNS_10error_codeE",
     "", (const fs::path &p, fs::file_time_type t, Code c), (p, t, code), ("cannot set file time", c, p))
WRAP(35, fs::path, "_ZNSt3__210filesystem14__current_pathEPNS_10error_codeE", "", (Code c), (code), ("cannot get current path", c))
WRAP(36, fs::path, "_ZNSt3__210filesystem21__temp_directory_pathEPNS_10error_codeE", "", (Code c), (code), ("temp_directory_path", c))

/* Constructors, which return the object in WebAssembly, of whole objects and of bases. */
#define CONSTRUCTORS(number, name, parameters, text, options, arguments)                                                    \
  WRAP(number##1, void *, name "C1" parameters, "", options, arguments, (text, c, p))                                       \
  WRAP(number##2, void *, name "C2" parameters, "", options, arguments, (text, c, p))
CONSTRUCTORS(40, "_ZNSt3__210filesystem18directory_iterator", "ERKNS0_4pathEPNS_10error_codeENS0_17directory_optionsE",
             "directory iterator cannot open directory", (void *self, const fs::path &p, Code c, fs::directory_options o),
             (self, p, code, o))
CONSTRUCTORS(41, "_ZNSt3__210filesystem28recursive_directory_iterator", "ERKNS0_4pathENS0_17directory_optionsEPNS_10error_codeE",
             "recursive directory iterator cannot open directory",
             (void *self, const fs::path &p, fs::directory_options o, Code c), (self, p, o, code))
WRAP(42, void *, "_ZNSt3__210filesystem18directory_iterator11__incrementEPNS_10error_codeE", "", (void *self, Code c),
     (self, code), ("directory iterator cannot advance", c))
WRAP(43, void *, "_ZNSt3__210filesystem28recursive_directory_iterator11__incrementEPNS_10error_codeE", "", (void *self, Code c),
     (self, code), ("cannot increment recursive directory iterator", c))
WRAP(44, void, "_ZNSt3__210filesystem28recursive_directory_iterator5__popEPNS_10error_codeE", "", (void *self, Code c),
     (self, code), ("recursive directory iterator cannot pop", c))
