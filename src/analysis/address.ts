/** Pointers taken apart: root + constant + sum of index x scale, through chains of address computations. */
import type { Instruction, Value } from '../ir/ir.ts'

export interface Address {
  /** What is left when no more `gep` or pointer cast can be taken off; never a gep. */
  readonly root: Value
  readonly offset: number
  readonly terms: readonly { readonly index: Value; readonly scale: number }[]
}

export function decompose(pointer: Value): Address {
  let root = pointer
  let offset = 0
  const terms: { index: Value; scale: number }[] = []
  for (;;) {
    if (root.kind === 'instruction' && root.op === 'gep') {
      offset += root.offset
      for (const { index, scale } of root.terms) terms.push({ index, scale })
      root = root.base
    } else if (
      root.kind === 'instruction' &&
      (root.op === 'freeze' || root.op === 'addrspacecast' || root.op === 'bitcast')
    ) {
      root = root.value
    } else if (root.kind === 'address' && root.offset !== 0) {
      offset += root.offset
      root = { ...root, offset: 0 }
    } else break
  }
  const rest = terms.map(({ index, scale }) => {
    let base = index
    while (base.kind === 'instruction' && base.op === 'add' && base.right.kind === 'int' && isPointerSized(base)) {
      offset += Number(BigInt.asIntN(32, base.right.value)) * scale
      base = base.left
    }
    return { index: base, scale }
  })
  return { root, offset, terms: rest }
}

/** In 32 bits addresses wrap as the index does, so an add of 32 bits may be taken apart whether it wraps or not. */
function isPointerSized(instruction: Instruction): boolean {
  return instruction.type.kind === 'int' && instruction.type.bits === 32
}

/** Equal keys: the same root and the same terms, so that two addresses differ by their offsets only. */
export function addressKey(address: Address, idOf: (value: Value) => number): string {
  const terms = address.terms.map(({ index, scale }) => `${idOf(index)}x${scale}`).sort()
  return `${rootId(address.root, idOf)}:${terms.join('+')}`
}

function rootId(root: Value, idOf: (value: Value) => number): string {
  return root.kind === 'address' ? `@${root.target.name}` : String(idOf(root))
}

/** Numbers values as they are met; constants of equal value are equal. */
export function valueNumbering(): (value: Value) => number {
  const numbers = new Map<Value | string, number>()
  return value => {
    const key = value.kind === 'int' ? `${value.value}` : value
    let number = numbers.get(key)
    if (number === undefined) numbers.set(key, (number = numbers.size))
    return number
  }
}
