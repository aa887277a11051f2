/** Kernels that no code can be generated for run on the reference interpreter, and say so once. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { createGeneratedExecutor } from '../../src/codegen/executor.ts'
import { readModule } from '../../src/ir/read.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { launchOn } from './compare.ts'

/** Integers of 256 bits. */
const IR = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr i32, ptr %out, i32 %tid
  %wide = zext i32 %tid to i256
  %square = mul i256 %wide, %wide
  %part = trunc i256 %square to i32
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

/** What V8 does when a function's frame is larger than what is left of the stack. */
function overflow(): never {
  throw new RangeError('Maximum call stack size exceeded')
}

describe('a frame that the stack has no room for', () => {
  afterEach(() => vi.unstubAllGlobals())
  const ir = IR.replaceAll('i256', 'i64')
  const program = prepareKernel(readModule(ir, 'test.ll'), 'k')
  const input = { ir, grid: { x: 2, y: 1, z: 1 }, block: { x: 32, y: 1, z: 1 }, buffers: [new Uint32Array(32)] }
  const stub = (): void => {
    const { Instance } = WebAssembly
    vi.stubGlobal('WebAssembly', {
      ...Object.fromEntries(
        Object.getOwnPropertyNames(WebAssembly).map(name => [name, WebAssembly[name as keyof typeof WebAssembly]]),
      ),
      Instance: function instance(module: WebAssembly.Module, imports: WebAssembly.Imports) {
        return { exports: { ...new Instance(module, imports).exports, run: overflow, runShifted: overflow } }
      },
    })
  }

  test('the interpreter runs the kernel', () => {
    stub()
    const told: string[] = []
    const executor = createGeneratedExecutor({ onFallback: (kernel, reason) => told.push(`${kernel}: ${reason}`) })
    expect(launchOn(executor, program, input)).toEqual(launchOn(referenceExecutor, program, input))
    expect(told).toEqual([expect.stringContaining("the engine's stack")])
  })

  test('without the hook it is refused', () => {
    stub()
    expect(() => launchOn(createGeneratedExecutor(), program, input)).toThrow(/kernel k keeps more values/)
  })
})
