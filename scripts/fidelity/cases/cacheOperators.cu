// Loads and stores with cache operators, and what fences, stores and atomics leave of the L1. Read on an H200; see cacheOperators.json.
#include <cstdio>
#include <cuda/atomic>
__global__ void L_ca(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_cg(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cg.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_cs(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cs.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_lu(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.lu.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_cv(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cv.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_vol(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.volatile.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_relcta(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.relaxed.cta.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_relgpu(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_relsys(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.relaxed.sys.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_acqcta(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.acquire.cta.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_acqgpu(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.acquire.gpu.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_nc(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.nc.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_noalloc(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_ncnoalloc(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_evlast(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.L1::evict_last.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_evfirst(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.global.L1::evict_first.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void L_weak(float* a, float* o){ int t=threadIdx.x; float s=0; for(int r=0;r<4;r++){ for(int i=0;i<8;i++){ float v; asm volatile("ld.weak.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads();} o[t]=s; }
__global__ void F_cg(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cg.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void G_cg(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cg.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void F_cv(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cv.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void G_cv(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.cv.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void F_vol(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.volatile.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void G_vol(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.volatile.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void F_relgpu(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void G_relgpu(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void F_noalloc(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void G_noalloc(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_st(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ asm volatile("st.global.f32 [%0], %1;"::"l"(a+t+128*i),"f"(1.f):"memory"); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_stpart(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ if(t%8==0) asm volatile("st.global.f32 [%0], %1;"::"l"(a+t+128*i),"f"(1.f):"memory"); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_stcg(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ asm volatile("st.global.cg.f32 [%0], %1;"::"l"(a+t+128*i),"f"(1.f):"memory"); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_red(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ asm volatile("red.global.add.f32 [%0], %1;"::"l"(a+t+128*i),"f"(1.f):"memory"); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_atom(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ s+=atomicAdd(a+t+128*i,1.f); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_fence(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ __threadfence(); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_fencesys(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ __threadfence_system(); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_fenceblock(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ __threadfence_block(); } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void M_stvol(float* a, float* o){ int t=threadIdx.x; float s=0; for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} __syncthreads(); for(int i=0;i<8;i++){ *(volatile float*)(a+t+128*i)=1.f; } __syncthreads(); for(int i=0;i<8;i++){ float v; asm volatile("ld.global.ca.f32 %0, [%1];":"=f"(v):"l"(a+t+128*i):"memory"); s+=v;} o[t]=s; }
__global__ void S_wb(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.global.wb.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
__global__ void S_cg(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.global.cg.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
__global__ void S_cs(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.global.cs.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
__global__ void S_wt(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.global.wt.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
__global__ void S_vol(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.volatile.global.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
__global__ void S_relgpu(float* a, float* o){ int t=threadIdx.x; for(int i=0;i<4;i++) for(int c=0;c<3;c++) asm volatile("st.relaxed.gpu.global.f32 [%0], %1;"::"l"(a+3*(t+128*i)+c),"f"(1.f):"memory"); o[t]=0; }
int main(){ float *a,*o; cudaMalloc(&a,1<<20); cudaMalloc(&o,4096); cudaMemset(a,0,1<<20);
  L_ca<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_cg<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_cs<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_lu<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_cv<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_vol<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_relcta<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_relgpu<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_relsys<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_acqcta<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_acqgpu<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_nc<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_noalloc<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_ncnoalloc<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_evlast<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_evfirst<<<1,128>>>(a,o); cudaDeviceSynchronize();
  L_weak<<<1,128>>>(a,o); cudaDeviceSynchronize();
  F_cg<<<1,128>>>(a,o); cudaDeviceSynchronize();
  G_cg<<<1,128>>>(a,o); cudaDeviceSynchronize();
  F_cv<<<1,128>>>(a,o); cudaDeviceSynchronize();
  G_cv<<<1,128>>>(a,o); cudaDeviceSynchronize();
  F_vol<<<1,128>>>(a,o); cudaDeviceSynchronize();
  G_vol<<<1,128>>>(a,o); cudaDeviceSynchronize();
  F_relgpu<<<1,128>>>(a,o); cudaDeviceSynchronize();
  G_relgpu<<<1,128>>>(a,o); cudaDeviceSynchronize();
  F_noalloc<<<1,128>>>(a,o); cudaDeviceSynchronize();
  G_noalloc<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_st<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_stpart<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_stcg<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_red<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_atom<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_fence<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_fencesys<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_fenceblock<<<1,128>>>(a,o); cudaDeviceSynchronize();
  M_stvol<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_wb<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_cg<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_cs<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_wt<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_vol<<<1,128>>>(a,o); cudaDeviceSynchronize();
  S_relgpu<<<1,128>>>(a,o); cudaDeviceSynchronize();
 printf("%s\n",cudaGetErrorString(cudaGetLastError())); }
