/**
 * Which loads cannot go before which stores and atomics: the machine compiler moves a load up over one only where it sees that they
 * are different memory (machine code of 14 loops with atomics). Of `__restrict__` it knows only what nothing in the kernel writes (LDG.CONSTANT):
 * `c[x] = w[x] + c[x - 1]` goes round by round where the kernel has written `w` before (machine code of 5 kernels; reading:
 * `kernel_normalize_weights` of `s37-particlefilter`, 70 cycles a round). In: a kernel's stores, atomics and loads, in program order, also of several
 * rounds of a loop. Out: for a load, the longest path of the stores that it must stay behind (latencyChain.ts).
 */
import { type Address, addressKey, decomposeLinear, valueNumbering } from '../../analysis/facts/address.ts'
import { constantMemory } from '../../analysis/facts/constantLoads.ts'
import { stepOfAddress } from '../../analysis/facts/loopSteps.ts'
import { accessedType, isFound } from '../../analysis/facts/places.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'

type Access = Extract<Instruction, { readonly pointer: Value }>

interface Place {
  readonly address: Address
  readonly key: string
  readonly space: string
  readonly bytes: number
}

/** Stores in one memory at constant distances from each other. */
interface Group<Path> {
  readonly place: Place
  /** Of all of them. */
  longest: Path
  widest: number
  /** By the first byte. */
  readonly at: Map<number, { bytes: number; path: Path }>
}

export class MemoryOrder<Path> {
  readonly #program: KernelProgram
  readonly #longer: (a: Path, b: Path) => Path
  readonly #idOf = valueNumbering()
  readonly #groups = new Map<string, Group<Path>>()
  readonly #isConstant: (pointer: Value) => boolean
  /** Of a loop whose rounds stand together, the one that is told now. */
  round = 0

  constructor(program: KernelProgram, longer: (a: Path, b: Path) => Path) {
    this.#program = program
    this.#longer = longer
    this.#isConstant = constantMemory(program.kernel)
  }

  /** Shared, global or local; `any` where that is decided when the program runs. */
  #spaceOf(instruction: Instruction): string {
    const spaces = Object.keys(this.#program.siteIds.get(instruction) ?? {})
    return spaces.length === 1 ? spaces[0]! : 'any'
  }

  #place(access: Access): Place {
    const { root, offset, terms } = decomposeLinear(access.pointer, value => value)
    const type = accessedType(access)
    const address = { root, offset: offset + this.round * (stepOfAddress({ root, terms }, access.block) ?? 0), terms }
    return {
      address,
      key: addressKey(address, this.#idOf),
      space: this.#spaceOf(access),
      bytes: type.kind === 'vector' ? type.length * storeBytes(type.element) : storeBytes(type),
    }
  }

  /** A store or an atomic. */
  write(access: Access, path: Path): void {
    const place = this.#place(access)
    const { bytes } = place
    const { offset } = place.address
    const name = `${place.space} ${place.key}`
    const group = this.#groups.get(name)
    if (!group) {
      this.#groups.set(name, { place, longest: path, widest: bytes, at: new Map([[offset, { bytes, path }]]) })
      return
    }
    const there = group.at.get(offset)
    group.at.set(offset, {
      bytes: Math.max(bytes, there?.bytes ?? 0),
      path: there ? this.#longer(there.path, path) : path,
    })
    group.longest = this.#longer(group.longest, path)
    group.widest = Math.max(group.widest, bytes)
  }

  /** The longest of a path and those of the stores that the load stays behind. */
  before(path: Path, load: LoadInstruction): Path {
    if (this.#groups.size === 0 || this.#isConstant(load.pointer)) return path
    const place = this.#place(load)
    let longest = path
    for (const group of this.#groups.values()) longest = this.#behind(longest, group, place)
    return longest
  }

  #behind(path: Path, { place, longest, widest, at }: Group<Path>, load: Place): Path {
    if (load.space !== place.space && load.space !== 'any' && place.space !== 'any') return path
    if (load.key !== place.key) return mayBeSame(load, place) ? this.#longer(path, longest) : path
    const { offset } = load.address
    let behind = path
    for (let byte = offset - widest + 1; byte < offset + load.bytes; byte++) {
      const written = at.get(byte)
      if (written && offset < byte + written.bytes) behind = this.#longer(behind, written.path)
    }
    return behind
  }
}

/** Whether two places at no constant distance may be the same. */
function mayBeSame(a: Place, b: Place): boolean {
  const isShared = a.space === 'shared' && b.space === 'shared'
  if (isShared && (isFound(a.address) || isFound(b.address))) return true
  return !areDifferent(a.address.root, b.address.root)
}

const isArray = (root: Value) => root.kind === 'address' || (root.kind === 'instruction' && root.op === 'alloca')

/** Two arrays by name. */
function areDifferent(a: Value, b: Value): boolean {
  if (a.kind === 'address' && b.kind === 'address') return a.target !== b.target
  return a !== b && isArray(a) && isArray(b)
}
