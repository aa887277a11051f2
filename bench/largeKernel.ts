/**
 * A pathological kernel as LLVM IR text: long, with branches that diverge, loads and stores at addresses that depend on data,
 * and many values alive at once. Only for compiling: nobody runs it.
 */

/** About `instructions` instructions; branching, some lanes skip a part of every 16. */
export function largeKernel(instructions: number, shape: 'branching' | 'straight'): string {
  const pieces: string[] = []
  const alive = ['%start']
  const pick = (back: number): string => alive[Math.max(0, alive.length - 1 - back)]!
  const bodies = { branching, straight }
  for (let piece = 0; piece * INSTRUCTIONS_A_PIECE[shape] < instructions; piece++) {
    const v = (name: string): string => `%${name}.${piece}`
    pieces.push(`  ${v('scaled')} = mul i32 ${pick(0)}, ${2 * piece + 3}
  ${v('mixed')} = xor i32 ${v('scaled')}, ${pick(7)}
  ${v('shifted')} = lshr i32 ${v('mixed')}, ${(piece % 13) + 1}
  ${v('index')} = and i32 ${v('shifted')}, 65535
  ${v('from')} = getelementptr inbounds i32, ptr %in, i32 ${v('index')}
  ${v('loaded')} = load i32, ptr ${v('from')}, align 4
  ${v('sum')} = add i32 ${v('loaded')}, ${pick(19)}
  ${v('to')} = getelementptr inbounds i32, ptr %out, i32 ${v('index')}
${bodies[shape](v, pick(3), piece)}`)
    alive.push(v('next'))
  }
  return `target triple = "nvptx-nvidia-cuda"

define ptx_kernel void @large_${shape}_${instructions}(ptr %in, ptr %out) {
entry:
  %start = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${pieces.join('\n')}
  store i32 ${pick(0)}, ptr %out, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`
}

const INSTRUCTIONS_A_PIECE = { branching: 16, straight: 13 } as const

type Name = (name: string) => string

function branching(v: Name, other: string, piece: number): string {
  return `  ${v('test')} = icmp slt i32 ${v('sum')}, ${other}
  br i1 ${v('test')}, label %then.${piece}, label %join.${piece}
then.${piece}:
${converted(v)}
  store i32 ${v('whole')}, ptr ${v('to')}, align 4
  br label %join.${piece}
join.${piece}:
  ${v('next')} = phi i32 [ ${v('sum')}, %${piece === 0 ? 'entry' : `join.${piece - 1}`} ], [ ${v('whole')}, %then.${piece} ]`
}

function straight(v: Name, other: string): string {
  return `${converted(v)}
  store i32 ${v('whole')}, ptr ${v('to')}, align 4
  ${v('next')} = add i32 ${v('whole')}, ${other}`
}

function converted(v: Name): string {
  return `  ${v('float')} = sitofp i32 ${v('sum')} to float
  ${v('product')} = fmul float ${v('float')}, 1.500000e+00
  ${v('whole')} = fptosi float ${v('product')} to i32`
}
