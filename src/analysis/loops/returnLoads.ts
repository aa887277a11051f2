/**
 * Vectors that a loop loads for its next round stay at the round's end, as nvcc has them: LLVM makes the first elements' loads in
 * front of a loop and those at its end one load at the loop's head, of an address that depends on the way in; nvcc loads a
 * `float4` as one instruction that its compiler leaves where it is (PTX of 7 kernels; scalars, and structures that are not
 * aligned like a vector, move to the head there too; reading: opt-sgemm_v1, whose fragments are fetched one round ahead).
 * In: a kernel with merged accesses, and those of them that LLVM had moved. Out: the same with such loads, in loop heads, back at
 * the ends of the blocks that lead there.
 */
import { cloneInstruction, dominators, operandsOf, predecessors, replaceOperands } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { phisOf, replaceUses } from '../rewriting/blocks.ts'

export function returnLoads(func: Func, moved: readonly LoadInstruction[]): void {
  if (moved.length === 0) return
  const before = predecessors(func)
  const tree = dominators(func)
  for (const load of moved) {
    const { block } = load
    const ways = before.get(block)!
    const isHead = ways.length > 1 && ways.some(way => tree.dominates(block, way))
    const address = isHead && isAtHead(load) ? addressOf(load) : undefined
    if (address) bringBack(func, load, address, ways)
  }
}

/** Nothing in front of it in its block that writes or waits. */
function isAtHead(load: LoadInstruction): boolean {
  const { instructions } = load.block
  return !instructions.slice(0, instructions.indexOf(load)).some(mayWrite)
}

/** What its block computes its address with, phis last of all left out; undefined where that is no arithmetic on phis. */
function addressOf(load: LoadInstruction): readonly Instruction[] | undefined {
  const chain = new Set<Instruction>()
  let dependsOnWay = false
  const isArithmetic = (value: Value): boolean => {
    if (value.kind !== 'instruction' || value.block !== load.block || chain.has(value)) return true
    if (value.op === 'phi') {
      dependsOnWay = true
      return true
    }
    if (value.op === 'load' || value.op === 'call' || value.op === 'alloca' || mayWrite(value)) return false
    if (!operandsOf(value).every(isArithmetic)) return false
    chain.add(value)
    return true
  }
  return isArithmetic(load.pointer) && dependsOnWay ? [...chain] : undefined
}

function bringBack(func: Func, load: LoadInstruction, address: readonly Instruction[], ways: readonly Block[]): void {
  const phi: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type: load.type,
    name: load.name,
    block: load.block,
    location: load.location,
    incoming: [],
  }
  for (const way of new Set(ways)) {
    const known = new Map<Value, Value>()
    for (const each of phisOf(load.block))
      known.set(each, each.incoming.find(({ block }) => block === way)?.value ?? { kind: 'undef', type: each.type })
    for (const each of [...address, load]) {
      const copy = cloneInstruction(each, way)
      replaceOperands(copy, value => known.get(value) ?? value)
      known.set(each, copy)
      way.instructions.splice(-1, 0, copy)
    }
    for (const _ of ways.filter(each => each === way)) phi.incoming.push({ block: way, value: known.get(load)! })
  }
  load.block.instructions = [phi, ...load.block.instructions.filter(each => each !== load)]
  replaceUses(func.blocks, load, phi)
}
