/* How conversions round, by name. Source: CUDA Runtime API, "Data types used by CUDA Runtime". */
#ifndef WARPLENS_ROUND_MODE_H
#define WARPLENS_ROUND_MODE_H

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
