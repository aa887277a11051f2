/* Formats of the host's printf family as the GNU C library reads them, where the C library here (musl's) reads them otherwise: it ends
   at a conversion that there is none of (`%f% @`), which GNU's prints as it stands, normalised, and goes on; lengths that a conversion
   has no use for (`%hf`, `%Ld`); the null pointer, `(nil)`. The linker sends all of the family here (`--wrap=vfprintf`, src/frontend/building/commands.ts):
   printf, fprintf, snprintf, vprintf and their like end in it. Ordinary formats go on at once, in one piece; others conversion by conversion. */
#ifndef WARPLENS_HOST_FORMATS_H
#define WARPLENS_HOST_FORMATS_H

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <warplens/host_floats.h>

extern "C" {
int __real_vfprintf(FILE *stream, const char *format, va_list arguments);
}

namespace __warplens_formats {
/* `%`, flags, width, precision, length and letter. */
struct Conversion {
  const char *end;
  bool isAlternative, isGrouped, hasSign, hasSpace, isLeft, isZero, isNumbered;
  int width, precision; /* no precision: -1 */
  char length, letter; /* `H` is hh, `q` is ll, too */
};

inline bool isOneOf(char letter, const char *letters) { return letter && strchr(letters, letter); }

inline int readNumber(const char *&at) {
  int value = 0;
  for (; *at >= '0' && *at <= '9'; at++) value = value * 10 + (*at - '0');
  return value;
}

/* `at`: behind the `%`. Takes widths and precisions that are arguments. */
inline Conversion readConversion(const char *at, va_list *rest) {
  Conversion found = {};
  for (; isOneOf(*at, "-+ #0'I"); at++) {
    found.isAlternative |= *at == '#', found.isGrouped |= *at == '\'', found.hasSign |= *at == '+';
    found.hasSpace |= *at == ' ', found.isLeft |= *at == '-', found.isZero |= *at == '0';
  }
  if (*at == '*') at++, found.width = va_arg(*rest, int);
  else found.width = readNumber(at);
  found.isNumbered = *at == '$' || (*at >= '0' && *at <= '9');
  if (found.width < 0) found.isLeft = true, found.width = -found.width;
  found.precision = -1;
  if (*at == '.') {
    at++;
    if (*at == '*') at++, found.precision = va_arg(*rest, int);
    else found.precision = readNumber(at);
    if (found.precision < 0) found.precision = -1;
  }
  for (; isOneOf(*at, "hlqLjztZ"); at++)
    found.length = *at == 'h' && found.length == 'h' ? 'H' : *at == 'l' && found.length == 'l' ? 'q' : *at;
  found.letter = *at;
  found.end = *at ? at + 1 : at;
  return found;
}

inline bool isInteger(char letter) { return isOneOf(letter, "diouxX"); }
inline bool isFloat(char letter) { return isOneOf(letter, "aAeEfFgG"); }

union Value {
  int integer;
  long long wide;
  double real;
  long double longReal;
  void *pointer;
};

inline bool isWide(const Conversion &of) {
  return isInteger(of.letter) && isOneOf(of.length, "qLj");
}

inline Value takeValue(const Conversion &of, va_list *rest) {
  Value value = {};
  if (isWide(of)) value.wide = va_arg(*rest, long long);
  else if (isInteger(of.letter) || isOneOf(of.letter, "cC")) value.integer = va_arg(*rest, int);
  else if (isFloat(of.letter) && of.length == 'L') value.longReal = va_arg(*rest, long double);
  else if (isFloat(of.letter)) value.real = va_arg(*rest, double);
  else if (isOneOf(of.letter, "sSpn")) value.pointer = va_arg(*rest, void *);
  return value;
}

/* Whether the C library does with it what GNU's does. */
inline bool isOrdinary(const char *begin, const Conversion &found, const Value &value) {
  if (!found.length && found.letter == '%') return found.end - begin == 1;
  if (!found.length && found.letter == 'p') return value.pointer;
  if (!found.length) return isOneOf(found.letter, "diouxXaAeEfFgGcCsSnm");
  if (isInteger(found.letter)) return !isOneOf(found.length, "LZ") && found.end[-2] != 'q';
  if (isFloat(found.letter)) return found.length == 'l' || found.length == 'L';
  return found.length == 'l' && isOneOf(found.letter, "csn");
}

/* Streams of the C++ library ask for numbers and addresses under a locale of their own; GNU's write the null pointer as 0. */
inline bool isOfStream() { return uselocale((locale_t)0) != LC_GLOBAL_LOCALE; }

inline bool areOrdinary(const char *format, va_list *rest, bool &hasDoubles) {
  for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
    Conversion found = readConversion(at + 1, rest);
    if (found.isNumbered) {
      hasDoubles = false;
      return true;
    }
    hasDoubles |= isFloat(found.letter) && found.length != 'L';
    Value value = takeValue(found, rest);
    if (!isOrdinary(at + 1, found, value)) return found.letter == 'p' && isOfStream();
    at = found.end;
  }
  return true;
}

inline int printPiece(FILE *stream, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = __real_vfprintf(stream, format, arguments);
  va_end(arguments);
  return written;
}

/* A conversion that there is none of, as GNU's writes it. */
inline int printUnknown(FILE *stream, const Conversion &of) {
  char width[12] = "", precision[14] = "", letter[2] = {of.letter, 0};
  if (of.width) snprintf(width, sizeof width, "%d", of.width);
  if (of.precision >= 0) snprintf(precision, sizeof precision, ".%d", of.precision);
  return printPiece(stream, "%%%s%s%s%s%s%s%s", of.isAlternative ? "#" : "", of.isGrouped ? "'" : "",
                    of.hasSign ? "+" : of.hasSpace ? " " : "", of.isLeft ? "-" : of.isZero ? "0" : "", width,
                    precision, letter);
}

inline int printValue(FILE *stream, const Conversion &of, const Value &value) {
  const char *length = isWide(of) ? "ll" : "";
  if (isInteger(of.letter)) length = of.length == 'h' ? "h" : of.length == 'H' ? "hh" : length;
  if (isFloat(of.letter) && of.length == 'L') length = "L";
  if (isOneOf(of.letter, "cs") && of.length == 'l') length = "l";
  char format[20];
  snprintf(format, sizeof format, "%%%s%s%s%s%s*.*%s%c", of.isAlternative ? "#" : "", of.isGrouped ? "'" : "",
           of.hasSign ? "+" : of.hasSpace ? " " : "", of.isLeft ? "-" : "", of.isZero ? "0" : "", length, of.letter);
  if (*length == 'L') return printPiece(stream, format, of.width, of.precision, value.longReal);
  if (isFloat(of.letter)) return printPiece(stream, format, of.width, of.precision, value.real);
  if (isWide(of)) return printPiece(stream, format, of.width, of.precision, value.wide);
  if (isInteger(of.letter) || isOneOf(of.letter, "cC"))
    return printPiece(stream, format, of.width, of.precision, value.integer);
  return printPiece(stream, format, of.width, of.precision, value.pointer);
}

inline int printPieces(FILE *stream, const char *format, va_list *rest) {
  int total = 0;
  bool wasUnknown = false;
  while (*format) {
    const char *end = strchr(format, '%');
    size_t bytes = end ? (size_t)(end - format) : strlen(format);
    int written = bytes ? printPiece(stream, "%.*s", (int)bytes, format) : 0;
    if (written < 0) return -1;
    total += written;
    format += bytes;
    if (!end) break;
    Conversion found = readConversion(end + 1, rest);
    if (!found.letter && !wasUnknown) {
      errno = EINVAL;
      return -1;
    }
    Value value = takeValue(found, rest);
    if (found.letter == '%') written = printPiece(stream, "%%");
    else if (found.letter == 'p' && !value.pointer)
      written = printPiece(stream, found.isLeft ? "%-*s" : "%*s", found.width, "(nil)");
    else if (found.letter == 'm') written = printPiece(stream, "%s", strerror(errno));
    else if (found.letter == 'n') written = 0, *(int *)value.pointer = total;
    else if (isOneOf(found.letter, "diouxXaAeEfFgGcCsSp")) written = printValue(stream, found, value);
    else written = printUnknown(stream, found), wasUnknown = true;
    if (written < 0) return -1;
    total += written;
    format = found.end;
  }
  return total;
}

/* Arguments as a va_list of this machine has them: one behind the other, each at its own alignment. */
struct Arguments {
  static constexpr size_t room = 1024;
  alignas(16) char bytes[room];
  size_t used = 0;

  template <class T>
  bool add(T value) {
    size_t at = (used + alignof(T) - 1) & ~(alignof(T) - 1);
    if (at + sizeof(T) > room) return false;
    memcpy(bytes + at, &value, sizeof(T));
    used = at + sizeof(T);
    return true;
  }
  bool addValue(const Conversion &of, const Value &value) {
    if (isWide(of)) return add(value.wide);
    if (isInteger(of.letter) || isOneOf(of.letter, "cC")) return add(value.integer);
    if (isFloat(of.letter) && of.length == 'L') return add(value.longReal);
    if (isFloat(of.letter)) return add(value.real);
    return !isOneOf(of.letter, "sSpn") || add(value.pointer);
  }
};

/* The format with a text in place of each double. */
struct Rewritten {
  char format[512], texts[1024];
  size_t formatUsed = 0, textsUsed = 0;
  Arguments arguments;

  bool addFormat(const char *from, size_t bytes) {
    if (formatUsed + bytes >= sizeof format) return false;
    memcpy(format + formatUsed, from, bytes);
    formatUsed += bytes;
    return true;
  }

  /* False where the double is the C library's to write. */
  bool addDouble(const Conversion &of, double real) {
    char text[longestFloat];
    const Double value = takeApart(real);
    const int length = of.isGrouped ? 0 : writeFloat(text, value, {of.letter, of.precision, of.isAlternative});
    const char sign = value.isNegative ? '-' : of.hasSign ? '+' : of.hasSpace ? ' ' : 0;
    const int bytes = length + (sign != 0), padding = of.width > bytes ? of.width - bytes : 0;
    if (length == 0 || textsUsed + bytes + padding >= sizeof texts) return false;
    char *const begin = texts + textsUsed, *at = begin;
    const bool hasZeros = of.isZero && !of.isLeft;
    auto pad = [&](char with) { memset(at, with, padding), at += padding; };
    if (!of.isLeft && !hasZeros) pad(' ');
    if (sign) *at++ = sign;
    if (hasZeros) pad('0');
    memcpy(at, text, length), at += length;
    if (of.isLeft) pad(' ');
    *at = 0;
    textsUsed += bytes + padding + 1;
    return addFormat("%s", 2) && arguments.add(begin);
  }

  bool add(const char *from, va_list *rest) {
    while (const char *at = strchr(from, '%')) {
      const Conversion found = readConversion(at + 1, rest);
      const Value value = takeValue(found, rest);
      if (isFloat(found.letter) && found.length != 'L') {
        if (!addFormat(from, at - from) || !addDouble(found, value.real)) return false;
      } else {
        const char *star = (const char *)memchr(at, '*', found.end - at);
        if (star && star[-1] != '.' && !arguments.add(found.isLeft ? -found.width : found.width)) return false;
        if (star && star[-1] != '.') star = (const char *)memchr(star + 1, '*', found.end - star - 1);
        if (star && !arguments.add(found.precision)) return false;
        if (!addFormat(from, found.end - from) || !arguments.addValue(found, value)) return false;
      }
      from = found.end;
    }
    return addFormat(from, strlen(from) + 1);
  }
};

inline int printWithDoubles(FILE *stream, const char *format, va_list arguments) {
  Rewritten rewritten;
  va_list rest;
  va_copy(rest, arguments);
  const bool isWhole = rewritten.add(format, &rest);
  va_end(rest);
  if (!isWhole) return __real_vfprintf(stream, format, arguments);
  void *const bytes = rewritten.arguments.bytes;
  va_list texts;
  static_assert(sizeof texts == sizeof bytes);
  memcpy(&texts, &bytes, sizeof bytes);
  return __real_vfprintf(stream, rewritten.format, texts);
}

} // namespace __warplens_formats

extern "C" __attribute__((weak)) int __wrap_vfprintf(FILE *stream, const char *format, va_list arguments) {
  va_list rest;
  va_copy(rest, arguments);
  bool hasDoubles = false;
  bool isOnePiece = __warplens_formats::areOrdinary(format, &rest, hasDoubles);
  va_end(rest);
  if (isOnePiece && hasDoubles) return __warplens_formats::printWithDoubles(stream, format, arguments);
  if (isOnePiece) return __real_vfprintf(stream, format, arguments);
  va_copy(rest, arguments);
  int written = __warplens_formats::printPieces(stream, format, &rest);
  va_end(rest);
  return written;
}
#endif
