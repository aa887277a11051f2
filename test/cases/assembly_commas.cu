// Operands of assembly without commas between them, which nvcc takes.
// levels: nightly
// stdout: 12 30 42
#include <cstdio>

__global__ void compute(int *p) {
  int sum, product;
  asm volatile("{ add.s32 %0, %2, %3; mul.lo.s32 %1, %2, %4; }"
               : "=r"(sum)
                 "=r"(product)
               : "r"(p[0]) "r"(p[1]),
                 "r"(p[2])
               : "memory");
  asm("st.global.v2.b32 [%0], {%1, %2};" ::"l"(p)
      "r"(sum), "r"(product) : "memory");
  p[2] = sum + product;
}

int main() {
  int *p;
  cudaMallocManaged(&p, 4 * sizeof(int));
  p[0] = 5, p[1] = 7, p[2] = 6;
  compute<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", p[0], p[1], p[2]);
}
