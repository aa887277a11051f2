/**
 * Calls of functions of mathematics of which our code has several ways and the machine's one. In: a kernel and how often its blocks ran. Out: the
 * part of our instructions that the machine issues. Source: machine code of these functions (mathCosts.ts): no branches, the same for all arguments.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Location } from '../../ir/ir.ts'
import { branchCosts } from './branchCosts.ts'
import { issueCosts } from './instructionCosts.ts'
import { addCosts } from './mathCalls.ts'
import { machineCall } from './mathCosts.ts'

/** For a block the calls that it has a way of, and what the machine issues over what we have for them. */
export type PartsIssued = ReadonlyMap<Block, ReadonlyMap<Location, number>>

export const allIssued: PartsIssued = new Map()

type CallCosts = ReadonlyMap<Location, ReadonlyMap<Block, number>>

const known = new WeakMap<KernelProgram, CallCosts>()

/**
 * Where lanes of a warp take several ways, no more than one call is issued (`erff` of lanes below and above 1: 119 instructions of ours, 30 of the
 * machine's).
 * @param executions of each block of `program.kernel`, in order
 */
export function partsOfCalls(program: KernelProgram, executions: readonly number[]): PartsIssued {
  const { blocks } = program.kernel
  let calls = known.get(program)
  if (!calls) known.set(program, (calls = costsOfCalls(program)))
  if (calls.size === 0) return allIssued
  const found = new Map<Block, Map<Location, number>>()
  const runs = new Map(blocks.map((block, at) => [block, executions[at] ?? 0]))
  for (const [call, ofBlocks] of calls) {
    for (const ways of connected(new Set(ofBlocks.keys()))) {
      const most = Math.max(...ways.map(block => runs.get(block)!))
      const whole = machineCall(call.library)!.instructions * most
      const issued = ways.reduce((sum, block) => sum + ofBlocks.get(block)! * runs.get(block)!, 0)
      if (ways.length === 1 || issued <= whole || depthOf(ways) > DEEPEST) continue
      const part = whole / issued
      for (const block of ways) found.set(block, (found.get(block) ?? new Map<Location, number>()).set(call, part))
    }
  }
  return found
}

/** Of functions that have no branches on the machine. */
function costsOfCalls(program: KernelProgram): CallCosts {
  const costs = issueCosts(program)
  const all = new Map<Instruction, number>([...costs, ...branchCosts(program, costs).terminators])
  const calls = new Map<Location, Map<Block, number>>()
  for (const block of program.kernel.blocks)
    for (const [call, cost] of addCosts(new Map(), block, all)) {
      if (cost === 0 || machineCall(call.library)!.hasBranches) continue
      calls.set(call, (calls.get(call) ?? new Map<Block, number>()).set(block, cost))
    }
  return calls
}

/** What is in front of the ways, one of them, and what is behind: more blocks in a row can be several calls, of a loop that was written out. */
const DEEPEST = 3

/** Blocks of a group that a warp can come to one behind the other. */
function depthOf(group: readonly Block[]): number {
  const depths = new Map<Block, number>()
  const depth = (block: Block, open: readonly Block[]): number => {
    if (open.includes(block)) return Number.POSITIVE_INFINITY
    const known = depths.get(block)
    if (known !== undefined) return known
    const within = successors(terminatorOf(block)).filter(next => group.includes(next))
    const found = 1 + Math.max(0, ...within.map(next => depth(next, [...open, block])))
    depths.set(block, found)
    return found
  }
  return Math.max(...group.map(block => depth(block, [])))
}

/** Blocks in groups, of which each leads to others of its group or comes from them. */
function connected(blocks: ReadonlySet<Block>): Block[][] {
  const groups = new Map<Block, Block[]>([...blocks].map(block => [block, [block]]))
  for (const block of blocks)
    for (const next of successors(terminatorOf(block))) {
      const [own, others] = [groups.get(block)!, groups.get(next)]
      if (!others || others === own) continue
      own.push(...others)
      for (const other of others) groups.set(other, own)
    }
  return [...new Set(groups.values())]
}
