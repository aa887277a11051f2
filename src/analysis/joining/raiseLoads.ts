/**
 * Words of shared memory that later blocks load, beside one that is loaded in front of them: ptxas loads them with it, whether they turn
 * out to be needed or not (`r = s[4 * t]; if (r > n) r += s[4 * t + 1];` is one load of 8 bytes; of a loop that is written out whole and
 * leaves in the middle, `if (s[i] == n) break;`, four rounds are one of 16). In: a kernel whose accesses are not merged yet. Out: the same
 * with such loads at the end of the block in front, where mergeAccesses.ts joins them.
 * Read off the machine code of 85 kernels (nvcc 13.0, sm_90); readings: `cs-mergeSort` kernel 5, mai-day009_flash_attention; test/cases/machine_raised.cu, 29 launches.
 *
 * - The block in front is on every way to the load, and no loop begins or ends between them.
 * - Nothing between them writes shared memory, waits, or orders accesses, and nothing branches within one operation
 *   (machineBranches.ts). Global memory may be written, by atomics too; lanes may exchange values.
 * - A pair is 8 aligned bytes, or 16 of values of 8; of more than two words in a line of 16 bytes all are raised. What would not join
 *   (`s[4 * t + 1]`, `s[4 * t + 2]`) only from a short branch, which ptxas makes straight code of; how short, is not quite known (two
 *   branches of `cs-mergeSort` kernel 5, of 16 instructions each, of which the second stays), so that longer ones are labelled.
 */
import {
  dominators,
  type Loop,
  loops,
  operandsOf,
  predecessors,
  reversePostOrder,
  successors,
  terminatorOf,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { lengthOf } from '../branches/joinLoads.ts'
import {
  type Address,
  addressKey,
  coordinateName,
  decompose,
  decomposeLinear,
  valueNumbering,
} from '../facts/address.ts'
import { isSameType } from '../facts/knownValues.ts'
import type { SharedLayout } from '../facts/layout.ts'
import { partsMachineCode } from '../facts/machineBranches.ts'
import { isExchange, isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { congruenceOfPlace, elementOffset, isWideShared, LINE, variableOffset } from '../facts/sharedPlaces.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { isArithmetic, isBefore, moveToEnd, replaceValues } from '../rewriting/blocks.ts'

const WORD = 4
/** Instructions of a branch that ptxas makes straight code of: of the longer ones it is not sure. */
const LONGEST_STRAIGHT = 20
const SURELY_STRAIGHT = 8
/** What an index of a pointer that the kernel has moved takes more: both are added in 64 bits (reading: `kernelMergeSegments` of unseen30). */
const INDEX_OF_MOVED_POINTER = 3

interface Word {
  readonly load: LoadInstruction
  /** Equal for the words of one line. */
  readonly line: string
  /** Within the line. */
  readonly offset: number
  readonly bytes: number
}

/** `shared`: where the shared variables lie. */
export function raiseLoads(func: Func, shared: SharedLayout): void {
  const lines = wordsByLine(func, shared)
  if (lines.length > 0) new Raiser(func).raise(lines)
}

/** Lines that several blocks load words of. */
function wordsByLine(func: Func, shared: SharedLayout): Word[][] {
  const idOf = valueNumbering()
  const lines = new Map<string, Word[]>()
  for (const { instructions } of func.blocks)
    for (const each of instructions) {
      const word = each.op === 'load' && isPlainAccess(each) && !each.copiedTo && wordOf(each, shared, idOf)
      if (!word) continue
      const words = lines.get(word.line)
      if (words) words.push(word)
      else lines.set(word.line, [word])
    }
  return [...lines.values()].filter(words => words.some(({ load }) => load.block !== words[0]!.load.block))
}

function wordOf(load: LoadInstruction, shared: SharedLayout, idOf: (value: Value) => number): Word | undefined {
  const { type } = load
  const bytes = storeBytes(type.kind === 'vector' ? type.element : type)
  if (bytes !== WORD && bytes !== 2 * WORD) return undefined
  const address = decomposeLinear(load.pointer, value => value)
  const variable = variableOffset(address, shared) ?? elementOffset(address, shared)
  if (variable !== undefined) {
    const at = variable + address.offset
    return { load, bytes, line: `${bytes}:variables:${Math.floor(at / LINE)}`, offset: at % LINE }
  }
  const { modulus, residue } = congruenceOfPlace(decompose(load.pointer))
  if (!isWideShared(address.root) || modulus < 2 * bytes) return undefined
  // Of a place of which no more is known only the aligned pair is a line.
  const line = Math.min(LINE, modulus)
  const offset = residue % line
  const from = address.offset - offset
  // What a loop counts ends a line: `for (i = 4 * t - 1; i >= 0; i -= 4) if (s[i] != n || s[i - 1] != n) break;` is two loads (machine code of 9 loops).
  if (from % line !== 0) return undefined
  return { load, bytes, line: `${bytes}:${addressKey({ ...address, offset: 0 }, idOf)}:${from}`, offset }
}

class Raiser {
  readonly #func: Func
  readonly #before: ReadonlyMap<Block, readonly Block[]>
  readonly #tree: ReturnType<typeof dominators>
  readonly #order: ReadonlyMap<Block, number>
  readonly #loopOf: ReadonlyMap<Block, Loop>
  /** The first and the last instruction of a block that nothing is raised past; of blocks without any there is no entry. */
  readonly #walls: ReadonlyMap<Block, { readonly first: Instruction; readonly last: Instruction }>
  readonly #replaced = new Map<Value, Value>()

  constructor(func: Func) {
    this.#func = func
    this.#before = predecessors(func)
    this.#tree = dominators(func)
    this.#order = new Map(reversePostOrder(func).map((block, at) => [block, at]))
    this.#loopOf = new Map(loops(func, this.#tree).flatMap(loop => [...loop.blocks].map(block => [block, loop])))
    this.#walls = wallsOf(func)
  }

  raise(lines: readonly (readonly Word[])[]): void {
    for (const words of lines) this.#raiseLine(words)
    replaceValues(this.#func.blocks, this.#replaced)
  }

  #raiseLine(words: readonly Word[]): void {
    const blocks = [...new Set(words.map(({ load }) => load.block))].filter(block => this.#order.has(block))
    let left = [...words]
    for (const front of blocks.sort((a, b) => this.#order.get(a)! - this.#order.get(b)!)) {
      const own = left.filter(({ load }) => load.block === front && this.#isBehindWalls(load))
      if (own.length === 0) continue
      const later = left.filter(({ load }) => load.block !== front && this.#mayRaise(load, front))
      const raised = later.filter(word => joins(word, [...own, ...later]) || this.#isRaisedAlone(front, word.load))
      const inFront = [...own]
      for (const word of raised) {
        const same = inFront.find(({ load, offset }) => offset === word.offset && isSameType(load.type, word.load.type))
        if (same) this.#leaveOut(word.load, same.load)
        else {
          this.#moveTo(front, word.load)
          inFront.push(word)
        }
      }
      left = left.filter(word => !own.includes(word) && !raised.includes(word))
    }
  }

  /** Whether ptxas makes straight code of the load's branch; the load is marked where that is not known. */
  #isRaisedAlone(front: Block, load: LoadInstruction): boolean {
    const { block } = load
    const end = terminatorOf(block)
    const [before, ...others] = this.#before.get(block)!
    const isBranch = before === front && others.length === 0
    if (!isBranch || end.op !== 'br' || !successors(terminatorOf(front)).includes(end.target)) return false
    const length = lengthOf(block) + INDEX_OF_MOVED_POINTER * block.instructions.filter(indexesMovedPointer).length
    if (length > SURELY_STRAIGHT) load.unsure = true
    return length <= LONGEST_STRAIGHT
  }

  #isBehindWalls(load: LoadInstruction): boolean {
    const walls = this.#walls.get(load.block)
    return !walls || isBefore(walls.last, load, this.#tree)
  }

  #mayRaise(load: LoadInstruction, front: Block): boolean {
    const { block } = load
    const walls = this.#walls.get(block)
    return (
      (!walls || isBefore(load, walls.first, this.#tree)) &&
      this.#tree.dominates(front, block) &&
      this.#loopOf.get(front) === this.#loopOf.get(block) &&
      this.#isQuietBetween(front, block) &&
      this.#addressAt(front, load) !== undefined
    )
  }

  /** No wall, and no loop of its own, on any way from the one block to the other. */
  #isQuietBetween(front: Block, block: Block): boolean {
    const seen = new Set<Block>([front, block])
    const pending = [...this.#before.get(block)!]
    for (let at = pending.pop(); at; at = pending.pop()) {
      if (seen.has(at)) continue
      if (this.#walls.has(at) || this.#loopOf.get(at) !== this.#loopOf.get(front)) return false
      seen.add(at)
      pending.push(...this.#before.get(at)!)
    }
    return true
  }

  /** What has to be computed in front to have the load's address there, in order; undefined where that cannot be. */
  #addressAt(front: Block, { pointer }: LoadInstruction): Instruction[] | undefined {
    const needed = new Set<Instruction>()
    const isToBeHad = (value: Value): boolean => {
      if (value.kind !== 'instruction' || needed.has(value)) return true
      if (this.#tree.dominates(value.block, front)) return true
      if (!mayBeComputed(value) || !operandsOf(value).every(isToBeHad)) return false
      needed.add(value)
      return true
    }
    return isToBeHad(pointer) ? [...needed] : undefined
  }

  #moveTo(front: Block, load: LoadInstruction): void {
    for (const each of [...this.#addressAt(front, load)!, load]) moveToEnd(front, each)
  }

  #leaveOut(load: LoadInstruction, same: LoadInstruction): void {
    load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
    this.#replaced.set(load, same)
  }
}

/** `p += segment` before, `p[i + j]` here. */
function indexesMovedPointer(instruction: Instruction): boolean {
  if (instruction.op !== 'gep' || instruction.terms.length === 0) return false
  const { base, block } = instruction
  return base.kind === 'instruction' && base.op === 'gep' && base.terms.length > 0 && base.block !== block
}

/** Whether a word becomes one access with others of its line. */
function joins({ offset, bytes }: Word, line: readonly Word[]): boolean {
  const offsets = new Set(line.map(word => word.offset))
  return (
    offsets.size > 2 ||
    (offsets.size === 2 &&
      new Set([...offsets].map(at => Math.floor(at / (2 * bytes)))).size === 1 &&
      offsets.has(offset))
  )
}

function wallsOf(func: Func): Map<Block, { first: Instruction; last: Instruction }> {
  const spacesOf = inferSpaces(func)
  const isShared = (pointer: Value) => spacesOf(pointer).has('shared')
  // For nvcc a pointer that lies in global memory points there.
  const isFromMemory = ({ root }: Address) =>
    root.kind === 'instruction' && root.op === 'load' && !isShared(root.pointer)
  const mayBeShared = (pointer: Value) => isShared(pointer) && !isFromMemory(decompose(pointer))
  const isWall = (each: Instruction): boolean => {
    if (partsMachineCode(each)) return true
    if (!mayWrite(each) || isExchange(each)) return false
    if (each.op === 'fence' || ('orders' in each && each.orders)) return true
    return 'pointer' in each ? mayBeShared(each.pointer) : true
  }
  return new Map(
    func.blocks.flatMap(block => {
      const walls = block.instructions.filter(isWall)
      return walls.length > 0 ? [[block, { first: walls[0]!, last: walls.at(-1)! }]] : []
    }),
  )
}

/** What may be computed though it is not needed. */
const mayBeComputed = (instruction: Instruction): boolean =>
  !/^[su](div|rem)$/.test(instruction.op) && (isArithmetic(instruction) || coordinateName(instruction) !== undefined)
