/**
 * Compiled kernels, kept for the launches that they fit: a kernel is compiled for its block's shape, for pointers of the alignment
 * that the arguments have, and again where its accesses are to be observed.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { users } from '../../ir/graph.ts'
import type { Dim3, LaunchRequest } from '../../launch.ts'
import { type CompiledKernel, compileKernel } from '../compileKernel.ts'
import { entryOf } from '../entryOf.ts'
import type { MultiplyAdd } from '../helpers/helpers.ts'
import { hasNativeFma } from '../operations/nativeFma.ts'
import { type Geometry, geometryOf, threadIndexTable } from '../values/geometry.ts'
import type { SlotJob } from './slotRunner.ts'

export interface PrepareOptions {
  /** False: every access is counted by the model's own function instead of the compiled rules of 7.0 and later. */
  readonly modernRules?: boolean
  /** For tests: kernels that would not need it run in turns as well (suspensionPlan.ts). */
  readonly alwaysResumable?: boolean
  /** False: nothing is counted and all counters read 0, to see what counting costs. */
  readonly counters?: boolean
  /** How multiply-adds are computed; by default exactly, by the machine's own instruction where the engine offers it. */
  readonly multiplyAdd?: MultiplyAdd
  /**
   * How a kernel's module becomes code, for launches of so many threads and with so many merges ({@link CompiledKernel.merges});
   * `new WebAssembly.Module` without it.
   */
  readonly compileModule?: (bytes: Uint8Array, threads: number, merges: number) => WebAssembly.Module
  /** Told how long a kernel took to compile. */
  readonly onCompile?: (kernel: string, milliseconds: number, bytes: number) => void
}

export interface Prepared {
  readonly compiled: CompiledKernel
  readonly geometry: Geometry
  readonly threadIndices: Uint32Array
  readonly module: WebAssembly.Module
  readonly isOrderFree: boolean
  /** Of launches before, by what their slots depend on. */
  readonly jobs: Map<string, readonly SlotJob[]>
  /** What a block took in the launch before, on one thread. */
  blockMs: number | undefined
}

/** Code for a kernel as launches of one shape have it: whether they are observed, and how aligned their pointers are. */
interface Variant {
  readonly block: Dim3
  readonly observable: boolean
  readonly isChecked: boolean
  readonly zeros: number
  readonly prepared: Prepared
}

export type VariantsOfPrograms = WeakMap<KernelProgram, Variant[]>

export function prepare(cache: VariantsOfPrograms, request: LaunchRequest, options: PrepareOptions): Prepared {
  const { program, block } = request
  const variants = entryOf(cache, program, (): Variant[] => [])
  const observable = request.observer !== undefined
  const isChecked = request.checker !== undefined
  const zeros = pointerZeros(request)
  // Code for pointers that are less aligned is right as well.
  const known = variants.find(
    variant =>
      variant.zeros <= zeros &&
      variant.observable === observable &&
      variant.isChecked === isChecked &&
      isSameShape(variant.block, block),
  )
  if (known) return known.prepared
  const prepared = compile(request, observable, zeros, options)
  variants.push({ block: { ...block }, observable, isChecked, zeros, prepared })
  // What knows most about pointers comes first.
  variants.sort((a, b) => b.zeros - a.zeros)
  return prepared
}

function isSameShape(a: Dim3, b: Dim3): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z
}

function compile(request: LaunchRequest, observable: boolean, zeros: number, options: PrepareOptions): Prepared {
  const { program, block, symbols } = request
  const start = performance.now()
  const geometry = geometryOf(block)
  const mayBeShared = isOrderFree(program)
  const compiled = compileKernel(program, geometry, symbols, {
    modernRules: options.modernRules ?? true,
    mayBeShared,
    observable,
    checked: request.checker?.points,
    alwaysResumable: options.alwaysResumable ?? false,
    counting: options.counters ?? true,
    multiplyAdd: options.multiplyAdd ?? (hasNativeFma() ? 'native' : 'emulated'),
    pointerZeros: zeros,
  })
  const { grid } = request
  const threads = grid.x * grid.y * grid.z * geometry.threads
  const module =
    options.compileModule?.(compiled.bytes, threads, compiled.merges) ?? new WebAssembly.Module(compiled.bytes)
  options.onCompile?.(program.kernel.name, performance.now() - start, compiled.bytes.length)
  return {
    compiled,
    geometry,
    threadIndices: threadIndexTable(geometry),
    module,
    isOrderFree: mayBeShared && compiled.externals.length === 0 && !compiled.resumable,
    jobs: new Map<string, readonly SlotJob[]>(),
    blockMs: undefined,
  }
}

/** Kernels are compiled for pointers that are multiples of what allocations are (256 bytes), of vectors' and words' sizes, or of nothing. */
const POINTER_ZEROS = [8, 4, 3, 2, 0] as const

/** Where a kernel's parameters have pointers. */
const pointerOffsets = new WeakMap<KernelProgram, readonly number[]>()

/** Of {@link POINTER_ZEROS}, how many low bits are 0 in all pointers that are arguments. */
function pointerZeros({ program, parameters }: LaunchRequest): number {
  const offsets = entryOf(pointerOffsets, program, () =>
    program.kernel.parameters.flatMap(({ type, byval }, index) =>
      type.kind === 'pointer' && !byval ? program.parameterOffsets[index]! : [],
    ),
  )
  // The lowest byte has all bits that matter.
  const bits = offsets.reduce((bits, offset) => bits | parameters[offset]!, 0)
  return POINTER_ZEROS.find(zeros => bits % 2 ** zeros === 0)!
}

/** Integer reductions commute; anything else that blocks do to each other's memory atomically shows the order of blocks. */
function isOrderFree({ kernel, spacesOf }: KernelProgram): boolean {
  const used = users(kernel)
  return kernel.blocks.every(block =>
    block.instructions.every(instruction => {
      if (instruction.op !== 'atomicrmw' && instruction.op !== 'cmpxchg') return true
      const spaces = spacesOf(instruction.pointer)
      if (spaces.size === 1 && (spaces.has('shared') || spaces.has('local'))) return true
      return (
        instruction.op === 'atomicrmw' &&
        !used.has(instruction) &&
        ['add', 'sub', 'and', 'or', 'xor', 'max', 'min', 'umax', 'umin'].includes(instruction.operation)
      )
    }),
  )
}
