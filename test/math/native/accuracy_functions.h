// The functions under test: name, NVIDIA's documented bound in ulps, ours, the reference, and ranges worth sampling densely.
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
