/** Constant memory at places that are found while the kernel runs: how many requests, and what they take on an H200. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import type { LaunchCounters } from '../../src/metrics/launchCounters.ts'
import { coldConstants, constantCycles, constantReads } from '../../src/metrics/time/constantCache.ts'

const WARPS = 10
const ROUNDS = 100

/** A loop over `table`; every access of the kernel's is counted once for each of ten warps and a hundred rounds. */
function readsOf(table: string, body: string, words?: number) {
  const text = `@table = addrspace(4) externally_initialized global ${table} zeroinitializer, align 16
@kind = private constant [18 x i8] c"warplens.constant\\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr @kind, ptr @kind, i32 1, ptr null }], section "llvm.metadata"
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
${body}
  store volatile float %v, ptr %out, align 4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}`
  const program = prepareKernel(readModule(text, 'k.cu'), 'k')
  const bytes = words === undefined ? {} : { bytes: 4 * words * WARPS * ROUNDS }
  const sites = program.sites.map(site => ({ ...site, executed: WARPS * ROUNDS, ...bytes }))
  const blocks = program.kernel.blocks.map(() => ({ warps: WARPS, threads: 0 }))
  return constantReads(program, { sites, blocks } as unknown as LaunchCounters, WARPS, 1)
}

test('a place that is known is an operand; 8 bytes at a place that is found are a request', () => {
  expect(readsOf('[64 x float]', '  %v = load float, ptr addrspace(4) @table, align 4')).toEqual({
    requests: 0,
    warpRequests: 0,
    warpBytes: 0,
    bytesWalked: 0,
    furtherWords: 0,
    missedWords: 0,
    lines: 1,
    pieces: 1,
  })
  const at = (bytes: number, name: string) => `  %p${name} = getelementptr i8, ptr addrspace(4) @table, i32 ${bytes}
  %q${name} = getelementptr [4 x float], ptr addrspace(4) %p${name}, i32 %i
  %${name} = load float, ptr addrspace(4) %q${name}, align 4`
  const one = WARPS * ROUNDS
  expect(readsOf('[4096 x float]', at(0, 'v'))).toMatchObject({ requests: one, bytesWalked: 4 * ROUNDS })
  const sum = '\n  %v = fadd float %a, %b'
  expect(readsOf('[4096 x float]', `${at(0, 'a')}\n${at(4, 'b')}${sum}`).requests).toBe(one)
  expect(readsOf('[4096 x float]', `${at(0, 'a')}\n${at(8, 'b')}${sum}`).requests).toBe(2 * one)
  // Each word that a lane wants, one after the other.
  expect(readsOf('[4096 x float]', at(0, 'v'), 32)).toMatchObject({
    requests: 32 * one,
    bytesWalked: 32 * 4 * ROUNDS,
    furtherWords: 31 * one,
  })
  // No more than there is.
  expect(readsOf('[4 x float]', at(0, 'v')).bytesWalked).toBe(16)
})

test('a read under a predicate is a request of all who come to it, whether a lane wants it or not (`quasirandomGenerator`)', () => {
  const requestsOf = (place: string) => {
    const text = `@table = addrspace(4) externally_initialized global [64 x i32] zeroinitializer, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [64 x i32], ptr addrspace(4) @table, i32 0, i32 %n
  %any = load ptr, ptr %out, align 4
  %odd = icmp slt i32 %tid, %n
  br i1 %odd, label %then, label %done
then:
  %x = load i32, ${place}, align 4
  br label %done
done:
  %v = phi i32 [ 0, %entry ], [ %x, %then ]
  store i32 %v, ptr %out, align 4
  ret void
}`
    const program = prepareKernel(readModule(text, 'k.cu'), 'k')
    const sites = program.sites.map(site => ({ ...site, executed: site.space === 'constant' ? 3 : WARPS }))
    const blocks = program.kernel.blocks.map(({ name }) => ({ warps: name === 'then' ? 3 : WARPS, threads: 0 }))
    return constantReads(program, { sites, blocks } as unknown as LaunchCounters, WARPS, 1).requests
  }
  expect(requestsOf('ptr addrspace(4) %p')).toBe(WARPS)
  // An address out of memory, which may be one of global memory: no more than were counted.
  expect(requestsOf('ptr %any')).toBe(3)
})

/**
 * Own readings, in cycles: blocks of four warps on each multiprocessor walk 4,096 entries of 16 bytes, two requests each. The first is
 * of one block of 32 warps, which stay together: there arithmetic takes longer.
 */
test.each([
  [1, 32, 187_000 * 4],
  [8, 32, 881 * 1755],
  [16, 64, 3214 * 1755],
])('%i blocks, %i warps on a multiprocessor', (blocks, warps, cycles) => {
  const found = constantCycles(
    { requests: warps * 4096 * 2, warpRequests: 0, warpBytes: 0, bytesWalked: 65_536, missedWords: 0 },
    blocks,
  )
  if (blocks === 1) expect(found).toBeLessThan(cycles)
  else expect(Math.abs(found / cycles - 1)).toBeLessThan(0.25)
  expect(
    constantCycles({ requests: 1000, warpRequests: 0, warpBytes: 0, bytesWalked: 8188, missedWords: 0 }, blocks),
  ).toBe(2000)
})

/** Own readings: filters over tiles, 8 bytes a request at a place of the whole warp, blocks of 256 threads (2 cycles of shared memory beside each). */
test.each([
  [8, 256, 2],
  [2, 4000, 2],
  [4, 1020, 2],
  [8, 512, 14.5],
  [8, 1020, 27],
  [8, 4000, 27],
])('%i blocks walk %i bytes together: %f cycles a request', (blocks, bytes, cycles) => {
  const reads = { requests: 1000, warpRequests: 1000, warpBytes: bytes, bytesWalked: bytes, missedWords: 0 }
  expect(constantCycles(reads, blocks)).toBe(1000 * cycles)
})

test('what a loop that all lanes go round together reads by its counter is of the warp, and what goes by a thread is not', () => {
  const at = (index: string) =>
    `  %v${index} = getelementptr [4096 x float], ptr addrspace(4) @table, i32 0, i32 %${index}`
  const load = (index: string, more = '') =>
    readsOf('[4096 x float]', `${more}${at(index)}\n  %v = load float, ptr addrspace(4) %v${index}, align 4`)
  expect(load('i')).toMatchObject({ warpRequests: WARPS * ROUNDS, warpBytes: 4 * ROUNDS })
  const tid = '  %t = load volatile i32, ptr %out, align 4\n'
  expect(load('t', tid)).toMatchObject({ requests: WARPS * ROUNDS, warpRequests: 0, warpBytes: 0 })
})

/** Own readings (`cold.cu`): tables that one warp reads once, nanoseconds less those of an empty launch and of the loop. */
test.each([
  [4, 1, 740 + 3 * 115],
  [4, 4, 4 * 740],
  [64, 16, 16 * 740 + 48 * 115],
])('%i lines in %i pieces of 256 bytes come from afar', (lines, pieces, cycles) => {
  expect(coldConstants({ lines, pieces })).toBe(cycles)
})

test('lines that a walk touches by its steps, or chance finds', () => {
  const walk = (step: number) =>
    readsOf(
      '[4096 x float]',
      `  %p = getelementptr [${step} x float], ptr addrspace(4) @table, i32 %i\n  %v = load float, ptr addrspace(4) %p, align 4`,
    )
  expect(walk(1)).toMatchObject({ lines: 7, pieces: 2 })
  expect(walk(4)).toMatchObject({ lines: 25, pieces: 7 })
  expect(walk(16)).toMatchObject({ lines: 100, pieces: 25 })
  expect(walk(64)).toMatchObject({ lines: 100, pieces: 64 })
  const chance = `  %q = getelementptr [1 x i32], ptr %out, i32 %i
  %j = load i32, ptr %q, align 4
  %p = getelementptr [1 x float], ptr addrspace(4) @table, i32 %j
  %v = load float, ptr addrspace(4) %p, align 4`
  const { lines, pieces, missedWords } = readsOf('[4096 x float]', chance)
  expect(lines).toBeCloseTo(256 * (1 - Math.exp(-ROUNDS / 256)), 6)
  expect(pieces).toBeCloseTo(64 * (1 - Math.exp(-ROUNDS / 64)), 6)
  // Of 16 KB the first level has an eighth.
  expect(missedWords).toBeCloseTo((7 / 8) * WARPS * ROUNDS, 6)
})
