/**
 * Memory accesses with addresses from data: every width, space and kind, full and partial warps, patterns with and without
 * order. Generated code moves the bytes and counts as the reference interpreter does (whose counts are the access model's).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, HEAP_OFFSET } from '../../src/addressSpace.ts'
import type { Helpers } from '../../src/codegen/executor.ts'
import { compareExecutors } from './compare.ts'

const TYPES = { 1: 'i8', 2: 'i16', 4: 'i32', 8: '<2 x i32>', 16: '<4 x i32>' } as const
type Width = keyof typeof TYPES

type Place = 'global' | 'shared' | 'constant' | 'either'

/**
 * Lane l accesses element offsets[l] (unsigned; 0xffffffff: does not take part) of a shared, global or constant array; of either of the
 * first two where the pointer is generic: of the shared one where the offset is below a limit.
 */
function kernel(space: Place, op: 'load' | 'store' | 'atomic' | 'red', width: Width): string {
  const type = TYPES[width]
  const pointer = { global: 'ptr', shared: 'ptr addrspace(3)', constant: 'ptr addrspace(4)', either: 'ptr' }[space]
  const base = { global: '%array', shared: '@array', constant: '@table', either: '%chosen' }[space]
  const access = {
    load: `%v = load ${type}, ${pointer} %p, align ${width}\n  %q = getelementptr ${type}, ptr %out, i32 %tid\n  store ${type} %v, ptr %q, align ${width}`,
    store: `%s = insertelement <4 x i32> zeroinitializer, i32 %tid, i32 0\n  %t = ${width === 16 ? 'freeze <4 x i32> %s' : width === 8 ? 'shufflevector <4 x i32> %s, <4 x i32> %s, <2 x i32> <i32 0, i32 1>' : width === 4 ? 'freeze i32 %tid' : `trunc i32 %tid to ${type}`}\n  store ${type} %t, ${pointer} %p, align ${width}`,
    atomic: `%v = atomicrmw add ${pointer} %p, i32 %tid monotonic, align 4\n  %q = getelementptr i32, ptr %out, i32 %tid\n  store i32 %v, ptr %q, align 4`,
    red: `%v = atomicrmw add ${pointer} %p, i32 %tid monotonic, align 4`,
  }[op]
  return `
@array = internal addrspace(3) global [1024 x ${type}] undef, align 16
@table = internal addrspace(4) constant [1024 x ${type}] zeroinitializer, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %offsets, ptr %array, i32 %limit) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %offsets, i32 %tid
  %offset = load i32, ptr %at, align 4
  %on = icmp sge i32 %offset, 0
  br i1 %on, label %go, label %done
go:
  %isShared = icmp slt i32 %offset, %limit
  %chosen = select i1 %isShared, ptr addrspacecast (ptr addrspace(3) @array to ptr), ptr %array
  %p = getelementptr ${type}, ${pointer} ${base}, i32 %offset
  ${access}
  br label %done
done:
  ret void
}
`
}

const offsets = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 1023 }), { minLength: 32, maxLength: 32 }),
  fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 32, maxLength: 32 }),
  fc
    .array(fc.integer({ min: -300, max: 700 }), { minLength: 32, maxLength: 32 })
    .map(list => list.map(at => Math.max(-1, at))),
  // Neighbours that read the same: wide loads of shared memory may then merge.
  fc
    .tuple(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 32, maxLength: 32 }), fc.constantFrom(1, 2))
    .map(([list, distance]) => list.map((_, lane) => list[lane & ~distance]!)),
  fc
    .tuple(fc.integer({ min: 0, max: 33 }), fc.integer({ min: 0, max: 15 }), fc.integer({ min: 1, max: 32 }))
    .map(([stride, start, active]) =>
      Array.from({ length: 32 }, (_, lane) => (lane < active ? (start + lane * stride) % 1024 : -1)),
    ),
)

const cases = (['global', 'shared', 'constant', 'either'] as const).flatMap(space =>
  (space === 'constant' ? (['load'] as const) : (['load', 'store', 'atomic', 'red'] as const)).flatMap(op =>
    (op === 'load' || op === 'store' ? ([1, 2, 4, 8, 16] as const) : ([4] as const)).map(width => ({
      space,
      op,
      width,
    })),
  ),
)

test.each(cases)(
  '$space $op of $width bytes',
  ({ space, op, width }) => {
    const ir = kernel(space, op, width)
    fc.assert(
      fc.property(offsets, fc.constantFrom(0, 20, 500, 1024), (list, limit) => {
        const array = Uint32Array.from({ length: 1024 * 4 }, (_, index) => index * 2654435761)
        const block = { x: 32, y: 1, z: 1 }
        const { outcome } = compareExecutors({
          ir,
          grid: { x: 1, y: 1, z: 1 },
          block,
          buffers: [new Uint32Array(32 * 4), Uint32Array.from(list, at => at >>> 0), array],
          values: [limit],
          symbols: new Map([['table', addressOf(HEAP_OFFSET + 2 * 512)]]), // behind two buffers: the array
        })
        expect(outcome.fault).toBeUndefined()
      }),
      { numRuns: 25 },
    )
  },
  60_000,
)

/** Another thread that takes part in every launch, and never finds a block left: what is left runs as it does beside others. */
const idleHelpers: Helpers = {
  size: 1,
  areWorth: () => true,
  missed: () => {},
  start: ({ start, chunk }) => {
    let next = start
    return { take: () => (next += chunk) - chunk, stop: () => {}, finish: () => ({ counters: [], failures: [] }) }
  },
}

test.each(['add', 'umax', 'xor'])('reductions beside other threads: %s', operation => {
  for (const type of ['i32', 'i64']) {
    const ir = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = ${type === 'i64' ? 'zext i32 %t to i64' : 'add i32 %t, %b'}
  %at = urem i32 %t, 37
  %p = getelementptr ${type}, ptr %out, i32 %at
  %unused = atomicrmw ${operation} ptr %p, ${type} %v monotonic
  ret void
}`
    const buffers = [new Uint32Array(128)]
    compareExecutors(
      { ir, grid: { x: 256, y: 1, z: 1 }, block: { x: 128, y: 1, z: 1 }, buffers },
      { helpers: idleHelpers },
    )
  }
})
