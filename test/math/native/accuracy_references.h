// References in quadruple precision for what libquadmath has not.
#pragma once

static const quad ln2q = M_LN2q;
static quad exp2Reference(quad x) {
  if (!(fabsq(x) < 20000)) return x > 0 ? HUGE_VALQ : (x < 0 ? 0 : x);
  quad n = rintq(x);
  return ldexpq(expq((x - n) * ln2q), (int)n);
}
static quad exp10Reference(quad x) { return isinfq(x) ? (x > 0 ? x : 0) : powq(10, x); }
/// x modulo 2, for the functions of x * pi.
static quad piPart(quad x) { return fmodq(x, 2); }
static quad sinpiReference(quad x) {
  quad r = piPart(x);
  if (isnanq(r)) return r;
  if (r == 0 || fabsq(r) == 1) return copysignq(0, x);
  if (fabsq(r) > 0.5Q) r = copysignq(1, r) - r;
  return sinq(r * M_PIq);
}
static quad cospiReference(quad x) {
  quad r = fabsq(piPart(x));
  if (isnanq(r)) return r;
  if (r > 1) r = 2 - r;
  if (r == 0.5Q) return 0;
  return r < 0.25Q ? cosq(r * M_PIq) : sinq((0.5Q - r) * M_PIq);
}
static quad rsqrtReference(quad x) { return 1 / sqrtq(x); }
static quad rcbrtReference(quad x) { return 1 / cbrtq(x); }
static quad erfcxReference(quad x) {
  if (isnanq(x)) return x;
  if (x < 50) return x * x > 11000 ? HUGE_VALQ : expq(x * x) * erfcq(x);
  quad z = 1 / (2 * x * x), term = 1, sum = 0;
  for (int k = 0; k < 20; k++) sum += term, term *= -(2 * k + 1) * z;
  return sum / (x * sqrtq(M_PIq));
}
static quad normcdfReference(quad x) { return erfcq(-x * M_SQRT1_2q) / 2; }
/// erfcinv by Newton's method on log(erfc), which is smooth and concave over the whole range; 0 < y <= 1.
static quad erfcinvHalf(quad y) {
  quad x = y > 0.1Q ? (1 - y) * 0.886Q : sqrtq(-logq(y));
  for (int i = 0; i < 60; i++) {
    quad f = erfcq(x), slope = -2 / sqrtq(M_PIq) * expq(-x * x);
    quad step = y > 0.1Q ? (f - y) / slope : (logq(f) - logq(y)) * f / slope;
    x -= step;
    if (fabsq(step) <= 1e-32Q * fabsq(x)) break;
  }
  return x;
}
static quad erfinvHalf(quad y) {
  quad x = y * 0.886Q;
  for (int i = 0; i < 60; i++) {
    quad step = (erfq(x) - y) / (2 / sqrtq(M_PIq) * expq(-x * x));
    x -= step;
    if (fabsq(step) <= 1e-32Q * fabsq(x)) break;
  }
  return x;
}
static quad erfcinvReference(quad y) {
  if (!(y >= 0 && y <= 2)) return nanq("");
  if (y == 0) return HUGE_VALQ;
  if (y == 2) return -HUGE_VALQ;
  if (y == 1) return 0;
  if (fabsq(y - 1) < 0.5Q) return y < 1 ? erfinvHalf(1 - y) : -erfinvHalf(y - 1);
  return y < 1 ? erfcinvHalf(y) : -erfcinvHalf(2 - y);
}
static quad erfinvReference(quad y) {
  if (!(fabsq(y) <= 1)) return nanq("");
  quad a = fabsq(y);
  if (a == 0) return y;
  if (a == 1) return copysignq(HUGE_VALQ, y);
  return copysignq(a < 0.5Q ? erfinvHalf(a) : erfcinvHalf(1 - a), y);
}
static quad normcdfinvReference(quad y) {
  if (!(y >= 0 && y <= 1)) return nanq("");
  return -M_SQRT2q * erfcinvReference(2 * y);
}
/// Modified Bessel functions by their power series, all of whose terms are positive.
static quad besselI(int order, quad x) {
  if (!(fabsq(x) < 800)) return isnanq(x) ? x : (order && x < 0 ? -HUGE_VALQ : HUGE_VALQ);
  quad h = x / 2, term = order ? h : 1, sum = 0;
  if (term == 0) return x;
  for (int k = 1; term != 0 && fabsq(term) > 1e-40Q * fabsq(sum); k++) sum += term, term *= h * h / ((quad)k * (k + order));
  return sum;
}
static quad tgammaReference(quad x) { return x < 0 && floorq(x) == x ? nanq("") : tgammaq(x); }
/// libquadmath's y0 and y1 of a negative number are not a NaN.
static quad y0Reference(quad x) { return x < 0 ? nanq("") : y0q(x); }
static quad y1Reference(quad x) { return x < 0 ? nanq("") : y1q(x); }
