/**
 * What the lanes of a warp do together: shuffles, votes, matches, reductions and block-wide barriers (PTX ISA, "Parallel
 * Synchronization and Communication Instructions"). They work on the lanes that execute the instruction together. A shuffle
 * from a lane that does not take part, which CUDA leaves undefined, gives zero: so an H200 read for lanes that a block does not
 * have, that have ended, and that are elsewhere (test/cases/absent_lanes.cu).
 */
import { bitsOf } from '../../ir/types.ts'
import { type Bits, fromBigInt, toNumber, toSignedBigInt } from '../arithmetic/values.ts'
import type { BarrierResult, Lanes } from '../machine/state.ts'
import type { Arrival, Intrinsic, Signature } from './intrinsic.ts'

export function warpIntrinsic(signature: Signature): Intrinsic | undefined {
  if (!signature.name.startsWith('llvm.nvvm.')) return undefined
  const parts = signature.name.slice('llvm.nvvm.'.length).split('.')
  switch (parts[0]) {
    case 'shfl':
      return shuffle(parts, signature)
    case 'vote':
      return vote(parts)
    case 'match':
      return match(parts)
    case 'redux':
      return reduce(parts)
    case 'activemask':
      return { kind: 'warp', evaluate: lanes => lanes.map(() => maskOf(lanes)) }
    case 'barrier0':
    case 'barrier':
    case 'bar':
      return barrier(parts, signature)
    case 'exit':
      return { kind: 'exit' }
    default:
      return undefined
  }
}

function maskOf(lanes: Lanes): number {
  return lanes.reduce((mask, lane) => mask | (1 << lane), 0) >>> 0
}

/** shfl[.sync].mode.type[p]: (membermask,) value, lane or offset, clamp and segment mask. */
function shuffle(parts: readonly string[], { result }: Signature): Intrinsic | undefined {
  const sync = parts[1] === 'sync'
  const [mode, kind] = parts.slice(sync ? 2 : 1)
  if (!mode || !kind || !['up', 'down', 'bfly', 'idx'].includes(mode)) return undefined
  const withPredicate = result.kind === 'struct'
  const first = sync ? 1 : 0
  return {
    kind: 'warp',
    evaluate: (lanes, args) =>
      lanes.map((lane, i) => {
        const own = args[i]!
        const { from, valid } = shuffleSource(mode, lane, toNumber(own[first + 1]!) & 31, toNumber(own[first + 2]!))
        const value = args[lanes.indexOf(from)]?.[first] ?? 0
        return withPredicate ? [value, valid ? 1 : 0] : value
      }),
  }
}

/** The pseudo code of PTX's shfl.sync. */
function shuffleSource(mode: string, lane: number, b: number, c: number): { from: number; valid: boolean } {
  const clamp = c & 31
  const segment = (c >> 8) & 31
  const maxLane = (lane & segment) | (clamp & ~segment)
  const minLane = lane & segment
  const from =
    mode === 'up' ? lane - b : mode === 'down' ? lane + b : mode === 'bfly' ? lane ^ b : minLane | (b & ~segment)
  const valid = mode === 'up' ? from >= maxLane : from <= maxLane
  return { from: valid ? from : lane, valid }
}

/** vote.{all,any,uni,ballot}[.sync]: (membermask,) predicate. Lanes outside of their own member mask do not count. */
function vote(parts: readonly string[]): Intrinsic | undefined {
  const mode = parts.find(part => ['all', 'any', 'uni', 'ballot'].includes(part))
  if (!mode) return undefined
  const sync = parts.includes('sync')
  return {
    kind: 'warp',
    evaluate: (lanes, args) =>
      args.map(own => {
        const members = sync ? toNumber(own[0]!) : -1
        const asked = lanes.filter(lane => (members >>> lane) & 1)
        const agreeing = asked.filter(lane => args[lanes.indexOf(lane)]!.at(-1) !== 0)
        switch (mode) {
          case 'all':
            return agreeing.length === asked.length ? 1 : 0
          case 'any':
            return agreeing.length > 0 ? 1 : 0
          case 'uni':
            return agreeing.length === 0 || agreeing.length === asked.length ? 1 : 0
          default:
            return maskOf(agreeing)
        }
      }),
  }
}

/** match.any.sync: lanes with the same value; match.all.sync: the members if all agree, and whether they do. */
function match(parts: readonly string[]): Intrinsic | undefined {
  const all = parts[1] === 'all'
  if (!all && parts[1] !== 'any') return undefined
  const withPredicate = parts.at(-1)!.endsWith('p')
  return {
    kind: 'warp',
    evaluate: (lanes, args) =>
      args.map(own => {
        const members = lanes.filter(lane => (toNumber(own[0]!) >>> lane) & 1)
        const numberOf = (lane: number): Bits => args[lanes.indexOf(lane)]![1]!
        if (!all) return maskOf(members.filter(lane => numberOf(lane) === own[1]))
        const agree = members.every(lane => numberOf(lane) === numberOf(members[0]!))
        const mask = agree ? maskOf(members) : 0
        return withPredicate ? [mask, agree ? 1 : 0] : mask
      }),
  }
}

function keep(first: (a: bigint, b: bigint) => boolean): (a: bigint, b: bigint) => bigint {
  return (a, b) => (first(a, b) ? a : b)
}

/** `start`: what comes of no lanes. */
const REDUCTIONS: Readonly<Record<string, { combine: (a: bigint, b: bigint) => bigint; start: bigint }>> = {
  add: { combine: (a, b) => a + b, start: 0n },
  min: { combine: keep((a, b) => a < b), start: 0x7fff_ffffn },
  max: { combine: keep((a, b) => a > b), start: -0x8000_0000n },
  umin: { combine: keep((a, b) => BigInt.asUintN(32, a) < BigInt.asUintN(32, b)), start: -1n },
  umax: { combine: keep((a, b) => BigInt.asUintN(32, a) > BigInt.asUintN(32, b)), start: 0n },
  and: { combine: (a, b) => a & b, start: -1n },
  or: { combine: (a, b) => a | b, start: 0n },
  xor: { combine: (a, b) => a ^ b, start: 0n },
}

/** redux.sync.op: value, membermask. */
function reduce(parts: readonly string[]): Intrinsic | undefined {
  const reduction = REDUCTIONS[parts[2] ?? '']
  if (!reduction || parts.length !== 3) return undefined
  return {
    kind: 'warp',
    evaluate: (lanes, args) =>
      args.map(own => {
        const members = lanes.filter(lane => (toNumber(own[1]!) >>> lane) & 1)
        const values = members.map(lane => toSignedBigInt(args[lanes.indexOf(lane)]![0]!, 32))
        return fromBigInt(values.reduce(reduction.combine, reduction.start), 32)
      }),
  }
}

// ---------------------------------------------------------------- barriers

const RESULTS: Readonly<Record<string, BarrierResult>> = { popc: 'count', and: 'and', or: 'or' }

/**
 * The spellings of several LLVM versions: barrier0[.popc|and|or], barrier.cta.{sync,arrive}[.aligned].{all,count},
 * barrier.cta.red.{popc,and,or}[.aligned].{all,count}, barrier[.sync[.cnt]], barrier.n, bar.sync.
 * Arguments: id, thread count where the name says so, predicate of a reduction.
 */
function barrier(parts: readonly string[], { parameters }: Signature): Intrinsic | undefined {
  if (parts[0] === 'bar' && parts[1] !== 'sync') return undefined
  if (parts[1] === 'cluster') return clusterBarrier(parts)
  const reduction = parts.find(part => part in RESULTS)
  const result = reduction ? RESULTS[reduction]! : 'none'
  const waits = !parts.includes('arrive')
  const isZero = parts[0] === 'barrier0'
  const predicates = result === 'none' ? 0 : 1
  const hasCount = !isZero && parameters.length - predicates === 2
  const idBits = parameters[0] ? bitsOf(parameters[0]) : 0
  if (!isZero && idBits !== 32) return undefined
  return {
    kind: 'barrier',
    arrive(args): Arrival {
      const predicate = args.at(-1)
      return {
        id: isZero ? 0 : toNumber(args[0]!),
        count: hasCount ? toNumber(args[1]!) : undefined,
        waits,
        result,
        predicate: result !== 'none' && predicate !== undefined && isSet(predicate),
      }
    },
  }
}

/** barrier.cluster.{arrive,wait}, with `relaxed` or `aligned` behind it. */
function clusterBarrier(parts: readonly string[]): Intrinsic | undefined {
  const waits = parts[2] === 'wait'
  if (!waits && parts[2] !== 'arrive') return undefined
  const arrival: Arrival = { id: 0, count: undefined, waits, result: 'none', predicate: false, isOfCluster: true }
  return { kind: 'barrier', arrive: () => arrival }
}

function isSet(predicate: Bits): boolean {
  return predicate !== 0 && predicate !== 0n
}
