// cuda::ptx: special registers, fences, elections, bits and bytes.
// levels: 2
// stdout: thread 37 of 64, lane 5, masks 20 1f, block 1 of 2
// stdout: elected 0 4, before 33, time 1
// stdout: shifts 16 0 -1, found 9 22, mask f0, bytes 05060403
// stdout: cluster 1 of 2, of another 0, sum 11
#include <cstdio>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void registers(unsigned *out) {
  if (ptx::get_sreg_tid_x() == 37 && ptx::get_sreg_ctaid_x() == 1) {
    out[0] = ptx::get_sreg_tid_x(), out[1] = ptx::get_sreg_ntid_x(), out[2] = ptx::get_sreg_laneid();
    out[3] = ptx::get_sreg_lanemask_eq(), out[4] = ptx::get_sreg_lanemask_lt();
    out[5] = ptx::get_sreg_ctaid_x(), out[6] = ptx::get_sreg_nctaid_x();
  }
}
__global__ void others(unsigned *out, unsigned *flag) {
  cuda::std::uint64_t start = ptx::get_sreg_globaltimer();
  if (threadIdx.x < 32 && ptx::elect_sync(0xffffffff)) out[0] = ptx::get_sreg_laneid();
  if (threadIdx.x >= 4 && threadIdx.x < 8 && ptx::elect_sync(0xf0)) out[1] = ptx::get_sreg_laneid();
  if (threadIdx.x == 33) {
    out[2] = threadIdx.x;
    ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
    *(volatile unsigned *)flag = 1;
    out[3] = ptx::get_sreg_globaltimer() >= start;
  }
  if (threadIdx.x == 0) {
    out[4] = ptx::shl(4u, 2), out[5] = ptx::shl(4u, 40), out[6] = (unsigned)ptx::shr(-4, 99);
    out[7] = ptx::bfind(513u), out[8] = ptx::bfind_shiftamt(513u), out[9] = ptx::bmsk_clamp(4, 4);
    out[10] = ptx::prmt(0x03020100u, 0x07060504u, 0x5643);
  }
}
__global__ void __cluster_dims__(2) clusters(unsigned *out) {
  __shared__ unsigned value;
  value = 5 + ptx::get_sreg_cluster_ctarank();
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  unsigned *other = ptx::mapa(ptx::space_cluster, &value, 1 - ptx::get_sreg_cluster_ctarank());
  if (ptx::get_sreg_cluster_ctarank() == 1)
    out[0] = ptx::get_sreg_cluster_ctarank(), out[1] = ptx::get_sreg_cluster_nctarank(),
    out[2] = ptx::getctarank(ptx::space_cluster, other), out[3] = value + *other;
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

int main() {
  unsigned *out;
  cudaMallocManaged(&out, 256);
  registers<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  printf("thread %u of %u, lane %u, masks %x %x, block %u of %u\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6]);
  others<<<1, 64>>>(out, out + 20);
  cudaDeviceSynchronize();
  printf("elected %u %u, before %u, time %u\n", out[0], out[1], out[2], out[3]);
  printf("shifts %u %u %d, found %u %u, mask %x, bytes %08x\n", out[4], out[5], (int)out[6], out[7], out[8], out[9], out[10]);
  clusters<<<2, 1>>>(out);
  cudaDeviceSynchronize();
  printf("cluster %u of %u, of another %u, sum %u\n", out[0], out[1], out[2], out[3]);
}
