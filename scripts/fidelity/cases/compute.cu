#include <curand_kernel.h>

#include <cstdio>
typedef unsigned int u32;
typedef unsigned long long u64;
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
__constant__ u32 K256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ u32 rotr(u32 x, int n) { return (x >> n) | (x << (32 - n)); }
__global__ void sha256(u32* out, int rounds) {
  u32 h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int n = 0; n < rounds; n++) {
    u32 w[64];
    for (int i = 0; i < 16; i++) w[i] = TID * 16 + i + n;
    for (int i = 16; i < 64; i++) {
      u32 s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3),
          s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    u32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
    for (int i = 0; i < 64; i++) {
      u32 t1 = k + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + K256[i] + w[i];
      u32 t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      k = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += k;
  }
  out[TID] = h[0] ^ h[7];
}
__global__ void crc32(const unsigned char* data, u32* out, const u32* table, int len) {
  u32 c = 0xffffffffu;
  for (int i = 0; i < len; i++) c = table[(c ^ data[TID * len + i]) & 0xff] ^ (c >> 8);
  out[TID] = ~c;
}
__global__ void crcbits(u32* out, int len) {
  u32 c = TID;
  for (int i = 0; i < len; i++) {
    c ^= i;
    for (int j = 0; j < 8; j++) c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
  }
  out[TID] = c;
}
__global__ void nqueens(u32* out, int n) {
  u32 all = (1u << n) - 1, count = 0;
  u32 c1 = TID % n, c2 = TID / n % n;
  u32 cols[16], ld[16], rd[16], poss[16];
  u32 a = 1u << c1, b = 1u << c2;
  if (c1 == c2 || c1 == c2 + 1 || c2 == c1 + 1) {
    out[TID] = 0;
    return;
  }
  int d = 0;
  cols[0] = a | b;
  ld[0] = ((a << 1 | b) << 1) & all;
  rd[0] = (a >> 1 | b) >> 1;
  poss[0] = all & ~(cols[0] | ld[0] | rd[0]);
  while (d >= 0) {
    if (poss[d] == 0) {
      d--;
      continue;
    }
    u32 bit = poss[d] & -poss[d];
    poss[d] ^= bit;
    if ((cols[d] | bit) == all) {
      count++;
      continue;
    }
    cols[d + 1] = cols[d] | bit;
    ld[d + 1] = ((ld[d] | bit) << 1) & all;
    rd[d + 1] = (rd[d] | bit) >> 1;
    d++;
    poss[d] = all & ~(cols[d] | ld[d] | rd[d]);
  }
  out[TID] = count;
}
__global__ void primes(u32* out, u32 base) {
  u32 x = base + TID;
  bool p = x > 1;
  for (u32 k = 2; k * k <= x; k++)
    if (x % k == 0) {
      p = false;
      break;
    }
  out[TID] = p;
}
__global__ void perfect(int* out, int n) {
  int x = TID + 1, s = 0;
  for (int k = 1; k < n; k++)
    if (k < x && x % k == 0) s += k;
  out[TID] = s == x;
}
__global__ void gcds(u32* out, u32 n) {
  u32 s = 0;
  for (u32 k = 1; k < n; k++) {
    u32 a = TID + 1, b = k;
    while (b) {
      u32 t = a % b;
      a = b;
      b = t;
    }
    s += a;
  }
  out[TID] = s;
}
__global__ void pi_lcg(u32* out, int n) {
  u32 s = TID * 2654435761u + 1, in = 0;
  for (int i = 0; i < n; i++) {
    s = s * 1664525u + 1013904223u;
    float x = (s >> 8) * (1.f / 16777216);
    s = s * 1664525u + 1013904223u;
    float y = (s >> 8) * (1.f / 16777216);
    if (x * x + y * y < 1) in++;
  }
  out[TID] = in;
}
__global__ void pi_curand(u32* out, int n) {
  curandState st;
  curand_init(1234, TID, 0, &st);
  u32 in = 0;
  for (int i = 0; i < n; i++) {
    float x = curand_uniform(&st), y = curand_uniform(&st);
    if (x * x + y * y <= 1) in++;
  }
  out[TID] = in;
}
__global__ void pi_philox(u32* out, int n) {
  curandStatePhilox4_32_10_t st;
  curand_init(1234, TID, 0, &st);
  u32 in = 0;
  for (int i = 0; i < n; i++) {
    float4 v = curand_uniform4(&st);
    if (v.x * v.x + v.y * v.y <= 1) in++;
    if (v.z * v.z + v.w * v.w <= 1) in++;
  }
  out[TID] = in;
}
__global__ void normals(float* out, int n) {
  curandState st;
  curand_init(7, TID, 0, &st);
  float s = 0;
  for (int i = 0; i < n; i++) s += curand_normal(&st);
  out[TID] = s;
}
__device__ float cnd(float d) {
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float c =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - c : c;
}
__global__ void blackscholes(const float* S, const float* X, const float* T, float* C, float* P, int n) {
  for (int i = TID; i < n; i += gridDim.x * blockDim.x) {
    float s = S[i] + 20, x = X[i] + 25, t = T[i] + 1;
    float q = sqrtf(t), d1 = (logf(s / x) + (0.02f + 0.5f * 0.3f * 0.3f) * t) / (0.3f * q),
          d2 = d1 - 0.3f * q;
    float a = cnd(d1), b = cnd(d2), e = expf(-0.02f * t);
    C[i] = s * a - x * e * b;
    P[i] = x * e * (1 - b) - s * (1 - a);
  }
}
__global__ void nbody(const float4* p, float4* f, int n) {
  float4 me = p[TID];
  float3 a = {0, 0, 0};
  for (int j = 0; j < n; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float d = dx * dx + dy * dy + dz * dz + 0.01f;
    float inv = 1.0f / sqrtf(d);
    float s = o.w * inv * inv * inv;
    a.x += dx * s;
    a.y += dy * s;
    a.z += dz * s;
  }
  f[TID] = make_float4(a.x, a.y, a.z, 0);
}
__global__ void nbody_shared(const float4* p, float4* f, int n) {
  __shared__ float4 t[256];
  float4 me = p[TID];
  float3 a = {0, 0, 0};
  for (int j = 0; j < n; j += 256) {
    t[threadIdx.x] = p[j + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) {
      float4 o = t[k];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      float d = dx * dx + dy * dy + dz * dz + 0.01f;
      float inv = rsqrtf(d);
      float s = o.w * inv * inv * inv;
      a.x += dx * s;
      a.y += dy * s;
      a.z += dz * s;
    }
    __syncthreads();
  }
  f[TID] = make_float4(a.x, a.y, a.z, 0);
}
__global__ void nbody_double(const double* x, const double* y, const double* z, double* f, int n) {
  double a = 0;
  for (int j = 0; j < n; j++) {
    double dx = x[j] - x[TID], dy = y[j] - y[TID], dz = z[j] - z[TID];
    double d = sqrt(dx * dx + dy * dy + dz * dz + 0.01);
    a += dx / (d * d * d);
  }
  f[TID] = a;
}
__global__ void mandel_double(int* o, int w, int h, int it) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  double cr = -2 + 3.0 * x / w, ci = -1.5 + 3.0 * y / h, zr = 0, zi = 0;
  int k = 0;
  while (k < it && zr * zr + zi * zi < 4) {
    double t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    k++;
  }
  o[y * w + x] = k;
}
__global__ void julia(unsigned char* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float jx = 1.5f * (w / 2 - x) / (w / 2), jy = 1.5f * (h / 2 - y) / (h / 2);
  float a = jx, b = jy;
  int i;
  for (i = 0; i < 200; i++) {
    float t = a * a - b * b - 0.8f;
    b = 2 * a * b + 0.156f;
    a = t;
    if (a * a + b * b > 1000) break;
  }
  o[(y * w + x) * 4] = i == 200 ? 255 : 0;
  o[(y * w + x) * 4 + 1] = 0;
  o[(y * w + x) * 4 + 2] = 0;
  o[(y * w + x) * 4 + 3] = 255;
}
struct Sphere {
  float x, y, z, r;
};
__global__ void rays(const Sphere* s, int n, unsigned char* img, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float ox = x - w / 2, oy = y - h / 2, best = -1e30f, c = 0;
  for (int i = 0; i < n; i++) {
    float dx = ox - s[i].x * 500, dy = oy - s[i].y * 500, r = s[i].r * 60 + 20;
    if (dx * dx + dy * dy < r * r) {
      float dz = sqrtf(r * r - dx * dx - dy * dy), t = dz + s[i].z;
      if (t > best) {
        best = t;
        c = dz / r;
      }
    }
  }
  img[y * w + x] = (unsigned char)(255 * c);
}
__global__ void kmeans(const float* p, const float* c, int* a, int n, int k, int dim) {
  int i = TID;
  if (i >= n) return;
  float best = 1e30f;
  int w = 0;
  for (int j = 0; j < k; j++) {
    float d = 0;
    for (int m = 0; m < dim; m++) {
      float t = p[m * n + i] - c[j * dim + m];
      d += t * t;
    }
    if (d < best) {
      best = d;
      w = j;
    }
  }
  a[i] = w;
}
__global__ void perlin(float* out, int w, int oct) {
  int x = TID % w, y = TID / w;
  float s = 0, amp = 1, fr = 0.01f;
  for (int o = 0; o < oct; o++) {
    float fx = x * fr, fy = y * fr;
    int ix = (int)floorf(fx), iy = (int)floorf(fy);
    float tx = fx - ix, ty = fy - iy;
    float v[4];
    for (int q = 0; q < 4; q++) {
      u32 hsh = (ix + (q & 1)) * 374761393u + (iy + (q >> 1)) * 668265263u;
      hsh = (hsh ^ (hsh >> 13)) * 1274126177u;
      v[q] = (hsh & 0xffff) / 65535.f;
    }
    tx = tx * tx * (3 - 2 * tx);
    ty = ty * ty * (3 - 2 * ty);
    s += amp * ((v[0] * (1 - tx) + v[1] * tx) * (1 - ty) + (v[2] * (1 - tx) + v[3] * tx) * ty);
    amp *= 0.5f;
    fr *= 2;
  }
  out[TID] = s;
}
__global__ void levenshtein(const char* a, const char* b, int* out, int n) {
  int row[65];
  for (int j = 0; j <= 64; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int prev = row[0];
    row[0] = i;
    char ca = a[TID % 1024 + i];
    for (int j = 1; j <= 64; j++) {
      int t = row[j];
      int c = prev + (ca != b[j]);
      int m = min(min(row[j] + 1, row[j - 1] + 1), c);
      row[j] = m;
      prev = t;
    }
  }
  out[TID] = row[64];
}
__global__ void heat(const double* in, double* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = in[y * w + x] + 0.1 * (in[(y - 1) * w + x] + in[(y + 1) * w + x] + in[y * w + x - 1] +
                                            in[y * w + x + 1] - 4 * in[y * w + x]);
}
__global__ void fw(int* d, int n, int k) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    int t = d[i * n + k] + d[k * n + j];
    if (t < d[i * n + j]) d[i * n + j] = t;
  }
}
__global__ void dct(const float* in, float* out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, u = x % 8,
      v = y % 8, bx = x - u, by = y - v;
  float s = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      s += in[(by + i) * w + bx + j] * cosf((2 * j + 1) * u * 3.14159265f / 16) *
           cosf((2 * i + 1) * v * 3.14159265f / 16);
  out[y * w + x] = s * 0.25f;
}
__global__ void softmax_block(const float* in, float* out, int n) {
  __shared__ float r[256];
  const float* row = in + blockIdx.x * n;
  float m = -1e30f;
  for (int i = threadIdx.x; i < n; i += 256) m = fmaxf(m, row[i]);
  r[threadIdx.x] = m;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) r[threadIdx.x] = fmaxf(r[threadIdx.x], r[threadIdx.x + s]);
    __syncthreads();
  }
  m = r[0];
  __syncthreads();
  float t = 0;
  for (int i = threadIdx.x; i < n; i += 256) t += expf(row[i] - m);
  r[threadIdx.x] = t;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) r[threadIdx.x] += r[threadIdx.x + s];
    __syncthreads();
  }
  t = r[0];
  for (int i = threadIdx.x; i < n; i += 256) out[blockIdx.x * n + i] = expf(row[i] - m) / t;
}
__global__ void gelu(const float* in, float* out, int n) {
  int i = TID;
  if (i < n) {
    float x = in[i];
    out[i] = 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
  }
}
__global__ void bitonic(int* a, int j, int k) {
  unsigned i = TID, l = i ^ j;
  if (l > i) {
    if ((i & k) == 0) {
      if (a[i] > a[l]) {
        int t = a[i];
        a[i] = a[l];
        a[l] = t;
      }
    } else if (a[i] < a[l]) {
      int t = a[i];
      a[i] = a[l];
      a[l] = t;
    }
  }
}
__global__ void rgb2gray(const unsigned char* in, unsigned char* out, int n) {
  int i = TID;
  if (i < n) out[i] = 0.21f * in[3 * i] + 0.71f * in[3 * i + 1] + 0.07f * in[3 * i + 2];
}
__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int gx = -in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1] +
           in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1];
  int gy = -in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1] +
           in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1];
  int m = (int)sqrtf((float)(gx * gx + gy * gy));
  out[y * w + x] = m > 255 ? 255 : m;
}
__global__ void matpow(const u64* a, u64* o, int n) {
  u64 m[4] = {TID % 7 + 1, 1, 1, 0}, r[4] = {1, 0, 0, 1};
  for (int i = 0; i < n; i++) {
    u64 t[4] = {(r[0] * m[0] + r[1] * m[2]) % 1000000007ULL, (r[0] * m[1] + r[1] * m[3]) % 1000000007ULL,
                (r[2] * m[0] + r[3] * m[2]) % 1000000007ULL, (r[2] * m[1] + r[3] * m[3]) % 1000000007ULL};
    for (int q = 0; q < 4; q++) r[q] = t[q];
  }
  o[TID] = r[1];
}
int main() {
  const int B = 1056;
  char* m[8];
  for (auto& p : m) {
    cudaMalloc(&p, 64 << 20);
    cudaMemset(p, 0, 64 << 20);
  }
  u32* o = (u32*)m[7];
  dim3 t(16, 16), g(64, 64);
  sha256<<<B, 256>>>(o, 4);
  crc32<<<264, 256>>>((unsigned char*)m[0], o, (u32*)m[1], 512);
  crcbits<<<B, 256>>>(o, 64);
  nqueens<<<4, 64>>>(o, 11);
  primes<<<B, 256>>>(o, 1000003);
  perfect<<<B, 256>>>((int*)o, 512);
  gcds<<<B, 256>>>(o, 64);
  pi_lcg<<<B, 256>>>(o, 1000);
  pi_curand<<<B, 256>>>(o, 100);
  pi_philox<<<B, 256>>>(o, 100);
  normals<<<B, 256>>>((float*)o, 100);
  blackscholes<<<4096, 256>>>((float*)m[0], (float*)m[1], (float*)m[2], (float*)m[3], (float*)m[4], 4 << 20);
  nbody<<<64, 256>>>((float4*)m[0], (float4*)m[1], 16384);
  nbody_shared<<<64, 256>>>((float4*)m[0], (float4*)m[1], 16384);
  nbody_double<<<32, 256>>>((double*)m[0], (double*)m[1], (double*)m[2], (double*)m[3], 8192);
  mandel_double<<<g, t>>>((int*)o, 1024, 1024, 256);
  julia<<<g, t>>>((unsigned char*)o, 1024, 1024);
  rays<<<g, t>>>((Sphere*)m[0], 20, (unsigned char*)o, 1024, 1024);
  kmeans<<<1024, 256>>>((float*)m[0], (float*)m[1], (int*)o, 262144, 16, 16);
  perlin<<<4096, 256>>>((float*)o, 1024, 6);
  levenshtein<<<256, 128>>>(m[0], m[1], (int*)o, 64);
  heat<<<dim3(128, 128), t>>>((double*)m[0], (double*)m[1], 2048, 2048);
  fw<<<dim3(128, 128), t>>>((int*)m[0], 2048, 5);
  dct<<<g, t>>>((float*)m[0], (float*)m[1], 1024);
  softmax_block<<<2048, 256>>>((float*)m[0], (float*)m[1], 4096);
  gelu<<<65536, 256>>>((float*)m[0], (float*)m[1], 16 << 20);
  bitonic<<<16384, 256>>>((int*)m[0], 4, 8);
  bitonic<<<16384, 256>>>((int*)m[0], 1024, 2048);
  rgb2gray<<<65536, 256>>>((unsigned char*)m[0], (unsigned char*)m[1], 16 << 20);
  sobel<<<dim3(256, 256), t>>>((unsigned char*)m[0], (unsigned char*)m[1], 4096, 4096);
  matpow<<<B, 128>>>(0, (u64*)o, 64);
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
