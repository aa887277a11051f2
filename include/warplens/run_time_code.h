/* In front of code that is compiled while a program runs (src/frontend/runTimeCode.ts): what NVRTC defines. */
#ifndef __CUDACC_RTC__
#define __CUDACC_RTC__ 1
#endif
