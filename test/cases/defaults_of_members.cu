// Default values that members of class templates get where they are defined: nvcc takes them.
// levels: nightly
// stdout: 8 7 2
// stdout: device 6 12
#include <cstdio>
enum class Kind { Map, Set };
template <class K, Kind kind> class Table;
template <class K> class Table<K, Kind::Map> {
public:
  double load(int a, int flag);
  __device__ int twice(int x);
};
template <class K> class Table<K, Kind::Set> {
public:
  double load(int a, int flag) { return a + flag; }
};
template <class K> struct Plain {
  int get(K, int b);
};
template <class K> double Table<K, Kind::Map>::load(int a, int flag = (1 + 1)) { return flag + 1.0 + a; }
template <class K> __device__ int Table<K, Kind::Map>::twice(int x = 3) { return 2 * x; }
template <class K> int Plain<K>::get(K, int b = 2) { return b; }

__global__ void k() {
  Table<int, Kind::Map> t;
  printf("device %d %d\n", t.twice(), t.twice(6));
}
int main() {
  Table<int, Kind::Map> t;
  Plain<int> p;
  printf("%g %g %d\n", t.load(5), t.load(5, 1), p.get(1));
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
}
