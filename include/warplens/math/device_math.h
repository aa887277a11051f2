// CUDA's device mathematics in our own code: every function of the "Mathematical Functions" appendix of the CUDA C++
// programming guide, with CUDA's names and signatures. docs/math.md lists the measured errors.
#pragma once
#include "core.h"
#include "basics.h"
#include "directed.h"
#include "conversions.h"
#include "float_exp_log.h"
#include "float_trig.h"
#include "fast_float.h"
#include "double_exp_log.h"
#include "double_trig.h"
#include "float_special.h"
#include "double_special.h"
#include "gamma.h"
#include "bessel.h"
#ifdef __CUDA__
#include "overloads.h"
#endif
