// Thrust from the system's headers (Debian: libthrust-dev): vectors, iterators, algorithms, policies, errors.
// needs: /usr/include/thrust/version.h
// needs: /usr/include/cub/version.cuh
// levels: 2
// reference: off
// stdout: sequence 0 1 2 sum 499500 squares 332833500
// stdout: sorted 0 999, by key 9 0, scan 55
// stdout: kept 334, counted 500, by key 3: 0=2 1=1 2=3
// stdout: chosen 30, host 45, raw 12
// stdout: lists 3 1 4 4 2, identity 10
// stdout: caught thrust::system_error
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>
struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};
struct DividesBy3 {
  __host__ __device__ bool operator()(int x) const { return x % 3 == 0; }
};
__global__ void addTo(int *x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += 3;
}
int main() {
  const int n = 1000;
  thrust::device_vector<int> d(n);
  thrust::sequence(d.begin(), d.end());
  int sum = thrust::reduce(d.begin(), d.end());
  long long squares = thrust::transform_reduce(d.begin(), d.end(), Square(), 0ll, thrust::plus<long long>());
  printf("sequence %d %d %d sum %d squares %lld\n", (int)d[0], (int)d[1], (int)d[2], sum, squares);

// As the real one brings it along.
static_assert((int)cuda::memory_order_relaxed == 0);

  thrust::host_vector<int> h(n);
  for (int i = 0; i < n; i++) h[i] = i * 7919 % n;
  thrust::device_vector<int> keys = h, values(n);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  thrust::device_vector<int> ten(10), scanned(10);
  thrust::sequence(ten.begin(), ten.end(), 1);
  thrust::inclusive_scan(ten.begin(), ten.end(), scanned.begin());
  printf("sorted %d %d, by key %d %d, scan %d\n", (int)keys[0], (int)keys[n - 1], (int)values[9] * 7919 % n, (int)values[0], (int)scanned[9]);

  thrust::device_vector<int> kept(n);
  int divisible = thrust::copy_if(d.begin(), d.end(), kept.begin(), DividesBy3()) - kept.begin();
  int even = thrust::count_if(d.begin(), d.end(), [] __host__ __device__(int x) { return x % 2 == 0; });
  int rawKeys[] = {0, 0, 1, 2, 2, 2};
  thrust::device_vector<int> k(rawKeys, rawKeys + 6), outKeys(6), outCounts(6);
  auto ends = thrust::reduce_by_key(k.begin(), k.end(), thrust::make_constant_iterator(1), outKeys.begin(), outCounts.begin());
  printf("kept %d, counted %d, by key %d: %d=%d %d=%d %d=%d\n", divisible, even, (int)(ends.first - outKeys.begin()), (int)outKeys[0],
         (int)outCounts[0], (int)outKeys[1], (int)outCounts[1], (int)outKeys[2], (int)outCounts[2]);

  thrust::counting_iterator<int> counting(0);
  int map[] = {9, 8, 3};
  thrust::device_vector<int> order(map, map + 3), back(counting, counting + 10);
  auto permuted = thrust::make_permutation_iterator(ten.begin(), order.begin());
  int chosen = thrust::reduce(permuted, permuted + 3);
  thrust::host_vector<int> onHost(counting, counting + 10);
  int hostSum = thrust::reduce(thrust::host, onHost.begin(), onHost.end());
  addTo<<<1, 32>>>(thrust::raw_pointer_cast(back.data()), 10);
  printf("chosen %d, host %d, raw %d\n", chosen + 7, hostSum, (int)back[9]);
  thrust::device_vector<int> list{4, 0, 6}, one{7};
  thrust::host_vector<float> alike = {1.5f, 2.5f};
  int total = thrust::transform_reduce(list.begin(), list.end(), cuda::std::identity{}, 0, thrust::plus<int>());
  printf("lists %d %d %g", (int)list.size(), (int)one.size(), thrust::reduce(alike.begin(), alike.end()));
  list = {8, 4};
  printf(" %d %d, identity %d\n", (int)list[1], (int)list.size(), total);
  try {
    thrust::fill(thrust::cuda::par.on((cudaStream_t)12345), back.begin(), back.end(), 1);
  } catch (thrust::system_error &error) {
    printf("caught thrust::system_error\n");
  }
}
