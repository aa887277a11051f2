// The language in kernels: templates, lambdas, virtual functions, pointers to functions, recursion, placement new, unions, bit
// fields, structures by value, constexpr host functions, variables of all kinds, vectors indexed at run time.
// stdout: template 6 2.5, lambda 13 12 9, virtual 12 25
// stdout: pointer 7 12, recursion 120 13, constexpr 49
// stdout: placement 3 4, union 3f800000, bits 5 -3 100
// stdout: structure 10 20 30 2.5, bounds 4, local 45
// stdout: variables 8 5 11 managed 42
// stdout: vector 30 7, statics 3, new 99, varying 0 10 20 30
#if !defined(__NVCC__) || !defined(__CUDACC__)
#error programs ask for nvcc by both names
#endif
#include <cstdio>
#include <new>
template <class T, int N> struct Sum {
  T values[N];
  __host__ __device__ T operator()() const {
    T sum = 0;
    for (int i = 0; i < N; i++) sum += values[i];
    return sum;
  }
};
template <class F, class... A> __global__ void apply(F f, int *out, A... a) { *out = f(a...); }
struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Rectangle : Shape {
  int a, b;
  __device__ Rectangle(int a, int b) : a(a), b(b) {}
  __device__ int area() const override { return a * b; }
};
struct Square : Rectangle {
  __device__ Square(int a) : Rectangle(a, a) {}
};
__global__ void shapes(int *out) {
  alignas(8) char place[sizeof(Rectangle)];
  Shape *first = new (place) Rectangle(3, 4), *second = new Square(5);
  Shape *both[] = {first, second};
  out[0] = both[threadIdx.x]->area();
  out[1] = both[threadIdx.x + 1]->area();
  delete second;
}
typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[] = {add, multiply};
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr int square(int x) { return x * x; }
__global__ void calls(int *out) {
  out[0] = operations[threadIdx.x](3, 4), out[1] = operations[threadIdx.x + 1](3, 4);
  out[2] = factorial(5), out[3] = fibonacci(7), out[4] = square(7);
}
struct Point {
  int x, y;
};
union Number {
  float f;
  unsigned u;
};
struct Bits {
  unsigned a : 3;
  int b : 4;
  unsigned c : 9;
};
__global__ void memory(int *out) {
  __shared__ char place[sizeof(Point)];
  Point *p = new (place) Point{3, 4};
  Number number;
  number.f = 1;
  Bits bits;
  bits.a = 13 + (int)threadIdx.x, bits.b = -3, bits.c = 100;
  out[0] = p->x, out[1] = p->y, out[2] = number.u, out[3] = bits.a, out[4] = bits.b, out[5] = bits.c;
}
struct Arguments {
  char tag;
  int values[3];
  double scale;
};
__global__ void __launch_bounds__(128, 2, 1) byValue(const Arguments a, int *__restrict__ out, const float *__restrict__ f) {
  Arguments copy = a;
  copy.values[threadIdx.x + 1] *= 1;
  out[0] = copy.values[0], out[1] = copy.values[1], out[2] = copy.values[2], out[3] = (int)(copy.scale * 10);
  out[4] = copy.tag - 'A' + (int)f[0];
  int local[10];
  for (int i = 0; i < 10; i++) local[i] = i;
  volatile int *v = out + 5;
  *v = 0;
  for (int i = 0; i < 10; i++) *v += local[(i * 7 + threadIdx.x) % 10];
}
__device__ int counter = 7;
__constant__ int table[4] = {1, 5, 9, 13};
__managed__ int managed = 40;
__device__ int array[3] = {1, 2, 3};
__global__ void variables(int *out) {
  counter++, managed += 2;
  out[0] = counter, out[1] = table[threadIdx.x + 1], out[2] = array[0] + array[1] + array[2] + 5;
}
typedef int Int4 __attribute__((ext_vector_type(4)));
__global__ void vectors(int *out, int at) {
  Int4 v = {10, 20, 30, 40};
  out[0] = v[at];
  v[at + 1 & 3] = 7;
  out[1] = v[3];
  static __shared__ int shared[2];
  shared[threadIdx.x & 1] = 3;
  out[2] = shared[0];
  int *heap = new int(99);
  out[3] = *heap;
  delete heap;
  Int4 lanes = {0, 10, 20, 30};
  out[4 + threadIdx.x] = lanes[threadIdx.x & 3];
}
int main() {
  int *out;
  float *f;
  cudaMallocManaged(&out, 256), cudaMallocManaged(&f, 4);
  *f = 4;
  apply<<<1, 1>>>(Sum<int, 3>{{1, 2, 3}}, out);
  cudaDeviceSynchronize();
  Sum<float, 2> floats{{1, 1.5f}};
  printf("template %d %g, lambda", out[0], floats());
  int captured = 10;
  apply<<<1, 1>>>([=] __device__(int a, int b) { return captured + a * b; }, out, 1, 3);
  cudaDeviceSynchronize();
  auto both = [=] __host__ __device__(int a) { return captured + a; };
  apply<<<1, 1>>>(both, out + 1, 2);
  cudaDeviceSynchronize();
  printf(" %d %d %d, virtual", out[0], out[1], both(-1));
  shapes<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf(" %d %d\n", out[0], out[1]);
  calls<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("pointer %d %d, recursion %d %d, constexpr %d\n", out[0], out[1], out[2], out[3], out[4]);
  memory<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("placement %d %d, union %x, bits %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5]);
  byValue<<<1, 1>>>(Arguments{'A', {10, 20, 30}, 0.25}, out, f);
  cudaDeviceSynchronize();
  printf("structure %d %d %d %g, bounds %d, local %d\n", out[0], out[1], out[2], out[3] + 0.5, out[4], out[5]);
  int five = 5;
  variables<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaMemcpyToSymbol(counter, &five, sizeof five);
  printf("variables %d %d %d managed %d\n", out[0], out[1], out[2], managed);
  vectors<<<1, 4>>>(out, 2);
  cudaDeviceSynchronize();
  printf("vector %d %d, statics %d, new %d, varying %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);
}
