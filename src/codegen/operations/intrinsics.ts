/**
 * What a call in a prepared kernel is to the code generator: a special register, an operation of all lanes together, a
 * computation of one lane, something without effect, or something that the runtime does.
 */
import { STACK_OVERFLOW } from '../../analysis/calls/expandRecursion.ts'
import { UNKNOWN_FUNCTION } from '../../analysis/calls/indirectCalls.ts'
import { SLEEP } from '../../analysis/execution/clockReads.ts'
import { isBarrierCall } from '../../analysis/execution/splitBarriers.ts'
import { CLUSTER_DIMENSION, WINDOW_STRIDE } from '../../analysis/lowering/clusters.ts'
import { type MatrixCall, matrixCallNamed } from '../../analysis/lowering/matrixKinds.ts'
import { userError } from '../../diagnostic.ts'
import type { CallInstruction, Func, Value } from '../../ir/ir.ts'
import { findIntrinsic, unsupportedCall } from '../../reference/functions/intrinsics.ts'
import { type Agreement, agreementOf } from '../instructions/warpAgreement.ts'
import type { Axis } from '../values/geometry.ts'
import { isNative } from './operations.ts'

export type ShuffleMode = 'idx' | 'up' | 'down' | 'bfly'
export type VoteMode = 'all' | 'any' | 'uni' | 'ballot' | 'activemask'

export type CallKind =
  | { readonly kind: 'thread-index' | 'block-index' | 'block-dimension' | 'grid-dimension'; readonly axis: Axis }
  /** The same scalar for the whole launch. */
  | {
      readonly kind: 'launch-constant'
      readonly register: 'warpsize' | 'nwarpid' | 'nsmid' | 'dynamic-shared' | 'total-shared' | 'window-stride'
    }
  | { readonly kind: 'cluster-dimension'; readonly axis: Axis }
  | {
      readonly kind: 'warp-scalar'
      readonly register:
        | 'warpid'
        | 'smid'
        | 'clock'
        | 'clock.hi'
        | 'clock64'
        | 'globaltimer'
        | 'globaltimer.lo'
        | 'globaltimer.hi'
    }
  | { readonly kind: 'lane-index' }
  | { readonly kind: 'lane-mask'; readonly lane: (lane: number) => number }
  /** `uniformOperands` equal in all lanes make the result so. */
  | {
      readonly kind: 'vote'
      readonly mode: VoteMode
      readonly members: Value | undefined
      readonly predicate: Value | undefined
      readonly uniformOperands: readonly Value[]
    }
  | { readonly kind: 'shuffle'; readonly mode: ShuffleMode; readonly first: number }
  /** match and redux. */
  | { readonly kind: 'agreement'; readonly agreement: Agreement }
  /** Products and transpositions of matrices whose elements all lanes hold (matrices.ts). */
  | { readonly kind: 'matrix'; readonly matrix: MatrixCall }
  /** `isPlain`: barrier 0 of the whole block, where everybody waits. `waits`: false for bar.arrive and barrier.cluster.arrive. */
  | {
      readonly kind: 'barrier'
      readonly reduction: 'popc' | 'and' | 'or' | undefined
      readonly isPlain: boolean
      readonly waits: boolean
      readonly isOfCluster: boolean
    }
  | { readonly kind: 'fence' }
  | { readonly kind: 'nothing' }
  /** One lane's computation: an operation of operations.ts, or else the reference interpreter's definition. */
  | { readonly kind: 'pure'; readonly isNative: boolean }
  | { readonly kind: 'print' }
  /** The warp waits for so many nanoseconds, of its own clock alone. */
  | { readonly kind: 'sleep' }
  /** malloc and free of one thread. */
  | { readonly kind: 'heap' }
  /** Launches of child grids and waiting for them. */
  | { readonly kind: 'child' }
  | { readonly kind: 'assert' }
  | { readonly kind: 'trap' }
  | { readonly kind: 'exit' }
  | { readonly kind: 'function' }

const SREG = 'llvm.nvvm.read.ptx.sreg.'
const INDICES: Readonly<Record<string, 'thread-index' | 'block-index' | 'block-dimension' | 'grid-dimension'>> = {
  tid: 'thread-index',
  ctaid: 'block-index',
  ntid: 'block-dimension',
  nctaid: 'grid-dimension',
}
const LANE_MASKS: Readonly<Record<string, (lane: number) => number>> = {
  eq: lane => 1 << lane,
  lt: lane => (1 << lane) - 1,
  le: lane => (lane === 31 ? -1 : (2 << lane) - 1),
  gt: lane => (lane === 31 ? 0 : -1 << (lane + 1)),
  ge: lane => -1 << lane,
}
const WITHOUT_EFFECT =
  /^llvm\.(lifetime|assume|experimental\.noalias|invariant|dbg|donothing|prefetch|sideeffect|var\.annotation|nvvm\.(bar\.warp|prefetch|griddepcontrol|pm\.event|cp\.async\.wait))/

/** @throws UserError `unsupported-intrinsic` with the source line, for what neither we nor the reference know. */
export function classifyCall(call: CallInstruction): CallKind {
  if (call.callee.kind !== 'function') return { kind: 'function' }
  const { name } = call.callee
  if (call.callee.blocks.length > 0) return { kind: 'function' }
  if (name.startsWith(SREG)) return specialRegister(name.slice(SREG.length), call)
  if (name === 'llvm.readcyclecounter') return { kind: 'warp-scalar', register: 'clock64' }
  if (WITHOUT_EFFECT.test(name)) return { kind: 'nothing' }
  if (name === SLEEP) return { kind: 'sleep' }
  if (isBarrierCall(call)) return barrier(name, call)
  if (/^llvm\.nvvm\.(membar|fence)/.test(name)) return { kind: 'fence' }
  const matrix = matrixCallNamed(name)
  if (matrix) return { kind: 'matrix', matrix }
  const parts = name.split('.')
  if (name.startsWith('llvm.nvvm.shfl.')) {
    const sync = parts[3] === 'sync'
    return { kind: 'shuffle', mode: parts[sync ? 4 : 3] as ShuffleMode, first: sync ? 1 : 0 }
  }
  if (name.startsWith('llvm.nvvm.vote.')) {
    const mode = parts.find(
      (part): part is VoteMode => part === 'all' || part === 'any' || part === 'uni' || part === 'ballot',
    )
    const sync = parts.includes('sync')
    if (mode)
      return {
        kind: 'vote',
        mode,
        members: sync ? call.args[0] : undefined,
        predicate: call.args.at(-1),
        uniformOperands: sync ? [call.args[0]!] : [],
      }
  }
  if (name === 'llvm.nvvm.activemask')
    return { kind: 'vote', mode: 'activemask', members: undefined, predicate: undefined, uniformOperands: [] }
  const agreement = agreementOf(name, call.args)
  if (agreement) return { kind: 'agreement', agreement }
  switch (name) {
    case 'vprintf':
      return { kind: 'print' }
    case 'malloc':
    case 'free':
      return { kind: 'heap' }
    case 'cudaGetParameterBuffer':
    case 'cudaLaunchDevice':
    case 'cudaDeviceSynchronize':
    case 'cudaGetLastError':
    case 'cudaPeekAtLastError':
      return { kind: 'child' }
    case '__assertfail':
      return { kind: 'assert' }
    case UNKNOWN_FUNCTION:
    case STACK_OVERFLOW:
    case 'llvm.trap':
    case 'llvm.ubsantrap':
    case 'llvm.debugtrap':
      return { kind: 'trap' }
    case 'llvm.nvvm.exit':
      return { kind: 'exit' }
  }
  if (isNative(name)) return { kind: 'pure', isNative: true }
  const known = findIntrinsic(call.callee, call)
  if (known?.kind === 'pure') return { kind: 'pure', isNative: false }
  if (name.startsWith('asm:') && name.slice(4).split('|')[0]!.trim() === '') return { kind: 'nothing' }
  throw userError('unsupported-intrinsic', unsupportedCall(call.callee), call.location)
}

function specialRegister(register: string, call: CallInstruction): CallKind {
  const name = SREG + register
  const [base, axis] = register.split('.')
  const index = INDICES[base!]
  if (index && (axis === 'x' || axis === 'y' || axis === 'z')) return { kind: index, axis }
  const clusterAxis = name.startsWith(`${CLUSTER_DIMENSION}.`) ? name.at(-1) : undefined
  if (clusterAxis) return { kind: 'cluster-dimension', axis: clusterAxis as Axis }
  if (name === WINDOW_STRIDE) return { kind: 'launch-constant', register: 'window-stride' }
  if (base === 'lanemask' && axis && LANE_MASKS[axis]) return { kind: 'lane-mask', lane: LANE_MASKS[axis] }
  switch (register.replaceAll('_', '.')) {
    case 'laneid':
      return { kind: 'lane-index' }
    case 'warpsize':
      return { kind: 'launch-constant', register: 'warpsize' }
    case 'nwarpid':
      return { kind: 'launch-constant', register: 'nwarpid' }
    case 'nsmid':
      return { kind: 'launch-constant', register: 'nsmid' }
    case 'dynamic.smem.size':
      return { kind: 'launch-constant', register: 'dynamic-shared' }
    case 'total.smem.size':
      return { kind: 'launch-constant', register: 'total-shared' }
    case 'warpid':
    case 'smid':
    case 'clock':
    case 'clock.hi':
    case 'clock64':
    case 'globaltimer':
    case 'globaltimer.lo':
    case 'globaltimer.hi':
      return { kind: 'warp-scalar', register: register.replaceAll('_', '.') as 'warpid' }
    default:
      throw userError('unsupported-intrinsic', `special register %${register} is not supported`, call.location)
  }
}

/** The spellings are those of reference/functions/warpIntrinsics.ts, which defines what they mean. */
function barrier(name: string, call: CallInstruction): CallKind {
  const parts = name.split('.')
  if (findIntrinsic(call.callee as Func, call)?.kind !== 'barrier')
    throw userError('unsupported-barrier', `${name} is not supported`, call.location)
  const reduction = (['popc', 'and', 'or'] as const).find(kind => parts.includes(kind))
  const isZero = parts.includes('barrier0')
  const [id] = call.args
  const isIdZero = isZero || id?.kind === 'zero' || (id?.kind === 'int' && id.value === 0n)
  const hasCount = !isZero && call.args.length - (reduction ? 1 : 0) === 2
  const waits = !parts.includes('arrive')
  return {
    kind: 'barrier',
    reduction,
    isPlain: isIdZero && !hasCount && waits,
    waits,
    isOfCluster: parts[3] === 'cluster',
  }
}
