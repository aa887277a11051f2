/**
 * Writes kernels with arbitrary control flow, irreducible cycles included, which no structured source gives: blocks that pass
 * a few state words through phis and branch, by what they compute, to any block. Each step burns fuel, so every thread ends.
 * The kernel has the signature of the other forms and writes its state words to its slots of `out`.
 */
import { Random } from './random.ts'

const STATE_WORDS = 4
const FUEL = 60
export const GRAPH_SLOT_WORDS = STATE_WORDS

const OPERATIONS = ['add', 'sub', 'mul', 'xor', 'and', 'or'] as const

/** Text for a kernel `k` whose blocks each have `threads` threads in one dimension. */
export function emitGraph(seed: number, threads: number): string {
  const random = new Random(seed)
  const size = random.between(3, 12)
  // Block i goes to two or three blocks; the entry is no target, and fuel's end goes to the exit.
  const targets = Array.from({ length: size }, () =>
    Array.from({ length: random.between(1, 3) }, () => random.below(size)),
  )
  const predecessors = Array.from({ length: size }, (): string[] => [])
  targets.forEach((list, i) => {
    for (const target of new Set(list)) predecessors[target]!.push(`go${i}`)
  })
  const first = random.below(size)
  predecessors[first]!.push('entry')
  const blocks = targets.map((list, i) => emitBlock(random, i, list, predecessors[i]!))
  const exits = targets.map((_, i) => `[ %BLOCK, %b${i} ]`)
  const words = Array.from({ length: STATE_WORDS }, (_, word) => {
    const incoming = exits.map((exit, i) => exit.replace('BLOCK', `s${i}_${word}`))
    return `  %end${word} = phi i32 ${incoming.join(', ')}\n`
  })
  const stores = Array.from(
    { length: STATE_WORDS },
    (_, word) =>
      `  %p${word} = getelementptr i32, ptr %slots, i32 ${word}\n  store i32 %end${word}, ptr %p${word}, align 4\n`,
  )
  return `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %block, ${threads}
  %gid = add i32 %before, %tid
  %offset = mul i32 %gid, ${STATE_WORDS}
  %slots = getelementptr i32, ptr %out, i32 %offset
  %where = urem i32 %gid, %n
  %source = getelementptr i32, ptr %in, i32 %where
  %start = load i32, ptr %source, align 4
  br label %b${first}
${blocks.join('')}exit:
${words.join('')}${stores.join('')}  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
attributes #0 = { nounwind }
attributes #1 = { nounwind memory(none) }
`
}

/** Block `b<i>` computes and checks the fuel; `go<i>` branches on. A block without predecessors is dead code, which must do no harm. */
function emitBlock(random: Random, i: number, targets: readonly number[], predecessors: readonly string[]): string {
  const isDead = predecessors.length === 0
  const phi = (name: string, suffix: string, start: string): string => {
    const incoming = predecessors.map(
      from => `[ ${from === 'entry' ? start : `%${suffix}${from.slice(2)}${name}`}, %${from} ]`,
    )
    return `  %in${i}${name === '' ? '_fuel' : name} = ${isDead ? 'add i32 0, 1' : `phi i32 ${incoming.join(', ')}`}\n`
  }
  const starts = ['%start', '%gid', '%tid', '7']
  const phis = starts.map((start, word) => phi(`_${word}`, 's', start))
  const steps = starts.map((_, word) => {
    const other = random.chance(0.7) ? `%in${i}_${random.below(STATE_WORDS)}` : String(random.word() | 0)
    return `  %s${i}_${word} = ${random.pick(OPERATIONS)} i32 %in${i}_${word}, ${other}\n`
  })
  const decision = random.below(STATE_WORDS)
  const bit = random.below(5)
  const [a, b, c] = targets.map(target => `label %b${target}`)
  let branch = `br ${a}`
  if (a && b && !c) branch = `br i1 %odd${i}, ${a}, ${b}`
  if (a && b && c) branch = `switch i32 %two${i}, ${a} [\n    i32 1, ${b}\n    i32 2, ${c}\n  ]`
  return `b${i}:
${phis.join('')}${phi('', 'fuel', String(FUEL))}${steps.join('')}  %fuel${i} = sub i32 %in${i}_fuel, 1
  %dry${i} = icmp eq i32 %fuel${i}, 0
  br i1 %dry${i}, label %exit, label %go${i}
go${i}:
  %shifted${i} = lshr i32 %s${i}_${decision}, ${bit}
  %two${i} = and i32 %shifted${i}, 3
  %odd${i} = trunc i32 %shifted${i} to i1
  ${branch}
`
}
