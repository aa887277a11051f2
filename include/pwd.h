/* The one user that host programs run as; see <unistd.h>. */
#ifndef _PWD_H
#define _PWD_H
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct passwd {
  char *pw_name, *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos, *pw_dir, *pw_shell;
};

static inline __attribute__((unused)) struct passwd *getpwuid(uid_t user) {
  static struct passwd entry;
  static char name[] = WARPLENS_USER, none[] = "", root[] = "/", shell[] = "/bin/sh";
  char *home = getenv("HOME");
  if (user != getuid()) return 0;
  entry.pw_name = name;
  entry.pw_passwd = entry.pw_gecos = none;
  entry.pw_uid = getuid();
  entry.pw_gid = getgid();
  entry.pw_dir = home ? home : root;
  entry.pw_shell = shell;
  return &entry;
}
static inline __attribute__((unused)) struct passwd *getpwnam(const char *name) {
  return strcmp(name, WARPLENS_USER) == 0 ? getpwuid(getuid()) : 0;
}

#ifdef __cplusplus
}
#endif
#endif
