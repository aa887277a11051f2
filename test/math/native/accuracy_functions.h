// The functions under test: name, NVIDIA's documented bound in ulps (CUDA C++ programming guide, "Mathematical Functions";
// where versions of the guide differ, the smaller one), ours, the reference, and ranges worth sampling densely.
  using namespace device;
  // Exponentials, logarithms, hyperbolic functions: single precision
  unary<float>("expf", 1, device::expf, expq, {{-104, 89}});
  unary<float>("exp2f", 2, device::exp2f, exp2Reference, {{-150, 128}});
  unary<float>("exp10f", 2, device::exp10f, exp10Reference, {{-46, 39}});
  unary<float>("expm1f", 1, device::expm1f, expm1q, {{-20, 89}});
  unary<float>("logf", 1, device::logf, logq, {{0.9, 1.1}, {0, 10}});
  unary<float>("log2f", 1, device::log2f, log2q, {{0.9, 1.1}, {0, 10}});
  unary<float>("log10f", 2, device::log10f, log10q, {{0.9, 1.1}, {0, 10}});
  unary<float>("log1pf", 1, device::log1pf, log1pq, {{-1, 1}, {0, 10}});
  unary<float>("sinhf", 3, device::sinhf, sinhq);
  unary<float>("coshf", 2, device::coshf, coshq);
  unary<float>("tanhf", 2, device::tanhf, tanhq);
  unary<float>("asinhf", 3, device::asinhf, asinhq);
  unary<float>("acoshf", 4, device::acoshf, acoshq, {{1, 2}});
  unary<float>("atanhf", 3, device::atanhf, atanhq);
  binary<float>("powf", 4, device::powf, powq, {{0, 3}, {0.9, 1.1}, {-4, 40}});
  // Trigonometry: single precision
  unary<float>("sinf", 2, device::sinf, sinq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<float>("cosf", 2, device::cosf, cosq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<float>("tanf", 4, device::tanf, tanq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<float>("sinpif", 1, device::sinpif, sinpiReference);
  unary<float>("cospif", 1, device::cospif, cospiReference);
  unary<float>("asinf", 2, device::asinf, asinq);
  unary<float>("acosf", 2, device::acosf, acosq);
  unary<float>("atanf", 2, device::atanf, atanq);
  binary<float>("atan2f", 3, device::atan2f, atan2q);
  // Roots, lengths, error functions: single precision
  unary<float>("rsqrtf", 2, device::rsqrtf, rsqrtReference);
  unary<float>("cbrtf", 1, device::cbrtf, cbrtq);
  unary<float>("rcbrtf", 1, device::rcbrtf, rcbrtReference);
  binary<float>("hypotf", 3, device::hypotf, hypotq);
  binary<float>("rhypotf", 2, device::rhypotf, [](quad x, quad y) { return 1 / hypotq(x, y); });
  binary<float>("norm3df", 3, [](float x, float y) { return device::norm3df(x, y, 0.5f * x); }, [](quad x, quad y) { return hypotq(hypotq(x, y), (quad)(float)(0.5f * (float)x)); });
  binary<float>("rnorm4df", 2, [](float x, float y) { return device::rnorm4df(x, y, y, x); }, [](quad x, quad y) { return 1 / (M_SQRT2q * hypotq(x, y)); });
  unary<float>("erff", 2, device::erff, erfq, {{-4, 4}});
  unary<float>("erfcf", 4, device::erfcf, erfcq, {{-4, 11}});
  unary<float>("erfcxf", 4, device::erfcxf, erfcxReference, {{-10, 11}});
  unary<float>("normcdff", 5, device::normcdff, normcdfReference, {{-15, 6}});
  unary<float>("erfinvf", 2, device::erfinvf, erfinvReference, {{0.99, 1}});
  unary<float>("erfcinvf", 4, device::erfcinvf, erfcinvReference, {{0, 2}, {0, 1e-6}});
  unary<float>("normcdfinvf", 5, device::normcdfinvf, normcdfinvReference, {{0, 1}, {0, 1e-6}});
  // Exact functions
  unary<float>("roundf", 0, device::roundf, roundq);
  unary<double>("round", 0, device::round, roundq);
  unary<float>("logbf", 0, device::logbf, logbq);
  unary<double>("logb", 0, device::logb, logbq);
  binary<float>("fmodf", 0, device::fmodf, fmodq);
  binary<double>("fmod", 0, device::fmod, fmodq);
  binary<float>("remainderf", 0, device::remainderf, remainderq);
  binary<double>("remainder", 0, device::remainder, remainderq);
  binary<float>("fdimf", 0, device::fdimf, fdimq);
  for (int n : {-2000, -1080, -1022, -300, -149, -126, -3, 0, 5, 127, 300, 1023, 2098}) {
    if (wanted("ldexp") && !expectations)
      for (int i = 0; i < 20000; i++) {
        double x = cast<double>(random64());
        float f = cast<float>(random64());
        if (device::ldexp(x, n) != std::ldexp(x, n) && x == x) failures++, printf("ldexp(%a, %d)\n", x, n);
        if (device::ldexpf(f, n) != std::ldexp(f, n) && f == f) failures++, printf("ldexpf(%a, %d)\n", f, n);
        int e, want;
        if (x == x && std::isfinite(x) && (device::frexp(x, &e) != std::frexp(x, &want) || e != want)) failures++, printf("frexp(%a)\n", x);
      }
  }
  // Exponentials, logarithms, hyperbolic functions: double precision
  unary<double>("exp", 1, device::exp, expq, {{-750, 710}});
  unary<double>("exp2", 1, device::exp2, exp2Reference, {{-1080, 1025}});
  unary<double>("exp10", 1, device::exp10, exp10Reference, {{-330, 310}});
  unary<double>("expm1", 1, device::expm1, expm1q, {{-40, 710}});
  unary<double>("log", 1, device::log, logq, {{0.9, 1.1}, {0, 10}});
  unary<double>("log2", 1, device::log2, log2q, {{0.9, 1.1}, {0, 10}});
  unary<double>("log10", 1, device::log10, log10q, {{0.9, 1.1}, {0, 10}});
  unary<double>("log1p", 1, device::log1p, log1pq, {{-1, 1}, {0, 10}});
  unary<double>("sinh", 1, device::sinh, sinhq);
  unary<double>("cosh", 1, device::cosh, coshq);
  unary<double>("tanh", 1, device::tanh, tanhq);
  unary<double>("asinh", 2, device::asinh, asinhq);
  unary<double>("acosh", 2, device::acosh, acoshq, {{1, 2}});
  unary<double>("atanh", 2, device::atanh, atanhq);
  binary<double>("pow", 2, device::pow, powq, {{0, 3}, {0.9, 1.1}, {-4, 40}});
  // Trigonometry: double precision
  unary<double>("sin", 1, device::sin, sinq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<double>("cos", 1, device::cos, cosq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<double>("tan", 2, device::tan, tanq, {{-4, 4}, {-1e6, 1e6}, {-1e9, 1e9}});
  unary<double>("sinpi", 1, device::sinpi, sinpiReference);
  unary<double>("cospi", 1, device::cospi, cospiReference);
  unary<double>("asin", 2, device::asin, asinq);
  unary<double>("acos", 1, device::acos, acosq);
  unary<double>("atan", 2, device::atan, atanq);
  binary<double>("atan2", 2, device::atan2, atan2q);
  // Roots, lengths, error functions: double precision
  unary<double>("rsqrt", 1, device::rsqrt, rsqrtReference);
  unary<double>("cbrt", 1, device::cbrt, cbrtq);
  unary<double>("rcbrt", 1, device::rcbrt, rcbrtReference);
  binary<double>("hypot", 2, device::hypot, hypotq);
  binary<double>("rhypot", 1, device::rhypot, [](quad x, quad y) { return 1 / hypotq(x, y); });
  binary<double>("norm3d", 2, [](double x, double y) { return device::norm3d(x, y, 0.5 * x); }, [](quad x, quad y) { return hypotq(hypotq(x, y), (quad)(0.5 * (double)x)); });
  binary<double>("rnorm4d", 1, [](double x, double y) { return device::rnorm4d(x, y, y, x); }, [](quad x, quad y) { return 1 / (M_SQRT2q * hypotq(x, y)); });
  unary<double>("erf", 2, device::erf, erfq, {{-4, 4}});
  unary<double>("erfc", 4, device::erfc, erfcq, {{-4, 27}});
  unary<double>("erfcx", 3, device::erfcx, erfcxReference, {{-27, 50}});
  unary<double>("normcdf", 5, device::normcdf, normcdfReference, {{-38, 6}});
  unary<double>("erfinv", 5, device::erfinv, erfinvReference, {{0.99, 1}});
  unary<double>("erfcinv", 6, device::erfcinv, erfcinvReference, {{0, 2}, {0, 1e-6}});
  unary<double>("normcdfinv", 7, device::normcdfinv, normcdfinvReference, {{0, 1}, {0, 1e-6}});
  // Gamma
  unary<float>("tgammaf", 5, device::tgammaf, tgammaReference, {{-42, 36}});
  unary<double>("tgamma", 8, device::tgamma, tgammaReference, {{-180, 172}});
  unary<double>("lgamma < -11", 4, device::lgamma, lgammaq, {{-150, -11.0001}}, {-INFINITY, -11.0001});
  unary<float>("lgammaf", 6, device::lgammaf, lgammaq, {{0, 5}}, {-2.264, INFINITY});
  unary<double>("lgamma", 4, device::lgamma, lgammaq, {{0, 5}}, {-2.2637, INFINITY});
  // Bessel functions: ulps below 8, absolute error beyond (checked below)
  const double all = INFINITY;
  unary<float>("j0f", 9, device::j0f, j0q, {{-8, 8}}, {-8, 8});
  unary<float>("j1f", 9, device::j1f, j1q, {{-8, 8}}, {-8, 8});
  unary<float>("y0f", 9, device::y0f, y0Reference, {{0, 8}}, {-all, 8});
  unary<float>("y1f", 9, device::y1f, y1Reference, {{0, 8}}, {-all, 8});
  unary<double>("j0", 7, device::j0, j0q, {{-8, 8}}, {-8, 8});
  unary<double>("j1", 7, device::j1, j1q, {{-8, 8}}, {-8, 8});
  unary<double>("y0", 7, device::y0, y0Reference, {{0, 8}}, {-all, 8});
  unary<double>("y1", 7, device::y1, y1Reference, {{0, 8}}, {-all, 8});
  unary<float>("cyl_bessel_i0f", 6, device::cyl_bessel_i0f, [](quad x) { return besselI(0, x); });
  unary<float>("cyl_bessel_i1f", 6, device::cyl_bessel_i1f, [](quad x) { return besselI(1, x); });
  unary<double>("cyl_bessel_i0", 6, device::cyl_bessel_i0, [](quad x) { return besselI(0, x); }, {{-712, 712}});
  unary<double>("cyl_bessel_i1", 6, device::cyl_bessel_i1, [](quad x) { return besselI(1, x); }, {{-712, 712}});
  absolute("j0 >= 8", 5e-12, device::j0, j0q, {8, 1e6});
  absolute("j1 >= 8", 5e-12, device::j1, j1q, {8, 1e6});
  absolute("y0 >= 8", 5e-12, device::y0, y0q, {8, 1e6});
  absolute("y1 >= 8", 5e-12, device::y1, y1q, {8, 1e6});
  absolute("jn(128)", 5e-12, [](double x) { return device::jn(128, x); }, [](quad x) { return jnq(128, x); }, {-400, 400});
  absolute("jn(3)", 5e-12, [](double x) { return device::jn(3, x); }, [](quad x) { return jnq(3, x); }, {-20, 20});
  absolute("yn(5)", 5e-12, [](double x) { return device::yn(5, x); }, [](quad x) { return ynq(5, x); }, {5, 100});
