#include <cstdio>
#include <cuda_runtime.h>
#include <cuda_fp16.h>
extern "C" __global__ void m_base_f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x; }
extern "C" __global__ void m_base_f2(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x+y; }
extern "C" __global__ void m_base_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = x; }
extern "C" __global__ void m_base_d2(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = x+y; }
extern "C" __global__ void m_base_i(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x; }
extern "C" __global__ void m_base_i2(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x+y; }
extern "C" __global__ void m_base_l2(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x+y; }
extern "C" __global__ void m_base_l(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x; }
extern "C" __global__ void m_expf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = expf(x); }
extern "C" __global__ void m_exp2f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = exp2f(x); }
extern "C" __global__ void m_exp10f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = exp10f(x); }
extern "C" __global__ void m_logf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = logf(x); }
extern "C" __global__ void m_log2f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = log2f(x); }
extern "C" __global__ void m_log10f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = log10f(x); }
extern "C" __global__ void m_sinf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = sinf(x); }
extern "C" __global__ void m_cosf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = cosf(x); }
extern "C" __global__ void m_tanf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = tanf(x); }
extern "C" __global__ void m_sqrtf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = sqrtf(x); }
extern "C" __global__ void m_rsqrtf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = rsqrtf(x); }
extern "C" __global__ void m_tanhf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = tanhf(x); }
extern "C" __global__ void m_erff(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = erff(x); }
extern "C" __global__ void m_erfcf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = erfcf(x); }
extern "C" __global__ void m_atanf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = atanf(x); }
extern "C" __global__ void m_asinf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = asinf(x); }
extern "C" __global__ void m_acosf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = acosf(x); }
extern "C" __global__ void m_sinhf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = sinhf(x); }
extern "C" __global__ void m_coshf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = coshf(x); }
extern "C" __global__ void m_cbrtf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = cbrtf(x); }
extern "C" __global__ void m_log1pf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = log1pf(x); }
extern "C" __global__ void m_expm1f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = expm1f(x); }
extern "C" __global__ void m_normcdff(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = normcdff(x); }
extern "C" __global__ void m_lgammaf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = lgammaf(x); }
extern "C" __global__ void m_tgammaf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = tgammaf(x); }
extern "C" __global__ void m_roundf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = roundf(x); }
extern "C" __global__ void m_floorf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = floorf(x); }
extern "C" __global__ void m_truncf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = truncf(x); }
extern "C" __global__ void m_ceilf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = ceilf(x); }
extern "C" __global__ void m_rintf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = rintf(x); }
extern "C" __global__ void m_expf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __expf(x); }
extern "C" __global__ void m_logf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __logf(x); }
extern "C" __global__ void m_sinf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __sinf(x); }
extern "C" __global__ void m_cosf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __cosf(x); }
extern "C" __global__ void m_tanf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __tanf(x); }
extern "C" __global__ void m_log2f_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __log2f(x); }
extern "C" __global__ void m_exp10f_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __exp10f(x); }
extern "C" __global__ void m_frcp_rn_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __frcp_rn(x); }
extern "C" __global__ void m_fsqrt_rn_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __fsqrt_rn(x); }
extern "C" __global__ void m_asinhf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = asinhf(x); }
extern "C" __global__ void m_acoshf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = acoshf(x); }
extern "C" __global__ void m_atanhf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = atanhf(x); }
extern "C" __global__ void m_sinpif(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = sinpif(x); }
extern "C" __global__ void m_cospif(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = cospif(x); }
extern "C" __global__ void m_rcbrtf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = rcbrtf(x); }
extern "C" __global__ void m_erfinvf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = erfinvf(x); }
extern "C" __global__ void m_j0f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = j0f(x); }
extern "C" __global__ void m_logbf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = logbf(x); }
extern "C" __global__ void m_ilogbf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = (float)ilogbf(x); }
extern "C" __global__ void m_powf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = powf(x,y); }
extern "C" __global__ void m_atan2f(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = atan2f(x,y); }
extern "C" __global__ void m_fmodf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = fmodf(x,y); }
extern "C" __global__ void m_hypotf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = hypotf(x,y); }
extern "C" __global__ void m_powf_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __powf(x,y); }
extern "C" __global__ void m_fdividef_fast(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __fdividef(x,y); }
extern "C" __global__ void m_fdimf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = fdimf(x,y); }
extern "C" __global__ void m_remainderf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = remainderf(x,y); }
extern "C" __global__ void m_copysignf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = copysignf(x,y); }
extern "C" __global__ void m_ldexpf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = ldexpf(x,(int)y); }
extern "C" __global__ void m_nextafterf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = nextafterf(x,y); }
extern "C" __global__ void m_exp_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = exp(x); }
extern "C" __global__ void m_exp2_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = exp2(x); }
extern "C" __global__ void m_log_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = log(x); }
extern "C" __global__ void m_log2_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = log2(x); }
extern "C" __global__ void m_log10_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = log10(x); }
extern "C" __global__ void m_sin_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = sin(x); }
extern "C" __global__ void m_cos_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = cos(x); }
extern "C" __global__ void m_tan_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = tan(x); }
extern "C" __global__ void m_sqrt_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = sqrt(x); }
extern "C" __global__ void m_rsqrt_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = rsqrt(x); }
extern "C" __global__ void m_tanh_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = tanh(x); }
extern "C" __global__ void m_erf_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = erf(x); }
extern "C" __global__ void m_atan_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = atan(x); }
extern "C" __global__ void m_asin_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = asin(x); }
extern "C" __global__ void m_acos_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = acos(x); }
extern "C" __global__ void m_cbrt_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = cbrt(x); }
extern "C" __global__ void m_floor_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = floor(x); }
extern "C" __global__ void m_round_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = round(x); }
extern "C" __global__ void m_expm1_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = expm1(x); }
extern "C" __global__ void m_log1p_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = log1p(x); }
extern "C" __global__ void m_pow_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = pow(x,y); }
extern "C" __global__ void m_atan2_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = atan2(x,y); }
extern "C" __global__ void m_fmod_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = fmod(x,y); }
extern "C" __global__ void m_hypot_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = hypot(x,y); }
extern "C" __global__ void m_rcpf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = 1.0f/x; }
extern "C" __global__ void m_divf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x/y; }
extern "C" __global__ void m_rcp_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = 1.0/x; }
extern "C" __global__ void m_div_d(const double *a, const double *b, double *o) { int i = threadIdx.x; double x = a[i]; double y = b[i]; (void)y; o[i] = x/y; }
extern "C" __global__ void m_divconst(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x/3.0f; }
extern "C" __global__ void m_idiv(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x/y; }
extern "C" __global__ void m_irem(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x%y; }
extern "C" __global__ void m_udiv(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = (int)((unsigned)x/(unsigned)y); }
extern "C" __global__ void m_urem(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = (int)((unsigned)x%(unsigned)y); }
extern "C" __global__ void m_idiv7(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x/7; }
extern "C" __global__ void m_irem7(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x%7; }
extern "C" __global__ void m_udiv7(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = (int)((unsigned)x/7u); }
extern "C" __global__ void m_idiv16(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x/16; }
extern "C" __global__ void m_irem16(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x%16; }
extern "C" __global__ void m_irem1000(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x%1000; }
extern "C" __global__ void m_idivrem(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x/y+x%y; }
extern "C" __global__ void m_ldiv(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x/y; }
extern "C" __global__ void m_lrem(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x%y; }
extern "C" __global__ void m_ldiv7(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x/7; }
extern "C" __global__ void m_uldiv(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = (long long)((unsigned long long)x/(unsigned long long)y); }
extern "C" __global__ void m_lmul(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x*y; }
extern "C" __global__ void m_lshl(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x<<(int)y; }
extern "C" __global__ void m_ladd3(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x+y+5; }
extern "C" __global__ void m_lcmp(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; long long x = a[i]; long long y = b[i]; (void)y; o[i] = x<y?x+1:y; }
extern "C" __global__ void m_f2i(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = (float)(int)x; }
extern "C" __global__ void m_i2d(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = (int)((double)x*1.5); }
extern "C" __global__ void m_popc(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __popc(x); }
extern "C" __global__ void m_clz(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __clz(x); }
extern "C" __global__ void m_ffs(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __ffs(x); }
extern "C" __global__ void m_brev(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __brev(x); }
extern "C" __global__ void m_mulhi(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __mulhi(x,y); }
extern "C" __global__ void m_minmax(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = min(max(x,y),100); }
extern "C" __global__ void m_abs(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = abs(x); }
extern "C" __global__ void m_sel(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x>y?x:y*2.f; }
extern "C" __global__ void m_half(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = __half2float(__hadd(__float2half(x),__float2half(y))); }
extern "C" __global__ void m_sincos(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = ([&]{float s,c; sincosf(x,&s,&c); return s*c;})(); }
extern "C" __global__ void m_fmaf(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = fmaf(x,y,1.0f); }
extern "C" __global__ void m_isnan(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = isnan(x)?1.f:y; }
extern "C" __global__ void m_shfl(const float *a, const float *b, float *o) { int i = threadIdx.x; float x = a[i]; float y = b[i]; (void)y; o[i] = x+__shfl_down_sync(~0u,x,1); }
extern "C" __global__ void m_ballot(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __ballot_sync(~0u,x>y); }
extern "C" __global__ void m_any(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __any_sync(~0u,x>y); }
extern "C" __global__ void m_byte(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = (x>>8)&255; }
extern "C" __global__ void m_redux(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = __reduce_add_sync(~0u,x); }
extern "C" __global__ void m_curand(const int *a, const int *b, int *o) { int i = threadIdx.x; int x = a[i]; int y = b[i]; (void)y; o[i] = x*1103515245+12345; }
int main(){ void *a,*b,*o; cudaMalloc(&a,1<<16); cudaMalloc(&b,1<<16); cudaMalloc(&o,1<<16); static float f[64],g[64]; static double d[64],e[64]; static int p[64],q[64]; static long long l[64],m[64]; for(int i=0;i<64;i++){f[i]=0.1f+i/80.f;g[i]=1.5f+i/64.f;d[i]=f[i];e[i]=g[i];p[i]=1000+i*37;q[i]=3+i;l[i]=1000000000000LL+i;m[i]=77+i;}
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_base_f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_base_f2<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_base_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_base_d2<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_base_i<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_base_i2<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_base_l2<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_base_l<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_expf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_exp2f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_exp10f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_logf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_log2f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_log10f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sinf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_cosf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_tanf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sqrtf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_rsqrtf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_tanhf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_erff<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_erfcf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_atanf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_asinf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_acosf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sinhf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_coshf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_cbrtf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_log1pf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_expm1f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_normcdff<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_lgammaf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_tgammaf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_roundf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_floorf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_truncf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_ceilf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_rintf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_expf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_logf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sinf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_cosf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_tanf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_log2f_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_exp10f_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_frcp_rn_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_fsqrt_rn_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_asinhf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_acoshf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_atanhf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sinpif<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_cospif<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_rcbrtf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_erfinvf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_j0f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_logbf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_ilogbf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_powf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_atan2f<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_fmodf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_hypotf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_powf_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_fdividef_fast<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_fdimf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_remainderf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_copysignf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_ldexpf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_nextafterf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_exp_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_exp2_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_log_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_log2_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_log10_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_sin_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_cos_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_tan_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_sqrt_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_rsqrt_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_tanh_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_erf_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_atan_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_asin_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_acos_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_cbrt_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_floor_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_round_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_expm1_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_log1p_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_pow_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_atan2_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_fmod_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_hypot_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_rcpf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_divf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_rcp_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,d,sizeof d,cudaMemcpyHostToDevice); cudaMemcpy(b,e,sizeof e,cudaMemcpyHostToDevice); m_div_d<<<1,32>>>((double*)a,(double*)b,(double*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_divconst<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_idiv<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_irem<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_udiv<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_urem<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_idiv7<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_irem7<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_udiv7<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_idiv16<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_irem16<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_irem1000<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_idivrem<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_ldiv<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_lrem<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_ldiv7<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_uldiv<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_lmul<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_lshl<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_ladd3<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,l,sizeof l,cudaMemcpyHostToDevice); cudaMemcpy(b,m,sizeof m,cudaMemcpyHostToDevice); m_lcmp<<<1,32>>>((long long*)a,(long long*)b,(long long*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_f2i<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_i2d<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_popc<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_clz<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_ffs<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_brev<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_mulhi<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_minmax<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_abs<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sel<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_half<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_sincos<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_fmaf<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_isnan<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,f,sizeof f,cudaMemcpyHostToDevice); cudaMemcpy(b,g,sizeof g,cudaMemcpyHostToDevice); m_shfl<<<1,32>>>((float*)a,(float*)b,(float*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_ballot<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_any<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_byte<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_redux<<<1,32>>>((int*)a,(int*)b,(int*)o);
 cudaMemcpy(a,p,sizeof p,cudaMemcpyHostToDevice); cudaMemcpy(b,q,sizeof q,cudaMemcpyHostToDevice); m_curand<<<1,32>>>((int*)a,(int*)b,(int*)o);
 return cudaDeviceSynchronize(); }
