// system() of `mkdir`, with which programs make the folder of their output; anything for a shell fails as before.
// stdout: made 0, there 0 0
// stdout: again 256, with -p 0
// stdout: for a shell -1 -1, an option that is not known -1
// stdout: written 1
// stderr: system() is not supported
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>

int main() {
  struct stat found;
  int made = system("mkdir -p  made/a/b made/c");
  printf("made %d, there %d %d\n", made, stat("made/a/b", &found), stat("made/c", &found));
  printf("again %d, with -p %d\n", system("mkdir made"), system(" mkdir -p made "));
  int shell = system("mkdir made/d && ls"), other = system("mkdir 'made/e'");
  printf("for a shell %d %d, an option that is not known %d\n", shell, other, system("mkdir -z made/f"));
  FILE *file = fopen("made/a/b/text", "w");
  printf("written %d\n", file != nullptr);
  if (file) fclose(file);
  remove("made/a/b/text"), remove("made/a/b"), remove("made/a"), remove("made/c"), remove("made");
}
