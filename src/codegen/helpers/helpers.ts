/**
 * WebAssembly functions that generated kernels call, each added to the module when first used: exact fused multiply-adds,
 * half precision, gathers and scatters of lanes, counters of accesses with arbitrary addresses, atomics.
 */
import { type MatrixProduct, productName } from '../../analysis/lowering/matrixKinds.ts'
import { type Callable, F32, F64, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { buildLanes, buildRun, type LaneFunction, type RunFunction } from '../checking/tagCode.ts'
import { type AtomicSpec, buildAtomic, type HalfCodecs } from './helpersAtomic.ts'
import {
  buildCountAtomic,
  buildCountBypass,
  buildCountConstant,
  buildCountEvicted,
  buildCountEvictedAtomic,
  buildCountGlobal,
  buildCountLocal,
  buildCountPartial,
  buildCountSteps,
  buildTrapMisaligned,
} from './helpersCount.ts'
import { buildCountShared, buildCountSharedWords, buildIncrement, type SharedWords } from './helpersCountShared.ts'
import { buildFma32, buildFma32x4, buildFma64x2, scalarFromVector } from './helpersFloat.ts'
import { NarrowFloat } from './helpersHalf.ts'
import { buildMatrixProduct, buildMatrixTranspose, buildMoveWords, type WordMove } from './helpersMatrix.ts'
import {
  buildCopyLanes,
  buildDiffers,
  buildGather,
  buildScatter,
  buildWriteColumns,
  type Elements,
} from './helpersMemory.ts'
import {
  buildKeepCall,
  buildKeepLanes,
  buildKeepRead,
  buildKeepWrite,
  buildLeavesRange,
  buildNoteReads,
  type TagCallables,
} from './helpersQuiet.ts'
import { buildCountRepeated } from './helpersRepeat.ts'

/** What the host of a kernel module provides (module `env`). */
export interface HostImports {
  /** (block): called now and then; stops a launch that ran out of time. */
  readonly tick: Callable
  /** (kind, site, block): stops the launch. */
  readonly fault: Callable
  /** (site, mask): counts an access by the model's own function; lanes' addresses are in the slot. */
  readonly countSlow: Callable
  /** (site, mask, bin, times): counts accesses of some lanes whose addresses are fixed but for the scalar's low bits. */
  readonly countTimes: Callable
  /** (site, mask, warp): shows an access to the launch's observer; lanes' addresses are in the slot. */
  readonly observe: Callable
  /** (call, slot, mask): a call that the generated code leaves to the host. */
  readonly external: Callable
  /** (what happened to the block at hand, {@link CLOCK_BEGIN} or {@link CLOCK_MEET}) */
  readonly clock: Callable
  readonly remainder: Callable
  /** (a, b, c) on doubles, any values. */
  readonly fmaSlow: Callable
}

export function importHost(module: ModuleBuilder): HostImports {
  return {
    tick: module.import('tick', [I32], []),
    fault: module.import('fault', [I32, I32, I32], []),
    countSlow: module.import('countSlow', [I32, I32, I32], []),
    countTimes: module.import('countTimes', [I32, I32, I32, I32], []),
    observe: module.import('observe', [I32, I32, I32], []),
    external: module.import('external', [I32, I32, I32], []),
    clock: module.import('clock', [I32], []),
    remainder: module.import('remainder', [F64, F64], [F64]),
    fmaSlow: module.import('fma', [F64, F64, F64], [F64]),
  }
}

/**
 * How singles and doubles are multiplied and added in one step: by the machine's instruction (nativeFma.ts), by exact
 * arithmetic of our own, or rounded twice, which is not what a GPU does (`--fma fast`).
 */
export type MultiplyAdd = 'native' | 'emulated' | 'separate'

export class Helpers {
  private readonly made = new Map<string, Callable>()
  private readonly module: ModuleBuilder
  readonly host: HostImports
  readonly multiplyAdd: MultiplyAdd
  private readonly halves: NarrowFloat
  private readonly brains: NarrowFloat

  constructor(module: ModuleBuilder, multiplyAdd: MultiplyAdd) {
    this.module = module
    this.multiplyAdd = multiplyAdd
    this.host = importHost(module)
    const once = this.once.bind(this)
    this.halves = new NarrowFloat(once, false)
    this.brains = new NarrowFloat(once, true)
  }

  /** With three vectors on the stack: pushes first x second + third. */
  pushMultiplyAdd(f: FunctionBuilder, isWide: boolean): void {
    if (this.multiplyAdd === 'native') f.op(isWide ? Op.f64x2_relaxed_madd : Op.f32x4_relaxed_madd)
    else if (this.multiplyAdd === 'emulated') f.call(isWide ? this.fma64x2 : this.fma32x4)
    else {
      const addend = f.local(V128)
      f.set(addend)
        .op(isWide ? Op.f64x2_mul : Op.f32x4_mul)
        .get(addend)
        .op(isWide ? Op.f64x2_add : Op.f32x4_add)
      f.release(V128, addend)
    }
  }

  private once(name: string, make: (module: ModuleBuilder) => Callable): Callable {
    const known = this.made.get(name)
    if (known) return known
    const built = make(this.module)
    this.made.set(name, built)
    return built
  }

  get fma32(): Callable {
    return this.once('fma32', buildFma32)
  }
  get fma32x4(): Callable {
    return this.once('fma32x4', buildFma32x4)
  }
  get fma64x2(): Callable {
    return this.once('fma64x2', module => buildFma64x2(module, this.host.fmaSlow))
  }
  get fma64(): Callable {
    const pair = this.fma64x2
    return this.once('fma64', module => scalarFromVector(module, pair))
  }
  /** Halves, or bfloats where `brain` says so. */
  narrow(brain: boolean): NarrowFloat {
    return brain ? this.brains : this.halves
  }
  get remainder64(): Callable {
    return this.host.remainder
  }
  /** The remainder of singles is exact, so computing it in double changes nothing. */
  get remainder32(): Callable {
    return this.once('remainder32', module => {
      const f = module.function([F32, F32], [F32])
      f.get(0).op(Op.f64_promote_f32).get(1).op(Op.f64_promote_f32).call(this.host.remainder).op(Op.f32_demote_f64)
      return f
    })
  }

  /** (slot, mask): lane l's elements at ADDRESSES[l] come to RESULTS; elements below 4 bytes zero-extended. */
  gather(elements: Elements): Callable {
    return this.once(`gather${elements.bytes}x${elements.count}`, module => buildGather(module, elements))
  }
  /** (slot, mask, distance, width): copies what lanes point to. */
  get copyLanes(): Callable {
    return this.once('copyLanes', buildCopyLanes)
  }
  /** (slot, mask): the reverse, from VALUES. */
  scatter(elements: Elements): Callable {
    return this.once(`scatter${elements.bytes}x${elements.count}`, module => buildScatter(module, elements))
  }
  /** (slot, mask): whether {@link scatter} would change anything. */
  differs(elements: Elements): Callable {
    return this.once(`differs${elements.bytes}x${elements.count}`, module => buildDiffers(module, elements))
  }
  /** (slot, mask, widthLog2): stops the kernel where the addresses in the slot are no multiples of the width. */
  get trapMisaligned(): Callable {
    return this.once('trapMisaligned', buildTrapMisaligned)
  }
  /** (quiet, tags, told, mask, warp, offset, least, span): keeps a read of shared memory; whether it has to be told. */
  get keepRead(): Callable {
    return this.once('keepRead', module => buildKeepRead(module, this.tagCode))
  }
  /** The same of a write. */
  get keepWrite(): Callable {
    return this.once('keepWrite', module => buildKeepWrite(module, this.tagCode, this.noteReads))
  }
  /** (slot, quiet, tags, told, mask, warp, width, units): the same of an access whose addresses are in the slot. */
  keepLanes(kind: 'read' | 'write' | 'atomic'): Callable {
    const { leavesRange } = this
    return this.once(`keepLanes:${kind}`, module =>
      buildKeepLanes(module, kind, this.tagCode, { noteReads: this.noteReads, leavesRange }),
    )
  }
  private get noteReads(): Callable {
    return this.once('noteReads', module => buildNoteReads(module, this.tagCode))
  }
  private get tagCode(): TagCallables {
    const lanes = (name: LaneFunction) => this.once(`tags:${name}`, module => buildLanes(module, name))
    const runs = (name: RunFunction) => this.once(`tags:${name}`, module => buildRun(module, name))
    return {
      ...{ known: lanes('known'), read: lanes('read'), readRun: runs('readRun') },
      ...{ write: lanes('write'), writeRun: runs('writeRun'), atomic: lanes('atomic') },
    }
  }
  /** (quiet, told, mask, warp): keeps an arrival at a barrier or a way around one; whether it has to be told. */
  get keepCall(): Callable {
    return this.once('keepCall', buildKeepCall)
  }
  /** (slot, mask, range, width): whether an access at the addresses in the slot has to be told. */
  get leavesRange(): Callable {
    return this.once('leavesRange', buildLeavesRange)
  }
  /** (slot, counters, mask, widthLog2, pattern): counts a global access with the addresses in the slot. */
  get countGlobal(): Callable {
    return this.once('countGlobal', module => buildCountRepeated(module, buildCountGlobal(module), 4))
  }
  /** (slot, counters, mask): a copy to shared memory past the L1, its addresses and DESTINATIONS in the slot. */
  get countBypass(): Callable {
    return this.once('countBypass', buildCountBypass)
  }
  /** (slot, counters, mask, widthLog2, pattern): counts a global atomic with the addresses in the slot. */
  get countAtomic(): Callable {
    return this.once('countAtomic', module => buildCountRepeated(module, buildCountAtomic(module), 4))
  }
  /** (slot, counters, mask, widthLog2): counts a load of constant memory with the addresses in the slot. */
  get countConstant(): Callable {
    return this.once('countConstant', buildCountConstant)
  }
  /** (slot, counters, mask, widthLog2, base): counts an access to local memory with the addresses in the slot. */
  countLocal(laneBytes: number): Callable {
    return this.once('countLocal', module => buildCountLocal(module, laneBytes))
  }
  /** (slot, table, mask, bin): counts an access of some lanes whose addresses are fixed but for the scalar's low bits; whether one was evicted. */
  get countPartial(): Callable {
    return this.once('countPartial', buildCountPartial)
  }
  /** (slot): counts what `key`'s table of such accesses evicted; built by `build` unless it is known. */
  evictedPartials(key: string, build: (module: ModuleBuilder) => Callable): Callable {
    return this.once(`evictedPartials:${key}`, build)
  }
  /** (slot, counters, mask, widthLog2, times): so many accesses alike at the slot's EVICTED_ADDRESSES. */
  countEvicted(kind: 'global' | 'local' | 'atomic'): Callable {
    return this.once(`countEvicted:${kind}`, module =>
      kind === 'atomic' ? buildCountEvictedAtomic(module) : buildCountEvicted(module, kind === 'local'),
    )
  }
  /** (histogram, scalar, step, times): counts that many accesses by all lanes, backwards from the latest scalar. */
  get countSteps(): Callable {
    return this.once('countSteps', buildCountSteps)
  }
  /** (slot, counters, mask, widthLog2, window, windowBytes): likewise in shared memory, other widths than 4; see buildCountShared. */
  countShared(wordStamps: number, mayMerge: boolean): Callable {
    return this.once(`countShared:${mayMerge}`, module => buildCountShared(module, wordStamps, mayMerge))
  }
  /** (slot, counters, mask, window, windowBytes, pattern): accesses of 4 bytes; see {@link SharedWords}. */
  countSharedWords(wordStamps: number, kind: SharedWords): Callable {
    return this.once(`countSharedWords:${kind}`, module => {
      const increment = kind === 'increments' ? buildIncrement(module) : undefined
      const direct = buildCountSharedWords(module, wordStamps, kind, increment)
      return buildCountRepeated(module, direct, 5, { start: 3, bytes: 4 }, increment)
    })
  }
  /** (from, to, distance, words, columns): writes gathered columns; see buildWriteColumns. */
  get writeColumns(): Callable {
    return this.once('writeColumns', buildWriteColumns)
  }
  /** (slot, mask): lane by lane, ascending. */
  atomic(spec: AtomicSpec): Callable {
    const codecs = /^b?f16/.test(spec.type) ? this.halfCodecs(spec.type.startsWith('b')) : undefined
    return this.once(`atomic:${spec.operation}:${spec.type}:${spec.isContended}`, module =>
      buildAtomic(module, spec, codecs),
    )
  }

  /** (slot, d, a, b, c): offsets of fragments whose words lie lane beside lane. */
  matrixProduct(product: MatrixProduct): Callable {
    return this.once(productName(product), module => buildMatrixProduct(module, product, this))
  }
  /** (out, in): 8 x 8 elements of 16 bits. */
  get matrixTranspose(): Callable {
    return this.once('matrixTranspose', buildMatrixTranspose)
  }
  /** (slot, fragment): moves words between where lanes' addresses in the slot point and a fragment. */
  moveWords(move: WordMove): Callable {
    return this.once(`words:${move.bytes}x${move.count}:${move.isLoad}`, module => buildMoveWords(module, move))
  }

  private halfCodecs(brain: boolean): HalfCodecs {
    const { round, toBits, fromBits } = this.narrow(brain)
    const rounded = this.once(brain ? 'brainFromFloat' : 'halfFromFloat', module => {
      const f = module.function([F32], [I32])
      f.get(0).call(round).call(toBits)
      return f
    })
    return { fromBits, toBits: rounded }
  }
}
