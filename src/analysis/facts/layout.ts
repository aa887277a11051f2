/** Where a kernel's variables lie: shared variables in the block's window, allocas in a thread's local memory, parameters. */
import { operandsOf } from '../../ir/graph.ts'
import type { Constant, Func, Global, Instruction, Module, Value } from '../../ir/ir.ts'
import { alignOf, alignUp, SPACE, sizeOf } from '../../ir/types.ts'

/** A block's window of shared memory: the static part, what the system reserves, if the kernel uses it, and the dynamic part. */
export interface SharedLayout {
  readonly offsets: ReadonlyMap<Global, number>
  /** Bytes of the statically sized variables, as cudaFuncGetAttributes tells them. They lie at 0. */
  readonly staticBytes: number
  /**
   * Bytes between the static and the dynamic part, with the system's variables (`Global.reserved`). From compute capability 8.0 on each
   * block has such memory, which neither static nor dynamic bytes count (PTX ISA, "%reserved_smem_offset_begin"; CUDA C++ Programming Guide,
   * "Shared Memory" of compute capability 8.x: 1 KB a block). The machine has it in front of both; here all others stay at the
   * addresses that they have without, the dynamic part but for a multiple of all banks.
   */
  readonly reservedBytes: number
  /** Where dynamic shared memory starts: zero-length extern arrays. */
  readonly dynamicOffset: number
}

const LINE = 16

/** Bytes of a word in each bank: so far apart, two places are in the same bank. Multiprocessors give shared memory in such pieces, or larger ones. */
const ALL_BANKS = 128

/** Bytes of a block's shared memory, with what is reserved. */
export function sharedBytes({ staticBytes, reservedBytes, dynamicOffset }: SharedLayout, dynamicBytes: number): number {
  return dynamicBytes > 0 || reservedBytes > 0 ? dynamicOffset + dynamicBytes : staticBytes
}

/**
 * Those that may be accessed: whole pieces. An H200 faults behind the piece in which a block's memory ends, and reads and writes as if nothing were
 * wrong in front of that (static and dynamic memory of 16 and 40 bytes, 17 places); `warplens check` reports what is behind the variables.
 */
export function accessibleBytes(layout: SharedLayout, dynamicBytes: number): number {
  return alignUp(sharedBytes(layout, dynamicBytes), ALL_BANKS)
}

/**
 * Static shared variables that are used, in the module's order, each aligned as declared; dynamic ones all start behind them. nvcc has
 * them in the order in which they are declared (machine code of 10 kernels), nvlink in another.
 */
export function layoutShared(functions: Iterable<Func>, { globals }: Pick<Module, 'globals'>): SharedLayout {
  const used = sharedVariables(functions)
  const ordered = [...globals.filter(global => used.has(global)), ...used]
  const dynamic = new Set(ordered.filter(({ type }) => sizeOf(type) === 0))
  const ownOnes = ordered.filter(global => !global.reserved && !dynamic.has(global))
  const own = placeInTurn(ownOnes.some(({ placedByLinker }) => placedByLinker) ? asLinked(ownOnes) : ownOnes)
  const reserved = placeInTurn(ordered.filter(global => global.reserved))
  const dynamicAlign = Math.max(LINE, ...[...dynamic].map(({ align }) => align))
  const reservedOffset = alignUp(own.end, Math.max(dynamicAlign, reserved.align))
  const reservedBytes = alignUp(reserved.end, Math.max(dynamicAlign, ALL_BANKS))
  const dynamicOffset = reservedOffset + reservedBytes
  const offsets = new Map(own.offsets)
  for (const [global, offset] of reserved.offsets) offsets.set(global, reservedOffset + offset)
  for (const global of dynamic) offsets.set(global, dynamicOffset)
  return { offsets, staticBytes: own.end, reservedBytes, dynamicOffset }
}

function sharedVariables(functions: Iterable<Func>): ReadonlySet<Global> {
  const used = new Set<Global>()
  for (const func of functions)
    for (const block of func.blocks)
      for (const instruction of block.instructions)
        for (const value of operandsOf(instruction))
          for (const global of globalsOf(value)) if (global.space === SPACE.shared) used.add(global)
  return used
}

/**
 * As nvlink has them: the most aligned first, of these the shortest, of these the last declared (`nvcc -dlink` of 14 variables of three
 * kernels, CUDA 13.0).
 */
function asLinked(variables: readonly Global[]): Global[] {
  return variables.toReversed().sort((a, b) => b.align - a.align || sizeOf(a.type) - sizeOf(b.type))
}

/** Variables one behind the other from 0 on; `align`: the largest alignment among them. */
function placeInTurn(variables: readonly Global[]): {
  offsets: ReadonlyMap<Global, number>
  end: number
  align: number
} {
  const offsets = new Map<Global, number>()
  let [end, largest] = [0, 1]
  for (const variable of new Set(variables)) {
    const bytes = sizeOf(variable.type)
    // Arrays of 16 bytes and more get LLVM's preferred alignment; mergeAccesses.ts relies on it.
    const align = Math.max(1, variable.align, bytes >= LINE && !variable.placedByLinker ? LINE : 1)
    offsets.set(variable, alignUp(end, align))
    end = alignUp(end, align) + bytes
    largest = Math.max(largest, align)
  }
  return { offsets, end, align: largest }
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
