/**
 * Brings neighbouring loads of one thread together where only arithmetic with branches stands between them. In: a kernel with
 * calls inlined. Out: the same with a load moved up behind an earlier one of the same 16 bytes, in a block that runs exactly
 * when the load's own does, so that mergeAccesses can join them. nvcc's device functions have no branches where ours have
 * (logarithms, exponentials), so that it finds both loads in one block: `p[i].x`, a logarithm, `p[i].y` is one 8-byte load. Sines and
 * their like have branches there too (machineBranches.ts).
 */
import { offsetPointer } from '../../ir/build.ts'
import { dominators, loops, postDominators, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { addressKey, decompose, valueNumbering } from '../facts/address.ts'
import { isBranchingFunction } from '../facts/machineBranches.ts'
import { mayWrite } from '../facts/memoryEffects.ts'

const WINDOW_BYTES = 16

export function gatherLoads(func: Func): void {
  for (const chain of findChains(func)) if (chain.length > 1) gatherIn(chain)
}

/** Runs of blocks that execute equally often, one behind the other, with nothing but arithmetic between them. */
function findChains(func: Func): Block[][] {
  const before = dominators(func)
  const after = postDominators(func)
  const loopOf = new Map<Block, object>()
  for (const loop of loops(func)) for (const block of loop.blocks) loopOf.set(block, loop)
  const started = new Set<Block>()
  const chains: Block[][] = []
  for (const first of func.blocks) {
    if (started.has(first)) continue
    const chain = [first]
    for (let block = first; ; ) {
      const next = after.immediate(block)
      if (!next || started.has(next) || !before.dominates(block, next) || loopOf.get(block) !== loopOf.get(next)) break
      if (!isArithmeticBetween(block, next, loopOf)) break
      chain.push(next)
      started.add(next)
      block = next
    }
    chains.push(chain)
  }
  return chains
}

/** The blocks on the ways from one block to the other touch no memory and are in no loop of their own. */
function isArithmeticBetween(from: Block, to: Block, loopOf: ReadonlyMap<Block, object>): boolean {
  const seen = new Set<Block>([from, to])
  const pending = successors(terminatorOf(from)).filter(block => block !== to)
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (seen.has(block)) continue
    seen.add(block)
    if (loopOf.get(block) !== loopOf.get(from)) return false
    if (block.instructions.some(one => touchesMemory(one) || isBranchingFunction(one))) return false
    pending.push(...successors(terminatorOf(block)))
  }
  return true
}

function touchesMemory(instruction: Instruction): boolean {
  return instruction.op === 'load' || mayWrite(instruction)
}

interface Earlier {
  readonly access: LoadInstruction
  readonly offset: number
}

function gatherIn(chain: readonly Block[]): void {
  const idOf = valueNumbering()
  let open = new Map<string, Earlier[]>()
  for (const block of chain) {
    for (const instruction of [...block.instructions]) {
      if (mayWrite(instruction)) open = new Map()
      if (instruction.op !== 'load' || instruction.volatile || instruction.atomic) continue
      const address = decompose(instruction.pointer)
      const key = `${storeBytes(instruction.type)}:${addressKey(address, idOf)}`
      const earlier = open.get(key) ?? []
      open.set(key, earlier)
      const neighbour = earlier.find(
        ({ access, offset }) => access.block !== block && Math.abs(offset - address.offset) < WINDOW_BYTES,
      )
      earlier.push({ access: instruction, offset: address.offset })
      if (neighbour) moveBehind(instruction, block, neighbour, address.offset - neighbour.offset)
    }
  }
}

/** The address is made anew from the neighbour's, which is there already. */
function moveBehind(load: LoadInstruction, from: Block, { access }: Earlier, distance: number): void {
  const into = access.block
  const place = { block: into, location: load.location }
  const pointer = offsetPointer(place, access.pointer, distance)
  from.instructions.splice(from.instructions.indexOf(load), 1)
  load.pointer = pointer
  load.block = into
  into.instructions.splice(into.instructions.indexOf(access) + 1, 0, pointer, load)
}
