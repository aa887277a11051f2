/** PTX's special registers (ISA, "Special Registers") by the names of LLVM's intrinsics, `llvm.nvvm.read.ptx.sreg.*`. */
import { addressOf, CONSTANT_OFFSET, HEAP_OFFSET, offsetOf } from '../../addressSpace.ts'
import type { Dim3 } from '../../launch.ts'
import { type Bits, toNumber } from '../arithmetic/values.ts'
import { slotLayout, threadLocalBase } from '../machine/memory.ts'
import type { WarpState } from '../machine/state.ts'
import type { Intrinsic, Signature } from './intrinsic.ts'

type Read = (warp: WarpState, lane: number) => number | bigint

/** Cycles that one warp instruction takes on our clock; a kernel's own timings are not modelled. */
const CYCLES_PER_STEP = 4

const ONE_BLOCK: Dim3 = { x: 1, y: 1, z: 1 }

/** Multiprocessors over which block numbers go round in %smid: those of the default device. */
const MULTIPROCESSORS = 132

export const REGISTERS: Readonly<Record<string, Read>> = {
  ...coordinates('tid', (warp, lane) => warp.threads[lane]!),
  ...coordinates('ntid', warp => warp.launch.request.block),
  ...coordinates('ctaid', warp => warp.block.index),
  ...coordinates('nctaid', warp => warp.launch.request.grid),
  ...coordinates('cluster.nctaid', warp => warp.launch.request.cluster ?? ONE_BLOCK),
  'cluster.window.stride': warp => slotLayout(warp.launch).bytes,
  laneid: (_, lane) => lane,
  warpid: warp => warp.index,
  nwarpid: warp => warp.launch.warpsPerBlock,
  warpsize: () => 32,
  smid: warp => warp.block.linear % MULTIPROCESSORS,
  nsmid: () => MULTIPROCESSORS,
  'lanemask.eq': (_, lane) => (1 << lane) >>> 0,
  'lanemask.lt': (_, lane) => 2 ** lane - 1,
  'lanemask.le': (_, lane) => 2 ** (lane + 1) - 1,
  'lanemask.gt': (_, lane) => 2 ** 32 - 2 ** (lane + 1),
  'lanemask.ge': (_, lane) => 2 ** 32 - 2 ** lane,
  clock: warp => Number(readClock(warp) & 0xffff_ffffn),
  'clock.hi': warp => Number((readClock(warp) >> 32n) & 0xffff_ffffn),
  clock64: warp => readClock(warp),
  globaltimer: warp => nanoseconds(warp),
  'globaltimer.lo': warp => Number(nanoseconds(warp) & 0xffff_ffffn),
  'globaltimer.hi': warp => Number((nanoseconds(warp) >> 32n) & 0xffff_ffffn),
  'dynamic.smem.size': warp => warp.launch.request.dynamicSharedBytes,
  'total.smem.size': ({ launch }) => launch.sharedBytes - launch.program.shared.reservedBytes,
}

function coordinates(name: string, of: (warp: WarpState, lane: number) => Dim3): Record<string, Read> {
  return {
    [`${name}.x`]: (warp, lane) => of(warp, lane).x,
    [`${name}.y`]: (warp, lane) => of(warp, lane).y,
    [`${name}.z`]: (warp, lane) => of(warp, lane).z,
  }
}

/** A loop that watches the clock makes progress: it ends some time. */
function readClock(warp: WarpState): bigint {
  warp.changes++
  return BigInt(warp.launch.steps * CYCLES_PER_STEP)
}

function nanoseconds(warp: WarpState): bigint {
  return BigInt(Math.floor((Number(readClock(warp)) * 1e9) / warp.launch.request.clockHz))
}

export function specialRegister({ name }: Signature): Intrinsic | undefined {
  if (name === 'llvm.readcyclecounter') return register('clock64')
  if (name.startsWith('llvm.nvvm.isspacep.')) return spaceTest(name.slice('llvm.nvvm.isspacep.'.length))
  const prefix = 'llvm.nvvm.read.ptx.sreg.'
  // LLVM's names differ from PTX's in underscores only.
  return name.startsWith(prefix) ? register(name.slice(prefix.length).replaceAll('_', '.')) : undefined
}

function register(name: string): Intrinsic | undefined {
  const read = Object.hasOwn(REGISTERS, name) ? REGISTERS[name] : undefined
  return read && { kind: 'thread', evaluate: (warp, lane) => read(warp, lane) }
}

/** isspacep: is a generic pointer in that space's window? */
function spaceTest(space: string): Intrinsic | undefined {
  const within = (pointer: Bits, offset: number, bytes: number): boolean => {
    const distance = toNumber(pointer) - addressOf(offset)
    return distance >= 0 && distance < bytes
  }
  const tests: Readonly<Record<string, (warp: WarpState, lane: number, pointer: Bits) => boolean>> = {
    shared: (warp, _, pointer) => within(pointer, warp.block.sharedBase, warp.launch.sharedBytes),
    local: (warp, lane, pointer) => within(pointer, threadLocalBase(warp, lane), warp.launch.local.threadBytes),
    const: (_, __, pointer) => within(pointer, CONSTANT_OFFSET, HEAP_OFFSET - CONSTANT_OFFSET),
    global: (_, __, pointer) => offsetOf(toNumber(pointer)) >= CONSTANT_OFFSET,
  }
  const test = Object.hasOwn(tests, space) ? tests[space] : undefined
  return test && { kind: 'thread', evaluate: (warp, lane, [pointer]) => (test(warp, lane, pointer!) ? 1 : 0) }
}
