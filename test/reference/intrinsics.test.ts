/** What lanes do together, special registers, printing, and the refusal of everything else. */
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/diagnostic.ts'
import { findUnsupported } from '../../src/reference/unsupported.ts'
import { launch, requestFor } from './launch.ts'

/** Each lane of one warp (or as many threads) stores the i32 %r that `body` computes from its %tid. */
function perLane(body: string, declarations: string, threads = 32): number[] {
  const out = new Uint32Array(threads)
  const result = launch(
    `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${declarations}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ${body}
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %r, ptr %to, align 4
  ret void
}`,
    { block: threads, buffers: [out] },
  )
  expect(result.fault).toBeUndefined()
  return [...out]
}

const lanes = Array.from({ length: 32 }, (_, lane) => lane)

describe('shuffles', () => {
  const shuffle = (mode: string, by: string, clamp: number, threads = 32) =>
    perLane(
      `%r = call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 %tid, i32 ${by}, i32 ${clamp})`,
      `declare i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32, i32, i32, i32)`,
      threads,
    )

  test('the four modes', () => {
    expect(shuffle('down', '3', 31)).toEqual(lanes.map(lane => (lane + 3 < 32 ? lane + 3 : lane)))
    expect(shuffle('up', '3', 0)).toEqual(lanes.map(lane => (lane >= 3 ? lane - 3 : lane)))
    expect(shuffle('bfly', '5', 31)).toEqual(lanes.map(lane => lane ^ 5))
    expect(shuffle('idx', '7', 31)).toEqual(lanes.map(() => 7))
  })

  test('segments: width 8 is mask 24 in the upper byte', () => {
    const width8 = (24 << 8) | 31
    expect(shuffle('idx', '2', width8)).toEqual(lanes.map(lane => (lane & 24) + 2))
    expect(shuffle('down', '1', width8)).toEqual(lanes.map(lane => (lane % 8 === 7 ? lane : lane + 1)))
    expect(shuffle('up', '1', 24 << 8)).toEqual(lanes.map(lane => (lane % 8 === 0 ? lane : lane - 1)))
  })

  test('a lane that is not there gives zero, one out of range the own value', () => {
    expect(shuffle('down', '16', 31, 20)).toEqual(
      lanes.slice(0, 20).map(lane => (lane < 4 ? lane + 16 : lane < 16 ? 0 : lane)),
    )
  })

  test('floats, and the predicate form', () => {
    const body = `%f = sitofp i32 %tid to float
  %p = call { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float %f, i32 30, i32 31)
  %ok = extractvalue { float, i1 } %p, 1
  %v = extractvalue { float, i1 } %p, 0
  %i = fptosi float %v to i32
  %z = zext i1 %ok to i32
  %big = mul i32 %z, 1000
  %r = add i32 %big, %i`
    const result = perLane(body, 'declare { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32, float, i32, i32)')
    expect(result.slice(0, 4)).toEqual([1030, 1031, 2, 3])
  })
})

describe('votes, matches, reductions', () => {
  test('ballot, all, any', () => {
    const declarations = `declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)`
    const vote = (call: string, predicate: string) =>
      perLane(
        `%c = icmp ${predicate}\n%v = call i1 @llvm.nvvm.vote.${call}(i32 -1, i1 %c)\n%r = zext i1 %v to i32`,
        declarations,
      )[0]
    const ballot = '%c = icmp ult i32 %tid, 5\n%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)'
    expect(perLane(ballot, declarations)[31]).toBe(0x1f)
    expect(perLane(ballot, declarations, 3)[0]).toBe(0x7)
    expect(vote('all.sync', 'ult i32 %tid, 32')).toBe(1)
    expect(vote('all.sync', 'ult i32 %tid, 31')).toBe(0)
    expect(vote('any.sync', 'ugt i32 %tid, 30')).toBe(1)
    expect(vote('any.sync', 'ugt i32 %tid, 31')).toBe(0)
  })

  test('match.any and match.all', () => {
    const any = '%k = and i32 %tid, 3\n%r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %k)'
    expect(perLane(any, 'declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)').slice(0, 4)).toEqual([
      0x1111_1111, 0x2222_2222, 0x4444_4444, 0x8888_8888,
    ])
    const all = `%p = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %tid)
  %r = extractvalue { i32, i1 } %p, 0`
    expect(perLane(all, 'declare { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32, i32)')[0]).toBe(0)
  })

  test('redux', () => {
    const reduce = (operation: string) =>
      perLane(
        `%v = sub i32 %tid, 5\n%r = call i32 @llvm.nvvm.redux.sync.${operation}(i32 %v, i32 -1)`,
        `declare i32 @llvm.nvvm.redux.sync.${operation}(i32, i32)`,
      )[9]
    expect(reduce('add')).toBe((31 * 32) / 2 - 160)
    expect(reduce('min')).toBe(-5 >>> 0)
    expect(reduce('umin')).toBe(0)
    expect(reduce('max')).toBe(26)
    expect(reduce('umax')).toBe(0xffff_ffff)
  })
})

test('special registers', () => {
  const declarations = ['laneid', 'warpid', 'ntid.x', 'lanemask.lt', 'nctaid.y', 'warpsize']
    .map(name => `declare i32 @llvm.nvvm.read.ptx.sreg.${name}()`)
    .join('\n')
  const read = (name: string) => perLane(`%r = call i32 @llvm.nvvm.read.ptx.sreg.${name}()`, declarations, 70)
  expect(read('laneid').slice(62, 66)).toEqual([30, 31, 0, 1])
  expect(read('warpid').slice(62, 66)).toEqual([1, 1, 2, 2])
  expect(read('ntid.x')[69]).toBe(70)
  expect(read('lanemask.lt').slice(30, 34)).toEqual([0x3fff_ffff, 0x7fff_ffff, 0, 1])
  expect(read('nctaid.y')[0]).toBe(1)
  expect(read('warpsize')[0]).toBe(32)
})

test('thread and block coordinates, x fastest', () => {
  const out = new Uint32Array(48)
  const names = ['tid.x', 'tid.y', 'tid.z', 'ctaid.x', 'ctaid.y']
  launch(
    `${names.map(name => `declare i32 @llvm.nvvm.read.ptx.sreg.${name}()`).join('\n')}
define ptx_kernel void @k(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %a = mul i32 %y, 10
  %b = mul i32 %z, 100
  %c = mul i32 %bx, 1000
  %d = mul i32 %by, 10000
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %abcd = add i32 %ab, %cd
  %v = add i32 %abcd, %x
  %p = atomicrmw add ptr %out, i32 1 monotonic, align 4
  %i = add i32 %p, 1
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %v, ptr %to, align 4
  ret void
}`,
    { grid: { x: 2, y: 2, z: 1 }, block: { x: 2, y: 2, z: 2 }, buffers: [out] },
  )
  expect([...out.slice(1, 10)]).toEqual([0, 1, 10, 11, 100, 101, 110, 111, 1000])
  expect(out[17]).toBe(10000)
})

const HELLO = `@format = internal addrspace(1) constant [9 x i8] c"%d of %d\\0A", align 1
@end = internal addrspace(1) constant [1 x i8] c"\\00", align 1
`

test('threads print block by block, warp by warp, lane by lane', () => {
  const { printed } = launch(
    `${HELLO}
declare i32 @vprintf(ptr, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k() {
  %args = alloca [2 x i32], align 8
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %tid, ptr %args, align 4
  %second = getelementptr i8, ptr %args, i32 4
  store i32 %block, ptr %second, align 4
  %n = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @format to ptr), ptr %args)
  ret void
}`,
    { grid: 2, block: 34 },
  )
  expect(printed.split('\n').slice(0, 35)).toEqual([...Array.from({ length: 34 }, (_, i) => `${i} of 0`), '0 of 1'])
})

describe('what is not supported', () => {
  const calling = (name: string) => `declare void @${name}()
define ptx_kernel void @k() !dbg !4 {
  call void @${name}(), !dbg !7
  ret void
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/")
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !5, scopeLine: 3, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 42, column: 7, scope: !4)
`

  test('an intrinsic, by its name and line', () => {
    const { request } = requestFor(calling('llvm.nvvm.tcgen05.fence'))
    expect(findUnsupported(request.program)).toMatchObject([
      {
        code: 'unsupported-intrinsic',
        message: expect.stringContaining('llvm.nvvm.tcgen05.fence'),
        range: { line: 42, column: 7 },
      },
    ])
    expect(() => launch(calling('llvm.nvvm.tcgen05.fence'))).toThrow(UserError)
  })

  test('a function that nobody defines', () => {
    expect(() => launch(calling('my_extern'))).toThrow(/my_extern is declared but not defined/)
  })

  test('what has no effect passes', () => {
    expect(launch(calling('llvm.nvvm.membar.gl')).fault).toBeUndefined()
  })
})
