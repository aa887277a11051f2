/**
 * From the module that clang emitted to one kernel, ready to execute: the passes in order.
 * In: a checked module and a kernel's name. Out: a {@link KernelProgram} of its own copy of the code; the module is unchanged.
 */
import type { Func, Global, Instruction, Module } from '../ir/ir.ts'
import type { Site } from '../trace.ts'

/** Which site an instruction counts for, by the space that the address turns out to be in. A static space has one entry. */
export interface SiteIds {
  readonly global?: number
  readonly shared?: number
  readonly local?: number
  readonly constant?: number
}

/** Where the kernel's shared variables lie in the block's window. */
export interface SharedLayout {
  readonly offsets: ReadonlyMap<Global, number>
  /** Bytes of the statically sized ones; dynamic shared memory (zero-length extern arrays) starts at `dynamicOffset`. */
  readonly staticBytes: number
  readonly dynamicOffset: number
}

export interface KernelProgram {
  readonly module: Module
  /**
   * The kernel with direct calls inlined (what is left: intrinsics, recursive or indirect calls), adjacent accesses merged,
   * multiply-adds fused. `blocks` is in scheduling order: the warp always runs its lowest block that has lanes waiting;
   * blocks of a loop are contiguous, so lanes that leave wait for those that stay, as on hardware.
   * Barriers (`llvm.nvvm.barrier...`, `bar.sync`) end in their own block's last position before the terminator.
   */
  readonly kernel: Func
  readonly sites: readonly Site[]
  readonly siteIds: ReadonlyMap<Instruction, SiteIds>
  readonly shared: SharedLayout
  /** Byte offset of each parameter in the parameter buffer, and its size. */
  readonly parameterOffsets: readonly number[]
  readonly parameterBytes: number
  /** Offset of each alloca in a thread's local memory, and the total. */
  readonly allocaOffsets: ReadonlyMap<Instruction, number>
  readonly localBytes: number
}

export declare function prepareKernel(module: Module, name: string): KernelProgram
