// Device printf of many formats, arguments and lanes: what it moves beside the kernel's own accesses. Read on an H200; see prints.json.
#include <cstdio>
__global__ void P_len1(int n){  printf("\n"); }
__global__ void P_len2(int n){  printf("x\n"); }
__global__ void P_len3(int n){  printf("xx\n"); }
__global__ void P_len4(int n){  printf("xxx\n"); }
__global__ void P_len5(int n){  printf("xxxx\n"); }
__global__ void P_len7(int n){  printf("xxxxxx\n"); }
__global__ void P_len8(int n){  printf("xxxxxxx\n"); }
__global__ void P_len9(int n){  printf("xxxxxxxx\n"); }
__global__ void P_len12(int n){  printf("xxxxxxxxxxx\n"); }
__global__ void P_len15(int n){  printf("xxxxxxxxxxxxxx\n"); }
__global__ void P_len16(int n){  printf("xxxxxxxxxxxxxxx\n"); }
__global__ void P_len17(int n){  printf("xxxxxxxxxxxxxxxx\n"); }
__global__ void P_len24(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len31(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len32(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len33(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len48(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len63(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len64(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len65(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_len100(int n){  printf("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"); }
__global__ void P_int1(int n){  printf("%d\n",n+0); }
__global__ void P_int2(int n){  printf("%d%d\n",n+0,n+1); }
__global__ void P_int3(int n){  printf("%d%d%d\n",n+0,n+1,n+2); }
__global__ void P_int4(int n){  printf("%d%d%d%d\n",n+0,n+1,n+2,n+3); }
__global__ void P_int5(int n){  printf("%d%d%d%d%d\n",n+0,n+1,n+2,n+3,n+4); }
__global__ void P_int6(int n){  printf("%d%d%d%d%d%d\n",n+0,n+1,n+2,n+3,n+4,n+5); }
__global__ void P_dbl1(int n){  printf("%f\n",n*0.5); }
__global__ void P_dbl2(int n){  printf("%f%f\n",n*0.5,n*0.25); }
__global__ void P_ll1(int n){  printf("%lld\n",(long long)n); }
__global__ void P_mix(int n){  printf("%d%f\n",n,n*0.5); }
__global__ void P_mix2(int n){  printf("%f%d\n",n*0.5,n); }
__global__ void P_str(int n){  printf("%s\n","hello"); }
__global__ void P_str2(int n){  printf("%s\n","hello, long world of strings"); }
__global__ void P_chr(int n){  printf("%c\n",'a'+n); }
__global__ void P_pct(int n){  printf("%%\n"); }
__global__ void P_lan2(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan3(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan8(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan16(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan31(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan32(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan33(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan64(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan96(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan128(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_lan256(int n){  printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_odd(int n){ if(threadIdx.x%2) printf("hello %d\n",(int)threadIdx.x); }
__global__ void P_twice(int n){ printf("ab\n"); printf("hello %d\n",n); }
int main(){ cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 8<<20);
  P_len1<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len2<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len3<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len4<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len5<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len7<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len8<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len9<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len12<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len15<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len16<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len17<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len24<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len31<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len32<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len33<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len48<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len63<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len64<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len65<<<1,1>>>(3); cudaDeviceSynchronize();
  P_len100<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int1<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int2<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int3<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int4<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int5<<<1,1>>>(3); cudaDeviceSynchronize();
  P_int6<<<1,1>>>(3); cudaDeviceSynchronize();
  P_dbl1<<<1,1>>>(3); cudaDeviceSynchronize();
  P_dbl2<<<1,1>>>(3); cudaDeviceSynchronize();
  P_ll1<<<1,1>>>(3); cudaDeviceSynchronize();
  P_mix<<<1,1>>>(3); cudaDeviceSynchronize();
  P_mix2<<<1,1>>>(3); cudaDeviceSynchronize();
  P_str<<<1,1>>>(3); cudaDeviceSynchronize();
  P_str2<<<1,1>>>(3); cudaDeviceSynchronize();
  P_chr<<<1,1>>>(3); cudaDeviceSynchronize();
  P_pct<<<1,1>>>(3); cudaDeviceSynchronize();
  P_lan2<<<1,2>>>(3); cudaDeviceSynchronize();
  P_lan3<<<1,3>>>(3); cudaDeviceSynchronize();
  P_lan8<<<1,8>>>(3); cudaDeviceSynchronize();
  P_lan16<<<1,16>>>(3); cudaDeviceSynchronize();
  P_lan31<<<1,31>>>(3); cudaDeviceSynchronize();
  P_lan32<<<1,32>>>(3); cudaDeviceSynchronize();
  P_lan33<<<1,33>>>(3); cudaDeviceSynchronize();
  P_lan64<<<1,64>>>(3); cudaDeviceSynchronize();
  P_lan96<<<1,96>>>(3); cudaDeviceSynchronize();
  P_lan128<<<1,128>>>(3); cudaDeviceSynchronize();
  P_lan256<<<1,256>>>(3); cudaDeviceSynchronize();
  P_odd<<<1,32>>>(3); cudaDeviceSynchronize();
  P_twice<<<1,1>>>(3); cudaDeviceSynchronize();
  P_lan32<<<4,64>>>(3); cudaDeviceSynchronize(); P_int1<<<2,128>>>(3); cudaDeviceSynchronize(); }
