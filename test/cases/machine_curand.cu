// States of cuRAND's default generator: where a kernel makes them in its array, in a variable, from one sequence or many, far into one.
// Counts are those of an H100 (scripts/fidelity/cases/machine_curand.json).
// levels: 2
// stdout: no error
// count: A global load executed = 15060
// count: A global store executed = 90
// count: A global store sectors = 1872
// count: C global load sectors = 17100
// count: C global store executed = 90
// count: D global store executed = 18
// count: G global store executed = 102
// count: I global store executed = 18
// count: J global load executed = 14775
// count: J global store executed = 93
#include <curand_kernel.h>
#include <cstdio>
__global__ void A(curandState_t* s, int n) { int tid = blockDim.x*blockIdx.x+threadIdx.x; if (tid>=n) return; curand_init(1337, tid, 0, &s[tid]); }
__global__ void B(curandState_t* s, int n, unsigned long seed) { int tid = blockDim.x*blockIdx.x+threadIdx.x; if (tid>=n) return; curand_init(seed, tid, 0, &s[tid]); }
__global__ void C(curandState_t* s, unsigned long seed) { int tid = blockDim.x*blockIdx.x+threadIdx.x; curand_init(seed, tid, 0, &s[tid]); }
__global__ void D(curandState_t* s, unsigned long seed) { int tid = blockDim.x*blockIdx.x+threadIdx.x; curandState_t l; curand_init(seed, tid, 0, &l); s[tid]=l; }
__global__ void E(curandState* s, unsigned long seed) { int tid = blockDim.x*blockIdx.x+threadIdx.x; curand_init(seed, tid, 0, &s[tid]); }
__global__ void F(curandState* s) { int tid = threadIdx.x; curand_init(1234, tid, 0, &s[tid]); }
__global__ void G(curandState* s,float*o) { int tid = threadIdx.x; curand_init(1234, tid, 0, &s[tid]); o[tid]=curand_uniform(&s[tid]); }
__global__ void H(curandState* s,float*o,int seed) { int tid = threadIdx.x; curandState l; curand_init(seed, tid, 0, &l); o[tid]=curand_uniform(&l)+curand_normal(&l); s[tid]=l; }
__global__ void I(curandState* s,int seed) { int tid = threadIdx.x; curand_init(seed+tid, 0, 0, &s[tid]); }
__global__ void J(curandState* s,int seed) { int tid = threadIdx.x; curand_init(seed, 0, tid, &s[tid]); }
int main(){ curandState_t*s; float*o; cudaMalloc(&s,48*96); cudaMalloc(&o,400); A<<<1,96>>>(s,96); B<<<1,96>>>(s,96,1337); C<<<1,96>>>(s,1337); D<<<1,96>>>(s,1337); E<<<1,96>>>(s,1337);F<<<1,96>>>(s);G<<<1,96>>>(s,o);H<<<1,96>>>(s,o,77);I<<<1,96>>>(s,77);J<<<1,96>>>(s,77); printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize())); }
