// GNU's header of all standard headers, as many programs include it.
// stdout: 496 28
// levels: 2
#include <bits/stdc++.h>
using namespace std;

__global__ void count(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int *device;
  vector<int> values(32);
  cudaMalloc(&device, sizeof(int) * values.size());
  count<<<1, 32>>>(device);
  cudaMemcpy(values.data(), device, sizeof(int) * values.size(), cudaMemcpyDeviceToHost);
  unordered_map<int, int> multiples;
  for (int value : values) multiples[value % 4] += value == 28 || value == 0 ? value : 0;
  cout << accumulate(values.begin(), values.end(), 0) << ' ' << multiples[0] << endl;
}
