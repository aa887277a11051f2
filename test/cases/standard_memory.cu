// std::memcpy and its kind in kernels and in functions of both sides, with <cstring>: they are the functions without std.
// stdout: 2 1 2.5, ab, 3 -1 0, zeros 1
#include <cstdio>
#include <cstring>

struct Bits {
  unsigned bits;
  __host__ __device__ operator float() const {
    float value{};
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};
struct Result {
  float sum;
  char text[4];
  int length, order, zeros;
};

__global__ void work(Result *result) {
  unsigned bits = 0x40000000;
  float value;
  std::memcpy(&value, &bits, 4);
  result->sum = value + Bits{0x3f000000};
  std::strcpy(result->text, "aab");
  std::memmove(result->text, result->text + 1, 3);
  result->length = std::strlen("abc") + std::strcmp("x", "x");
  result->order = std::memcmp("a", "b", 1) < 0 ? -1 : 1;
  int words[4];
  std::memset(words, 0, sizeof words);
  result->zeros = words[threadIdx.x] == 0;
}

int main() {
  using namespace std;
  Result *result;
  cudaMallocManaged(&result, sizeof *result);
  work<<<1, 1>>>(result);
  cudaDeviceSynchronize();
  unsigned bits = 0x40000000;
  float two;
  memcpy(&two, &bits, sizeof two);
  printf("%g %g %g, %s, %d %d %d, zeros %d\n", two, (float)Bits{0x3f800000}, result->sum, result->text, result->length,
         result->order, std::strcmp("a", "a"), result->zeros);
}
