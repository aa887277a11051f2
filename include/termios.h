/* Terminals: the host program has none to set, so that asking and setting fail with ENOTTY, as POSIX says of other files. */
#ifndef _TERMIOS_H
#define _TERMIOS_H
#include <errno.h>

typedef unsigned char cc_t;
typedef unsigned int speed_t;
typedef unsigned int tcflag_t;
#define NCCS 32
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  cc_t c_line;
  cc_t c_cc[NCCS];
  speed_t c_ispeed, c_ospeed;
};
#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VKILL 3
#define VEOF 4
#define VTIME 5
#define VMIN 6
#define BRKINT 2
#define ICRNL 0x100
#define INPCK 0x10
#define ISTRIP 0x20
#define IXON 0x400
#define OPOST 1
#define CS8 0x30
#define ISIG 1
#define ICANON 2
#define ECHO 8
#define IEXTEN 0x8000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2

static inline __attribute__((unused)) int tcgetattr(int file, struct termios *settings) {
  (void)file, (void)settings;
  return errno = ENOTTY, -1;
}
static inline __attribute__((unused)) int tcsetattr(int file, int when, const struct termios *settings) {
  (void)file, (void)when, (void)settings;
  return errno = ENOTTY, -1;
}
#endif
