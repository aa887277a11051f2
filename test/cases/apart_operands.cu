// Operands of assembly, enumerations and pasted names in a program that tells long and long long apart.
// stdout: of long 5 of long long 6
// stdout: sum 8589934599 8589934599 8589934592
// stdout: enumeration 8 1 4886718345, vector 16 7
// stdout: at 12
#include <cstdint>
#include <cstdio>

void tell(long of) { printf("of long %ld ", of); }
void tell(long long of) { printf("of long long %lld\n", of); }
enum class Hint : uint64_t { none = 1, some = 0x123456789 };
enum Wide : int64_t { LOW = 1 };
#define PAIR_OF(type) type##2
PAIR_OF(long) pair;

struct Sums {
  uint64_t sum;
  int64_t same;
};
__global__ void add(Sums *to, uint64_t a, const int64_t b, double *places) {
  uint64_t sum;
  asm("add.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b + 1));
  int64_t same = a;
  asm("add.s64 %0, %0, %1;" : "+l"(same) : "l"((long)(b + 1)));
  *to = {sum, same};
  asm volatile("st.global.f64 [%0], %1;" ::"l"(places + threadIdx.x), "d"(12.0));
}

int main() {
  tell(5L);
  tell(6LL);
  Sums *sums;
  double *places;
  cudaMallocManaged(&sums, sizeof *sums);
  cudaMallocManaged(&places, sizeof *places);
  add<<<1, 1>>>(sums, 1ull << 33, 6, places);
  cudaDeviceSynchronize();
  printf("sum %ld %ld %ld\n", (long)sums->sum, (long)sums->same, (long)(1ull << 33));
  pair.x = 7;
  printf("enumeration %d %d %ld, vector %d %ld\n", (int)sizeof(Wide), (int)LOW, (long)Hint::some, (int)sizeof pair, (long)pair.x);
  printf("at %g\n", *places);
}
