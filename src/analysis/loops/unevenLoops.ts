/** Whether it counts how a loop is written out, of which that is not sure. For metrics/certainty/doubts.ts. In: a prepared kernel. */
import { isFromOutside, type Loop, loops, operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { accessedType } from '../facts/places.ts'
import { isRemainder, isRestCount } from '../facts/roundNames.ts'
import { isWarpUniform } from '../facts/warpUniform.ts'
import { isUnsureOfUnevenLoops } from './countedLoops.ts'

/**
 * Whether lanes may have different numbers of rounds in a loop of which it is not sure whether ptxas writes it out, or nvcc: LLVM here
 * writes out loops of several blocks, whose rests have names of their own; nvcc does not always (reading: covariance). Where lanes have
 * the same number, nothing counts differently so long as each round accesses the same.
 */
export function hasUnevenLoops(func: Func): boolean {
  return (
    isUnsureOfUnevenLoops(func) ||
    (func.blocks.some(isRestOfSeveral) && (hasUnevenRest(func) || hasRoundsOfTheirOwn(func)))
  )
}

const isRestOfSeveral = (block: Block): boolean =>
  isRemainder(block) && !/^(for|while|do)\.body\d*\.\w+$/.test(block.name)

/** Whether it may differ between lanes how many rounds remain: by LLVM's count of them, which it may have had by another name before. */
const hasUnevenRest = (func: Func): boolean =>
  func.blocks.some(({ instructions }) => instructions.some(each => isRestCount(each) && !isWarpUniform(each))) ||
  loops(func).some(loop => isRemainder(loop.header) && !endsTogether(loop))

/** Whether the lanes of a warp leave a loop in one round: what its ends ask for is one for all of them. */
const endsTogether = ({ latches, blocks }: Loop): boolean =>
  latches.every(latch => {
    const last = terminatorOf(latch)
    const test = last.op === 'condbr' ? last.condition : undefined
    return (
      test?.kind === 'instruction' &&
      test.op === 'icmp' &&
      operandsOf(test).every(value => !isFromOutside(value, blocks) || isWarpUniform(value))
    )
  })

/** Whether the rounds of a loop that LLVM wrote out access more or less than those that remain. */
function hasRoundsOfTheirOwn(func: Func): boolean {
  const found = loops(func)
  return func.blocks.filter(isRestOfSeveral).some(rest => {
    const remaining = found.find(({ header, blocks }) => blocks.has(rest) && isRemainder(header))
    const main = found.find(({ header }) => `${header.name}.` === remaining?.header.name.replace(/(prol|epil)$/, ''))
    if (!remaining || !main) return true
    const [all, one] = [accessesOf(main.blocks), accessesOf(remaining.blocks)]
    const rounds = all.length / one.length
    const isAlike =
      Number.isInteger(rounds) && all.join() === one.flatMap(each => Array<string>(rounds).fill(each)).join()
    return !isAlike || !haveEqualBranches(main)
  })
}

/** Whether LLVM's copies of a block have equal accesses; where a round ends, the next one's are in its block. */
function haveEqualBranches({ header, latches, blocks }: Loop): boolean {
  const nameOf = (block: Block) => block.name.replace(/\.\d+$/, '')
  const ends = new Set([header, ...latches].map(nameOf))
  const accesses = new Map<string, string>()
  return [...blocks].every(block => {
    const [name, own] = [nameOf(block), accessesOf(new Set([block])).join()]
    if (ends.has(name)) return true
    const first = accesses.get(name) ?? own
    accesses.set(name, first)
    return first === own
  })
}

const accessesOf = (blocks: ReadonlySet<Block>): string[] =>
  [...blocks]
    .flatMap(({ instructions }) => instructions.filter(each => 'pointer' in each))
    .map(each => `${each.op} ${each.op === 'load' || each.op === 'store' ? storeBytes(accessedType(each)) : ''}`)
    .sort()
