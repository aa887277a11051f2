/**
 * Words of shared memory that only a branch needs, beside one that is loaded in front of it: ptxas loads both as one vector, whatever the
 * branch will say (`r = s[4 * t]; if (r > n) r += s[4 * t + 1];` is one load of 8 bytes). Here the branch loads its own. Read off the
 * machine code of 12 kernels (nvcc 13.0, sm_90); readings: `cs-mergeSort` kernel 5, mai-day009_flash_attention.
 *
 * In: a prepared kernel. Out: such loads.
 */
import { type Address, addressKey, decompose, valueNumbering } from '../analysis/address.ts'
import { mayWrite } from '../analysis/memoryEffects.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { congruenceOfPlace, isWideShared, LINE } from '../analysis/sharedPlaces.ts'
import { predecessors } from '../ir/graph.ts'
import type { Block, Instruction } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'

/** Branches within branches that are looked through. */
const DEEPEST = 3

interface Word {
  readonly load: Instruction
  readonly key: string
  readonly line: number
  readonly offset: number
}

export function wordsOfBranches({ kernel, siteIds }: KernelProgram): Instruction[] {
  const before = predecessors(kernel)
  const idOf = valueNumbering()
  const wordsOf = new Map(
    kernel.blocks.map(block => [block, block.instructions.flatMap(each => (siteIds.has(each) ? wordAt(each) : []))]),
  )
  return kernel.blocks.flatMap(block => {
    const own = untilWrite(wordsOf.get(block)!, block)
    const earlier = own.length > 0 ? inFront(block) : []
    return own.filter(word => earlier.some(other => isBeside(word, other))).map(({ load }) => load)
  })

  function wordAt(each: Instruction): Word[] {
    if (each.op !== 'load' || storeBytes(each.type) >= LINE / 2) return []
    const address: Address = decompose(each.pointer)
    const { modulus, residue } = congruenceOfPlace(address)
    if (!isWideShared(address.root) || modulus < LINE / 2) return []
    const { root, offset, terms } = address
    const inLine = Number(residue) % Math.min(LINE, Number(modulus))
    return [{ load: each, key: addressKey({ root, offset: 0, terms }, idOf), line: offset - inLine, offset }]
  }

  /** What the blocks in front load, each the only way to the next. */
  function inFront(block: Block): Word[] {
    const found: Word[] = []
    for (let [at, depth] = [block, 0]; depth < DEEPEST; depth++) {
      const [only, ...more] = before.get(at) ?? []
      if (!only || more.length > 0) break
      found.push(...behindWrite(wordsOf.get(only)!, only))
      if (only.instructions.some(mayWrite)) break
      at = only
    }
    return found
  }
}

const isBeside = (a: Word, b: Word): boolean => a.key === b.key && a.line === b.line && a.offset !== b.offset

function untilWrite(words: readonly Word[], { instructions }: Block): Word[] {
  const end = instructions.findIndex(mayWrite)
  return words.filter(({ load }) => end < 0 || instructions.indexOf(load) < end)
}

function behindWrite(words: readonly Word[], { instructions }: Block): Word[] {
  const last = instructions.findLastIndex(mayWrite)
  return words.filter(({ load }) => instructions.indexOf(load) > last)
}
