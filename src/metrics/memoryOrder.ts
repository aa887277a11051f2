/**
 * Which loads cannot go before which stores and atomics: the machine compiler moves a load up over one only where it sees that they
 * are different memory (machine code of 14 loops with atomics). In: a kernel's stores, atomics and loads, in program order, also of several
 * rounds of a loop. Out: for a load, the path of the last store that it must stay behind (latencyChain.ts).
 */
import { type Address, addressKey, decomposeLinear, valueNumbering } from '../analysis/address.ts'
import { addedTo } from '../analysis/loopSteps.ts'
import { accessedType, isFound } from '../analysis/places.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Block, Instruction, LoadInstruction, Value } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'

type Access = Extract<Instruction, { readonly pointer: Value }>

interface Written<Path> {
  readonly address: Address
  readonly key: string
  readonly space: string
  readonly bytes: number
  readonly path: Path
}

export class MemoryOrder<Path> {
  readonly #program: KernelProgram
  readonly #idOf = valueNumbering()
  readonly #written: Written<Path>[] = []
  /** Of a loop whose rounds stand together, the one that is told now. */
  round = 0

  constructor(program: KernelProgram) {
    this.#program = program
  }

  /** Shared, global or local; `any` where that is decided when the program runs. */
  #spaceOf(instruction: Instruction): string {
    const spaces = Object.keys(this.#program.siteIds.get(instruction) ?? {})
    return spaces.length === 1 ? spaces[0]! : 'any'
  }

  #place(access: Access) {
    const { root, offset, terms } = decomposeLinear(access.pointer, value => value)
    const type = accessedType(access)
    const address = { root, offset: offset + this.round * stepOf({ root, terms }, access.block), terms }
    return {
      address,
      key: addressKey(address, this.#idOf),
      space: this.#spaceOf(access),
      bytes: type.kind === 'vector' ? type.length * storeBytes(type.element) : storeBytes(type),
    }
  }

  /** A store or an atomic. */
  write(access: Access, path: Path): void {
    this.#written.push({ ...this.#place(access), path })
  }

  /** Paths of the stores that the load stays behind. */
  before(load: LoadInstruction): Path[] {
    if (this.#written.length === 0) return []
    const place = this.#place(load)
    return this.#written.filter(written => mayOverlap(place, written)).map(({ path }) => path)
  }
}

/** Bytes by which an address moves a round of the loop that its block is, as far as the compiler knows. */
function stepOf({ root, terms }: Pick<Address, 'root' | 'terms'>, block: Block): number {
  const added = (value: Value): number => {
    if (value.kind !== 'instruction' || value.op !== 'phi' || value.block !== block) return 0
    const next = value.incoming.find(({ block: from }) => from === block)?.value
    const step = next && addedTo(value, next)
    return typeof step === 'number' ? step : 0
  }
  return terms.reduce((sum, { index, scale }) => sum + scale * added(index), added(root))
}

type Place = Omit<Written<unknown>, 'path'>

function mayOverlap(a: Place, b: Place): boolean {
  if (a.space !== b.space && a.space !== 'any' && b.space !== 'any') return false
  if (a.key === b.key) {
    const [from, to] = [a.address.offset, b.address.offset]
    return from < to + b.bytes && to < from + a.bytes
  }
  const isShared = a.space === 'shared' && b.space === 'shared'
  if (isShared && (isFound(a.address) || isFound(b.address))) return true
  return !areDifferent(a.address.root, b.address.root)
}

const isAlone = (root: Value) => root.kind === 'parameter' && root.noalias === true
const isArray = (root: Value) => root.kind === 'address' || (root.kind === 'instruction' && root.op === 'alloca')

/** Two arrays by name, or one that is reached through its own pointer alone. */
function areDifferent(a: Value, b: Value): boolean {
  if (a.kind === 'address' && b.kind === 'address') return a.target !== b.target
  return a !== b && (isAlone(a) || isAlone(b) || (isArray(a) && isArray(b)))
}
