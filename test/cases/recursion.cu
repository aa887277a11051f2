// Functions that call themselves through virtual functions and pointers, from within loops that use what lived through the
// call: structures by value and as results, locals by reference, truth values, lanes at different depths. The host computes the same.
// stdout: 64 threads: 0 0 0 0 0 differ
#include <cstdio>
#define BOTH __host__ __device__
struct Ray {
  float from[3], way[3];
};
struct Matter;
struct Hit {
  float t;
  const Matter *matter;
};
struct Matter {
  BOTH virtual bool turn(const Ray &ray, float t, Ray &out) const = 0;
};
struct Mirror : Matter {
  float by;
  BOTH Mirror(float by) : by(by) {}
  BOTH bool turn(const Ray &ray, float t, Ray &out) const override {
    for (int k = 0; k < 3; k++) out.from[k] = ray.from[k] + t * ray.way[k], out.way[k] = ray.way[k];
    out.way[0] *= by;
    return out.from[1] < 20;
  }
};
struct Coat : Matter {
  const Matter *inner;
  BOTH Coat(const Matter *inner) : inner(inner) {}
  BOTH bool turn(const Ray &ray, float t, Ray &out) const override {
    bool goesOn = inner->turn(ray, t, out);
    out.way[1] += ray.way[1] * 0.5f;
    return goesOn;
  }
};
struct Thing {
  BOTH virtual bool hit(const Ray &ray, float most, Hit &hit) const = 0;
};
struct Plane : Thing {
  float at;
  const Matter *matter;
  BOTH Plane(float at, const Matter *matter) : at(at), matter(matter) {}
  BOTH bool hit(const Ray &ray, float most, Hit &hit) const override {
    float t = (at - ray.from[0]) / ray.way[0];
    if (t < 0.25f || t > most) return false;
    hit.t = t, hit.matter = matter;
    return true;
  }
};
struct List : Thing {
  const Thing *things[2];
  BOTH List(const Thing *a, const Thing *b) : things{a, b} {}
  BOTH bool hit(const Ray &ray, float most, Hit &hit) const override {
    Hit one;
    bool any = false;
    for (int i = 0; i < 2; i++)
      if (things[i]->hit(ray, most, one)) any = true, most = one.t, hit = one;
    return any;
  }
};
// The loop's head reads nothing of the ray, its body does.
BOTH float trace(int id) {
  Mirror back(-1), through(1);
  Coat coat(&through), two(&coat);
  Plane a(16, &back), b(-8, &back), c(4, id % 3 ? (const Matter *)&two : &back);
  List inner(&a, &b), outer(&inner, &c);
  const Thing *world = &outer;
  float sum = 0;
  for (int sample = 0; sample < 2; sample++) {
    Ray ray = {{0.25f * (id % 20), 1, 2}, {1, 0.5f + sample, -1}};
    for (int i = 0; i < 6; i++) {
      Hit hit;
      if (!world->hit(ray, 100, hit)) {
        sum += ray.way[0];
        break;
      }
      Ray next;
      if (!hit.matter->turn(ray, hit.t, next)) break;
      ray = next;
      sum += hit.t + ray.from[1];
    }
  }
  return sum;
}
struct Big {
  int values[3];
  double scale;
  char tag;
};
BOTH Big build(int n, Big in, float &sum) {
  Big own = in;
  own.scale += n, own.tag++;
  float part = n;
  for (int i = 0; i < n % 3; i++) {
    Big below = build(n - 1 - i, own, part);
    for (int k = 0; k < 3; k++) own.values[k] += below.values[(k + n) % 3] + in.values[k] + i;
    own.scale = own.scale * 0.5 + below.scale;
    sum += part;
  }
  return own;
}
typedef unsigned (*Step)(unsigned, int, const void *);
BOTH unsigned down(unsigned a, int n, const void *steps) {
  return n <= 0 ? a : 1 + ((const Step *)steps)[(a + n) % 2](a * 3 + 1, n - 1, steps);
}
BOTH unsigned around(unsigned a, int n, const void *steps) {
  unsigned sum = a;
  for (int i = 0; i < (int)(a % 4) && n > 1; i++)
    for (int k = 0; k < 2; k++) {
      if ((sum + k) % 5 == 0) continue;
      sum += ((const Step *)steps)[(i + k) % 2](sum % 17, n - 4, steps) + i * k;
    }
  return sum;
}
BOTH int odd(int n, int *where);
BOTH int even(int n, int *where) {
  int mine[2] = {n, *where};
  if (n == 0) return *where += 100, 1;
  int result = odd(n - 1, &mine[1]);
  *where += mine[1] % 7 + mine[0];
  return result + 2;
}
BOTH int odd(int n, int *where) {
  int mine = n * 2, result = 0;
  for (int i = n; i > n - 2 && i > 0; i--) result += even(i - 1, &mine);
  *where ^= mine;
  return result * 3;
}
// Several truth values, alone and as results of vectors' comparisons, live through the call.
BOTH float4 halve(float4 a, int n) {
  if (n == 0) return a;
  bool x = a.x > 3, y = a.y > 3, z = a.z > a.w, w = a.w > 2;
  float4 b = halve(make_float4(a.w, a.x * 0.5f, a.y + 1, a.z), n - 1);
  if (n % 2) b = halve(b, n / 4);
  return make_float4(x ? b.x : a.y, y ? b.y + 1 : b.z, z ? a.w : b.w, w ? b.z : b.x * 0.5f);
}
BOTH void all(int id, double *out) {
  out[0] = trace(id);
  float sum = 1;
  Big big = build(id % 8, {{id, 2, 3}, 0.5, 'a'}, sum);
  out[1] = sum + big.scale + big.tag + big.values[0] + big.values[1] * 3.0 + big.values[2] * 7.0;
  Step steps[] = {down, around};
  out[2] = steps[id % 2](id, id % 11, steps);
  int where = id;
  out[3] = even(id % 10, &where) + 1000.0 * where;
  float4 v = halve(make_float4(id, 1, id % 5, 3), id % 9);
  out[4] = v.x + v.y * 3 + v.z * 5 + v.w * 7;
}
__global__ void kernel(double *out) {
  int id = threadIdx.y * blockDim.x + threadIdx.x;
  all(id, out + id * 5);
}
int main() {
  double *out;
  int differ[5] = {};
  cudaMallocManaged(&out, 64 * 5 * sizeof(double));
  kernel<<<1, dim3(8, 8)>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int id = 0; id < 64; id++) {
    double expected[5];
    all(id, expected);
    for (int k = 0; k < 5; k++) differ[k] += expected[k] != out[id * 5 + k];
  }
  printf("64 threads: %d %d %d %d %d differ\n", differ[0], differ[1], differ[2], differ[3], differ[4]);
}
