// What Thrust's headers bring along besides their own names: iterators, thrust::copy.
// needs: /usr/include/thrust/version.h
// needs: /usr/include/cub/version.cuh
// levels: 2
// reference: off
// stdout: 2 keys: 7 x 3, 8 x 1
// stdout: 4 discarded, copied 8
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/find.h>
#include <thrust/sort.h>

int main() {
  thrust::device_vector<int> values(4, 7), keys(4), counts(4);
  values[3] = 8;
  auto ends = thrust::reduce_by_key(values.begin(), values.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
  int first = keys[0], second = keys[1], firstCount = counts[0], secondCount = counts[1];
  printf("%d keys: %d x %d, %d x %d\n", (int)(ends.first - keys.begin()), first, firstCount, second, secondCount);
  auto end = thrust::copy(values.begin(), values.end(), thrust::make_discard_iterator());
  thrust::device_vector<int> copied(4);
  thrust::copy(values.begin(), values.end(), copied.begin());
  printf("%d discarded, copied %d\n", (int)(end - thrust::make_discard_iterator()), (int)copied[3]);
  return 0;
}
