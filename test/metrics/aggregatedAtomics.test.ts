/**
 * Atomics of whole numbers on one address for the whole warp are sent by one lane, as nvcc has them; readings:
 * scripts/fidelity/cases/machineCompiler, globalUniform, globalUniformMax, globalBlockUniform.
 */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { countAggregated, emptyCounters } from '../../src/trace.ts'

const kernel = (body: string) =>
  prepareKernel(
    readModule(
      `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr %a, i32 %block
  %each = getelementptr i32, ptr %a, i32 %tid
${body}
  ret void
}`,
      'k.cu',
    ),
    'k',
  )

const isAggregated = (body: string) => kernel(body).sites.map(({ form }) => form === 'aggregated')

test('the address decides, and the kind of number', () => {
  expect(isAggregated('  %r = atomicrmw add ptr %a, i32 1 monotonic')).toEqual([true])
  expect(isAggregated('  %r = atomicrmw add ptr %own, i32 %tid monotonic')).toEqual([true])
  expect(isAggregated('  %r = atomicrmw max ptr %a, i32 %tid monotonic')).toEqual([true])
  expect(isAggregated('  %r = atomicrmw add ptr %a, i64 1 monotonic')).toEqual([true])
  expect(isAggregated('  %r = atomicrmw add ptr %each, i32 1 monotonic')).toEqual([false])
  expect(isAggregated('  %r = atomicrmw fadd ptr %a, float 1.0 monotonic')).toEqual([false])
  expect(isAggregated('  %r = atomicrmw xchg ptr %a, i32 1 monotonic')).toEqual([false])
})

test('one sector a time (globalUniform<int> of 32, 20 and 1 lanes reads 1)', () => {
  const { sites } = kernel('  %r = atomicrmw add ptr %a, i32 1 monotonic')
  const counted = { ...emptyCounters(), executed: 3, threads: 84, sectors: 84, tags: 3 }
  expect(countAggregated(sites, [counted])).toEqual([{ ...counted, sectors: 3 }])
})

const behind = (condition: string, other = 'ret void') =>
  isAggregated(`  %c = ${condition}
  br i1 %c, label %then, label %else
then:
  %r = atomicrmw add ptr %a, i32 1 monotonic
  br label %end
else:
  ${other}
end:`)

test('not behind threadIdx.x == 0, where ptxas takes one lane of a warp to be left (elementCounter2DOptimized: 2 of 16 wide)', () => {
  expect(behind('icmp eq i32 %tid, 0')).toEqual([false])
  expect(behind('icmp eq i32 %tid, 5')).toEqual([false])
  expect(behind('icmp eq i32 %n, %tid')).toEqual([false])
  expect(behind('icmp ult i32 %tid, 7')).toEqual([true])
  expect(behind('icmp eq i32 %block, 0')).toEqual([true])
  expect(behind('icmp eq i32 %tid, 0', 'store i32 3, ptr %each\n  br label %end')).toContain(true)
})
