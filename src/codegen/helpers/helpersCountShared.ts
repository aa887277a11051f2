/**
 * Counts one access to shared memory with arbitrary addresses, as helpersCount.ts does for global memory: words that lanes touch, and
 * the turns that the busiest bank takes.
 */
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { ADDRESSES, BANK_TURNS, BANKS, LANE_BANKS, LANE_STAMPS, SET_ENTRIES, SETS, STAMP } from '../slot.ts'
import { addToCounter, HASH } from './helpersCount.ts'
import { forEachLane } from './helpersMemory.ts'

/**
 * (slot, counters, mask, widthLog2, window, windowBytes): of other widths than 4; addresses are those of the window's bytes in device
 * memory. `mayMerge`: two passes may become one, as those of loads of 8 and 16 bytes (metrics/rules/banks.ts, twoPassCost). Traps
 * (unreachable) on an address outside the window, and on a misaligned one.
 */
export function buildCountShared(module: ModuleBuilder, wordStamps: number, mayMerge: boolean): Callable {
  const passCost = buildPassCost(module, wordStamps)
  const f = module.function([I32, I32, I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2, window, windowBytes] = [0, 1, 2, 3, 4, 5]
  const [stamp, address, first, lanes, cost, wavefronts, word, addresses, low, ideal, active] = f.many(I32, 11)
  f.get(mask).op(Op.i32_popcnt).set(active)
  newStamp(f, slot, stamp)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).tee(address).get(low).op(Op.i32_or).set(low)
    f.get(address).get(window).op(Op.i32_sub).tee(word).get(windowBytes).op(Op.i32_ge_u)
    f.get(word).i32(1).get(widthLog2).op(Op.i32_shl).op(Op.i32_add).get(windowBytes).op(Op.i32_gt_u).op(Op.i32_or)
    f.if().op(Op.unreachable).end()
    insert(f, slot, stamp, address, addresses)
  })
  f.get(low).i32(1).get(widthLog2).op(Op.i32_shl).i32(1).op(Op.i32_sub).op(Op.i32_and).if().op(Op.unreachable).end()
  // 1, 2 or 4 passes by width.
  f.i32(32).i32(32).get(widthLog2).i32(2).op(Op.i32_sub).op(Op.i32_shr_u)
  f.get(widthLog2).i32(2).op(Op.i32_lt_u).op(Op.select).set(lanes)
  /** Adds what the next passes cost, or one instead of so many. */
  const addCost = (passes: number, from = 0): void => {
    f.get(slot)
    pushLanes(f, mask, first, lanes, passes, from)
    f.get(widthLog2).get(window).call(passCost).tee(cost).get(wavefronts).op(Op.i32_add).set(wavefronts)
  }
  const apart = mayMerge ? [pairsApart(f, slot, mask, 1), pairsApart(f, slot, mask, 2)] : []
  const again = f.loop()
  const counted = f.block()
  if (mayMerge) {
    apart.forEach((pairs, index) => {
      pushLanes(f, pairs, first, lanes, 2)
      f.op(Op.i32_eqz)
      if (index > 0) f.op(Op.i32_or)
    })
    f.if()
    addCost(2)
    f.get(cost).i32(1).op(Op.i32_le_u).brIf(counted)
    f.get(wavefronts).get(cost).op(Op.i32_sub).set(wavefronts).end()
  }
  addCost(1)
  if (mayMerge) addCost(1, 1)
  f.end()
  f.get(first)
    .get(lanes)
    .i32(mayMerge ? 1 : 0)
    .op(Op.i32_shl)
    .op(Op.i32_add)
  f.tee(first).i32(32).op(Op.i32_lt_u).brIf(again).end()
  f.get(active).get(widthLog2).op(Op.i32_shl).i32(127).op(Op.i32_add).i32(7).op(Op.i32_shr_u).tee(ideal)
  f.get(wavefronts).get(ideal).get(wavefronts).op(Op.i32_lt_u).op(Op.select).set(ideal)
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(active))
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl))
  addToCounter(f, counters, 'wavefronts', () => f.get(wavefronts))
  addToCounter(f, counters, 'wavefrontsIdeal', () => f.get(ideal))
  return f
}

/** Pushes the bits of `passes` passes of `lanes` lanes each, from the pass `from` behind the lane `first`; at most 32. */
function pushLanes(f: FunctionBuilder, bits: number, first: number, lanes: number, passes: number, from = 0): void {
  // A shift by 32 would be a shift by 0.
  f.i32(-1).i32(32).get(lanes).i32(passes).op(Op.i32_mul).op(Op.i32_sub).op(Op.i32_shr_u)
  f.get(first).get(lanes).i32(from).op(Op.i32_mul).op(Op.i32_add)
  f.op(Op.i32_shl).get(bits).op(Op.i32_and)
}

/** A local with the lanes n that run, as does n ^ distance (1 or 2), and have another address. */
function pairsApart(f: FunctionBuilder, slot: number, mask: number, distance: 1 | 2): number {
  const apart = f.local(I32)
  const addresses = f.local(V128)
  const below = distance === 1 ? 0x55555555 : 0x33333333
  f.get(mask).get(mask).i32(below).op(Op.i32_and).i32(distance).op(Op.i32_shl)
  f.get(mask).i32(distance).op(Op.i32_shr_u).i32(below).op(Op.i32_and).op(Op.i32_or).op(Op.i32_and)
  f.i32(0)
  for (let group = 0; group < 8; group++) {
    f.get(slot)
      .memory(Op.v128_load, ADDRESSES + group * 16)
      .tee(addresses)
    f.get(addresses).get(addresses)
    if (distance === 1) f.shuffle32(1, 0, 3, 2)
    else f.shuffle32(2, 3, 0, 1)
    f.op(Op.i32x4_ne)
      .op(Op.i32x4_bitmask)
      .i32(group * 4)
      .op(Op.i32_shl)
      .op(Op.i32_or)
  }
  f.op(Op.i32_and).set(apart)
  f.release(V128, addresses)
  return apart
}

/** (slot, mask, widthLog2, window): the most distinct words that these lanes want from one bank. */
function buildPassCost(module: ModuleBuilder, wordStamps: number): Callable {
  const f = module.function([I32, I32, I32, I32], [I32])
  const [slot, mask, widthLog2, window] = [0, 1, 2, 3]
  const [stamp, address, most, word, end, entry] = f.many(I32, 6)
  newStamp(f, slot, stamp)
  for (const half of [0, 16])
    f.get(slot)
      .v128([0, 0, 0, 0])
      .memory(Op.v128_store, BANKS + half)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt)
      .memory(Op.i32_load, ADDRESSES)
      .get(window)
      .op(Op.i32_sub)
      .tee(address)
      .i32(2)
      .op(Op.i32_shr_u)
      .set(word)
    f.get(address)
      .i32(1)
      .get(widthLog2)
      .op(Op.i32_shl)
      .op(Op.i32_add)
      .i32(3)
      .op(Op.i32_add)
      .i32(2)
      .op(Op.i32_shr_u)
      .set(end)
    const words = f.loop()
    f.get(slot).get(word).i32(2).op(Op.i32_shl).op(Op.i32_add).tee(entry)
    f.memory(Op.i32_load, wordStamps).get(stamp).op(Op.i32_ne).if()
    f.get(entry).get(stamp).memory(Op.i32_store, wordStamps)
    f.get(slot).get(word).i32(31).op(Op.i32_and).op(Op.i32_add).set(entry)
    f.get(entry)
      .get(entry)
      .memory(Op.i32_load8_u, BANKS)
      .i32(1)
      .op(Op.i32_add)
      .tee(address)
      .memory(Op.i32_store8, BANKS)
    f.get(address).get(most).get(address).get(most).op(Op.i32_gt_u).op(Op.select).set(most)
    f.end()
    f.get(word).i32(1).op(Op.i32_add).tee(word).get(end).op(Op.i32_lt_u).brIf(words)
    f.end()
  })
  f.get(most)
  return f
}

/**
 * Accesses of 4 bytes: loads and stores, whose lanes of one word are served together; atomics, whose lanes take their turns whatever
 * the word (metrics/rules/sharedAtomics.ts); increments, served as stores are, which are also done while they are counted.
 */
export type SharedWords = 'moves' | 'atomics' | 'increments'

/**
 * (slot, counters, mask, window, windowBytes): the same for accesses of 4 bytes, the usual ones, in one walk over the lanes. Traps
 * where an address is no multiple of 4 or lies outside the window. `increment`: {@link buildIncrement}, for increments.
 */
export function buildCountSharedWords(
  module: ModuleBuilder,
  wordStamps: number,
  kind: SharedWords,
  increment: Callable | undefined,
): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  const [slot, counters, mask, window, windowBytes] = [0, 1, 2, 3, 4]
  const [stamp, word, entry, count, most, distinct] = f.many(I32, 6)
  const everyLane = kind === 'atomics'
  newStamp(f, slot, stamp)
  const checked = f.block()
  const byLanes = f.block()
  f.get(mask).i32(-1).op(Op.i32_ne).brIf(byLanes)
  locateWords(f, { slot, window, windowBytes })
  stampWords(f, { slot, stamp, distinct }, wordStamps, kind)
  countBanks(f, slot, most)
  f.br(checked).end()
  for (const half of [0, 16])
    f.get(slot)
      .v128([0, 0, 0, 0])
      .memory(Op.v128_store, BANKS + half)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).get(window).op(Op.i32_sub).tee(word)
    f.get(windowBytes).op(Op.i32_ge_u)
    f.get(word).i32(4).op(Op.i32_add).get(windowBytes).op(Op.i32_gt_u).op(Op.i32_or)
    f.get(word).i32(3).op(Op.i32_and).op(Op.i32_or)
    f.if().op(Op.unreachable).end()
    f.get(word).get(slot).op(Op.i32_add).tee(entry)
    f.memory(Op.i32_load, wordStamps).get(stamp).op(Op.i32_ne).if()
    f.get(entry).get(stamp).memory(Op.i32_store, wordStamps)
    f.get(distinct).i32(1).op(Op.i32_add).set(distinct)
    if (everyLane) f.end()
    f.get(word).i32(2).op(Op.i32_shr_u).i32(31).op(Op.i32_and).get(slot).op(Op.i32_add).tee(entry)
    f.get(entry).memory(Op.i32_load8_u, BANKS).i32(1).op(Op.i32_add).tee(count).memory(Op.i32_store8, BANKS)
    f.get(count).get(most).get(count).get(most).op(Op.i32_gt_u).op(Op.select).set(most)
    if (!everyLane) f.end()
  })
  if (increment) f.get(slot).get(mask).call(increment)
  f.end()
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(mask).op(Op.i32_popcnt))
  addToCounter(f, counters, 'bytes', () => f.get(distinct).i32(2).op(Op.i32_shl))
  addToCounter(f, counters, 'wavefronts', () => f.get(most))
  // Up to 32 lanes of 4 bytes are 128 bytes: one wavefront.
  addToCounter(f, counters, 'wavefrontsIdeal', () => f.get(mask).i32(0).op(Op.i32_ne))
  return f
}

/** (slot, mask): adds 1 to each lane's word in shared memory, which belongs to one worker. */
export function buildIncrement(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32], [])
  const [slot, mask] = [0, 1]
  const address = f.local(I32)
  f.get(mask).i32(-1).op(Op.i32_eq).if()
  for (let lane = 0; lane < 32; lane++) {
    f.get(slot)
      .memory(Op.i32_load, ADDRESSES + lane * 4)
      .set(address)
    incrementAt(f, address)
  }
  f.op(Op.return).end()
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
    incrementAt(f, address)
  })
  return f
}

function incrementAt(f: FunctionBuilder, address: number): void {
  f.get(address).get(address).memory(Op.i32_load).i32(1).op(Op.i32_add).memory(Op.i32_store)
}

/** Writes LANE_STAMPS and LANE_BANKS (slot.ts) for 32 lanes; traps where one has no word of the window. */
function locateWords(
  f: FunctionBuilder,
  { slot, window, windowBytes }: Record<'slot' | 'window' | 'windowBytes', number>,
): void {
  const [slots, windows, words, furthest, all] = f.many(V128, 5)
  // A window of less than 4 bytes has no word.
  f.get(windowBytes).i32(4).op(Op.i32_lt_u).if().op(Op.unreachable).end()
  f.get(slot).op(Op.i32x4_splat).set(slots)
  f.get(window).op(Op.i32x4_splat).set(windows)
  for (let group = 0; group < 8; group++) {
    f.get(slot)
      .memory(Op.v128_load, ADDRESSES + group * 16)
      .get(windows)
      .op(Op.i32x4_sub)
      .set(words)
    f.get(words)
    if (group > 0) f.get(furthest).op(Op.i32x4_max_u)
    f.set(furthest)
    f.get(words)
    if (group > 0) f.get(all).op(Op.v128_or)
    f.set(all)
    f.get(slot)
      .get(words)
      .get(slots)
      .op(Op.i32x4_add)
      .memory(Op.v128_store, LANE_STAMPS + group * 16)
    f.get(slot).get(words).i32(124).op(Op.i32x4_splat).op(Op.v128_and)
    f.get(slots)
      .op(Op.i32x4_add)
      .memory(Op.v128_store, LANE_BANKS + group * 16)
  }
  f.get(furthest)
    .get(windowBytes)
    .i32(4)
    .op(Op.i32_sub)
    .op(Op.i32x4_splat)
    .op(Op.i32x4_gt_u)
    .get(all)
    .i32(3)
    .op(Op.i32x4_splat)
    .op(Op.v128_and)
    .op(Op.v128_or)
    .op(Op.v128_any_true)
  f.if().op(Op.unreachable).end()
  f.release(V128, slots, windows, words, furthest, all)
}

/**
 * All 32 lanes, without a branch for each: stamps their words and sets `distinct` to how many they are. In LANE_BANKS, lanes whose
 * word was there take no turn of their own, but for atomics.
 */
function stampWords(
  f: FunctionBuilder,
  { slot, stamp, distinct }: Record<'slot' | 'stamp' | 'distinct', number>,
  wordStamps: number,
  kind: SharedWords,
): void {
  const [stamps, before, repeated] = f.many(V128, 3)
  const entry = f.local(I32)
  f.get(stamp).op(Op.i32x4_splat).set(stamps)
  for (let group = 0; group < 8; group++) {
    for (let lane = 0; lane < 4; lane++) {
      const at = (group * 4 + lane) * 4
      f.get(slot)
        .memory(Op.i32_load, LANE_STAMPS + at)
        .set(entry)
      f.get(entry)
      if (lane === 0) f.memory(Op.v128_load32_zero, wordStamps)
      else f.get(before).memoryLane(Op.v128_load32_lane, lane, wordStamps)
      f.set(before)
      f.get(entry).get(stamp).memory(Op.i32_store, wordStamps)
      if (kind !== 'increments') continue
      f.get(slot)
        .memory(Op.i32_load, ADDRESSES + at)
        .set(entry)
      incrementAt(f, entry)
    }
    f.get(before).get(stamps).op(Op.i32x4_eq).set(before)
    f.get(before)
    if (group > 0) f.get(repeated).op(Op.i32x4_add)
    f.set(repeated)
    if (kind === 'atomics') continue
    f.get(slot)
    f.get(slot).memory(Op.v128_load, LANE_BANKS + group * 16)
    f.get(before)
      .v128([NO_TURNS, NO_TURNS, NO_TURNS, NO_TURNS])
      .op(Op.v128_and)
      .op(Op.i32x4_add)
      .memory(Op.v128_store, LANE_BANKS + group * 16)
  }
  // What was there is -1.
  pushAcross(f, repeated, Op.i32x4_add)
  f.i32(32).op(Op.i32_add).set(distinct)
  f.release(V128, stamps, before, repeated)
  f.release(I32, entry)
}

/** From a bank's turns to a word that nobody reads. */
const NO_TURNS = 32 * 4

/** Sets `most` to the turns of the busiest bank. */
function countBanks(f: FunctionBuilder, slot: number, most: number): void {
  const highest = f.local(V128)
  const entry = f.local(I32)
  for (let group = 0; group < 8; group++)
    f.get(slot)
      .v128([0, 0, 0, 0])
      .memory(Op.v128_store, BANK_TURNS + group * 16)
  for (let lane = 0; lane < 32; lane++) {
    f.get(slot)
      .memory(Op.i32_load, LANE_BANKS + lane * 4)
      .tee(entry)
    f.get(entry).memory(Op.i32_load, BANK_TURNS).i32(1).op(Op.i32_add).memory(Op.i32_store, BANK_TURNS)
  }
  for (let group = 0; group < 8; group++) {
    f.get(slot).memory(Op.v128_load, BANK_TURNS + group * 16)
    if (group > 0) f.get(highest).op(Op.i32x4_max_u)
    f.set(highest)
  }
  pushAcross(f, highest, Op.i32x4_max_u)
  f.set(most)
  f.release(V128, highest)
  f.release(I32, entry)
}

/** Pushes what an operation makes of a vector's four words; the vector is used up. */
function pushAcross(f: FunctionBuilder, vector: number, opcode: Opcode): void {
  f.get(vector).get(vector).shuffle32(2, 3, 0, 1).get(vector).op(opcode).set(vector)
  f.get(vector).get(vector).shuffle32(1, 0, 3, 2).get(vector).op(opcode).lane(Op.i32x4_extract_lane, 0)
}

/** Adds `key` to the set; increments `count` when it was not there. */
function insert(f: FunctionBuilder, slot: number, stamp: number, key: number, count: number): void {
  const entry = f.local(I32)
  const hash = f.local(I32)
  f.get(key).i32(HASH).op(Op.i32_mul).i32(25).op(Op.i32_shr_u).set(hash)
  const done = f.block()
  const probe = f.loop()
  f.get(slot).get(hash).i32(3).op(Op.i32_shl).op(Op.i32_add).set(entry)
  f.get(entry)
    .memory(Op.i32_load, SETS + 4)
    .get(stamp)
    .op(Op.i32_ne)
    .if()
  f.get(entry).get(key).memory(Op.i32_store, SETS)
  f.get(entry)
    .get(stamp)
    .memory(Op.i32_store, SETS + 4)
  f.get(count).i32(1).op(Op.i32_add).set(count)
  f.br(done).end()
  f.get(entry).memory(Op.i32_load, SETS).get(key).op(Op.i32_eq).brIf(done)
  f.get(hash)
    .i32(1)
    .op(Op.i32_add)
    .i32(SET_ENTRIES - 1)
    .op(Op.i32_and)
    .set(hash)
  f.br(probe).end().end()
  f.release(I32, entry, hash)
}

function newStamp(f: FunctionBuilder, slot: number, stamp: number): void {
  f.get(slot).get(slot).memory(Op.i32_load, STAMP).i32(1).op(Op.i32_add).tee(stamp).memory(Op.i32_store, STAMP)
}
