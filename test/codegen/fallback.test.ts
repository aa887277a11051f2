/** Kernels that no code can be generated for run on the reference interpreter, and say so once. */
import { describe, expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { createGeneratedExecutor } from '../../src/codegen/executor.ts'
import { readModule } from '../../src/ir/read.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { launchOn } from './compare.ts'

/** Integers of 128 bits. */
const IR = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %tid
  %wide = zext i32 %tid to i128
  %square = mul i128 %wide, %wide
  %part = trunc i128 %square to i32
  store i32 %part, ptr %to, align 4
  ret void
}`

describe('fallback', () => {
  const program = prepareKernel(readModule(IR, 'test.ll'), 'k')
  const input = { ir: IR, grid: { x: 1, y: 1, z: 1 }, block: { x: 32, y: 1, z: 1 }, buffers: [new Uint32Array(32)] }

  test('the interpreter runs the kernel, told once', () => {
    const told: string[] = []
    const executor = createGeneratedExecutor({ onFallback: (kernel, reason) => told.push(`${kernel}: ${reason}`) })
    const wanted = launchOn(referenceExecutor, program, input)
    expect(launchOn(executor, program, input)).toEqual(wanted)
    expect(launchOn(executor, program, input)).toEqual(wanted)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('k: ')
  })

  test('without the hook it is refused', () => {
    expect(() => launchOn(createGeneratedExecutor(), program, input)).toThrow(/64 bits/)
  })
})
