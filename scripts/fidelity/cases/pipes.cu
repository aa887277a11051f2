__global__ void mmint(const float* a, const float* b, float* c, int n) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n && q < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[r * n + k] * b[k * n + q];
    c[r * n + q] = s;
  }
}
__global__ void mmuns(const float* a, const float* b, float* c, unsigned n) {
  unsigned r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n && q < n) {
    float s = 0;
    for (unsigned k = 0; k < n; k++) s += a[r * n + k] * b[k * n + q];
    c[r * n + q] = s;
  }
}
__global__ void mmmix(const float* a, const float* b, float* c, int n) {
  unsigned r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n && q < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[r * n + k] * b[k * n + q];
    c[r * n + q] = s;
  }
}
__global__ void mmsz(const float* a, const float* b, float* c, size_t n) {
  size_t r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n && q < n) {
    float s = 0;
    for (size_t k = 0; k < n; k++) s += a[r * n + k] * b[k * n + q];
    c[r * n + q] = s;
  }
}
__global__ void mmsh(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float s[16][16], t[16][16];
  unsigned r = blockIdx.y * 16 + threadIdx.y, q = blockIdx.x * 16 + threadIdx.x;
  float v = 0;
  for (unsigned m = 0; m < n / 16; m++) {
    s[threadIdx.y][threadIdx.x] = a[r * n + m * 16 + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(m * 16 + threadIdx.y) * n + q];
    __syncthreads();
    for (int k = 0; k < 16; k++) v += s[threadIdx.y][k] * t[k][threadIdx.x];
    __syncthreads();
  }
  c[r * n + q] = v;
}
__global__ void conv(const float* in, const float* k, float* out, unsigned w, unsigned h, unsigned r) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + 2 * r < w && y + 2 * r < h) {
    float s = 0;
    for (unsigned i = 0; i < 2 * r + 1; i++)
      for (unsigned j = 0; j < 2 * r + 1; j++) s += in[(y + i) * w + x + j] * k[i * (2 * r + 1) + j];
    out[y * w + x] = s;
  }
}
__global__ void convi(const float* in, const float* k, float* out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + 2 * r < w && y + 2 * r < h) {
    float s = 0;
    for (int i = 0; i < 2 * r + 1; i++)
      for (int j = 0; j < 2 * r + 1; j++) s += in[(y + i) * w + x + j] * k[i * (2 * r + 1) + j];
    out[y * w + x] = s;
  }
}
__global__ void colsum(const float* a, float* o, unsigned n, unsigned m) {
  unsigned q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q < n) {
    float s = 0;
    for (unsigned k = 0; k < m; k++) s += a[k * n + q];
    o[q] = s;
  }
}
__global__ void rowsum(const float* a, float* o, unsigned n, unsigned m) {
  unsigned q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q < n) {
    float s = 0;
    for (unsigned k = 0; k < m; k++) s += a[q * m + k];
    o[q] = s;
  }
}
__global__ void lcg(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = x;
  for (unsigned k = 0; k < n; k++) s = s * 1664525u + 1013904223u;
  o[x] = s;
}
__global__ void xorsh(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = x + 1;
  for (unsigned k = 0; k < n; k++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
  }
  o[x] = s;
}
__global__ void fnv(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 2166136261u;
  for (unsigned k = 0; k < n; k++) {
    s ^= (x >> (8 * (k & 3))) & 255;
    s *= 16777619u;
  }
  o[x] = s;
}
__global__ void murmur(unsigned long long* o, unsigned n) {
  unsigned long long x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = x;
  for (unsigned k = 0; k < n; k++) {
    s ^= s >> 33;
    s *= 0xff51afd7ed558ccdULL;
    s ^= s >> 33;
    s *= 0xc4ceb9fe1a85ec53ULL;
    s ^= s >> 33;
  }
  o[x] = s;
}
__global__ void prime(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1000003;
  unsigned c = 0;
  for (unsigned k = 2; k < n; k++)
    if (x % k == 0) c++;
  o[blockIdx.x * blockDim.x + threadIdx.x] = c;
}
__global__ void modc(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c = x;
  for (unsigned k = 0; k < n; k++) c = (c * 31 + k) % 1009;
  o[x] = c;
}
__global__ void modpow(unsigned long long* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long c = x + 2;
  for (unsigned k = 0; k < n; k++) c = c * c % 1000000007ULL;
  o[x] = c;
}
__global__ void collatz(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  unsigned long long c = x;
  unsigned t = 0;
  while (c != 1 && t < n) {
    c = (c & 1) ? 3 * c + 1 : c / 2;
    t++;
  }
  o[x - 1] = t;
}
__global__ void sinl(float* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = x;
  for (unsigned k = 0; k < n; k++) s = __sinf(s) + __expf(-s);
  o[x] = s;
}
__global__ void cvt(float* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = x;
  int t = 0;
  for (unsigned k = 0; k < n; k++) {
    t += (int)s;
    s = s * 0.5f + (float)t;
  }
  o[x] = s;
}
__global__ void bits(unsigned* o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = x;
  for (unsigned k = 0; k < n; k++) s += __popc(s ^ k) + __clz(s);
  o[x] = s;
}
__global__ void mandel(int* o, int w, int h, int it) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float cr = -2 + 3.f * x / w, ci = -1.5f + 3.f * y / h, zr = 0, zi = 0;
  int k = 0;
  while (k < it && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    k++;
  }
  o[y * w + x] = k;
}
__global__ void life(const int* in, int* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int c = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) c += in[((y + dy + h) % h) * w + (x + dx + w) % w];
  out[y * w + x] = (c == 3 || (c == 2 && in[y * w + x]));
}
__global__ void hist(const unsigned char* d, unsigned* o, unsigned n) {
  __shared__ unsigned h[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&h[d[i]], 1u);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&o[i], h[i]);
}
int main() {
  const int n = 1024;
  float *a, *b, *c;
  cudaMalloc(&a, 64 << 20);
  cudaMalloc(&b, 64 << 20);
  cudaMalloc(&c, 64 << 20);
  cudaMemset(a, 0, 64 << 20);
  cudaMemset(b, 0, 64 << 20);
  dim3 g(64, 64), t(16, 16), g2(32, 32), t2(32, 32);
  mmint<<<g, t>>>(a, b, c, n);
  mmuns<<<g, t>>>(a, b, c, n);
  mmmix<<<g, t>>>(a, b, c, n);
  mmsz<<<g, t>>>(a, b, c, n);
  mmint<<<g2, t2>>>(a, b, c, n);
  mmuns<<<g2, t2>>>(a, b, c, n);
  mmsz<<<g2, t2>>>(a, b, c, n);
  mmsh<<<g, t>>>(a, b, c, n);
  conv<<<dim3(128, 128), t>>>(a, b, c, 2048, 2048, 3);
  convi<<<dim3(128, 128), t>>>(a, b, c, 2048, 2048, 3);
  colsum<<<64, 256>>>(a, c, 16384, 1024);
  rowsum<<<64, 256>>>(a, c, 16384, 1024);
  unsigned* o = (unsigned*)c;
  const int B = 132 * 8;
  lcg<<<B, 256>>>(o, 4096);
  xorsh<<<B, 256>>>(o, 2048);
  fnv<<<B, 256>>>(o, 2048);
  murmur<<<B, 256>>>((unsigned long long*)o, 512);
  prime<<<B, 256>>>(o, 512);
  modc<<<B, 256>>>(o, 1024);
  modpow<<<B, 256>>>((unsigned long long*)o, 128);
  collatz<<<B, 256>>>(o, 1024);
  sinl<<<B, 256>>>(c, 1024);
  cvt<<<B, 256>>>(c, 1024);
  bits<<<B, 256>>>(o, 1024);
  mandel<<<dim3(64, 64), t>>>((int*)o, 1024, 1024, 256);
  life<<<dim3(128, 128), t>>>((int*)a, (int*)c, 2048, 2048);
  hist<<<264, 256>>>((unsigned char*)a, o, 32 << 20);
  cudaDeviceSynchronize();
}
