/**
 * When the words of fragments of matrices are there: they go from instruction to instruction through variables (analysis/lowering/interleaveFragments.ts),
 * which on the machine are registers. In: accesses of such variables, in program order. Out: the path to the last that wrote what one reads.
 */
import { decompose } from '../../analysis/facts/address.ts'
import { WARP_SIZE } from '../../analysis/loops/warpSize.ts'
import { isInterleaved } from '../../analysis/lowering/interleaveFragments.ts'
import {
  type MatrixProduct,
  matrixCallOf,
  wordsOfA,
  wordsOfB,
  wordsOfSum,
} from '../../analysis/lowering/matrixKinds.ts'
import type { Instruction, Value } from '../../ir/ir.ts'

interface Words {
  readonly variable: Value
  /** Undefined where only the running kernel knows it. */
  readonly first: number | undefined
  readonly count: number
}

export interface FragmentAccess {
  readonly reads: readonly Words[]
  readonly writes: readonly Words[]
}

function wordsAt(pointer: Value, count: number): readonly Words[] {
  const { root, offset, terms } = decompose(pointer)
  const word = root.kind === 'instruction' && root.op === 'alloca' ? root.interleaved : undefined
  if (word === undefined) return []
  return [{ variable: root, first: terms.length > 0 ? undefined : Math.floor(offset / (word * WARP_SIZE)), count }]
}

/** Undefined for what accesses no fragment. */
export function fragmentAccess(instruction: Instruction): FragmentAccess | undefined {
  if (instruction.op === 'load' || instruction.op === 'store') {
    if (!isInterleaved(instruction.pointer)) return undefined
    const words = wordsAt(instruction.pointer, 1)
    return instruction.op === 'load' ? { reads: words, writes: [] } : { reads: [], writes: words }
  }
  const call = matrixCallOf(instruction)
  if (!call || instruction.op !== 'call') return undefined
  const [d, a, b, c] = instruction.args
  if (call.kind === 'transpose') return { reads: wordsAt(a!, 1), writes: wordsAt(d!, 1) }
  const { product }: { product: MatrixProduct } = call
  const sums = wordsOfSum(product)
  return {
    reads: [...wordsAt(a!, wordsOfA(product)), ...wordsAt(b!, wordsOfB(product)), ...wordsAt(c!, sums)],
    writes: wordsAt(d!, sums),
  }
}

export class FragmentPaths<Path> {
  readonly #longer: (a: Path, b: Path | undefined) => Path
  readonly #words = new Map<Value, Map<number, Path>>()
  /** Of writes to places that are not known. */
  readonly #somewhere = new Map<Value, Path>()

  constructor(longer: (a: Path, b: Path | undefined) => Path) {
    this.#longer = longer
  }

  /** The longest of a path and those to what is read. */
  before(path: Path, { reads }: FragmentAccess): Path {
    let longest = path
    for (const { variable, first, count } of reads) {
      longest = this.#longer(longest, this.#somewhere.get(variable))
      for (const [word, held] of this.#words.get(variable) ?? [])
        if (first === undefined || (word >= first && word < first + count)) longest = this.#longer(longest, held)
    }
    return longest
  }

  write({ writes }: FragmentAccess, path: Path): void {
    for (const { variable, first, count } of writes) {
      if (first === undefined) {
        this.#somewhere.set(variable, this.#longer(path, this.#somewhere.get(variable)))
        continue
      }
      const held = this.#words.get(variable) ?? new Map<number, Path>()
      this.#words.set(variable, held)
      for (let word = first; word < first + count; word++) held.set(word, path)
    }
  }
}
