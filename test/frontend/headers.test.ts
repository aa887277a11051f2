/** Our CUDA headers: what device functions become in LLVM IR, on a kernel that uses one of each kind, at -O0 and -O2. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileProgram } from '../../src/frontend/compile.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders } from '../../src/node/sources.ts'
import { precompiled } from '../precompiled.ts'

let clang: ClangPool
beforeAll(() => {
  clang = createClangPool()
})
afterAll(() => clang.close())

async function deviceIr(source: string, optimize: 0 | 2 = 2, standard = 'c++17'): Promise<string> {
  const files = { 'k.cu': `${source}\nint main() { return 0; }\n` }
  const result = await compileProgram(
    { sources: ['k.cu'], files, headers: ownHeaders(), optimize, standard },
    clang,
    precompiled,
  )
  expect(result.diagnostics).toEqual([])
  return result.deviceIr[0]!.text
}

/** Names of everything called that is not defined in the module. */
function externals(ir: string): string[] {
  return [...ir.matchAll(/^declare .*@"?([\w.$]+)"?\(/gm)].map(match => match[1]!).sort()
}

describe('device functions', { timeout: 240_000 }, () => {
  const memory = `
    __global__ void memory(float *out, const float4 *in, double *d, long long *l, unsigned *u, float *f) {
      float4 v = __ldg(in + threadIdx.x);
      __stcs(out + threadIdx.x, v.x + v.w);
      atomicAdd(f, 1.0f); atomicAdd(d, 2.0); atomicAdd((unsigned long long *)l, 3ull); atomicMax(l, 4ll);
      atomicInc(u, 5u); atomicCAS(u + 1, 6u, 7u); atomicExch(f + 1, 8.0f); atomicAnd(u + 2, 9u); atomicMin_block((int *)u, 10);
    }`

  test('memory and atomics are single instructions', async () => {
    for (const optimize of [0, 2] as const) {
      const ir = await deviceIr(memory, optimize)
      expect(ir).toMatch(
        optimize === 0
          ? /memcpy\.p0\.p1\.i32.* i32 16,/
          : /copyload\S* = load float, ptr addrspace\(1\) %\S+, align 16/,
      )
      expect(ir).toMatch(/store float %\S+, ptr addrspace\(1\)/)
      for (const operation of ['fadd', 'add', 'max', 'uinc_wrap', 'xchg', 'and', 'min']) {
        expect(ir).toMatch(new RegExp(`atomicrmw ${operation} ptr`))
      }
      expect(ir).toContain('cmpxchg ptr')
      expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([])
    }
  })

  test('instructions of a header function carry the line of the call', async () => {
    const ir = await deviceIr('__global__ void k(unsigned *p) {\n\n  atomicAdd(p,\n 1u); }')
    const [, id] = /atomicrmw .*!dbg !(\d+)/.exec(ir)!
    expect(ir).toMatch(new RegExp(`^!${id} = !DILocation\\(line: 3, column: 3,`, 'm'))
    expect(ir).not.toContain('device_atomic.h')
  })

  test('warp functions, barriers, integers', async () => {
    const ir = await deviceIr(`
      __global__ void k(int *p, double *d) {
        int x = p[threadIdx.x];
        x += __shfl_sync(~0u, x, 1) + __shfl_up_sync(~0u, x, 2u) + __shfl_down_sync(~0u, x, 3u, 16);
        d[threadIdx.x] = __shfl_xor_sync(~0u, d[threadIdx.x], 1);
        x += __ballot_sync(~0u, x) + __all_sync(~0u, x) + __any_sync(~0u, x) + __activemask();
        x += __match_any_sync(~0u, x) + __reduce_add_sync(~0u, x);
        x += __syncthreads_count(x) + __syncthreads_and(x) + __syncthreads_or(x);
        __syncthreads(); __syncwarp(); __threadfence(); __threadfence_block(); __nanosleep(10);
        x += __popc(x) + __clz(x) + __ffs(x) + __brev(x) + __byte_perm(x, 1, x) + __funnelshift_l(x, 1, x);
        x += __umulhi(x, 77u) + __mul64hi(x, 88ll) + __sad(x, 1, 2u) + __dp4a(x, x, x) + __vadd4(x, 0x01020304u) + __vmaxs2(x, 5);
        x += (int)clock64() + __float_as_int(d[0]) + min(x, 3) + max(2u, 3u) + abs(x);
        p[threadIdx.x] = x;
      }`)
    expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([])
    for (const name of [
      'shfl.sync.idx.i32',
      'shfl.sync.bfly.i32',
      'vote.ballot.sync',
      'match.any.sync.i32',
      'redux.sync.add',
    ]) {
      expect(ir).toContain(`llvm.nvvm.${name}`)
    }
    expect(ir).not.toMatch(/\bi128 %/)
  })

  test('mathematics in both namespaces, both precisions, and in host code', async () => {
    const ir = await deviceIr(`
      template <class T> __host__ __device__ T all(T x) {
        return sqrt(x) + std::sqrt(x) + exp(x) + std::exp(x) + pow(x, x) + std::pow(x, 2) + fabs(x) + std::abs(x) + fma(x, x, x) +
               std::floor(x) + sin(x) + std::cos(x) + fmin(x, x) + std::fmax(x, x) + atan2(x, x) + std::isnan(x) + (x > 0);
      }
      __global__ void k(float *f, double *d, int i) {
        *f = all(*f) + sqrtf(*f) + __expf(*f) + rsqrtf(*f) + __fdividef(*f, 3.0f) + sqrt(i) + powf(*f, 2.0f) + std::max(*f, 1.0f);
        *d = all(*d) + rsqrt(*d) + __ddiv_rn(*d, 3.0);
      }
      float onHost(float x) { return all(x) + all((double)x) + rsqrtf(x) + max(x, 1.0f); }`)
    expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([])
    expect(ir).toContain('llvm.sqrt.f32')
    expect(ir).toContain('llvm.fma.f64')
  })

  test('system calls of the device', async () => {
    const ir = await deviceIr(`
      __global__ void k(int *p) {
        assert(*p > 0);
        printf("%d\\n", *p);
        int *q = (int *)malloc(4); p[1] = (int)q; free((void *)p[2]);
        int *r = new int[2]; memcpy(r, p, 8); p[3] = (int)r;
      }`)
    expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([
      '__assertfail',
      'free',
      'malloc',
      'vprintf',
    ])
  })

  test('cooperative groups, half precision and cuda:: headers', async () => {
    const ir = await deviceIr(`
      #include <cooperative_groups.h>
      #include <cooperative_groups/reduce.h>
      #include <cooperative_groups/scan.h>
      #include <cuda_fp16.h>
      #include <cuda/barrier>
      #include <cuda/pipeline>
      namespace cg = cooperative_groups;
      __global__ void k(int *p, __half *h, __half2 *h2) {
        cg::thread_block block = cg::this_thread_block();
        cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
        p[0] = cg::reduce(tile, p[1], cg::plus<int>()) + cg::inclusive_scan(tile, p[2]) + tile.meta_group_rank();
        cg::coalesced_group active = cg::coalesced_threads();
        p[3] = cg::reduce(active, p[4], cg::greater<int>()) + active.shfl(p[5], 0);
        *h = *h * __float2half(2.0f) + hexp(*h);
        *h2 = __hfma2(*h2, *h2, *h2);
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        if (block.thread_rank() == 0) init(&bar, block.size());
        block.sync();
        bar.arrive_and_wait();
        cg::this_grid().sync();
      }`)
    expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([])
  })

  test('C++11 has them too, and the headers that those of CUDA are made of', async () => {
    const ir = await deviceIr(
      `
      #include <__clang_cuda_builtin_vars.h>
      #include <__clang_cuda_runtime_wrapper.h>
      #include <cooperative_groups.h>
      #include <cooperative_groups/reduce.h>
      #include <cooperative_groups/scan.h>
      #include <cublas_v2.h>
      #include <cuComplex.h>
      #include <cuda_bf16.h>
      #include <cuda_fp16.h>
      #include <cuda_fp8.h>
      #include <cuda_fp8.hpp>
      #include <cuda_stdint.h>
      #include <cuda_texture_types.h>
      #include <math_functions.hpp>
      #include <cudart_platform.h>
      #include <cudaProfiler.h>
      #include <crt/device_functions.h>
      #include <crt/host_defines.h>
      #include <crt/mma.h>
      #include <channel_descriptor.h>
      #include <cuda_pipeline_primitives.h>
      extern "C" {
      #include <cuda.h>
      #include <cufft.h>
      #include <curand.h>
      #include <cusparse.h>
      }
      #include <curand_kernel.h>
      #include <cusolverDn.h>
      #include <device_types.h>
      #include <driver_functions.h>
      #include <mma.h>
      #include <sm_20_atomic_functions.hpp>
      #include <vector_functions.hpp>
      namespace cg = cooperative_groups;
      __global__ void k(int *p, curandState *s) {
        cg::thread_block block = cg::this_thread_block();
        cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
        p[0] = cg::reduce(tile, p[1], cg::plus<int>()) + curand(s);
      }`,
      2,
      'c++11',
    )
    expect(externals(ir).filter(name => !name.startsWith('llvm.'))).toEqual([])
  })
})

test('a C++ source that takes the keywords away, as Thrust does, has them from cuda_runtime_api.h', {
  timeout: 60_000,
}, async () => {
  const files = {
    'a.cpp':
      '#define __host__\n#define __device__\n#ifndef __HOST_DEFINES_H__\n#undef __host__\n#undef __device__\n#endif\n' +
      '#include <cuda_runtime_api.h>\nstatic __host__ __device__ int f() { return 0; }\nint main() { return f(); }\n',
  }
  const result = await compileProgram(
    { sources: ['a.cpp'], files, headers: ownHeaders(), optimize: 0 },
    clang,
    precompiled,
  )
  expect(result.diagnostics).toEqual([])
})

/** What C programs may include: in C there are no default arguments, overloads or references. */
const HEADERS_OF_C = [
  'cuComplex.h',
  'cublasLt.h',
  'cublas_v2.h',
  'cuda.h',
  'cudaProfiler.h',
  'cudaTypedefs.h',
  'cuda_gl_interop.h',
  'cuda_profiler_api.h',
  'cuda_runtime.h',
  'cufft.h',
  'curand.h',
  'cusolverDn.h',
  'cusparse.h',
  'nvToolsExt.h',
  'nvml.h',
  'nvrtc.h',
]

test('the headers are C too', { timeout: 60_000 }, async () => {
  const includes = HEADERS_OF_C.map(name => `#include <${name}>\n`).join('')
  const files = { 'a.c': `${includes}int main(void) { return 0; }\n` }
  const input = { sources: ['a.c'], files, headers: ownHeaders(), optimize: 0 } as const
  const result = await compileProgram(input, clang, precompiled)
  expect(result.diagnostics).toEqual([])
})

/** Rodinia's hybridsort includes it and draws nothing. */
test('what shares memory with OpenGL is there to be included, and an error where it is called', {
  timeout: 60_000,
}, async () => {
  const plain = 'int main() { return cudaDeviceSynchronize(); }\n'
  const registers = `int main() {
  cudaGraphicsResource_t resource;
  return cudaGraphicsGLRegisterBuffer(&resource, 3, cudaGraphicsRegisterFlagsNone);
}\n`
  const compiled = (code: string) =>
    compileProgram(
      {
        sources: ['a.cu'],
        files: { 'a.cu': `#include <cuda_gl_interop.h>\n${code}` },
        headers: ownHeaders(),
        optimize: 0,
      },
      clang,
      precompiled,
    )
  expect((await compiled(plain)).diagnostics).toEqual([])
  await expect(compiled(registers)).rejects.toThrow(
    "'cudaGraphicsGLRegisterBuffer' is unavailable: graphics is not supported",
  )
})
