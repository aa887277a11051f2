/**
 * Reads of constant memory at places that are found while the kernel runs (`table[i]` in a loop): LDC and ULDC; those at known places
 * are operands of other instructions and cost nothing. In: a kernel and how often its accesses ran. Out: how long the constant cache
 * takes. Source: an H200, tables of 1 to 64 KB walked by 1 to 64 warps (docs/time-model.md, "Constant memory").
 */
import { addressKey, decomposeLinear, valueNumbering } from '../analysis/address.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Block } from '../ir/ir.ts'
import { sizeOf, storeBytes } from '../ir/types.ts'
import { isConstantOperand } from './instructionCosts.ts'
import { predicatedBlocks } from './latencyChain.ts'
import type { LaunchCounters } from './launchCounters.ts'

/** Of one request: up to 64 bits of every lane. */
const REQUEST_BYTES = 8
/** Cycles of a multiprocessor for a request, and for one that the first level has not. */
const HIT_CYCLES = 2
const MISS_CYCLES = 12
/** What is walked through without misses, however many blocks do. */
const CACHE_BYTES = 8192
/**
 * Warps of a block walk a table together, blocks each for itself: from so many blocks on a multiprocessor they push each other's lines
 * out, and with so many more every request misses.
 */
const BLOCKS_WITHOUT_MISSES = 4
const MORE_UNTIL_ALL_MISS = 8

export interface ConstantReads {
  /** Warp-level requests of the launch. */
  readonly requests: number
  /** What one warp walks through of the largest table. */
  readonly bytesWalked: number
}

/**
 * A read under a predicate takes its cycles though no lane wants it (`quasirandomGenerator`: 31 of them a round, of which two fifths have
 * lanes that want them; 26.8 us, 24 of which these are).
 * @param warps of the launch
 */
export function constantReads(program: KernelProgram, launch: LaunchCounters, warps: number): ConstantReads {
  const { kernel, siteIds } = program
  const { sites } = launch
  if (!sites.some(({ space, executed }) => space === 'constant' && executed > 0)) return { requests: 0, bytesWalked: 0 }
  const predicatedBy = predicatedBlocks(program)
  const comingTo = (block: Block): number => launch.blocks[kernel.blocks.indexOf(block)]!.warps
  let requests = 0
  const walked = new Map<string, { bytes: number; size: number }>()
  for (const block of kernel.blocks) {
    const { instructions } = block
    const condition = predicatedBy.get(block)
    const idOf = valueNumbering()
    const asked = new Set<string>()
    for (const each of instructions) {
      const ids = siteIds.get(each) ?? {}
      const site = ids.constant
      if (site === undefined || each.op !== 'load' || isConstantOperand(each)) continue
      const { executed: done = 0, bytes = 0 } = sites[site] ?? {}
      // Lanes that want different words get them one after the other (own: `compute_lut` of enjia, 32 words a request: 64 cycles and misses).
      const words = Math.max(1, bytes / Math.max(1, done * storeBytes(each.type)))
      // What may be in another memory is a read of constant memory only as often as it was one.
      const isAlways = condition !== undefined && Object.keys(ids).length === 1
      const executed = isAlways ? Math.max(done, comingTo(condition)) : done
      const address = decomposeLinear(each.pointer, value => value)
      const pieces = Math.ceil(storeBytes(each.type) / REQUEST_BYTES)
      for (let piece = 0; piece < pieces; piece++) {
        const place = `${addressKey(address, idOf)}+${Math.floor(address.offset / REQUEST_BYTES) + piece}`
        if (!asked.has(place)) requests += words * executed
        asked.add(place)
      }
      const { root } = address
      if (root.kind !== 'address' || root.target.kind !== 'global') continue
      const table = walked.get(root.target.name) ?? { bytes: 0, size: sizeOf(root.target.type) }
      table.bytes += words * (executed / warps) * storeBytes(each.type)
      walked.set(root.target.name, table)
    }
  }
  const bytesWalked = Math.max(0, ...[...walked.values()].map(({ bytes, size }) => Math.min(bytes, size)))
  return { requests, bytesWalked }
}

/** Cycles of one multiprocessor that has all of the reads. @param blocks that a multiprocessor has at once */
export function constantCycles({ requests, bytesWalked }: ConstantReads, blocks: number): number {
  const crowd = Math.min(1, Math.max(0, (blocks - BLOCKS_WITHOUT_MISSES) / MORE_UNTIL_ALL_MISS))
  const misses = bytesWalked > CACHE_BYTES ? crowd : 0
  return requests * (HIT_CYCLES + misses * (MISS_CYCLES - HIT_CYCLES))
}
