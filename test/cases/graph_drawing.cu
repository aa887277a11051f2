// cudaGraphDebugDotPrint writes a graph in Graphviz's language; CUDA does not say with what in it.
// levels: nightly
// stdout: no error, 4 boxes, 3 arrows, kernel named, launch shown 0
// stdout: no error, launch shown 1
// stdout: OS call failed or operation not supported on this OS
// stdout: invalid argument
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

static std::string text() {
  std::stringstream all;
  all << std::ifstream("graph.dot").rdbuf();
  return all.str();
}
static int countOf(const std::string &text, const char *part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
  return count;
}

int main() {
  float *x, host[32] = {};
  cudaMalloc(&x, sizeof host);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream);
  twice<<<3, 32, 0, stream>>>(x);
  cudaMemsetAsync(x, 0, 4, stream);
  cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaError_t status = cudaGraphDebugDotPrint(graph, "graph.dot", 0);
  std::string plain = text();
  printf("%s, %d boxes, %d arrows, kernel %s, launch shown %d\n", cudaGetErrorString(status), countOf(plain, "shape="),
         countOf(plain, " -> "), countOf(plain, "twice") == 1 ? "named" : "?", countOf(plain, "(3,1,1)"));
  status = cudaGraphDebugDotPrint(graph, "graph.dot", cudaGraphDebugDotFlagsKernelNodeParams);
  printf("%s, launch shown %d\n", cudaGetErrorString(status), countOf(text(), "(3,1,1)"));
  printf("%s\n", cudaGetErrorString(cudaGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0)));
  printf("%s\n", cudaGetErrorString(cudaGraphDebugDotPrint(graph, nullptr, 0)));
}
