// The direction that a copy names, against the memory that the pointers are in: what an H200 returned (1: cudaErrorInvalidValue,
// 21: cudaErrorInvalidMemcpyDirection; where it returned 0, it had copied). From left to right: host to host, host to device,
// device to host, device to device, default.
// levels: 2
// stdout: device <- device 00000 plain 00110 managed 00000 pinned 00000
// stdout: plain <- device 01010 plain 01110 managed 01010 pinned 01010
// stdout: managed <- device 00000 plain 00110 managed 00000 pinned 00000
// stdout: pinned <- device 00000 plain 00110 managed 00000 pinned 00000
// stdout: to symbol: device 21 0 21 0 0, plain 21 0 21 1 0, managed 21 0 21 0 0, pinned 21 0 21 0 0
// stdout: from symbol: device 21 21 0 0 0, plain 21 21 0 1 0, managed 21 21 0 0 0, pinned 21 21 0 0 0
// stdout: wrong values: 0
// stderr: cudaMemcpy: the source is device memory, and the direction cudaMemcpyHostToHost; the copy is made all the same
#include <cstdio>
#include <cuda_runtime.h>

__device__ int symbol;

struct Place {
  const char *name;
  int *words;
};

int wrong = 0;

int valueAt(const int *word) {
  int value;
  cudaMemcpy(&value, word, sizeof value, cudaMemcpyDefault);
  return value;
}

void put(int *word, int value) { cudaMemcpy(word, &value, sizeof value, cudaMemcpyDefault); }

/* What the call returned; a copy that it made must have arrived, and one that it refused must not. */
int judged(cudaError_t error, const int *to, int sent) {
  wrong += (valueAt(to) == sent) != (error == cudaSuccess);
  cudaGetLastError();
  return error;
}

int main() {
  static int plain[2];
  int *device, *managed, *pinned;
  cudaMalloc(&device, 2 * sizeof(int));
  cudaMallocManaged(&managed, 2 * sizeof(int));
  cudaMallocHost(&pinned, 2 * sizeof(int));
  const Place places[] = {{"device", device}, {"plain", plain}, {"managed", managed}, {"pinned", pinned}};
  int *word;
  cudaGetSymbolAddress((void **)&word, symbol);

  int sent = 0;
  for (const Place &to : places) {
    printf("%s <-", to.name);
    for (const Place &from : places) {
      printf(" %s ", from.name);
      for (int kind = 0; kind < 5; kind++) {
        put(from.words + 1, ++sent);
        printf("%d", judged(cudaMemcpy(to.words, from.words + 1, sizeof(int), (cudaMemcpyKind)kind), to.words, sent));
      }
    }
    printf("\n");
  }
  for (bool toSymbol : {true, false}) {
    printf(toSymbol ? "to symbol:" : "from symbol:");
    for (const Place &place : places) {
      printf(" %s", place.name);
      for (int kind = 0; kind < 5; kind++) {
        put(toSymbol ? place.words : word, ++sent);
        cudaError_t error = toSymbol ? cudaMemcpyToSymbol(symbol, place.words, sizeof(int), 0, (cudaMemcpyKind)kind)
                                     : cudaMemcpyFromSymbol(place.words, symbol, sizeof(int), 0, (cudaMemcpyKind)kind);
        printf(" %d", judged(error, toSymbol ? word : place.words, sent));
      }
      printf(&place == places + 3 ? "\n" : ",");
    }
  }
  printf("wrong values: %d\n", wrong);
}
