// libcu++'s sets of bits, comparisons of arrays, vectors with their own room, views of text, and constants, on both sides.
// levels: nightly
// stdout: bits 3 137 1 0, shifted 2 512, others 68 1 0 1
// stdout: vector 3 9 15, erased 2 4 9, inserted 3 4 7, room 1 0
// stdout: pi 3141 e 2718, text 5 2 1 1, arrays 22 49 1
// stdout: bits 3 137 1 0, shifted 2 512, others 68 1 0 1
// stdout: vector 3 9 15, erased 2 4 9, inserted 3 4 7, room 1 0
// stdout: pi 3141 e 2718, text 5 2 1 1, arrays 22 49 1
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/inplace_vector>
#include <cuda/std/memory>
#include <cuda/std/numbers>
#include <cuda/std/string_view>
#include <cstdio>

using Three = cuda::std::array<int, 3>;
__host__ __device__ int compared(const Three &a, const Three &b) {
  return (a == b) + (a != b) * 2 + (a < b) * 4 + (a > b) * 8 + (a <= b) * 16 + (a >= b) * 32;
}

__host__ __device__ void both(int *out) {
  cuda::std::bitset<70> set;
  set.set(3);
  set[7] = true;
  set.flip(0);
  out[0] = set.count();
  out[1] = (int)set.to_ullong();
  out[2] = set.any();
  out[3] = set.all();
  auto shifted = set << 66;
  out[4] = shifted.count();
  out[5] = (int)(cuda::std::bitset<70>(1) << 9).to_ulong();
  auto others = ~set;
  others.reset(1).reset(69).set(1);
  out[6] = others.count() + 2;
  out[7] = (set | others).count() == 69 && (set & others).none();
  out[8] = set == others;
  out[9] = (set ^ set).none() && (shifted >> 66) == (cuda::std::bitset<70>(9));

  cuda::std::inplace_vector<int, 4> vector;
  vector.push_back(4);
  vector.push_back(2);
  vector.emplace_back(9);
  out[10] = vector.size();
  out[11] = vector.back();
  int sum = 0;
  for (int value : vector) sum += value;
  out[12] = sum;
  vector.erase(vector.begin() + 1);
  out[13] = vector.size();
  out[14] = vector[0];
  out[15] = vector[1];
  vector.insert(vector.begin() + 1, 7);
  out[16] = vector.size();
  out[17] = vector[0];
  out[18] = vector[1];
  out[19] = vector.try_push_back(1) != nullptr;
  out[20] = vector.try_push_back(1) != nullptr;
  out[21] = (int)(cuda::std::numbers::pi_v<float> * 1000);
  out[22] = (int)(cuda::std::numbers::e * 1000);
  cuda::std::string_view text("hello");
  out[23] = text.size();
  out[24] = text.find('l');
  out[25] = text == cuda::std::string_view("hello");
  out[26] = text.compare("help") < 0;
  out[27] = compared({1, 2, 3}, {1, 2, 4});
  out[28] = compared({1, 2, 3}, {1, 2, 3});
  int some[] = {1, 2, 3};
  out[29] = cuda::std::equal(some, some + 3, Three{1, 2, 3}.begin());
  if (cuda::std::addressof(out[0]) != out) out[22] = 0;
}

__global__ void onTheDevice(int *out) { both(out); }

static void print(const int *o) {
  printf("bits %d %d %d %d, shifted %d %d, others %d %d %d %d\n", o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8], o[9]);
  printf("vector %d %d %d, erased %d %d %d, inserted %d %d %d, room %d %d\n", o[10], o[11], o[12], o[13], o[14], o[15], o[16], o[17],
         o[18], o[19], o[20]);
  printf("pi %d e %d, text %d %d %d %d, arrays %d %d %d\n", o[21], o[22], o[23], o[24], o[25], o[26], o[27], o[28],
         o[29]);
}

int main() {
  int *out, own[32];
  cudaMallocManaged(&out, 128);
  onTheDevice<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  print(out);
  both(own);
  print(own);
}
