/**
 * Blocks whose rows all do the same: a kernel that never asks for threadIdx.y, launched with several rows of whole warps. Every
 * row computes the same values and stores them to the same places. A GPU runs the rows side by side, so that a kernel which
 * updates memory (`x[i] += ...`) still comes out as if one row had run (PolyBench's mvt on an H200: all elements right). One row
 * after the other, as our executors run warps, would update it once a row. So one row is run, and counted for all of them.
 */
import { WARP_LANES } from './addressSpace.ts'
import { WAIT_FOR_COPIES } from './analysis/lowering/assembly/memory.ts'
import type { KernelProgram } from './analysis/prepare.ts'
import type { Instruction } from './ir/ir.ts'
import type { AccessObserver, Executor, LaunchOutcome, LaunchRequest, LoopWork } from './launch.ts'
import type { SiteCounters } from './trace.ts'

/** Runs equal rows once; everything else as `executor` does. */
export function withEqualRowsOnce(executor: Executor): Executor {
  const known = new WeakMap<KernelProgram, boolean>()
  const hasEqualRows = (program: KernelProgram): boolean => {
    const result = known.get(program) ?? ignoresRows(program)
    known.set(program, result)
    return result
  }
  return {
    execute(request) {
      const { x, y, z } = request.block
      const rows = y * z
      const { timesItself } = request.program
      if (rows === 1 || x % WARP_LANES !== 0 || timesItself || !hasEqualRows(request.program))
        return executor.execute(request)
      return repeated(executor.execute(oneRow(request, rows)), rows)
    },
  }
}

function oneRow(request: LaunchRequest, rows: number): LaunchRequest {
  const { block, observer } = request
  return {
    ...request,
    block: { x: block.x, y: 1, z: 1 },
    ...(observer && { observer: repeatedObserver(observer, rows, block.x / WARP_LANES) }),
  }
}

/** Shows each access of a warp once for the same warp of every row. */
function repeatedObserver(observer: AccessObserver, rows: number, warpsOfRow: number): AccessObserver {
  return {
    wants: block => observer.wants(block),
    record: (block, warp, access) => {
      for (let row = 0; row < rows; row++) observer.record(block, row * warpsOfRow + warp, access)
    },
  }
}

/** Rows do the same, so that the longest warp is one of each. */
const ofRows = ({ all, most, longest }: LoopWork, rows: number): LoopWork => ({
  all: all * rows,
  most: most * rows,
  ...(longest !== undefined && { longest }),
})

function repeated(outcome: LaunchOutcome, rows: number): LaunchOutcome {
  const times = (counters: SiteCounters): SiteCounters => {
    const result = { ...counters }
    for (const key of Object.keys(result) as (keyof SiteCounters)[]) result[key] = (result[key] ?? 0) * rows
    return result
  }
  const { loopWork } = outcome
  return {
    ...outcome,
    ...(loopWork && { loopWork: ofRows(loopWork, rows) }),
    sites: outcome.sites.map(times),
    blocks: outcome.blocks.map(({ warps, threads }) => ({ warps: warps * rows, threads: threads * rows })),
  }
}

/** What tells nothing of the row, the warp or the time, and does nothing that counts how often it is done. */
const HARMLESS = new Set([
  ...['tid.x', 'ntid.x', 'ctaid.x', 'ctaid.y', 'ctaid.z', 'nctaid.x', 'nctaid.y', 'nctaid.z', 'laneid', 'warpsize'].map(
    register => `llvm.nvvm.read.ptx.sreg.${register}`,
  ),
  'llvm.nvvm.membar.cta',
  'llvm.nvvm.membar.gl',
  'llvm.nvvm.membar.sys',
  WAIT_FOR_COPIES,
])

/** Without barriers: of the warps that share memory between them, all have to run. */
function ignoresRows({ kernel }: KernelProgram): boolean {
  return kernel.blocks.every(({ instructions }) => instructions.every(isHarmless))
}

function isHarmless(instruction: Instruction): boolean {
  if (instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg') return false
  if (instruction.op === 'load' || instruction.op === 'store') return !instruction.volatile
  if (instruction.op !== 'call') return true
  if (instruction.callee.kind !== 'function') return false
  const { name } = instruction.callee
  return HARMLESS.has(name) || (name.startsWith('llvm.') && !name.startsWith('llvm.nvvm.'))
}
