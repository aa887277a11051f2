/**
 * Kernels that read their own clock (`clock()`, `clock64()`, `%globaltimer`), or sleep. In: a kernel, behind `splitBarriers`. Out: where it
 * times something, blocks that end with each reading, so that what a warp executed between two of them can be counted in blocks.
 */
import { calledName, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction } from '../../ir/ir.ts'
import { cutBehind } from './splitBarriers.ts'

export const readsClock = (instruction: Instruction): boolean =>
  /\bsreg\.(clock|globaltimer)|readcyclecounter|^asm:[^|]*%(clock|globaltimer)/.test(calledName(instruction) ?? '')

/** The reading that a block ends with, in a kernel that {@link splitClockReads} has cut. */
export function clockReadOf(block: Block): Instruction | undefined {
  const last = block.instructions.at(-2)
  return last && readsClock(last) ? last : undefined
}

/** @returns whether the kernel times something */
export function splitClockReads(func: Func): boolean {
  const isTimed = timesItself(func)
  if (isTimed) cutBehind(func, readsClock)
  return isTimed
}

/** `__nanosleep` */
export const SLEEP = 'llvm.nvvm.nanosleep'

/** Whether it sleeps, or a reading can come behind another one: one alone, a seed for random numbers, tells no time. */
function timesItself(func: Func): boolean {
  const sleeps = (instruction: Instruction) => calledName(instruction) === SLEEP
  if (func.blocks.some(({ instructions }) => instructions.some(sleeps))) return true
  const readings = func.blocks.filter(({ instructions }) => instructions.some(readsClock))
  return readings.some(
    block => block.instructions.filter(readsClock).length > 1 || readings.some(other => isBehind(other, block)),
  )
}

function isBehind(block: Block, before: Block): boolean {
  const seen = new Set<Block>()
  const open = [...successors(terminatorOf(before))]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next === block) return true
    if (seen.has(next)) continue
    seen.add(next)
    open.push(...successors(terminatorOf(next)))
  }
  return false
}
