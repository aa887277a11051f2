/** Calls of intrinsics: special registers, operations of all lanes, and what the host does. */
import { userError } from '../../diagnostic.ts'
import type { CallInstruction } from '../../ir/ir.ts'
import { Op } from '../../wasm/opcodes.ts'
import { tellMembers } from '../checking/checking.ts'
import type { KernelContext } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import {
  LAUNCH_CLUSTER,
  LAUNCH_DYNAMIC_SHARED,
  LAUNCH_OFFSET,
  LAUNCH_SHARED_BYTES,
  LAUNCH_THREADS,
  LAUNCH_WINDOW_STRIDE,
} from '../slot.ts'
import type { Axis, WarpScalar } from '../values/geometry.ts'
import type { Storage } from '../values/storage.ts'
import { emitExternal, emitShuffle, emitVote } from './crossLane.ts'
import { emitMatrix } from './matrices.ts'
import { emitAgreement } from './warpAgreement.ts'

/**
 * Returns false for computations of one lane, which are emitted like instructions. `flush` emits what was collected before the
 * call.
 */
export function emitCall(context: KernelContext, call: CallInstruction, flush: () => void): boolean {
  const { f, values, frame, shapes, geometry, program } = context
  const kind = classifyCall(call)
  const scalar = (push: () => void): true => {
    const [storage] = values.allocate(call)
    push()
    f.set((storage as Storage & { kind: 'scalar' }).local)
    return true
  }
  tellMembers(context, call, flush)
  switch (kind.kind) {
    case 'nothing':
      if (call.type.kind !== 'void') values.allocate(call)
      return true
    case 'fence':
      flush()
      f.fence()
      return true
    case 'thread-index':
      threadIndex(context, call, kind.axis)
      return true
    case 'block-dimension':
      return scalar(() => f.i32(geometry.block[kind.axis]))
    case 'block-index':
      return scalar(() => f.get(kind.axis === 'x' ? frame.blockX : kind.axis === 'y' ? frame.blockY : frame.blockZ))
    case 'grid-dimension':
      return scalar(() => f.get(kind.axis === 'x' ? frame.gridX : kind.axis === 'y' ? frame.gridY : frame.gridZ))
    case 'cluster-dimension':
      return scalar(() =>
        f.i32(LAUNCH_OFFSET).memory(Op.i32_load, LAUNCH_CLUSTER + 4 * ['x', 'y', 'z'].indexOf(kind.axis)),
      )
    case 'launch-constant':
      return scalar(() => {
        if (kind.register === 'warpsize') f.i32(32)
        else if (kind.register === 'nwarpid') f.i32(geometry.warps)
        else if (kind.register === 'nsmid') f.i32(MULTIPROCESSORS)
        else f.i32(LAUNCH_OFFSET).memory(Op.i32_load, LAUNCH_FIELDS[kind.register])
        if (kind.register === 'total-shared') f.i32(program.shared.reservedBytes).op(Op.i32_sub)
      })
    case 'warp-scalar':
      if (kind.register === 'warpid') return scalar(() => f.get(frame.warp))
      if (kind.register === 'smid') return scalar(() => f.get(frame.block).i32(MULTIPROCESSORS).op(Op.i32_rem_u))
      flush()
      emitExternal(context, call, 'warp-scalar')
      return true
    case 'lane-index':
    case 'lane-mask':
      return scalar(() => f.i32(0))
    case 'vote':
      flush()
      emitVote(context, call, kind)
      return true
    case 'shuffle':
      flush()
      emitShuffle(context, call, kind)
      return true
    case 'matrix':
      flush()
      emitMatrix(context, call, kind.matrix)
      return true
    case 'pure':
      if (kind.isNative) return false
      flush()
      emitExternal(context, call, 'pure')
      return true
    case 'agreement':
      flush()
      emitAgreement(context, call, kind.agreement)
      return true
    case 'print':
    case 'sleep':
    case 'heap':
    case 'child':
    case 'assert':
      flush()
      emitExternal(context, call, kind.kind)
      return true
    case 'trap':
      flush()
      f.op(Op.unreachable)
      return true
    case 'exit':
      throw userError(
        'unsupported-intrinsic',
        'the exit instruction is not supported: return from the kernel',
        call.location,
      )
    case 'barrier':
      // The control flow around a barrier is emitted with its block (controlFlow.ts).
      flush()
      return true
    case 'function': {
      const name = call.callee.kind === 'function' ? call.callee.name : 'a function pointer'
      throw userError(
        'unsupported-call',
        `the call of ${name} is not supported yet: recursion and calls through pointers cannot be inlined`,
        call.location,
        [`kernel ${program.kernel.name}, shape ${shapes.shapeOf(call).kind}`],
      )
    }
  }
}

function threadIndex(context: KernelContext, call: CallInstruction, axis: Axis): void {
  const { f, values, frame, geometry } = context
  const index = geometry.threadIndex[axis]
  const [storage] = values.allocate(call)
  if (index.kind === 'lanes') {
    pushWarpScalar(context, index.scalar)
    f.set((storage as Storage & { kind: 'scalar' }).local)
    return
  }
  const at = { x: 0, y: 1, z: 2 }[axis] * 128
  ;(storage as Storage & { kind: 'vectors' }).locals.forEach((local, group) => {
    f.get(frame.warp)
      .i32(3 * 128)
      .op(Op.i32_mul)
      .memory(Op.v128_load, LAUNCH_OFFSET + LAUNCH_THREADS + at + group * 16)
      .set(local)
  })
}

function pushWarpScalar(context: KernelContext, { times, modulus, divisor }: WarpScalar): void {
  const { f, frame } = context
  if (times === 0) {
    f.i32(0)
    return
  }
  f.get(frame.warp).i32(times).op(Op.i32_mul)
  if (modulus > 0) f.i32(modulus).op(Op.i32_rem_u)
  if (divisor > 1) f.i32(divisor).op(Op.i32_div_u)
}

/** Where the launch area has what the host knows. */
const LAUNCH_FIELDS = {
  'dynamic-shared': LAUNCH_DYNAMIC_SHARED,
  'total-shared': LAUNCH_SHARED_BYTES,
  'window-stride': LAUNCH_WINDOW_STRIDE,
} as const

/** As the reference interpreter reports it (reference/functions/specialRegisters.ts). */
const MULTIPROCESSORS = 132
