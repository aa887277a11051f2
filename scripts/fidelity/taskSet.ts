/**
 * Programs of CUDABench (CUDA-Bench/CUDABench, Datasets/CUDABench-Set.jsonl), each of which reads its inputs from files: numbers by a
 * generator of ours, the same on every machine (Marsaglia's xorshift64), since theirs need Python's libraries. In: the data set's
 * file, and which task with which inputs. Out: a folder with the program and its inputs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Input {
  /** Below `data/`. */
  readonly file: string
  readonly type: 'float32' | 'int32' | 'uint32' | 'int64' | 'uint8'
  readonly count: number
  /** Of whole numbers with a sign: from `begin` on, so many. Floats are from -1 to 1, with a `begin` above 0. */
  readonly range?: number
  readonly begin?: number
}

export interface Task {
  /** Of the data set. */
  readonly id: number
  readonly inputs: readonly Input[]
}

const BYTES = { float32: 4, int32: 4, uint32: 4, int64: 8, uint8: 1 } as const
/** Of a float that is to be above 0. */
const ABOVE = 1.01
const SEED = 88172645463325252n

const sources = new Map<string, Map<number, string>>()

function sourcesIn(dataset: string): Map<number, string> {
  let known = sources.get(dataset)
  if (!known) {
    const lines = readFileSync(dataset, 'utf8').split('\n').filter(Boolean)
    known = new Map(lines.map(line => JSON.parse(line)).map(task => [task.id, task['bench.cu']]))
    sources.set(dataset, known)
  }
  return known
}

/** Writes what is not there yet. */
export function writeTask(dataset: string, { id, inputs }: Task, folder: string): void {
  mkdirSync(join(folder, 'data'), { recursive: true })
  writeFileSync(join(folder, 'bench.cu'), sourcesIn(dataset).get(id) ?? '')
  for (const input of inputs) {
    const path = join(folder, 'data', input.file)
    if (!existsSync(path)) writeFileSync(path, numbersOf(input))
  }
}

function numbersOf({ file, type, count, range = 256, begin = 0 }: Input): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(count * BYTES[type]))
  const next = xorshift64(file)
  const above = begin === 0 ? 0 : Math.fround(ABOVE)
  for (let at = 0; at < count; at++) {
    const drawn = next()
    const whole = (drawn % range) + (type === 'int32' ? begin : 0)
    if (type === 'float32')
      bytes.setFloat32(4 * at, Math.fround(Math.fround((drawn >>> 8) / 2 ** 23 - 1) + above), true)
    else if (type === 'int32') bytes.setInt32(4 * at, whole, true)
    else if (type === 'uint32') bytes.setUint32(4 * at, drawn, true)
    else if (type === 'int64') bytes.setBigInt64(8 * at, BigInt(whole), true)
    else bytes.setUint8(at, drawn >>> 24)
  }
  return new Uint8Array(bytes.buffer)
}

/** The upper halves of its states, in two halves each. */
function xorshift64(name: string): () => number {
  const seed = [...name].reduce((sum, letter) => BigInt.asUintN(64, sum * 31n + BigInt(letter.charCodeAt(0))), SEED)
  let high = Number(seed >> 32n) | 0
  let low = Number(seed & 0xffff_ffffn) | 0
  return () => {
    high ^= (high << 13) | (low >>> 19)
    low ^= low << 13
    const [by7High, by7Low] = [high >>> 7, (low >>> 7) | (high << 25)]
    high ^= by7High
    low ^= by7Low
    high ^= (high << 17) | (low >>> 15)
    low ^= low << 17
    return high >>> 0
  }
}
