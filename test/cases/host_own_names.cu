// Names of the C++ library that a program has for something of its own, where GCC's headers do not bring them in.
// stdout: 7 3
// levels: nightly
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
using namespace std;

struct entry { int value; };
__constant__ entry stack[4];
template <class T> struct widened {
  template <int n> static int first(T value) { return n * 0 + value; }
};
template <class T> int firstOf(T value) {
  return widened<T>::first<3>(value);
}

__global__ void show() { printf("%d ", stack[2].value); }

int main() {
  entry host[4] = {{1}, {2}, {7}, {9}};
  cudaMemcpyToSymbol(stack, host, sizeof host);
  show<<<1, 1>>>();
  cudaDeviceSynchronize();
  cout << firstOf(3) << endl;
}
