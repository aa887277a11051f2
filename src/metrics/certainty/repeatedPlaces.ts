/**
 * Loads of one place in several rounds of a loop that is written out, whose addresses are one only by the rules of multiplication:
 * `a[z * w + x] … a[(z + 1) * w + x]`, planes of a volume above all. LLVM's loop strength reduction gives some of them one register, by what else the
 * loop computes, and ptxas then makes one load of them, of memory that nothing in the kernel writes (PTX and machine code of 46 loops: of 12 loads of four
 * rounds 6 are left where the row's width is an argument, 8 where it is a product, 12 where the plane above stands last). In: a prepared kernel. Out: such loads.
 */
import { addressKey, decompose, valueNumbering } from '../../analysis/facts/address.ts'
import { constantMemory } from '../../analysis/facts/constantLoads.ts'
import { mayWrite } from '../../analysis/facts/memoryEffects.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, LoadInstruction, Value } from '../../ir/ir.ts'

/** By the values that are multiplied. */
type Polynomial = ReadonlyMap<string, number>

const MOST_PRODUCTS = 24
const DEEPEST = 16

export function loadsOfRepeatedPlaces({ kernel }: KernelProgram): LoadInstruction[] {
  const isConstant = constantMemory(kernel)
  return kernel.blocks
    .filter(block => successors(terminatorOf(block)).includes(block))
    .flatMap(block => repeatedIn(block, load => isConstant(load.pointer) || !block.instructions.some(mayWrite)))
}

function repeatedIn({ instructions }: Block, isUnwritten: (load: LoadInstruction) => boolean): LoadInstruction[] {
  const idOf = valueNumbering()
  const found = new Map<string, { readonly key: string; readonly load: LoadInstruction }>()
  const repeated: LoadInstruction[] = []
  for (const load of instructions) {
    if (load.op !== 'load' || load.volatile || load.atomic || !isUnwritten(load)) continue
    const address = decompose(load.pointer)
    const sum = sumOf([
      [new Map([['', address.offset]]), 1],
      ...address.terms.map(({ index, scale }) => [polynomialOf(index, idOf), scale] as const),
    ])
    const place = `${idOf(address.root)}: ${textOf(sum)}`
    const key = `${addressKey(address, idOf)}+${address.offset}`
    const earlier = found.get(place)
    if (!earlier) found.set(place, { key, load })
    else if (earlier.key !== key) repeated.push(earlier.load, load)
  }
  return repeated
}

function polynomialOf(value: Value, idOf: (value: Value) => number, depth = DEEPEST): Polynomial {
  const alone: Polynomial = new Map([[`v${idOf(value)}`, 1]])
  if (value.kind === 'int') return new Map([['', Number(value.value)]])
  if (value.kind !== 'instruction' || depth === 0) return alone
  const of = (operand: Value) => polynomialOf(operand, idOf, depth - 1)
  switch (value.op) {
    case 'sext':
    case 'zext':
      return of(value.value)
    case 'add':
      return sumOf([
        [of(value.left), 1],
        [of(value.right), 1],
      ])
    case 'sub':
      return sumOf([
        [of(value.left), 1],
        [of(value.right), -1],
      ])
    case 'shl':
      return value.right.kind === 'int' ? sumOf([[of(value.left), 2 ** Number(value.right.value)]]) : alone
    case 'mul': {
      const product = productOf(of(value.left), of(value.right))
      return product.size <= MOST_PRODUCTS ? product : alone
    }
    default:
      return alone
  }
}

function sumOf(parts: readonly (readonly [Polynomial, number])[]): Polynomial {
  const sum = new Map<string, number>()
  for (const [part, scale] of parts)
    for (const [values, count] of part) sum.set(values, (sum.get(values) ?? 0) + scale * count)
  return sum
}

function productOf(one: Polynomial, other: Polynomial): Polynomial {
  const product = new Map<string, number>()
  for (const [left, count] of one)
    for (const [right, times] of other) {
      const values = [...left.split('*'), ...right.split('*')].filter(Boolean).sort().join('*')
      product.set(values, (product.get(values) ?? 0) + count * times)
    }
  return product
}

const textOf = (sum: Polynomial): string =>
  [...sum]
    .filter(([, count]) => count !== 0)
    .map(([values, count]) => `${count}*${values}`)
    .sort()
    .join(' + ')
