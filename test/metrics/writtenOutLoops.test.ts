/** Loops that step by a variable: which of them the machine's compilers write out. */
import { expect, test } from 'vitest'
import { readModule } from '../../src/ir/read.ts'
import { roundsOfCompiler, roundsTogether } from '../../src/metrics/instructions/writtenOutLoops.ts'
import { DEBUG_INFO_OF_K } from '../ir/samples.ts'

/** Rounds together of `for (row = start; row < n; row += step) s += d[row];` with signed numbers. */
function roundsOf(start: string, step: string, sum = '%t = fadd float %s, %v'): number {
  const { functions } = readModule(
    `define ptx_kernel void @k(ptr %d, ptr %o, i32 %n, i32 %p, i32 %q) {
entry:
  %start = ${start}
  %step = ${step}
  br label %loop
loop:
  %row = phi i32 [ %next, %loop ], [ %start, %entry ]
  %s = phi float [ %t, %loop ], [ 0.0, %entry ]
  %at = getelementptr inbounds float, ptr %d, i32 %row
  %v = load float, ptr %at, align 4
  ${sum}
  %next = add nsw i32 %row, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %t, ptr %o, align 4
  ret void
}
`,
    'k.cu',
  )
  return roundsTogether(functions[0]!.blocks.find(({ name }) => name === 'loop')!, 10)
}

test('four rounds where nothing is known of start and step', () => {
  expect(roundsOf('add i32 %p, 0', 'add i32 %q, 0')).toBe(4)
  expect(roundsOf('lshr i32 %p, 5', 'add i32 %q, 0')).toBe(4)
  expect(roundsOf('add i32 %p, 0', 'lshr i32 %q, 5')).toBe(4)
})

test('one where both are quotients by one number, or masked', () => {
  expect(roundsOf('lshr i32 %p, 5', 'lshr i32 %q, 5')).toBe(1)
  expect(roundsOf('udiv i32 %p, 3', 'udiv i32 %q, 3')).toBe(1)
  expect(roundsOf('and i32 %p, 255', 'and i32 %q, 1023')).toBe(1)
  expect(roundsOf('lshr i32 %p, 4', 'lshr i32 %q, 5')).toBe(4)
})

test('one where the loop computes in half precision, which is assembly to nvcc', () => {
  const half = '%h = fptrunc float %v to half\n  %g = fpext half %h to float\n  %t = fadd float %s, %g'
  expect(roundsOf('add i32 %p, 0', 'add i32 %q, 0', half)).toBe(1)
})

/** Rounds together of nvcc's loop over `d[i * p + x]`, four rounds at a time. */
function roundsOfColumn({ unsigned = false, bound = '%whole', space = '' } = {}): number {
  const table = space === '' ? '%d' : '@s'
  const { functions } = readModule(
    `@s = internal addrspace(3) global [1024 x float] undef, align 4
define ptx_kernel void @k(ptr %d, ptr %o, i32 %n, i32 %p) !dbg !3 {
entry:
  %whole = and i32 %n, -4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %row = mul nsw i32 %i, %p
  %at = getelementptr float, ptr${space} ${table}, i32 %row
  %v = load float, ptr${space} %at, align 4, !dbg !4
  %t = fadd float %s, %v
  %next = add nuw nsw i32 %i, 4
  %more = icmp ne i32 %next, ${bound}
  br i1 %more, label %loop, label %end
end:
  store float %t, ptr %o, align 4
  ret void
}
${DEBUG_INFO_OF_K}
!4 = !DILocation(line: 7, column: 9, scope: !3)
${unsigned ? '; unsigned indices: 3:1 7:9\n' : ''}`,
    'k.cu',
  )
  return roundsTogether(functions[0]!.blocks.find(({ name }) => name === 'loop')!, 10)
}

test('one where an index of global memory has no sign, but for a known number of rounds', () => {
  expect(roundsOfColumn()).toBe(4)
  expect(roundsOfColumn({ unsigned: true })).toBe(1)
  expect(roundsOfColumn({ unsigned: true, bound: '1024' })).toBeGreaterThan(1)
  expect(roundsOfColumn({ unsigned: true, space: ' addrspace(3)' })).toBe(4)
})

/** Of `for (i = 0; i < rounds; i++) r += s[i].t[g];`, of which our LLVM has written out four rounds. */
function roundsOfKnown(rounds: number, { product = false, copies = 4 } = {}): number {
  const suffix = (copy: number): string => (copy === 0 ? '' : `.${copy}`)
  const round = (copy: number): string => {
    const before = copy === 0 ? '%r' : `%sum${suffix(copy - 1)}`
    const row = product ? `%idx.${copy} = shl i32 %i, 14\n  ` : ''
    const at = product ? `i8, ptr %s, i32 %idx.${copy}` : '[4096 x i32], ptr %s, i32 %i'
    return `${row}%row.${copy} = getelementptr ${at}
  %at.${copy} = getelementptr i8, ptr %row.${copy}, i32 ${16384 * copy}
  %v.${copy} = load i32, ptr %at.${copy}, align 4
  %sum${suffix(copy)} = add i32 %v.${copy}, ${before}`
  }
  const last = suffix(copies - 1)
  const { functions } = readModule(
    `define ptx_kernel void @k(ptr %s, ptr %o) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %inc${last}, %loop ]
  %r = phi i32 [ 0, %entry ], [ %sum${last}, %loop ]
  ${Array.from({ length: copies }, (_, copy) => round(copy)).join('\n  ')}
  %inc${last} = add nuw nsw i32 %i, ${copies}
  %done = icmp eq i32 %inc${last}, ${rounds}
  br i1 %done, label %end, label %loop
end:
  store i32 %sum${last}, ptr %o, align 4
  ret void
}
`,
    'k.cu',
  )
  return roundsOfCompiler(functions[0]!.blocks.find(({ name }) => name === 'loop')!)
}

/** PTX of nvcc 13.0: 32, 16, 16 and 64 loads a round of its own; ours has four. */
test('loops of a known number of rounds are written out as far as 150 instructions go', () => {
  expect(roundsOfKnown(4096)).toBe(32 / 4)
  expect(roundsOfKnown(4096, { product: true })).toBe(16 / 4)
  expect(roundsOfKnown(128, { product: true })).toBe(16 / 4)
  expect(roundsOfKnown(36)).toBe(36 / 4)
  expect(roundsOfKnown(4096, { copies: 1 })).toBe(32)
})
