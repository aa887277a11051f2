/** Where a kernel's variables lie: shared variables in the block's window, allocas in a thread's local memory, parameters. */
import { operandsOf } from '../../ir/graph.ts'
import type { Constant, Func, Global, Instruction, Module, Value } from '../../ir/ir.ts'
import { alignOf, alignUp, SPACE, sizeOf } from '../../ir/types.ts'

export interface SharedLayout {
  readonly offsets: ReadonlyMap<Global, number>
  /** Bytes of the statically sized ones; dynamic shared memory (zero-length extern arrays) starts at `dynamicOffset`. */
  readonly staticBytes: number
  readonly dynamicOffset: number
}

const LINE = 16

/** Bytes of a block's shared memory. */
export function sharedBytes({ staticBytes, dynamicOffset }: SharedLayout, dynamicBytes: number): number {
  return dynamicBytes > 0 ? dynamicOffset + dynamicBytes : staticBytes
}

/** Those that may be accessed: whole lines, of which a vector reads more than the source asks for (raiseLoads.ts). */
export function accessibleBytes(layout: SharedLayout, dynamicBytes: number): number {
  return alignUp(sharedBytes(layout, dynamicBytes), LINE)
}

/**
 * Static shared variables that are used, in the module's order, each aligned as declared; dynamic ones all start behind them. nvcc has
 * them in the order in which they are declared (machine code of 10 kernels).
 */
export function layoutShared(functions: Iterable<Func>, { globals }: Pick<Module, 'globals'>): SharedLayout {
  const offsets = new Map<Global, number>()
  const dynamic = new Map<Global, number>()
  let at = 0
  const place = (global: Global): void => {
    if (global.space !== SPACE.shared || offsets.has(global) || dynamic.has(global)) return
    const bytes = sizeOf(global.type)
    if (bytes === 0) {
      dynamic.set(global, global.align)
      return
    }
    // Arrays of 16 bytes and more get LLVM's preferred alignment; mergeAccesses.ts relies on it.
    at = alignUp(at, Math.max(1, global.align, bytes >= 16 ? 16 : 1))
    offsets.set(global, at)
    at += bytes
  }
  const used = new Set<Global>()
  for (const func of functions)
    for (const block of func.blocks)
      for (const instruction of block.instructions)
        for (const value of operandsOf(instruction)) for (const global of globalsOf(value)) used.add(global)
  for (const global of globals) if (used.has(global)) place(global)
  for (const global of used) place(global)
  const dynamicOffset = alignUp(at, Math.max(16, ...dynamic.values()))
  for (const global of dynamic.keys()) offsets.set(global, dynamicOffset)
  return { offsets, staticBytes: at, dynamicOffset }
}

function* globalsOf(value: Value): Iterable<Global> {
  if (value.kind === 'address' && value.target.kind === 'global') yield value.target
  if (value.kind === 'expression' || value.kind === 'aggregate') {
    const parts: readonly Constant[] = value.kind === 'expression' ? value.operands : value.elements
    for (const part of parts) yield* globalsOf(part)
  }
}

export interface LocalLayout {
  /** Offsets of the allocas in one thread's local memory; those of interleaved ones in the warp's fragments. */
  readonly allocaOffsets: ReadonlyMap<Instruction, number>
  readonly localBytes: number
  /** Bytes of a warp's interleaved variables (interleaveFragments.ts); they lie behind the local memory of all threads. */
  readonly fragmentBytes: number
}

export function layoutLocals(func: Func): LocalLayout {
  const allocaOffsets = new Map<Instruction, number>()
  let at = 0
  let fragmentBytes = 0
  for (const block of func.blocks)
    for (const instruction of block.instructions) {
      if (instruction.op !== 'alloca') continue
      if (instruction.interleaved !== undefined) {
        allocaOffsets.set(instruction, fragmentBytes)
        fragmentBytes += alignUp(instruction.bytes, 8) * 32
        continue
      }
      at = alignUp(at, Math.max(1, instruction.align))
      allocaOffsets.set(instruction, at)
      at += instruction.bytes
    }
  return { allocaOffsets, localBytes: alignUp(at, 16), fragmentBytes }
}

/** Offsets of the parameters in the argument buffer, each at its natural alignment, as the launch API packs them. */
export function layoutParameters(func: Func): { parameterOffsets: readonly number[]; parameterBytes: number } {
  let at = 0
  const parameterOffsets = func.parameters.map(parameter => {
    const type = parameter.byval?.type ?? parameter.type
    at = alignUp(at, Math.max(alignOf(type), parameter.byval?.align ?? 1))
    const offset = at
    at += sizeOf(type)
    return offset
  })
  return { parameterOffsets, parameterBytes: at }
}
