// The inverse error functions' common core, for both precisions.
#pragma once
#include "core.h"
#include "float_exp_log.h"

/// erfinv(y) / y from w = -log(1 - y^2), so that either tail can be given exactly. Polynomials in w near 0, in
/// its square root s, and (s - 12) / (s + 12), in the tails (the variables: Giles, "Approximating the erfinv function",
/// 2011). Relative error 2^-31.
__WL_BOTH double __wl_erfinv_core_log(double w) {
  __WL_EXACT
  if (w < 6.25) {
    return (0.8862269253189193 + w * (0.23201367544916277 + w * (0.01154924314117338 + w * (
        -0.0023346675175598065 + w * (-0.00012904217842649464 + w * (4.799366387218114e-05 + w * (
        7.776952272028188e-07 + w * (-2.5517089861351e-07 + w * (-3.56642111453631e-07 + w * (
        1.1545979251392028e-07 + w * (-1.697021626307944e-08 + w * (1.4095187285782077e-09 + w * (
        -6.467595186509537e-11 + w * (1.2871894846531426e-12))))))))))))));
  }
  double s = __builtin_sqrt(w);
  if (s < 5.0) {
    return (-10.530555453590283 + s * (39.15627605802933 + s * (-60.05452680611683 + s * (
        55.032388106398564 + s * (-33.17694067636233 + s * (13.971757717923634 + s * (
        -4.234381094014277 + s * (0.9333462791725233 + s * (-0.1488049674278876 + s * (
        0.016759007558514883 + s * (-0.0012669293458177082 + s * (5.776629722482666e-05 + s * (
        -1.202069499426989e-06)))))))))))));
  }
  double u = (s - 12.0) / (s + 12.0);
  return s * (0.9917739306720547 + u * (0.025996145103300283 + u * (-0.03820674638139468 + u * (
        0.04128442789837252 + u * (-0.03985933886654205 + u * (0.03490442798670106 + u * (
        -0.027590736128384315 + u * (0.018480771183313215 + u * (-0.005543189255000175 + u * (
        -0.009292175795158132 + u * (0.001466962053407234 + u * (0.003371029099188958 + u * (
        0.10036111091062276 + u * (-0.1509638150949589))))))))))))));
}
/// The same from p itself, normal, and from a subnormal q with p = 2 q.
__WL_BOTH double __wl_erfinv_core(double p) {
  __WL_EXACT
  return __wl_erfinv_core_log(__wl_log2_core(p) * -0.6931471805599453);
}
__WL_BOTH double __wl_erfinv_core_tiny(double q) {
  __WL_EXACT
  return __wl_erfinv_core_log((__wl_log2_core(q * 18014398509481984.0) - 53.0) * -0.6931471805599453);
}
