/** Gathers and scatters: one memory access of a warp whose lanes' addresses were put into the slot (slot.ts). */
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { transpose } from '../accesses/access.ts'
import { ADDRESSES, RESULTS, VALUES } from '../slot.ts'

/** One lane's access: `count` elements of 1, 2, 4 or 8 bytes, next to each other in memory. */
export interface Elements {
  readonly bytes: number
  readonly count: number
}

export const LOADS: Readonly<Record<number, Opcode>> = {
  1: Op.i32_load8_u,
  2: Op.i32_load16_u,
  4: Op.i32_load,
  8: Op.i64_load,
}
export const STORES: Readonly<Record<number, Opcode>> = {
  1: Op.i32_store8,
  2: Op.i32_store16,
  4: Op.i32_store,
  8: Op.i64_store,
}

/** Runs `body` for every set bit of the mask, ascending; `body` gets the local with slot + 4 x lane. */
export function forEachLane(
  f: FunctionBuilder,
  slot: number,
  mask: number,
  body: (wordAt: number, lane: number) => void,
): void {
  const rest = f.local(I32)
  const lane = f.local(I32)
  const wordAt = f.local(I32)
  f.get(mask).set(rest)
  const done = f.block()
  const again = f.loop()
  f.get(rest).op(Op.i32_eqz).brIf(done)
  f.get(rest).op(Op.i32_ctz).set(lane)
  f.get(slot).get(lane).i32(2).op(Op.i32_shl).op(Op.i32_add).set(wordAt)
  f.get(rest).get(rest).i32(1).op(Op.i32_sub).op(Op.i32_and).set(rest)
  body(wordAt, lane)
  f.br(again).end().end()
  f.release(I32, rest, lane, wordAt)
}

export function buildGather(module: ModuleBuilder, { bytes, count }: Elements): Callable {
  const f = module.function([I32, I32], [])
  const [slot, mask] = [0, 1]
  moveAll(f, slot, mask, { bytes, count }, true)
  forEachLane(f, slot, mask, wordAt => move(f, slot, wordAt, { bytes, count }, true))
  return f
}

/** (slot, mask, distance, width): copies each lane's `width` bytes at ADDRESSES[l] to `distance` bytes further. */
export function buildCopyLanes(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32], [])
  const [slot, mask, distance, width] = [0, 1, 2, 3]
  const from = f.local(I32)
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).tee(from).get(distance).op(Op.i32_add)
    f.get(from).get(width).memoryCopy()
  })
  return f
}

export function buildScatter(module: ModuleBuilder, { bytes, count }: Elements): Callable {
  const f = module.function([I32, I32], [])
  const [slot, mask] = [0, 1]
  moveAll(f, slot, mask, { bytes, count }, false)
  forEachLane(f, slot, mask, wordAt => move(f, slot, wordAt, { bytes, count }, false))
  return f
}

export function buildDiffers(module: ModuleBuilder, { bytes, count }: Elements): Callable {
  const f = module.function([I32, I32], [I32])
  const [slot, mask] = [0, 1]
  const address = f.local(I32)
  const held = f.local(I32)
  const wide = bytes === 8
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
    heldAt(f, slot, wordAt, bytes, held)
    for (let element = 0; element < count; element++) {
      f.get(address)
        .memory(LOADS[bytes]!, element * bytes)
        .get(held)
      f.memory(wide ? Op.i64_load : LOADS[bytes]!, VALUES + element * (wide ? 256 : 128))
      f.op(wide ? Op.i64_ne : Op.i32_ne)
        .if()
        .i32(1)
        .op(Op.return)
        .end()
    }
  })
  f.i32(0)
  return f
}

/** All lanes, without asking for each: vectors are put together, or taken apart, lane by lane. Returns when it was done. */
function moveAll(f: FunctionBuilder, slot: number, mask: number, { bytes, count }: Elements, isLoad: boolean): void {
  if (bytes < 4) return
  const wide = bytes === 8
  const lanesInVector = 16 / bytes
  const vector = f.local(V128)
  const pushAddress = (lane: number): FunctionBuilder => f.get(slot).memory(Op.i32_load, ADDRESSES + lane * 4)
  f.get(mask).i32(-1).op(Op.i32_eq).if()
  for (let element = 0; element < count; element++)
    for (let first = 0; first < 32; first += lanesInVector) {
      const at = element * 32 * bytes + first * bytes
      if (isLoad) {
        pushAddress(first)
          .memory(wide ? Op.v128_load64_zero : Op.v128_load32_zero, element * bytes)
          .set(vector)
        for (let lane = 1; lane < lanesInVector; lane++)
          pushAddress(first + lane)
            .get(vector)
            .memoryLane(wide ? Op.v128_load64_lane : Op.v128_load32_lane, lane, element * bytes)
            .set(vector)
        f.get(slot)
          .get(vector)
          .memory(Op.v128_store, RESULTS + at)
      } else {
        f.get(slot)
          .memory(Op.v128_load, VALUES + at)
          .set(vector)
        for (let lane = 0; lane < lanesInVector; lane++)
          pushAddress(first + lane)
            .get(vector)
            .memoryLane(wide ? Op.v128_store64_lane : Op.v128_store32_lane, lane, element * bytes)
      }
    }
  f.op(Op.return).end()
  f.release(V128, vector)
}

/** Where a lane's elements are in the slot: 64-bit ones lie at slot + 8 x lane. */
function heldAt(f: FunctionBuilder, slot: number, wordAt: number, bytes: number, held: number): void {
  if (bytes === 8) f.get(wordAt).i32(1).op(Op.i32_shl).get(slot).op(Op.i32_sub).set(held)
  else f.get(wordAt).set(held)
}

function move(f: FunctionBuilder, slot: number, wordAt: number, { bytes, count }: Elements, isLoad: boolean): void {
  const address = f.local(I32)
  const held = f.local(I32)
  f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
  heldAt(f, slot, wordAt, bytes, held)
  const wide = bytes === 8
  for (let element = 0; element < count; element++) {
    const at = element * (wide ? 256 : 128)
    if (isLoad) {
      f.get(held)
        .get(address)
        .memory(LOADS[bytes]!, element * bytes)
      f.memory(wide ? Op.i64_store : Op.i32_store, RESULTS + at)
    } else {
      f.get(address)
        .get(held)
        .memory(wide ? Op.i64_load : Op.i32_load, VALUES + at)
      f.memory(STORES[bytes]!, element * bytes)
    }
  }
  f.release(I32, address, held)
}

/**
 * (from, to, distance, words, columns): writes `columns` rows of memory, `distance` bytes apart, of `words` words each; word w of
 * row r is at from + 4 (w x columns + r). The columns are a multiple of 4.
 */
export function buildWriteColumns(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  const [from, to, distance, words, columns] = [0, 1, 2, 3, 4]
  const [at, row, word, pitch] = f.many(I32, 4)
  const rows = f.many(V128, 4)
  const turned = f.many(V128, 4)
  f.get(columns).i32(2).op(Op.i32_shl).set(pitch)
  const nextRows = f.loop()
  f.get(from).set(at)
  f.i32(0).set(word)
  // Four words of four rows, as long as there are four.
  const noMoreFours = f.block()
  const nextFour = f.loop()
  f.get(word).i32(4).op(Op.i32_add).get(words).op(Op.i32_gt_u).brIf(noMoreFours)
  for (const vector of rows) {
    f.get(at).memory(Op.v128_load, 0).set(vector)
    f.get(at).get(pitch).op(Op.i32_add).set(at)
  }
  transpose(f, rows, turned)
  f.get(to).get(word).i32(2).op(Op.i32_shl).op(Op.i32_add).set(row)
  turned.forEach((vector, index) => {
    f.get(row).get(vector).memory(Op.v128_store, 0)
    if (index < 3) f.get(row).get(distance).op(Op.i32_add).set(row)
  })
  f.get(word).i32(4).op(Op.i32_add).set(word).br(nextFour).end().end()
  const noMoreWords = f.block()
  const nextWord = f.loop()
  f.get(word).get(words).op(Op.i32_ge_u).brIf(noMoreWords)
  f.get(at).memory(Op.v128_load, 0).set(rows[0]!)
  f.get(to).get(word).i32(2).op(Op.i32_shl).op(Op.i32_add).set(row)
  for (let lane = 0; lane < 4; lane++) {
    f.get(row).get(rows[0]!).memoryLane(Op.v128_store32_lane, lane, 0)
    f.get(row).get(distance).op(Op.i32_add).set(row)
  }
  f.get(at).get(pitch).op(Op.i32_add).set(at)
  f.get(word).i32(1).op(Op.i32_add).set(word).br(nextWord).end().end()
  f.get(from).i32(16).op(Op.i32_add).set(from)
  f.get(to).get(distance).i32(2).op(Op.i32_shl).op(Op.i32_add).set(to)
  f.get(columns).i32(4).op(Op.i32_sub).tee(columns).brIf(nextRows)
  f.end()
  return f
}
