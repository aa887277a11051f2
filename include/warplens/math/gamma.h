// tgamma and lgamma in both precisions.
//
// tgamma is Lanczos' approximation with the constants of Boost (N = 13, g = 6.02468...), in musl's arrangement; lgamma is
// FreeBSD's e_lgamma_r.c.
// tgamma: Copyright (c) 2005-2020 Rich Felker, et al. (musl, MIT licence). lgamma:
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunSoft, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.
// ====================================================
#pragma once
#include "core.h"
#include "double_exp_log.h"
#include "double_trig.h"

/// Lanczos' sum for x > 0, as a quotient of polynomials in x, or in 1 / x where those would overflow.
__WL_BOTH double __wl_lanczos(double x) {
  __WL_EXACT
  if (x < 8.0) {
    double n = 23531376880.41076 + x * (42919803642.6491 + x * (35711959237.35567 + x * (17921034426.03721 + x *
               (6039542586.352028 + x * (1439720407.3117216 + x * (248874557.86205417 + x * (31426415.585400194 + x *
               (2876370.6289353725 + x * (186056.26539522348 + x * (8071.672002365816 + x * (210.82427775157936 + x *
               (2.5066282746310002))))))))))));
    double d = 0.0 + x * (39916800.0 + x * (120543840.0 + x * (150917976.0 + x * (105258076.0 + x * (45995730.0 + x *
               (13339535.0 + x * (2637558.0 + x * (357423.0 + x * (32670.0 + x * (1925.0 + x * (66.0 + x *
               (1.0))))))))))));
    return n / d;
  }
  double z = 1.0 / x;
  double n = 2.5066282746310002 + z * (210.82427775157936 + z * (8071.672002365816 + z * (186056.26539522348 + z *
             (2876370.6289353725 + z * (31426415.585400194 + z * (248874557.86205417 + z * (1439720407.3117216 + z *
             (6039542586.352028 + z * (17921034426.03721 + z * (35711959237.35567 + z * (42919803642.6491 + z *
             (23531376880.41076))))))))))));
  double d = 1.0 + z * (66.0 + z * (1925.0 + z * (32670.0 + z * (357423.0 + z * (2637558.0 + z * (13339535.0 + z *
             (45995730.0 + z * (105258076.0 + z * (150917976.0 + z * (120543840.0 + z * (39916800.0 + z *
             (0.0))))))))))));
  return n / d;
}
__WL_FN double tgamma(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (!(a < __WL_INF)) return x + __WL_INF;
  if (a < 5.551115123125783e-17) return 1.0 / x;
  bool integer = __builtin_floor(x) == x;
  if (integer && x < 0.0) return __wl_nan();
  if (a >= 184.0) {
    bool even = __builtin_floor(x) * 0.5 == __builtin_floor(x * 0.5);
    return x > 0.0 ? __WL_INF : (even ? 0.0 : -0.0);
  }
  // y = a + g - 1/2, and what that addition lost
  double y = a + 5.524680040776729583740234375;
  double lost = a > 5.524680040776729583740234375 ? (y - a) - 5.524680040776729583740234375 : (y - 5.524680040776729583740234375) - a;
  double z = a - 0.5;
  double r = __wl_lanczos(a) * exp(-y);
  if (x < 0.0) {
    r = -3.141592653589793 / (__wl_sinpi(a) * a * r);
    lost = -lost;
    z = -z;
  }
  r = r + lost * 6.024680040776729583740234375 * r / y;
  // y^z may overflow where the product does not
  double root = pow(y, 0.5 * z);
  r = r * root * root;
  return integer && x < 24.0 ? __builtin_rint(r) : r;
}
__WL_FN float tgammaf(float x) { return (float)tgamma((double)x); }

/// log |Gamma(x)| for x > 0.
__WL_BOTH double __wl_lgamma_positive(double x) {
  __WL_EXACT
  if (x == 1.0 || x == 2.0) return 0.0;
  if (x < 2.0) {
    // From [0, 0.9] up by one: log Gamma(x) = log Gamma(x + 1) - log x. Then around 2, the minimum 1.46..., and 1.
    bool low = x <= 0.8999996185302734;
    double r = low ? -log(x) : 0.0;
    bool nearTwo = low ? x >= 0.7315998077392578 : x >= 1.7316312789916992;
    bool nearMinimum = low ? x >= 0.2316399812698364 : x >= 1.2316322326660156;
    if (nearTwo) {
      double y = low ? 1.0 - x : 2.0 - x, z = y * y;
      double p1 = 0.07721566490153287 + z * (0.06735230105312927 + z * (0.007385550860814029 + z *
                  (0.0011927076318336207 + z * (0.00022086279071390839 + z * (2.5214456545125733e-05)))));
      double p2 = z * (0.3224670334241136 + z * (0.020580808432516733 + z * (0.0028905138367341563 + z *
                       (0.0005100697921535113 + z * (0.00010801156724758394 + z * (4.4864094961891516e-05))))));
      return r + ((y * p1 + p2) - 0.5 * y);
    }
    if (nearMinimum) {
      double y = low ? x - (1.4616321449683622 - 1.0) : x - 1.4616321449683622, z = y * y, w = z * y;
      double p1 = 0.48383612272381005 + w * (-0.032788541075985965 + w * (0.006100538702462913 + w *
                  (-0.0014034646998923284 + w * (0.00031563207090362595))));
      double p2 = -0.1475877229945939 + w * (0.01797067508118204 + w * (-0.0036845201678113826 + w *
                  (0.000881081882437654 + w * (-0.00031275416837512086))));
      double p3 = 0.06462494023913339 + w * (-0.010314224129834144 + w * (0.0022596478090061247 + w *
                  (-0.0005385953053567405 + w * (0.0003355291926355191))));
      double p = z * p1 - (-3.638676997039505e-18 - w * (p2 + y * p3));
      return r + (-0.12148629053584961 + p);
    }
    double y = low ? x : x - 1.0;
    double p1 = y * (-0.07721566490153287 + y * (0.6328270640250934 + y * (1.4549225013723477 + y * (0.9777175279633727 + y *
                     (0.22896372806469245 + y * (0.013381091853678766))))));
    double p2 = 1.0 + y * (2.4559779371304113 + y * (2.128489763798934 + y * (0.7692851504566728 + y * (0.10422264559336913 + y *
                           (0.003217092422824239)))));
    return r + (-0.5 * y + p1 / p2);
  }
  if (x < 8.0) {
    double n = __builtin_floor(x), y = x - n;
    double p = y * (-0.07721566490153287 + y * (0.21498241596060885 + y * (0.325778796408931 + y *
                    (0.14635047265246445 + y * (0.02664227030336386 + y * (0.0018402845140733772 + y *
                    (3.194753265841009e-05)))))));
    double q = 1.0 + y * (1.3920053346762105 + y * (0.7219355475671381 + y * (0.17193386563280308 + y * (0.01864591917156529 + y *
                          (0.0007779424963818936 + y * (7.326684307446256e-06))))));
    double r = 0.5 * y + p / q;
    double z = (n >= 7.0 ? y + 6.0 : 1.0) * (n >= 6.0 ? y + 5.0 : 1.0);
    z = z * (n >= 5.0 ? y + 4.0 : 1.0) * (n >= 4.0 ? y + 3.0 : 1.0) * (n >= 3.0 ? y + 2.0 : 1.0);
    return n >= 3.0 ? r + log(z) : r;
  }
  if (x < 2.8823037615171174e17) {
    double t = log(x), z = 1.0 / x, y = z * z;
    double w = 0.4189385332046727 + z * (0.08333333333333297 + y * (-0.0027777777772877554 + y * (0.0007936505586430196 + y *
                 (-0.00059518755745034 + y * (0.0008363399189962821 + y * (-0.0016309293409657527))))));
    return (x - 0.5) * (t - 1.0) + w;
  }
  return x * (log(x) - 1.0);
}
__WL_FN double lgamma(double x) {
  __WL_EXACT
  double a = __builtin_fabs(x);
  if (!(a < __WL_INF)) return x * x;
  if (a < 8.470329472543003e-22) return -log(a);
  if (x > 0.0) return __wl_lgamma_positive(x);
  double t = __builtin_fabs(__wl_sinpi(a));
  if (t == 0.0) return __WL_INF;
  return log(3.141592653589793 / (t * a)) - __wl_lgamma_positive(a);
}
__WL_FN float lgammaf(float x) { return (float)lgamma((double)x); }
