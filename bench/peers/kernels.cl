// The benchmark's seven kernels in OpenCL: one work-item for each CUDA thread of speed.cu, work-groups of the same shape.
#define TILE 32
#define MATMUL_TILE 16

__kernel __attribute__((reqd_work_group_size(32, 16, 1)))
void transpose_naive(__global const float *in, __global float *out, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < size && y < size) out[x * size + y] = in[y * size + x];
}

#define TRANSPOSE(NAME, PAD)                                                                                    \
  __kernel __attribute__((reqd_work_group_size(32, 8, 1)))                                                      \
  void NAME(__global const float *in, __global float *out, int size) {                                          \
    __local float tile[TILE][TILE + PAD];                                                                       \
    int lx = get_local_id(0), ly = get_local_id(1);                                                             \
    int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;                                       \
    for (int j = 0; j < TILE; j += 8) tile[ly + j][lx] = in[(y + j) * size + x];                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                               \
    x = get_group_id(1) * TILE + lx;                                                                            \
    y = get_group_id(0) * TILE + ly;                                                                            \
    for (int j = 0; j < TILE; j += 8) out[(y + j) * size + x] = tile[lx][ly + j];                               \
  }
TRANSPOSE(transpose_tile, 0)
TRANSPOSE(transpose_tile_pad, 1)

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void vecadd(__global const float *a, __global const float *b, __global float *c, int size) {
  int i = get_global_id(0);
  if (i < size) c[i] = a[i] + b[i];
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void matmul(__global const float *a, __global const float *b, __global float *c, int size) {
  __local float as[MATMUL_TILE][MATMUL_TILE], bs[MATMUL_TILE][MATMUL_TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int col = get_group_id(0) * MATMUL_TILE + tx, row = get_group_id(1) * MATMUL_TILE + ty;
  float sum = 0;
  for (int t = 0; t < size / MATMUL_TILE; t++) {
    as[ty][tx] = a[row * size + t * MATMUL_TILE + tx];
    bs[ty][tx] = b[(t * MATMUL_TILE + ty) * size + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < MATMUL_TILE; k++) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + col] = sum;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void reduce(__global const float *in, __global float *out, int size) {
  __local float s[256];
  int t = get_local_id(0), i = get_global_id(0);
  s[t] = i < size ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = s[0];
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void mandel(__global int *out, int size, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= size || py >= size) return;
  float cx = -2.0f + 3.0f * px / size, cy = -1.5f + 3.0f * py / size, x = 0, y = 0;
  int steps = 0;
  while (x * x + y * y <= 4.0f && steps < limit) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    steps++;
  }
  out[py * size + px] = steps;
}
