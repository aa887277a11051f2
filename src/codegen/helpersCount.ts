/**
 * Counts one access with arbitrary addresses by the rules of 7.0 and later, as WebAssembly: the same numbers as
 * metrics/accessModel.ts (tests compare them), kept apart from the kernel's code because they are long.
 */
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import { forEachLane } from './helpersMemory.ts'
import { ADDRESSES, BANKS, PARTIAL_ENTRIES, SET_BYTES, SET_ENTRIES, SETS, SITE_FIELDS, STAMP } from './slot.ts'

const HASH = 0x9e3779b1 | 0
const PARTIAL_TRIES = 8

/** Adds the i32 on the stack to one of the site's counters. */
export function addToCounter(f: FunctionBuilder, counters: number, field: (typeof SITE_FIELDS)[number], amount: () => void): void {
  const offset = SITE_FIELDS.indexOf(field) * 8
  f.get(counters).get(counters).memory(Op.i64_load, offset)
  amount()
  f.op(Op.i64_extend_i32_u).op(Op.i64_add).memory(Op.i64_store, offset)
}

/** Adds `key` to set number `set`; increments `count` when it was not there. */
function insert(f: FunctionBuilder, slot: number, stamp: number, set: number, key: number, count: number): void {
  const entry = f.local(I32)
  const hash = f.local(I32)
  f.get(key).i32(HASH).op(Op.i32_mul).i32(25).op(Op.i32_shr_u).set(hash)
  const done = f.block()
  const probe = f.loop()
  f.get(slot).get(hash).i32(3).op(Op.i32_shl).op(Op.i32_add).set(entry)
  const at = SETS + set * SET_BYTES
  f.get(entry).memory(Op.i32_load, at + 4).get(stamp).op(Op.i32_ne).if()
  f.get(entry).get(key).memory(Op.i32_store, at)
  f.get(entry).get(stamp).memory(Op.i32_store, at + 4)
  f.get(count).i32(1).op(Op.i32_add).set(count)
  f.br(done).end()
  f.get(entry).memory(Op.i32_load, at).get(key).op(Op.i32_eq).brIf(done)
  f.get(hash).i32(1).op(Op.i32_add).i32(SET_ENTRIES - 1).op(Op.i32_and).set(hash)
  f.br(probe).end().end()
  f.release(I32, entry, hash)
}

function newStamp(f: FunctionBuilder, slot: number, stamp: number): void {
  f.get(slot).get(slot).memory(Op.i32_load, STAMP).i32(1).op(Op.i32_add).tee(stamp).memory(Op.i32_store, STAMP)
}

/** (slot, counters, mask, widthLog2). Traps (unreachable) on a misaligned address. */
export function buildCountGlobal(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2] = [0, 1, 2, 3]
  const [stamp, address, previous, sector, line, addresses, sectors, lines, isSorted, low] = f.many(I32, 10) as [
    number, number, number, number, number, number, number, number, number, number,
  ]
  const active = f.local(I32)
  f.get(mask).op(Op.i32_popcnt).set(active)
  f.i32(1).set(isSorted)
  f.i32(-1).set(sector).i32(-1).set(line)
  // First as if addresses never fall from lane to lane, which needs no sets.
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
    f.get(low).get(address).op(Op.i32_or).set(low)
    f.get(address).get(previous).op(Op.i32_lt_u).if().i32(0).set(isSorted).end()
    f.get(addresses).get(address).get(previous).op(Op.i32_ne).op(Op.i32_add).set(addresses)
    f.get(address).set(previous)
    const step = (shift: number, last: number, count: number): void => {
      f.get(address).i32(shift).op(Op.i32_shr_u).get(last).op(Op.i32_ne).if()
      f.get(count).i32(1).op(Op.i32_add).set(count)
      f.get(address).i32(shift).op(Op.i32_shr_u).set(last).end()
    }
    step(5, sector, sectors)
    step(7, line, lines)
  })
  f.get(low).i32(1).get(widthLog2).op(Op.i32_shl).i32(1).op(Op.i32_sub).op(Op.i32_and).if().op(Op.unreachable).end()
  f.get(isSorted).op(Op.i32_eqz).if()
  newStamp(f, slot, stamp)
  for (const count of [addresses, sectors, lines]) f.i32(0).set(count)
  f.i32(-1).set(sector).i32(-1).set(line)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
    insert(f, slot, stamp, 0, address, addresses)
    f.get(address).i32(5).op(Op.i32_shr_u).get(sector).op(Op.i32_ne).if()
    f.get(address).i32(5).op(Op.i32_shr_u).set(sector)
    insert(f, slot, stamp, 1, sector, sectors)
    f.get(address).i32(7).op(Op.i32_shr_u).get(line).op(Op.i32_ne).if()
    f.get(address).i32(7).op(Op.i32_shr_u).set(line)
    insert(f, slot, stamp, 2, line, lines)
    f.end().end()
  })
  f.end()
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(active))
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl))
  addToCounter(f, counters, 'sectors', () => f.get(sectors))
  addToCounter(f, counters, 'sectorsIdeal', () => f.get(active).get(widthLog2).op(Op.i32_shl).i32(31).op(Op.i32_add).i32(5).op(Op.i32_shr_u))
  addToCounter(f, counters, 'tags', () => f.get(lines))
  return f
}

/**
 * (slot, counters, mask, widthLog2, window, windowBytes): addresses are those of the window's bytes in device memory. Not for
 * loads of 8 and 16 bytes, whose passes may merge. Traps (unreachable) on an address outside the window, and on a misaligned
 * one.
 */
export function buildCountShared(module: ModuleBuilder, wordStamps: number): Callable {
  const f = module.function([I32, I32, I32, I32, I32, I32], [])
  const [slot, counters, mask, widthLog2, window, windowBytes] = [0, 1, 2, 3, 4, 5]
  const [stamp, address, passes, first, lanes, passMask, most, wavefronts, word, end, entry, addresses, low, ideal, active] = f.many(
    I32, 15,
  ) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number]
  f.get(mask).op(Op.i32_popcnt).set(active)
  newStamp(f, slot, stamp)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).tee(address).get(low).op(Op.i32_or).set(low)
    f.get(address).get(window).op(Op.i32_sub).tee(word).get(windowBytes).op(Op.i32_ge_u)
    f.get(word).i32(1).get(widthLog2).op(Op.i32_shl).op(Op.i32_add).get(windowBytes).op(Op.i32_gt_u).op(Op.i32_or)
    f.if().op(Op.unreachable).end()
    insert(f, slot, stamp, 0, address, addresses)
  })
  f.get(low).i32(1).get(widthLog2).op(Op.i32_shl).i32(1).op(Op.i32_sub).op(Op.i32_and).if().op(Op.unreachable).end()
  // 1, 2 or 4 passes by width.
  f.i32(1).set(passes)
  f.get(widthLog2).i32(2).op(Op.i32_gt_u).if().i32(1).get(widthLog2).i32(2).op(Op.i32_sub).op(Op.i32_shl).set(passes).end()
  f.i32(32).get(passes).op(Op.i32_div_u).set(lanes)
  const done = f.block()
  const nextPass = f.loop()
  f.get(first).i32(32).op(Op.i32_ge_u).brIf(done)
  // The lanes first .. first + lanes - 1; a shift by 32 would be a shift by 0.
  f.i32(-1).i32(32).get(lanes).op(Op.i32_sub).op(Op.i32_shr_u).get(first).op(Op.i32_shl).get(mask).op(Op.i32_and).set(passMask)
  newStamp(f, slot, stamp)
  for (const half of [0, 16]) f.get(slot).v128([0, 0, 0, 0]).memory(Op.v128_store, BANKS + half)
  f.i32(0).set(most)
  forEachLane(f, slot, passMask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).get(window).op(Op.i32_sub).tee(address).i32(2).op(Op.i32_shr_u).set(word)
    f.get(address).i32(1).get(widthLog2).op(Op.i32_shl).op(Op.i32_add).i32(3).op(Op.i32_add).i32(2).op(Op.i32_shr_u).set(end)
    const words = f.loop()
    f.get(slot).get(word).i32(2).op(Op.i32_shl).op(Op.i32_add).tee(entry)
    f.memory(Op.i32_load, wordStamps).get(stamp).op(Op.i32_ne).if()
    f.get(entry).get(stamp).memory(Op.i32_store, wordStamps)
    f.get(slot).get(word).i32(31).op(Op.i32_and).op(Op.i32_add).set(entry)
    f.get(entry).get(entry).memory(Op.i32_load8_u, BANKS).i32(1).op(Op.i32_add).tee(address).memory(Op.i32_store8, BANKS)
    f.get(address).get(most).get(address).get(most).op(Op.i32_gt_u).op(Op.select).set(most)
    f.end()
    f.get(word).i32(1).op(Op.i32_add).tee(word).get(end).op(Op.i32_lt_u).brIf(words)
    f.end()
  })
  f.get(wavefronts).get(most).op(Op.i32_add).set(wavefronts)
  f.get(first).get(lanes).op(Op.i32_add).set(first)
  f.br(nextPass).end().end()
  f.get(active).get(widthLog2).op(Op.i32_shl).i32(127).op(Op.i32_add).i32(7).op(Op.i32_shr_u).tee(ideal)
  f.get(wavefronts).get(ideal).get(wavefronts).op(Op.i32_lt_u).op(Op.select).set(ideal)
  addToCounter(f, counters, 'executed', () => f.i32(1))
  addToCounter(f, counters, 'threads', () => f.get(active))
  addToCounter(f, counters, 'bytes', () => f.get(addresses).get(widthLog2).op(Op.i32_shl))
  addToCounter(f, counters, 'wavefronts', () => f.get(wavefronts))
  addToCounter(f, counters, 'wavefrontsIdeal', () => f.get(ideal))
  return f
}

/**
 * (table, mask, bin, site): one more access of these lanes with these low address bits; slot.ts, PARTIAL_ENTRIES. A key may stand
 * in any of a few neighbouring entries, so that two frequent ones do not drive each other out.
 */
export function buildCountPartial(module: ModuleBuilder, evict: Callable): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [table, mask, bin, site] = [0, 1, 2, 3]
  const hash = f.local(I32)
  const entry = f.local(I32)
  const tries = f.local(I32)
  f.get(mask).i32(HASH).op(Op.i32_mul).get(bin).i32(0x85ebca6b | 0).op(Op.i32_mul).op(Op.i32_xor)
  f.i32(32 - Math.log2(PARTIAL_ENTRIES)).op(Op.i32_shr_u).set(hash)
  const full = f.block()
  const probe = f.loop()
  f.get(table).get(hash).i32(4).op(Op.i32_shl).op(Op.i32_add).set(entry)
  f.get(entry).memory(Op.i32_load, 0).get(mask).op(Op.i32_eq).get(entry).memory(Op.i32_load, 4).get(bin).op(Op.i32_eq).op(Op.i32_and).if()
  f.get(entry).get(entry).memory(Op.i32_load, 8).i32(1).op(Op.i32_add).memory(Op.i32_store, 8)
  f.op(Op.return).end()
  f.get(entry).memory(Op.i32_load, 8).op(Op.i32_eqz).brIf(full)
  f.get(tries).i32(1).op(Op.i32_add).tee(tries).i32(PARTIAL_TRIES).op(Op.i32_eq).brIf(full)
  f.get(hash).i32(1).op(Op.i32_add).i32(PARTIAL_ENTRIES - 1).op(Op.i32_and).set(hash)
  f.br(probe).end().end()
  f.get(entry).memory(Op.i32_load, 8).if()
  f.get(site).get(entry).memory(Op.i32_load, 0).get(entry).memory(Op.i32_load, 4).get(entry).memory(Op.i32_load, 8).call(evict)
  f.end()
  f.get(entry).get(mask).memory(Op.i32_store, 0)
  f.get(entry).get(bin).memory(Op.i32_store, 4)
  f.get(entry).i32(1).memory(Op.i32_store, 8)
  return f
}
