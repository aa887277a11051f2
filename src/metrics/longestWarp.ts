/**
 * How often the longest warp of a block runs each part of a kernel; a block lives as long as that warp. In: how often the
 * average warp runs it (counted), how uneven the accesses of a block's warps are (from the sample), how many warps it has.
 * Out: runs of the longest warp, an estimate.
 *
 * Counters tell of the average warp only. Two things tell more: what the accesses of the sample's warps show, and a condition
 * on thread numbers alone (`if (threadIdx.x < stride)`), by which the same warp goes in every time, or one for it.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import { successors, terminatorOf } from '../ir/graph.ts'
import type { Block, Value } from '../ir/ir.ts'
import { operandsOf } from '../ir/operands.ts'

/** Blocks of a kernel that were run equally often, one behind the other. */
export interface Part {
  readonly blocks: readonly Block[]
  /** Of its first block, in `program.kernel.blocks`. */
  readonly first: number
  /** Of the average warp. */
  readonly share: number
}

type Loop = KernelProgram['loops'][number]

const isIn = ({ first }: Part, loop: Loop) => first >= loop.first && first <= loop.last

function innermost({ loops }: KernelProgram, part: Part): Loop | undefined {
  const around = loops.filter(loop => isIn(part, loop))
  return around.sort((a, b) => a.last - a.first - (b.last - b.first))[0]
}

/** Global and local memory: what the sample shows. */
function hasAccess({ blocks }: Part, { siteIds }: KernelProgram): boolean {
  return blocks.some(({ instructions }) =>
    instructions.some(instruction => {
      const sites = siteIds.get(instruction)
      return sites?.global !== undefined || sites?.local !== undefined
    }),
  )
}

/** Whether a value comes from memory, so that nobody knows which warps agree about it. */
function isData(value: Value, seen = new Set<Value>()): boolean {
  if (value.kind !== 'instruction' || seen.has(value)) return false
  seen.add(value)
  switch (value.op) {
    case 'load':
    case 'atomicrmw':
    case 'cmpxchg':
      return true
    case 'call':
      if (value.callee.kind !== 'function' || !isArithmetic(value.callee.name)) return true
  }
  return operandsOf(value).some(operand => isData(operand, seen))
}

/** Of what is called: reads registers, or no more than its arguments (`llvm.smax`). */
const isArithmetic = (name: string) => name.startsWith('llvm.nvvm.read.ptx.sreg') || /^llvm\.(?!nvvm|mem)/.test(name)

/** Whether thread numbers, arguments and counters decide who comes to a block. */
export function isDecidedByThread(program: KernelProgram, block: Block): boolean {
  return program.kernel.blocks.every(from => {
    const last = terminatorOf(from)
    return !successors(last).includes(block) || last.op !== 'condbr' || !isData(last.condition)
  })
}

/**
 * @param imbalance accesses of a block's longest warp over the average one's
 * @param warps of a block
 * @returns for each part the longest warp's runs
 */
export function longestShares(
  parts: readonly Part[],
  program: KernelProgram,
  imbalance: number,
  warps: number,
): number[] {
  const { loops, kernel } = program
  const shareOf = new Map<Block, number>()
  for (const { blocks, share } of parts) for (const block of blocks) shareOf.set(block, share)

  /** Rounds of the longest of the warps that come to the loop at all. */
  const roundsOf = (loop: Loop): number => {
    const inside = new Set(kernel.blocks.slice(loop.first, loop.last + 1))
    const header = kernel.blocks[loop.first]!
    let entered = 0
    for (const from of kernel.blocks)
      if (!inside.has(from) && successors(terminatorOf(from)).includes(header)) entered += shareOf.get(from) ?? 0
    const share = shareOf.get(header) ?? 0
    return entered > 0 && entered < 1 ? share * Math.min(1 / entered, warps) : share
  }
  const rounds = new Map(loops.map(loop => [loop, roundsOf(loop)]))

  return parts.map(part => {
    const { share } = part
    const loop = innermost(program, part)
    const most = Math.max(share, loop ? rounds.get(loop)! : 1)
    const byThread = isDecidedByThread(program, part.blocks[0]!) ? Math.min(most, share * warps) : share
    const around = loop ? parts.filter(other => isIn(other, loop)) : [part]
    const accesses = Math.max(0, ...around.filter(other => hasAccess(other, program)).map(other => other.share))
    const measured = imbalance * Math.min(share, accesses)
    return Math.max(byThread, loop ? measured : Math.min(most, measured))
  })
}
