/** Spaces, faults, atomics and what is counted. */
import { describe, expect, test } from 'vitest'
import { addressOf, CONSTANT_OFFSET, HEAP_OFFSET } from '../../src/addressSpace.ts'
import { replayBlock } from '../../src/reference/executor.ts'
import type { WarpAccess } from '../../src/trace.ts'
import { countWords, launch, requestFor } from './launch.ts'

const TID = 'declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n'

/** Keeps what the model was asked. */
function recorder() {
  const seen: WarpAccess[] = []
  const model = (access: WarpAccess) => {
    seen.push({ ...access, addresses: access.addresses.slice() })
    return countWords(access)
  }
  return { seen, model }
}

describe('faults', () => {
  const storeAt = (address: string, type = 'i32', align = 4) => `${TID}
define ptx_kernel void @k(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = mul i32 %tid, 65536
  %at = add i32 ${address}, %far
  %p = inttoptr i32 %at to ptr
  %q = getelementptr i8, ptr %p, i32 %n
  store ${type} zeroinitializer, ptr %q, align ${align}
  ret void
}`

  test('outside of the memory: the first lane, its address and size', () => {
    // The memory ends at page 2112: lane 62 is the first whose 64 KiB step leaves it.
    const result = launch(storeAt(String(addressOf(HEAP_OFFSET) | 0)), { block: 96, values: [0] })
    expect(result.fault).toMatchObject({
      kind: 'illegal-address',
      thread: { x: 62, y: 0, z: 0 },
      block: { x: 0, y: 0, z: 0 },
      address: addressOf(2112 * 65536),
      accessBytes: 4,
    })
  })

  test('null, the system region, host addresses', () => {
    for (const address of [0, 4096, addressOf(0x2_0000) | 0, addressOf(CONSTANT_OFFSET - 4) | 0])
      expect(launch(storeAt(String(address)), { block: 1, values: [0] }).fault).toMatchObject({
        kind: 'illegal-address',
      })
  })

  test('misaligned for the width, unless the program promises less', () => {
    const at = String(addressOf(HEAP_OFFSET) | 0)
    expect(launch(storeAt(at), { block: 1, values: [2] }).fault).toMatchObject({ kind: 'misaligned-address' })
    expect(launch(storeAt(at, 'i64', 8), { block: 1, values: [4] }).fault).toMatchObject({
      kind: 'misaligned-address',
      accessBytes: 8,
    })
    expect(launch(storeAt(at, '<4 x float>', 16), { block: 1, values: [8] }).fault).toMatchObject({ accessBytes: 16 })
    expect(launch(storeAt(at, 'i32', 1), { block: 1, values: [2] }).fault).toBeUndefined()
  })

  test('past the end of shared memory', () => {
    const ir = `@tile = internal addrspace(3) global [32 x i32] undef, align 4
${TID}
define ptx_kernel void @k(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %n
  %p = getelementptr [32 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  store i32 %i, ptr addrspace(3) %p, align 4
  ret void
}`
    expect(launch(ir, { values: [0] }).fault).toBeUndefined()
    expect(launch(ir, { values: [3] }).fault).toMatchObject({
      kind: 'illegal-address',
      thread: { x: 29 },
      message: expect.stringContaining('shared address 0x00000080 of a block that has 128 bytes'),
    })
  })

  test('past it, but in the piece of 128 bytes that a block is given', () => {
    const ir = `@tile = internal addrspace(3) global [4 x i32] undef, align 4
${TID}
define ptx_kernel void @k(i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %tid, %n
  %p = getelementptr [4 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  store i32 %i, ptr addrspace(3) %p, align 4
  ret void
}`
    expect(launch(ir, { values: [0] }).fault).toBeUndefined()
    expect(launch(ir, { values: [1] }).fault).toMatchObject({
      message: expect.stringContaining('shared address 0x00000080 of a block that has 16 bytes'),
    })
  })

  test('a dynamic array of shared memory that the launch gave no bytes', () => {
    const ir = `@tile = external addrspace(3) global [0 x i32], align 4
${TID}
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [0 x i32], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %tid
  store i32 1, ptr %p, align 4
  ret void
}`
    expect(launch(ir, {}).fault).toMatchObject({
      kind: 'illegal-address',
      message: expect.stringMatching(
        /shared address 0x0+ of a block that has 0 bytes .* third argument, <<<grid, block, bytes>>>/,
      ),
    })
  })

  test('a trap, and code that is declared unreachable', () => {
    expect(
      launch('declare void @llvm.trap()\ndefine ptx_kernel void @k() {\n call void @llvm.trap()\n unreachable\n}').fault
        ?.kind,
    ).toBe('trap')
    expect(launch('define ptx_kernel void @k() {\n unreachable\n}').fault?.kind).toBe('trap')
  })

  test('replaying a block finds the fault and leaves the memory alone', () => {
    const ir = `${TID}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 7, ptr %to, align 4
  %back = load i32, ptr %to, align 4
  %bad = icmp eq i32 %back, %tid
  %far = select i1 %bad, ptr inttoptr (i32 16 to ptr), ptr %to
  store i32 1, ptr %far, align 4
  ret void
}`
    const { request } = requestFor(ir, { grid: 3, buffers: [new Uint32Array(32).fill(5)] })
    expect(replayBlock(request, 2)).toMatchObject({
      kind: 'illegal-address',
      block: { x: 2 },
      thread: { x: 7 },
      address: 16,
    })
    const start = new DataView(request.parameters.buffer).getUint32(0, true) - addressOf(0)
    expect([...new Uint32Array(request.memory.buffer, start, 32)]).toEqual([...new Uint32Array(32).fill(5)])
  })
})

describe('counting', () => {
  test('a generic pointer counts in the space that each lane turns out to address', () => {
    const { seen, model } = recorder()
    const out = new Uint32Array(32)
    const result = launch(
      `@tile = internal addrspace(3) global [32 x i32] undef, align 4
${TID}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %local = alloca i32, align 4
  store i32 11, ptr %local, align 4
  %s = getelementptr [32 x i32], ptr addrspace(3) @tile, i32 0, i32 %tid
  %shared = addrspacecast ptr addrspace(3) %s to ptr
  %global = getelementptr i32, ptr %out, i32 %tid
  %c = icmp ult i32 %tid, 4
  %p = select i1 %c, ptr %shared, ptr %global
  %d = icmp ult i32 %tid, 2
  %q = select i1 %d, ptr %local, ptr %p
  store i32 %tid, ptr %q, align 4
  ret void
}`,
      { buffers: [out], model },
    )
    expect(result.fault).toBeUndefined()
    const bySpace = Object.fromEntries(
      result.sites.map((site, i) => [result.program.sites[i]!.space + result.program.sites[i]!.id, site.threads]),
    )
    const generic = seen.slice(1)
    expect(generic.map(({ space, mask }) => [space, mask >>> 0])).toEqual(
      expect.arrayContaining([
        ['local', 0x3],
        ['shared', 0xc],
        ['global', 0xffff_fff0],
      ]),
    )
    expect(Object.values(bySpace).reduce((a, b) => a + b)).toBe(64)
    expect([...out.slice(0, 6)]).toEqual([0, 0, 0, 0, 4, 5])
    const shared = generic.find(({ space }) => space === 'shared')!
    expect([...shared.addresses.slice(2, 4)]).toEqual([8, 12])
  })

  test('local memory is interleaved by words', () => {
    const { seen, model } = recorder()
    launch(
      `${TID}
define ptx_kernel void @k(i32 %n) {
  %a = alloca [8 x i32], align 4
  %p = getelementptr [8 x i32], ptr %a, i32 0, i32 %n
  store volatile i32 1, ptr %p, align 4
  ret void
}`,
      { block: 64, values: [3], model },
    )
    expect(seen).toHaveLength(2)
    const [first, second] = seen
    expect([...first!.addresses].map((address, lane) => address - lane * 4)).toEqual(
      Array.from({ length: 32 }, () => 3 * 128),
    )
    expect((second!.addresses[0]! - first!.addresses[0]!) % 128).toBe(0)
    expect(second!.addresses[0]).not.toBe(first!.addresses[0])
  })

  test('dynamic shared memory lies behind the static', () => {
    const ir = `@fixed = internal addrspace(3) global [4 x i32] undef, align 4
@dynamic = external addrspace(3) global [0 x i32], align 4
${TID}
define ptx_kernel void @k(i32 %n) {
  store i32 1, ptr addrspace(3) @fixed, align 4
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %n
  store i32 1, ptr addrspace(3) %p, align 4
  ret void
}`
    expect(launch(ir, { values: [27], dynamicSharedBytes: 112 }).fault).toBeUndefined()
    expect(launch(ir, { values: [28], dynamicSharedBytes: 112 }).fault).toMatchObject({ kind: 'illegal-address' })
  })

  test('constant memory, and inactive lanes in the mask', () => {
    const { seen, model } = recorder()
    launch(
      `${TID}
define ptx_kernel void @k(ptr addrspace(4) %c) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %read, label %exit
read:
  %v = load volatile i32, ptr addrspace(4) %c, align 4
  br label %exit
exit:
  ret void
}`,
      { values: [addressOf(CONSTANT_OFFSET)], model },
    )
    expect(seen.map(({ space, mask }) => [space, mask >>> 0])).toEqual([['constant', 0xaaaa_aaaa]])
  })
})

describe('atomics', () => {
  const atomic = (operation: string, initial: number, threads = 4) => {
    const out = new Uint32Array(64).fill(initial, 0, 1)
    const result = launch(
      `${TID}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = add i32 %tid, 1
  %old = atomicrmw ${operation} ptr %out, i32 %v monotonic, align 4
  %at = getelementptr i32, ptr %out, i32 %v
  store i32 %old, ptr %at, align 4
  ret void
}`,
      { block: threads, buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    return [...out.slice(0, threads + 1)]
  }

  test('lanes go one after the other, ascending', () => {
    expect(atomic('add', 10)).toEqual([20, 10, 11, 13, 16])
    expect(atomic('xchg', 10)).toEqual([4, 10, 1, 2, 3])
    expect(atomic('sub', 10)[0]).toBe(0)
    expect(atomic('umax', 2)[0]).toBe(4)
    expect(atomic('min', 0xffff_fff0)[0]).toBe(0xffff_fff0)
    expect(atomic('umin', 0xffff_fff0)[0]).toBe(1)
    expect(atomic('nand', 0xff, 1)[0]).toBe(0xffff_fffe)
    expect(atomic('uinc_wrap', 1)).toEqual([3, 1, 0, 1, 2])
    expect(atomic('udec_wrap', 0)).toEqual([2, 0, 1, 0, 3])
  })

  test('floats round at each step', () => {
    const out = Float32Array.of(2 ** 24, 0)
    launch(
      `define ptx_kernel void @k(ptr %out) {
  %old = atomicrmw fadd ptr %out, float 1.0 monotonic, align 4
  ret void
}`,
      { block: 2, buffers: [out] },
    )
    expect(out[0]).toBe(2 ** 24)
  })

  test('unused results count as reductions', () => {
    const result = launch(
      `define ptx_kernel void @k(ptr %out) {
  %old = atomicrmw add ptr %out, i32 1 monotonic, align 4
  ret void
}`,
      { grid: 2, buffers: [new Uint32Array(1)] },
    )
    expect(result.program.sites[0]!.op).toBe('red')
    expect(result.sites[0]).toMatchObject({ executed: 2, threads: 64, sectors: 2 })
  })

  test('compare and swap', () => {
    const out = Uint32Array.of(1, 0, 0, 0)
    launch(
      `${TID}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %next = add i32 %tid, 2
  %pair = cmpxchg ptr %out, i32 1, i32 %next monotonic monotonic, align 4
  %ok = extractvalue { i32, i1 } %pair, 1
  %z = zext i1 %ok to i32
  %at = add i32 %tid, 1
  %to = getelementptr i32, ptr %out, i32 %at
  store i32 %z, ptr %to, align 4
  ret void
}`,
      { block: 3, buffers: [out] },
    )
    expect([...out]).toEqual([2, 1, 0, 0])
  })
})

test('structures passed by value: each thread reads the arguments', () => {
  const out = new Uint32Array(32)
  const ir = `${TID}
%pair = type { i32, i64 }
define ptx_kernel void @k(ptr %out, ptr byval(%pair) align 8 %s) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %second = getelementptr i8, ptr %s, i32 8
  %v = load i32, ptr %second, align 8
  %w = add i32 %v, %tid
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %w, ptr %to, align 4
  ret void
}`
  const { request } = requestFor(ir, { buffers: [out] })
  new DataView(request.parameters.buffer).setUint32(request.program.parameterOffsets[1]! + 8, 100, true)
  expect(replayBlock(request, 0)).toBeUndefined()
  expect(request.program.sites).toHaveLength(1)
})
