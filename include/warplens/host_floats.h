/* Doubles as the host's printf writes them. The C library here (musl's) does all its arithmetic for them in long doubles, of 128 bits and
   in software: four fifths of a `printf("%f")` and of a stream's `<<`. Here most numbers are written in integers, exactly (ties to even, as
   everywhere), and handed to the C library as texts; it has the rest: what does not fit in 128 bits, infinities, `%a`. */
#ifndef WARPLENS_HOST_FLOATS_H
#define WARPLENS_HOST_FLOATS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace __warplens_formats {
typedef unsigned __int128 Wide;

constexpr int largestPower = 19;
inline constexpr uint64_t powersOfTen[largestPower + 1] = {1ull,
                                                           10ull,
                                                           100ull,
                                                           1000ull,
                                                           10000ull,
                                                           100000ull,
                                                           1000000ull,
                                                           10000000ull,
                                                           100000000ull,
                                                           1000000000ull,
                                                           10000000000ull,
                                                           100000000000ull,
                                                           1000000000000ull,
                                                           10000000000000ull,
                                                           100000000000000ull,
                                                           1000000000000000ull,
                                                           10000000000000000ull,
                                                           100000000000000000ull,
                                                           1000000000000000000ull,
                                                           10000000000000000000ull};

/* mantissa * 2^exponent, both exact; the mantissa has at most 53 bits. */
struct Double {
  uint64_t mantissa;
  int exponent;
  bool isNegative, isFinite;
};

inline Double takeApart(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int field = (int)(bits >> 52) & 0x7ff;
  uint64_t fraction = bits & ((1ull << 52) - 1);
  if (field == 0) return {fraction, -1074, bits >> 63 != 0, true};
  return {fraction | 1ull << 52, field - 1075, bits >> 63 != 0, field != 0x7ff};
}

/* The integer nearest to value * 10^power; false where 128 bits or the table are too small for it. */
inline bool scaleToInteger(const Double &value, int power, Wide &result) {
  const uint64_t mantissa = value.mantissa;
  const int shift = -value.exponent;
  if (power > largestPower || power < -largestPower || shift < -10) return false;
  if (power < 0) {
    uint64_t whole = shift <= 0 ? mantissa << -shift : shift < 64 ? mantissa >> shift : 0;
    bool hasMore = shift > 0 && (shift >= 64 ? mantissa != 0 : (mantissa & ((1ull << shift) - 1)) != 0);
    uint64_t divisor = powersOfTen[-power], quotient = whole / divisor, rest = whole % divisor, behind = divisor - rest;
    result = quotient + (rest > behind || (rest == behind && (hasMore || (quotient & 1))));
    return true;
  }
  /* At most 117 bits. */
  Wide product = (Wide)mantissa * powersOfTen[power];
  if (shift <= 0) {
    result = product << -shift;
    return true;
  }
  if (shift > 117) {
    result = 0;
    return true;
  }
  if (product >> 64 == 0 && shift < 64) {
    uint64_t narrow = (uint64_t)product, quotient = narrow >> shift, rest = narrow & ((1ull << shift) - 1),
             half = 1ull << (shift - 1);
    result = quotient + (rest > half || (rest == half && (quotient & 1)));
    return true;
  }
  Wide quotient = product >> shift, rest = product & (((Wide)1 << shift) - 1), half = (Wide)1 << (shift - 1);
  result = quotient + (rest > half || (rest == half && ((uint64_t)quotient & 1)));
  return true;
}

/* Digits in front of `end`, at least `count`; where they begin. */
inline char *writeDigits(char *end, Wide value, int count) {
  char *begin = end;
  while (value >> 64) {
    uint64_t low = (uint64_t)(value % powersOfTen[18]);
    value /= powersOfTen[18];
    for (int i = 0; i < 18; i++, low /= 10) *--begin = '0' + low % 10;
  }
  for (uint64_t rest = (uint64_t)value; rest; rest /= 10) *--begin = '0' + rest % 10;
  while (end - begin < count) *--begin = '0';
  return begin;
}

/* `digits` significant ones as an integer, and the power of ten of the first. */
inline bool scaleToDigits(const Double &value, int digits, Wide &result, int &exponent) {
  exponent = 0;
  result = 0;
  if (value.mantissa == 0) return true;
  if (digits > 18) return false;
  /* log10(2) from below: at most one too small. */
  const int log2 = 63 - __builtin_clzll(value.mantissa) + value.exponent;
  exponent = log2 * 1233 >> 12;
  for (;;) {
    if (!scaleToInteger(value, digits - 1 - exponent, result)) return false;
    if (result >= powersOfTen[digits]) exponent++;
    else if (result < powersOfTen[digits - 1]) exponent--;
    else return true;
  }
}

struct FloatFormat {
  char letter;
  int precision; /* -1: none given */
  bool keepsPoint;
};

/* A whole number of 39 digits, a point, 19 digits and an exponent. */
constexpr int longestFloat = 72;

/* Without sign and padding, into `text`; how long it is, 0 where it is the C library's to write. */
inline int writeFloat(char *text, const Double &value, const FloatFormat &format) {
  const char letter = format.letter | 0x20;
  const int precision = format.precision < 0 ? 6 : format.precision;
  if (!value.isFinite || precision > largestPower || (letter != 'f' && letter != 'e' && letter != 'g')) return 0;
  Wide digits;
  int decimals = precision, exponent = 0;
  bool hasExponent = letter == 'e';
  if (letter == 'f') {
    if (!scaleToInteger(value, precision, digits)) return 0;
  } else {
    if (letter == 'g' && decimals > 0) decimals--;
    if (!scaleToDigits(value, decimals + 1, digits, exponent)) return 0;
    if (letter == 'g') {
      hasExponent = exponent < -4 || exponent > decimals;
      if (!hasExponent) decimals -= exponent;
      uint64_t shorter = (uint64_t)digits;
      for (; !format.keepsPoint && decimals > 0 && shorter % 10 == 0; decimals--) shorter /= 10;
      digits = shorter;
    }
  }
  char room[longestFloat], *const end = room + longestFloat, *const begin = writeDigits(end, digits, decimals + 1);
  const int whole = (int)(end - begin) - decimals;
  int length = 0;
  for (int i = 0; i < whole; i++) text[length++] = begin[i];
  if (decimals > 0 || format.keepsPoint) text[length++] = '.';
  for (int i = 0; i < decimals; i++) text[length++] = begin[whole + i];
  if (hasExponent) {
    text[length++] = format.letter & 0x20 ? 'e' : 'E';
    text[length++] = exponent < 0 ? '-' : '+';
    const char *const power = writeDigits(end, (Wide)(exponent < 0 ? -exponent : exponent), 2);
    for (const char *at = power; at < end; at++) text[length++] = *at;
  }
  return length;
}
} // namespace __warplens_formats
#endif
