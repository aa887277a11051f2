// Words of shared arrays shorter than 16 bytes, and of variables beside them: ptxas places them and joins what is aligned where they lie.
// Counts are those of an H100 (scripts/fidelity/cases/machine_short_arrays.json).
// levels: 2
// stdout: no error
#include <cstdio>
__global__ void k_two(int*o){ __shared__ int s[2]; s[threadIdx.x&1]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]; }
__global__ void k_three(int*o){ __shared__ int s[3]; s[threadIdx.x%3]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]; }
__global__ void k_three12(int*o){ __shared__ int s[3]; s[threadIdx.x%3]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[1]*7+s[2]; }
__global__ void k_five23(int*o){ __shared__ int s[5]; s[threadIdx.x%5]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[2]*7+s[3]; }
__global__ void k_aS(int*o){ __shared__ int a; __shared__ int s[2]; s[threadIdx.x&1]=o[threadIdx.x]; if(threadIdx.x==3) a=o[5]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]+3*a; }
__global__ void k_Sa(int*o){ __shared__ int s[2]; __shared__ int a; s[threadIdx.x&1]=o[threadIdx.x]; if(threadIdx.x==3) a=o[5]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]+3*a; }
__global__ void k_scal2(int*o){ __shared__ int a; __shared__ int b; if(threadIdx.x==3) {a=o[5]; b=o[9];} __syncthreads(); o[threadIdx.x]=b*7+3*a; }
__global__ void k_scal3(int*o){ __shared__ int a; __shared__ int b; __shared__ int c; if(threadIdx.x==3) {a=o[5]; b=o[9]; c=o[7];} __syncthreads(); o[threadIdx.x]=b*7+3*a-c; }
__global__ void k_scalf(int*o){ __shared__ float a; __shared__ float b; if(threadIdx.x==3) {a=o[5]; b=o[9];} __syncthreads(); o[threadIdx.x]=(int)(b*7+3*a); }
__global__ void k_scalarr(int*o){ __shared__ float buf[32]; __shared__ float a; __shared__ float b; buf[threadIdx.x]=o[threadIdx.x]; if(threadIdx.x==3) {a=o[5]; b=o[9];} __syncthreads(); o[threadIdx.x]=(int)(b*7+3*a+buf[threadIdx.x^1]); }
__global__ void k_scalarr2(int*o){ __shared__ float a; __shared__ float b;__shared__ float buf[32];  buf[threadIdx.x]=o[threadIdx.x]; if(threadIdx.x==3) {a=o[5]; b=o[9];} __syncthreads(); o[threadIdx.x]=(int)(b*7+3*a+buf[threadIdx.x^1]); }
__global__ void k_two2(int*o){ __shared__ int s[2]; __shared__ int t[2]; s[threadIdx.x&1]=o[threadIdx.x]; t[threadIdx.x&1]=o[threadIdx.x+40]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]+5*(t[0]-9*t[1]); }
__global__ void k_two3(int*o){ __shared__ int s[3]; __shared__ int t[2]; s[threadIdx.x%3]=o[threadIdx.x]; t[threadIdx.x&1]=o[threadIdx.x+40]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]*6+s[2]+5*(t[0]-9*t[1]); }
__global__ void k_row2(int*o){ __shared__ float s[2][2]; s[threadIdx.x&1][threadIdx.x>>1&1]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=(int)(s[threadIdx.y][0]*7+s[threadIdx.y][1]); }
__global__ void k_row6(int*o){ __shared__ float s[3][2]; s[threadIdx.x%3][threadIdx.x&1]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=(int)(s[threadIdx.y][0]*7+s[threadIdx.y][1]); }
__global__ void k_three0dyn(int*o){ __shared__ float s[3][3]; s[threadIdx.x%3][threadIdx.y]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=(int)(s[2*threadIdx.y][0]*7+s[2*threadIdx.y][1]); }
__global__ void k_st2(int*o){ __shared__ int s[2]; if(threadIdx.x==0){s[0]=o[1]; s[1]=o[7];} __syncthreads(); o[threadIdx.x]=s[threadIdx.x&1]; }
__global__ void k_big3(int*o){ __shared__ float s[33]; s[threadIdx.x]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=(int)(s[0]*7+s[1]); }
__global__ void k_dbl(int*o){ __shared__ double s[1]; __shared__ int t[2]; s[0]=o[threadIdx.x]; t[threadIdx.x&1]=o[threadIdx.x+40]; __syncthreads(); o[threadIdx.x]=(int)s[0]+5*(t[0]-9*t[1]); }
__global__ void k_sh2(int*o){ __shared__ short s[2]; s[threadIdx.x&1]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]; }
__global__ void k_ch8(int*o){ __shared__ char s[8]; s[threadIdx.x&7]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=s[0]*7+s[1]*5+s[2]*3+s[3]; }
int main(){int*o;cudaMalloc(&o,4096);
k_two<<<1,32>>>(o);
k_three<<<1,32>>>(o);
k_three12<<<1,32>>>(o);
k_five23<<<1,32>>>(o);
k_aS<<<1,32>>>(o);
k_Sa<<<1,32>>>(o);
k_scal2<<<1,32>>>(o);
k_scal3<<<1,32>>>(o);
k_scalf<<<1,32>>>(o);
k_scalarr<<<1,32>>>(o);
k_scalarr2<<<1,32>>>(o);
k_two2<<<1,32>>>(o);
k_two3<<<1,32>>>(o);
k_row2<<<1,32>>>(o);
k_row6<<<1,32>>>(o);
k_three0dyn<<<1,32>>>(o);
k_st2<<<1,32>>>(o);
k_big3<<<1,32>>>(o);
k_dbl<<<1,32>>>(o);
k_sh2<<<1,32>>>(o);
k_ch8<<<1,32>>>(o);
printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize()));}
