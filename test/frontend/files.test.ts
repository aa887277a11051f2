/** The user's files as clang finds them: relative includes, include folders, one file under two names, spaced launches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileProgram } from '../../src/frontend/compile.ts'
import { findNumberedRegions } from '../../src/frontend/messages/openmpRegions.ts'
import { findUncalledBarriers, repairBarriers } from '../../src/frontend/repairs/repairBarriers.ts'
import { repairBuiltins } from '../../src/frontend/repairs/repairBuiltins.ts'
import { repairImmediates } from '../../src/frontend/repairs/repairImmediates.ts'
import { repairReferences } from '../../src/frontend/repairs/repairReferences.ts'
import { collectFiles } from '../../src/frontend/sources/includes.ts'
import { tellOwnColumns } from '../../src/frontend/sources/ownColumns.ts'
import { resolvePath } from '../../src/frontend/sources/paths.ts'
import {
  repairAssembly,
  repairContinuations,
  repairLaunches,
  repairLaunchLists,
  repairPragmas,
} from '../../src/frontend/sources/virtualFiles.ts'
import type { Location, Module } from '../../src/ir/ir.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders } from '../../src/node/sources.ts'

test('resolvePath removes dots', () => {
  expect(resolvePath('/a/b', '../c/./d.h')).toBe('/a/c/d.h')
  expect(resolvePath('/a', '/x//y')).toBe('/x/y')
  expect(resolvePath('/', '../../x')).toBe('/x')
})

describe('collectFiles', () => {
  test('a file that links lead to by two paths is read by the first', () => {
    const disk: Record<string, string> = {
      'm.cu': '#include "inc/s.h"\n#include "link/s.h"\n',
      'inc/s.h': '#pragma once\n',
      'link/s.h': '#pragma once\n',
    }
    const fileAt = (path: string): string => path.replace('link', 'inc')
    const read = (path: string): string | undefined => disk[path]
    const files = collectFiles({ sources: ['m.cu'], includeDirs: [], workingDirectory: '/w', read, fileAt })
    expect(files).toEqual({ ...disk, 'link/s.h': '#include "/w/inc/s.h"\n' })
  })

  const disk: Record<string, string> = {
    'src/k.cu': '#include "../common/a.h"\n#include <b.h>\n#include CONFIG\n',
    'src/../common/a.h': '#  include "c.h"\n',
    'src/../common/c.h': '#include "a.h"\n#define CONFIG "config.h"\n',
    'inc/b.h': '#include <vector>\n',
    'src/config.h': '',
    'unused.h': '',
  }
  const collect = (sources: string[]) =>
    Object.keys(
      collectFiles({ sources, includeDirs: ['inc'], workingDirectory: '/w', read: path => disk[path] }),
    ).sort()

  test('follows quotes, brackets, and macros that name a file', () => {
    expect(collect(['src/k.cu'])).toEqual([
      'inc/b.h',
      'src/../common/a.h',
      'src/../common/c.h',
      'src/config.h',
      'src/k.cu',
    ])
  })
  test('leaves missing sources out', () => {
    expect(collect(['none.cu'])).toEqual([])
  })
})

describe('repairAssembly', () => {
  test.each([
    ['asm("mov.u64 %0, %globaltimer;" : "=l"(t));', 'asm("mov.u64 %0, %%globaltimer;" : "=l"(t));'],
    ['asm volatile ("mov.u32 %0, %%laneid;" : "=r"(x) );', 'asm volatile ("mov.u32 %0, %%laneid;" : "=r"(x) );'],
    [
      '__asm__ __volatile__("add %0, %1, %2;\\n\\t"\n "mov %0, %smid;" : "=r"(x));',
      '__asm__ __volatile__("add %0, %1, %2;\\n\\t"\n "mov %0, %%smid;" : "=r"(x));',
    ],
    ['asm(R"({mov.s32 %0, %laneid;})" : "=r"(x));', 'asm(R"({mov.s32 %0, %%laneid;})" : "=r"(x));'],
    ['asm(R"x(mov %0, // )\n%tid.x;)x" "" : "=r"(x));', 'asm(R"x(mov %0, // )\n%%tid.x;)x" "" : "=r"(x));'],
    ['printf("%d asm %s", x % y, "%tid");', 'printf("%d asm %s", x % y, "%tid");'],
  ])('%s', (before, after) => {
    expect(repairAssembly(before)).toBe(after)
  })
})

test.each([
  ['asm("x %0;" :: "r"(a), "n"(bytes));', 'asm("x %0;" :: "r"(a), "n"((decltype(bytes))(bytes)));'],
  ['asm("x %0;" :: "n" ( (S::n) ));', 'asm("x %0;" :: "n" ( ((decltype(S::n))(S::n)) ));'],
  ['asm("x %0;" :: "n"((int)(bytes)), "n"(int(2)));', 'asm("x %0;" :: "n"((int)(bytes)), "n"(int(2)));'],
  ['asm("x %0;" :: "n"(2 * bytes), "n"(16));', 'asm("x %0;" :: "n"(2 * bytes), "n"(16));'],
])('names of constants in assembly: %s', (before, after) => {
  expect(repairImmediates(before)).toBe(after)
  expect(repairImmediates(after)).toBe(after)
})

const POINTED = (type: string, place: string): string =>
  `(*reinterpret_cast<__add_pointer(${type})>(__builtin_addressof(${place})))`

test.each([
  ['(float4 &)t[0] = (float4&)p[4 * i];', '*(float4 *)&t[0] = *(float4*)&p[4 * i];'],
  ['if (a) (unsigned int &)(h) = 1;', 'if (a) *(unsigned int *)&(h) = 1;'],
  ['return (int &)x;', 'return *(int *)&x;'],
  ['v = (const float4 &)p[i] + (float2 const &)*q;', 'v = *(const float4 *)&p[i] + *(float2 const *)&*q;'],
  ['v = (const float4 &)make_float4(0, 0, 0, 0);', 'v = (const float4 &)make_float4(0, 0, 0, 0);'],
  ['float4 f(float4 &); g(int &) const; [](int &) {}; void (*h)(int &) = f;', ''],
  ['void operator()(uint2 &) noexcept; F<void (int &)> k; sizeof(int &)', ''],
  ['x = (Pack &)p[i]; // (float4 &)p[i]', ''],
  ['struct Any { operator float &(); }; x = (float &)any;', ''],
  ['reinterpret_cast<uint2 &>(w[f(i)]).x = 1;', `${POINTED('uint2 ', 'w[f(i)]')}.x = 1;`],
  [
    '#define AT(x) reinterpret_cast<const Vec<T, 4>&>(reinterpret_cast<U&>(x))',
    `#define AT(x) ${POINTED('const Vec<T, 4>', POINTED('U', 'x'))}`,
  ],
  ['reinterpret_cast<float (&)[4]>(x); reinterpret_cast<T &&>(x); reinterpret_cast<int *>(&x)', ''],
])('memory read as another type through a reference: %s', (before, after) => {
  expect(repairReferences(before)).toBe(after || before)
  expect(repairReferences(after)).toBe(after)
})

test('columns are those of the lines that the user wrote', () => {
  const own = 'float s;\n(float4 &)t[0] = (float4 &)p[4 * i] + q[i];'
  const repaired = repairReferences(own)
  const [, row = ''] = repaired.split('\n')
  const at = (text: string): Location => ({ file: 'k.cu', line: 2, column: row.indexOf(text) + 1, scope: 'k' })
  const call = at('t[0]')
  const places = [at('p[4'), at('q[i]'), { ...at('='), inlinedAt: call }, { ...at('q'), line: 1 }]
  const instructions = places.map(location => ({ location }))
  const module = { functions: [{ blocks: [{ instructions }] }] } as unknown as Module
  tellOwnColumns(module, new Map([['k.cu', own]]), new Map([['k.cu', repaired]]))
  const [, line = ''] = own.split('\n')
  expect(instructions.map(({ location }) => location.column)).toEqual([
    line.indexOf('p[4') + 1,
    line.indexOf('q[i]') + 1,
    line.indexOf('=') + 1,
    row.indexOf('q') + 1,
  ])
  expect((instructions[2]!.location as Location).inlinedAt!.column).toBe(line.indexOf('t[0]') + 1)
})

test.each([
  [
    'extern const dim3 blockDim;\nextern const uint3\n  threadIdx;x',
    `${' '.repeat(27)}\n${' '.repeat(18)}\n${' '.repeat(12)}x`,
  ],
  ['extern int warpSize; // extern int warpSize;', `${' '.repeat(20)} // extern int warpSize;`],
  ['extern float gridDim; extern dim3 blocks;', 'extern float gridDim; extern dim3 blocks;'],
])("declarations of kernels' own variables: %j", (before, after) => {
  expect(repairBuiltins(before)).toBe(after)
})

test.each([
  ['  #define UNROLL #pragma unroll\nx', '  #define UNROLL _Pragma("unroll")\nx'],
  ['# define UNROLL # pragma unroll 4 // four\r\nx', '# define UNROLL _Pragma("unroll 4") // four\r\nx'],
  [
    '#define QUIET #pragma GCC diagnostic ignored "-Wall"',
    '#define QUIET _Pragma("GCC diagnostic ignored \\"-Wall\\"")',
  ],
  ['#define NAME(x) #x\n#pragma once', '#define NAME(x) #x\n#pragma once'],
])('a pragma that a macro stands for: %j', (before, after) => {
  expect(repairPragmas(before)).toBe(after)
  expect(repairPragmas(after)).toBe(after)
})

test('repairContinuations takes a backslash away in front of a comment, but not in a directive', () => {
  const before = 'x = a + \\ // why\n  b;\n#define A 1 \\ // end\n#define B \\\n  2 \\ // end\nint y;'
  expect(repairContinuations(before)).toBe(before.replace('a + \\ //', 'a +   //'))
})

describe('repairLaunches', () => {
  test.each([
    ['k<< <g, b>> >(x);', 'k<<<g, b>>> (x);'.replace('<<<g', '<<< g').replace('>>> ', '>>> ')],
    ['k<<<g, b >> > (x);', 'k<<<g, b >>>  (x);'],
    ['k<< <g, b>>>(x);', 'k<<< g, b>>>(x);'],
    ['// k<<<g, b>>>\nk<<<g, (a >> 1), 0>>\n>(x);', '// k<<<g, b>>>\nk<<<g, (a >> 1), 0>>>\n(x);'],
    ['k<< <f(v<v<v<int>> >(1)), b>> >(x);', 'k<<< f(v<v<v<int>> >(1)), b>>> (x);'],
    ['a << b; v<v<v<int>> > x;', 'a << b; v<v<v<int>> > x;'],
    ['k<<<g, b>>>(x);', 'k<<<g, b>>>(x);'],
  ])('%s', (before, after) => {
    expect(repairLaunches(before)).toBe(after)
    expect(repairLaunches(before)).toHaveLength(before.length)
  })
})

test.each([
  ['k<<<g, {x, y, 1}, 0, s>>>(a);', 'k<<<g, dim3(x, y, 1), 0, s>>>(a);'],
  [
    'k<T, {1}><<<{f(x, {2}), 1},\n {32}, {}, {}>>>({1, 2});',
    'k<T, {1}><<<dim3(f(x, {2}), 1),\n dim3(32), size_t(), cudaStream_t()>>>({1, 2});',
  ],
  ['k<<<dim3{x, 1}, /* {1} */ 32>>>(a); int b[] = {1};', 'k<<<dim3{x, 1}, /* {1} */ 32>>>(a); int b[] = {1};'],
  ['puts("<<<"); int b[] = {1, 2};', 'puts("<<<"); int b[] = {1, 2};'],
])('lists between <<< and >>>: %j', (before, after) => {
  expect(repairLaunchLists(before)).toBe(after)
  expect(repairLaunchLists(after)).toBe(after)
})

describe('compiled', { timeout: 60_000 }, () => {
  let clang: ClangPool
  beforeAll(() => {
    clang = createClangPool()
  })
  afterAll(() => clang.close())

  test('definitions of the command line are not read by our headers, and messages name the command line', async () => {
    const source =
      'T *p; int n = N + M(2);\nconst char *s = NAME;\n#if FLAG != 1 || !defined(NDEBUG)\n#error no\n#endif\nint main() {}\n'
    const defines = ['T=float', 'N=16', 'M(x)=x+1', 'FLAG', 'NAME="a b/c.h"', 'NDEBUG']
    const input = { sources: ['k.cu'], files: { 'k.cu': source }, headers: ownHeaders(), optimize: 0, defines } as const
    await compileProgram(input, clang)
    const wrong = compileProgram(
      { ...input, defines: ['T=float', 'N=absent', 'M(x)=x', 'FLAG', 'NAME=""', 'NDEBUG'] },
      clang,
    )
    await expect(wrong).rejects.toThrow(/<command line>:2:11: note: expanded from macro 'N'/)
  })

  test('parent folders, a header under two names, -I, -D, -include, several sources', async () => {
    const files = {
      'src/k.cu':
        '#include "../common/a.h"\n#include "b.h"\n__global__ void k(int *p) { *p = a(B + FORCED); }\nint main() { k<< <1, 1>> >(0); k<<<{1}, {1, 1}>>>(0); return other(); }\n',
      'common/a.h': '#pragma once\n__host__ __device__ inline int a(int x) { return x; }\nextern "C" int other();\n',
      '../inc/b.h': '#include "../w/src/../common/a.h"\n#define B VALUE\n',
      'forced.h': '#define FORCED 40\n',
      'other.c': 'int other(void) { int new = 0; return new; }\n',
    }
    const result = await compileProgram(
      {
        sources: ['src/k.cu', 'other.c'],
        files,
        headers: ownHeaders(),
        includeDirs: ['../inc'],
        defines: ['VALUE=2'],
        includes: ['forced.h'],
        workingDirectory: '/w',
      },
      clang,
    )
    expect(result.deviceIr).toHaveLength(1)
    expect(result.deviceIr[0]?.text).toContain('store i32 42')
    expect(result.deviceIr[0]?.text).toContain('!DIFile(filename: "src/k.cu"')
  })
})

test('repairBarriers takes uncalled barriers away, and tells of them', () => {
  const before =
    'if (a) __syncthreads;\n  x = 1; // why\n  __syncthreads ; // __syncthreads;\n f(__syncthreads()); p = __syncthreads;'
  const after =
    'if (a) (void)0      ;\n  x = 1; // why\n  (void)0       ; // __syncthreads;\n f(__syncthreads()); p = __syncthreads;'
  expect(repairBarriers(before)).toBe(after)
  expect(repairBarriers(after)).toBe(after)
  const found = findUncalledBarriers({ 'k.cu': before })
  expect(found.map(({ range }) => [range?.line, range?.column])).toEqual([
    [1, 8],
    [3, 3],
  ])
})

test('OpenMP regions whose threads have work of their own by their numbers are told of', () => {
  const region = (pragma: string, body: string) =>
    findNumberedRegions({ 'a.cu': `#include <omp.h>\nvoid f() {\n#pragma omp ${pragma}\n{ ${body} }\n}\n` })
  expect(region('parallel', 'if (omp_get_thread_num() == 1) g();')).toMatchObject([
    { code: 'openmp-one-thread', severity: 'warning', range: { file: 'a.cu', line: 3 } },
  ])
  expect(region('parallel num_threads(2)', 'h(omp_get_thread_num(), omp_get_num_threads());')).toHaveLength(1)
  expect(region('parallel', 'h(omp_get_thread_num(), omp_get_num_threads());')).toEqual([])
  expect(region('parallel for num_threads(2)', 'h(omp_get_thread_num());')).toEqual([])
  expect(region('parallel', '// omp_get_thread_num()')).toEqual([])
})
