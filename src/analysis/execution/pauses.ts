/**
 * Places where the warps of a block wait for each other though the program does not say so. All warps read the same words of shared memory
 * (`most = s[0]`, `while (*next < n)`, `row[threadIdx.x % 32]`), and some of them write them again without a barrier between: a race that a GPU nearly always wins,
 * because warps come out of a barrier together and the write stands behind a reduction, a loop or the work. Here warps take turns from one
 * barrier to the next, and all but the first one would read what the first one wrote. Any order of warps is allowed, so all of them
 * first come to the last place in front of the write that all come to. There is no pause behind a loop in which a thread may wait for another one: that one
 * may wait in the pause, with the lock in its hands.
 * In: a kernel, before `splitBarriers`, and where its shared variables lie. Out: the same with pauses, which suspend warps as barriers do
 * and are nothing else: no instruction of the machine.
 */
import { intrinsicCall } from '../../ir/build.ts'
import {
  type DominatorTree,
  dominators,
  type Loop,
  loops,
  postDominators,
  successors,
  terminatorOf,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { sizeOf, storeBytes, VOID } from '../../ir/types.ts'
import { coordinateName, decompose } from '../facts/address.ts'
import type { SharedLayout } from '../facts/layout.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { isBarrier } from './splitBarriers.ts'
import { mayBlocksWait } from './waitingLoops.ts'

export function insertPauses(func: Func, shared: SharedLayout): void {
  const holders = func.blocks.filter(({ instructions }) => instructions.some(isOfWholeBlock))
  if (holders.length === 0) return
  const instructions = func.blocks.flatMap(block => block.instructions)
  const reads = instructions.filter(isReadByAllWarps)
  if (reads.length === 0) return
  const ways = new OpenWays(func)
  const tree = dominators(func)
  const comeTogether = meetingPlaces(func, holders, tree)
  const places = new Set<Instruction>()
  for (const write of instructions.filter(isSharedStore)) {
    const meeting = comeTogether(write.block)
    if (!meeting) continue
    const before = meeting === write.block ? write : terminatorOf(meeting)
    if (places.has(before)) continue
    const isAlwaysBetween = ways.between(write, before)
    if (reads.some(read => mayOverwrite(read, write, shared) && isAlwaysBetween(read))) places.add(before)
  }
  if (places.size === 0) return
  const waiting = waitingBlocks(func, tree)
  for (const place of places) if (!waiting.some(block => ways.lead(block, place))) insertBefore(place)
}

/** Of loops in which a thread may wait for another one. */
function waitingBlocks(func: Func, tree: DominatorTree): readonly Block[] {
  const spacesOf = inferSpaces(func)
  const all = loops(func, tree).filter(({ header, blocks }) => {
    const others = [...blocks].filter(block => block !== header)
    return mayBlocksWait([header, ...others], spacesOf)
  })
  return all.flatMap(({ blocks }) => [...blocks])
}

/** The last block on every way to a block that all threads of the thread block come to, each as often. */
function meetingPlaces(func: Func, holders: readonly Block[], tree: DominatorTree) {
  const behind = postDominators(func)
  const all = loops(func, tree)
  const innermost = (block: Block): Loop | undefined => all.findLast(loop => loop.blocks.has(block))
  const isForAll = (block: Block): boolean => {
    const loop = innermost(block)
    if (!loop) return holders.some(holder => tree.dominates(holder, block) && behind.dominates(block, holder))
    // The program's own barrier in each round says that all threads go round as often.
    const inEachRound = (each: Block): boolean => loop.latches.every(latch => tree.dominates(each, latch))
    return inEachRound(block) && holders.some(holder => innermost(holder) === loop && inEachRound(holder))
  }
  return (block: Block): Block | undefined => {
    for (let at: Block | undefined = block; at; at = tree.immediate(at)) if (isForAll(at)) return at
    return undefined
  }
}

/** `__syncthreads()`: barrier 0, without a number of threads. */
function isOfWholeBlock(instruction: Instruction): boolean {
  if (!isBarrier(instruction) || instruction.callee.kind !== 'function') return false
  const { callee, args } = instruction
  const [id] = args
  const isZero = id?.kind === 'zero' || (id?.kind === 'int' && id.value === 0n)
  return callee.name.includes('barrier0') || (args.length === 1 && isZero)
}

/** Of shared memory: the same words, whichever warp comes here. */
function isReadByAllWarps(instruction: Instruction): instruction is LoadInstruction {
  if (instruction.op !== 'load' || instruction.volatile || instruction.atomic) return false
  const { root, terms } = decompose(instruction.pointer)
  return isSharedArray(root) && terms.every(({ index }) => mostOfLane(index) !== undefined)
}

/** How large a part of the thread's place in its warp can be (`threadIdx.x % 32`); undefined for anything else. */
function mostOfLane(index: Value): number | undefined {
  if (index.kind !== 'instruction' || index.op !== 'and' || index.right.kind !== 'int') return undefined
  const most = Number(index.right.value)
  return coordinateName(index.left)?.endsWith('.tid.x') && most >= 0 && most < 32 ? most : undefined
}

const isSharedStore = (instruction: Instruction): instruction is StoreInstruction =>
  instruction.op === 'store' && isSharedArray(decompose(instruction.pointer).root)

/** Bytes of shared memory from the first to behind the last one that an access may touch; an array's where its index is not known. */
function bytesTouched(
  pointer: Value,
  bytes: number,
  { offsets, dynamicOffset }: SharedLayout,
): readonly [number, number] {
  const { root, offset, terms } = decompose(pointer)
  if (root.kind !== 'address' || root.target.kind !== 'global') return [0, Infinity]
  const start = offsets.get(root.target) ?? 0
  const spans = terms.map(({ index, scale }) => (mostOfLane(index) ?? Infinity) * scale)
  if (spans.every(span => span >= 0 && span < Infinity))
    return [start + offset, start + offset + bytes + spans.reduce((sum, span) => sum + span, 0)]
  return [start, start === dynamicOffset ? Infinity : start + sizeOf(root.target.type)]
}

function mayOverwrite(read: LoadInstruction, write: StoreInstruction, shared: SharedLayout): boolean {
  const [first, behind] = bytesTouched(read.pointer, storeBytes(read.type), shared)
  const [from, to] = bytesTouched(write.pointer, storeBytes(write.value.type), shared)
  return first < to && from < behind
}

/** Ways without a barrier: between parts of blocks, each from one barrier to the next. */
class OpenWays {
  readonly #partOf = new Map<Instruction, number>()
  /** Parts from which control comes to each part. */
  readonly #before: number[][] = []

  constructor(func: Func) {
    const firstOf = new Map<Block, number>()
    for (const block of func.blocks) {
      firstOf.set(block, this.#before.push([]) - 1)
      for (const instruction of block.instructions) {
        this.#partOf.set(instruction, this.#before.length - 1)
        if (isBarrier(instruction)) this.#before.push([])
      }
    }
    for (const block of func.blocks) {
      const last = terminatorOf(block)
      for (const next of successors(last)) this.#before[firstOf.get(next)!]!.push(this.#partOf.get(last)!)
    }
  }

  /** For a read, whether a way leads from it to the write, and each such way past `by`: the write itself, or the end of a block. */
  between(write: Instruction, by: Instruction): (read: Instruction) => boolean {
    const part = this.#partOf.get(write)!
    const all = this.#comingTo(part)
    const past = by === write ? undefined : this.#comingTo(part, this.#partOf.get(by))
    return read => {
      const from = this.#partOf.get(read)!
      const { instructions } = read.block
      const isInFront = from === part && instructions.indexOf(read) < instructions.indexOf(write)
      return past ? !isInFront && all.has(from) && !past.has(from) : isInFront || all.has(from)
    }
  }

  /** Whether a way leads from somewhere in a block to a place in front of an instruction. */
  lead(block: Block, to: Instruction): boolean {
    const part = this.#partOf.get(to)!
    const all = this.#comingTo(part)
    return block.instructions.some(each => {
      const from = this.#partOf.get(each)!
      return from === part || all.has(from)
    })
  }

  /** Parts that a way leads from, not out of `closed`. */
  #comingTo(part: number, closed?: number): ReadonlySet<number> {
    const found = new Set<number>()
    const pending = [part]
    for (let at = pending.pop(); at !== undefined; at = pending.pop())
      for (const from of this.#before[at]!) {
        if (from === closed || found.has(from)) continue
        found.add(from)
        pending.push(from)
      }
    return found
  }
}

function insertBefore(instruction: Instruction): void {
  const { block, location } = instruction
  const pause = intrinsicCall({ block, location }, 'llvm.nvvm.barrier0', VOID, [])
  pause.isPause = true
  block.instructions.splice(block.instructions.indexOf(instruction), 0, pause)
}
