// What nobody has set yet is read: an exercise whose kernel is still to be written says what is wrong, as it does with nvcc.
// levels: 2
// stdout: 1024 wrong, 0 0 0
#include <cstdio>
#include <cstdlib>
__global__ void fill(int *out, int n) {
  // Your code here
}
int main() {
  int *results = (int *)malloc(1024 * sizeof(int));
  // Launch the kernel and copy the results here
  int wrong = 0, largest, sums[100];
  bool found;
  for (int i = 0; i < 1024; i++)
    if (results[i] != i + 1) wrong++;
  if (largest < wrong && found) printf("found\n");
  printf("%d wrong, %d %d %d\n", wrong, largest, sums[3], found ? 1 : 0);
}
