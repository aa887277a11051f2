// Other processes: what starts one fails, as on a system that has no more of them, and says so; nobody is waited for.
// levels: nightly
// stdout: fork -1 1, vfork -1, exec -1 -1 -1, pipe -1
// stdout: wait -1 1 -1
// stdout: exit 1 3, signal 1 9, stopped 1 19
// stderr: fork() is not supported (there is no other process to start); it returns -1
// stderr: execlp() is not supported
// stderr: pipe() is not supported
#include <cerrno>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  char name[] = "gdb", *arguments[] = {name, nullptr};
  int ends[2], status = 0;
  errno = 0;
  int forked = fork(), error = errno;
  printf("fork %d %d, vfork %d, exec %d %d %d, pipe %d\n", forked, error == EAGAIN, (int)vfork(), execvp(name, arguments),
         execlp(name, name, "-p", (char *)nullptr), execve(name, arguments, arguments), pipe(ends));
  int waited = waitpid(-1, &status, WNOHANG), of = errno;
  printf("wait %d %d %d\n", waited, of == ECHILD, (int)wait(&status));
  printf("exit %d %d, signal %d %d, stopped %d %d\n", WIFEXITED(0x300), WEXITSTATUS(0x300), WIFSIGNALED(9), WTERMSIG(9),
         WIFSTOPPED(0x137f), WSTOPSIG(0x137f));
  return prctl(PR_SET_PTRACER, 1) == 0;
}
