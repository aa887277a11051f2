/**
 * Loads that a branch begins with and the block behind it makes again: nvcc makes them once, in front of the branch. In: a kernel.
 * Out: the same with such loads there; behind the branch the value is what the branch stored, or the load's.
 * Read off the PTX of 18 kernels (`if (c) t[i] += q; s = t[i];` is one load; with `t[i] = q` in the branch it stays the second one),
 * and of scan of HeCBench. The branch's loads go in their order, up to the first that is not made again. Behind the branch they may
 * stand behind stores to another memory (the last round of scan of HeCBench).
 */
import { predecessors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { decomposeLinear } from '../facts/address.ts'
import { isPlain, isSameType, KnownValues } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { inferSpaces, type PointerSpace } from '../facts/spaces.ts'
import { madeIn, moveToEnd, replaceValues } from '../rewriting/blocks.ts'

interface Branch {
  readonly head: Block
  readonly body: Block
  readonly behind: Block
}

interface Again {
  readonly first: LoadInstruction
  readonly second: LoadInstruction
  /** What lies there at the end of the branch. */
  readonly value: Value
  /** What the branch computes its address with. */
  readonly address: readonly Instruction[]
}

type SpacesOf = (pointer: Value) => ReadonlySet<PointerSpace>

export function hoistLoads(func: Func): void {
  const replaced = new Map<Value, Value>()
  const spacesOf = inferSpaces(func)
  for (const branch of branches(func))
    for (const again of loadsMadeAgain(branch, spacesOf)) replaced.set(again.second, hoist(branch, again))
  replaceValues(func.blocks, replaced)
}

/** Branches of one block without an else. */
function branches(func: Func): Branch[] {
  const before = predecessors(func)
  return func.blocks.flatMap(body => {
    const [head, ...others] = before.get(body)!
    const last = terminatorOf(body)
    if (!head || others.length > 0 || last.op !== 'br') return []
    const behind = last.target
    const ways = terminatorOf(head)
    const from = before.get(behind)!
    const isTriangle = ways.op === 'condbr' && (ways.ifTrue === behind || ways.ifFalse === behind)
    return isTriangle && from.length === 2 && behind !== head ? [{ head, body, behind }] : []
  })
}

function loadsMadeAgain({ body, behind }: Branch, spacesOf: SpacesOf): Again[] {
  const known = new KnownValues()
  const addressOf = (load: { pointer: Value }) => decomposeLinear(load.pointer, value => value)
  const firsts = leadingLoads(body)
  for (const instruction of body.instructions) {
    if (isPlain(instruction)) known.add(addressOf(instruction), instruction)
    else if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic)
      known.store(addressOf(instruction), instruction.value)
    else if (mayWrite(instruction)) known.clear()
  }
  const seconds = loadsBeforeWrites(behind, spacesOf)
  const found: Again[] = []
  for (const first of firsts) {
    const at = addressOf(first)
    const second = seconds.find(each => {
      const other = addressOf(each)
      // Assembly keeps LLVM from making one of loads of the same place.
      if (found.some(again => again.second === each)) return false
      return each.align === first.align && known.keyOf(other) === known.keyOf(at) && other.offset === at.offset
    })
    const value = second && known.find(at, second.type)
    const address = madeIn(body, first.pointer)
    if (!value || !address || !isSameType(first.type, second.type)) break
    found.push({ first, second, value, address })
  }
  return found
}

function leadingLoads({ instructions }: Block): LoadInstruction[] {
  const end = instructions.findIndex(mayWrite)
  return instructions.slice(0, end < 0 ? undefined : end).filter(isPlain)
}

/** Loads of memories that nothing in front of them writes. */
function loadsBeforeWrites({ instructions }: Block, spacesOf: SpacesOf): LoadInstruction[] {
  const written = new Set<PointerSpace>()
  const found: LoadInstruction[] = []
  for (const each of instructions) {
    if (isPlain(each)) {
      if (![...spacesOf(each.pointer)].some(space => written.has(space))) found.push(each)
    } else if (each.op === 'store' && !each.volatile && !each.atomic) {
      for (const space of spacesOf(each.pointer)) written.add(space)
    } else if (mayWrite(each)) break
  }
  return found
}

function hoist({ head, body, behind }: Branch, { first, second, value, address }: Again): Value {
  for (const each of [...address, first]) if (each.block !== head) moveToEnd(head, each)
  behind.instructions.splice(behind.instructions.indexOf(second), 1)
  if (value === first) return first
  const phi: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type: second.type,
    name: second.name,
    block: behind,
    location: second.location,
    incoming: [
      { value, block: body },
      { value: first, block: head },
    ],
  }
  behind.instructions.unshift(phi)
  return phi
}
