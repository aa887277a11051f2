/** Functions of mathematics of which our code has several ways, and the machine's one: what a warp issues whose lanes take all of them. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { partsOfCalls } from '../../src/metrics/instructions/callWays.ts'
import { machineCall } from '../../src/metrics/instructions/mathCosts.ts'
import { narrowPipes } from '../../src/metrics/instructions/narrowPipes.ts'
import { blockInstructions } from '../../src/metrics/time/latencyChain.ts'

const products = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `  %${name}${i} = fmul double ${i ? `%${name}${i - 1}` : '%wide'}, 3.0, !dbg !9`,
  )

/** A call with a short way and a long one. @param again whether a second one, of the same place in the source, stands behind it */
function kernel(name: string, file = 'float_special.h', again = false) {
  const call = (n: string, next: string) => `
  %far${n} = fcmp ogt float %x, 1.0, !dbg !9
  br i1 %far${n}, label %above${n}, label %below${n}, !dbg !9
above${n}:
${products(`p${n}_`, 60).join('\n')}
  br label %join${n}, !dbg !9
below${n}:
${products(`q${n}_`, 20).join('\n')}
  br label %join${n}, !dbg !9
join${n}:
  %r${n} = phi double [ %p${n}_59, %above${n} ], [ %q${n}_19, %below${n} ], !dbg !9
${next}`
  const end = '  store double %r1, ptr %b, align 8\n  ret void'
  const text = `define ptx_kernel void @k(ptr %a, ptr %b) {
  %x = load float, ptr %a, align 4
  %wide = fpext float %x to double${call('1', again ? call('2', end) : end)}
}
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1)
!3 = !DILocation(line: 4, column: 2, scope: !2)
!5 = !DIFile(filename: "/inc/warplens/math/${file}", directory: "/")
!6 = distinct !DISubprogram(name: "${name}", scope: !5, file: !5, line: 9)
!7 = !DILocation(line: 10, column: 3, scope: !6, inlinedAt: !3)
!10 = !DIFile(filename: "/inc/warplens/math/float_special.h", directory: "/")
!8 = distinct !DISubprogram(name: "erff", scope: !10, file: !10, line: 9)
!9 = !DILocation(line: 110, column: 3, scope: !8, inlinedAt: !7)`
  return prepareKernel(readModule(text, 'k.cu'), 'k')
}

const ERFF = machineCall('erff')!.instructions
/** Instructions in front of the call and behind it. */
const OTHERS = 5 + 1 + 1 + 1 + 1

const issued = (program: ReturnType<typeof kernel>, runs: readonly number[]) =>
  blockInstructions(program, partsOfCalls(program, runs)).reduce((sum, each, at) => sum + each * runs[at]!, 0)

test('a warp whose lanes take both ways issues one call; so does one that takes a way that is longer than the call', () => {
  const program = kernel('erff')
  expect(issued(program, [1, 1, 1, 1])).toBeCloseTo(OTHERS + ERFF, 5)
  expect(issued(program, [1, 1, 0, 1])).toBeCloseTo(OTHERS + ERFF, 5)
  expect(issued(program, [1, 0, 1, 1])).toBeLessThan(OTHERS + ERFF)
  expect(narrowPipes(program, [1, 1, 1, 1]).doubles).toBeLessThan(ERFF)
})

test('functions with branches on the machine go several ways there too', () => {
  expect(partsOfCalls(kernel('sinf'), [1, 1, 1, 1]).size).toBe(0)
})

test('calls one behind the other, of one place in the source, are not taken for one', () => {
  const program = kernel('erff', 'float_special.h', true)
  expect(
    partsOfCalls(
      program,
      program.kernel.blocks.map(() => 1),
    ).size,
  ).toBe(0)
})

test('`erf(float)` is `erff`, whose costs are known', () => {
  const libraries = (program: ReturnType<typeof kernel>) =>
    new Set(program.kernel.blocks.flatMap(({ instructions }) => instructions.map(one => one.location?.library)))
  expect(libraries(kernel('erf', 'overloads.h'))).toContain('erff')
  expect(libraries(kernel('erf'))).toContain('erf')
})
