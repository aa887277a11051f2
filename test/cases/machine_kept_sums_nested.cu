// A store that leaves a loop and the loop around it, where the next round of a third writes the place again (a Smith-Waterman score in tiles).
// stdout: best score 16, sum 433: right
#include <algorithm>
#include <cstdio>

const int HEIGHT = 24, WIDTH = 16, SIZE = WIDTH * (HEIGHT + 2);

__global__ void scores(short *m, short *best, const short *q, int height, int width) {
  __shared__ int left[8];
  int top = 0;
  for (int i = 1; i < height + 1; i += 8) {
    for (int p = 0; p < 8; p++) left[p] = 0;
    for (int j = 1; j < width + 1; j += 8)
      for (int k = 0; k < 8; k++) {
        int up = m[j + k], diagonal = m[j + k - 1], score = 0;
        for (int s = 0; s < 8; s++) {
          int l = left[s];
          score = max(max(max(0, l - 3), up - 3), diagonal + q[i + s - 1]);
          top = max(top, score);
          left[s] = score;
          up = score;
          diagonal = l;
        }
        m[j + k + width * i] = score;
      }
  }
  best[threadIdx.x] = top;
}

int scoresOnHost(short *m, const short *q) {
  int left[8], top = 0;
  for (int i = 1; i < HEIGHT + 1; i += 8) {
    for (int p = 0; p < 8; p++) left[p] = 0;
    for (int j = 1; j < WIDTH + 1; j++) {
      int up = m[j], diagonal = m[j - 1], score = 0;
      for (int s = 0; s < 8; s++) {
        int l = left[s];
        score = std::max({0, l - 3, up - 3, diagonal + q[i + s - 1]});
        top = std::max(top, score);
        left[s] = score;
        up = score;
        diagonal = l;
      }
      m[j + WIDTH * i] = score;
    }
  }
  return top;
}

int main() {
  short q[HEIGHT], m[SIZE] = {}, n[SIZE] = {}, best;
  for (int i = 0; i < HEIGHT; i++) q[i] = i * 7919 % 13 - 5;
  short *dm, *dq, *db;
  cudaMalloc(&dm, sizeof m);
  cudaMalloc(&dq, sizeof q);
  cudaMalloc(&db, sizeof best);
  cudaMemcpy(dm, m, sizeof m, cudaMemcpyHostToDevice);
  cudaMemcpy(dq, q, sizeof q, cudaMemcpyHostToDevice);
  scores<<<1, 1>>>(dm, db, dq, HEIGHT, WIDTH);
  cudaMemcpy(&best, db, sizeof best, cudaMemcpyDeviceToHost);
  cudaMemcpy(m, dm, sizeof m, cudaMemcpyDeviceToHost);
  bool isRight = best == scoresOnHost(n, q) && std::equal(m, m + SIZE, n);
  int sum = 0;
  for (short each : m) sum += each;
  printf("best score %d, sum %d: %s\n", best, sum, isRight ? "right" : "wrong");
}
