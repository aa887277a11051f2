/**
 * The control flow graph of a function and what is known about it: order, dominators, loops.
 * In: a function whose blocks end in terminators; out: maps and trees that stay valid until blocks or branches change.
 * The first block is the entry. Unreachable blocks appear in no order, tree or loop.
 */
import type { Block, Func, Instruction, Terminator, Value } from './ir.ts'
import { terminatorOf } from './operands.ts'

export {
  cloneBlocks,
  cloneFunction,
  cloneInstruction,
  isTerminator,
  operandsOf,
  replaceBlocks,
  replaceOperands,
  terminatorOf,
  users,
} from './operands.ts'

/** The name of the function that is called; undefined for what is no call, and for calls through pointers. */
export const calledName = (instruction: Instruction): string | undefined =>
  instruction.op === 'call' && instruction.callee.kind === 'function' ? instruction.callee.name : undefined

/** Where a terminator may go, each block once, in the order of the text (a switch's fallback first). */
export function successors(terminator: Terminator): Block[] {
  switch (terminator.op) {
    case 'br':
      return [terminator.target]
    case 'condbr':
      return terminator.ifTrue === terminator.ifFalse ? [terminator.ifTrue] : [terminator.ifTrue, terminator.ifFalse]
    case 'switch':
      return [...new Set([terminator.fallback, ...terminator.cases.map(branch => branch.target)])]
    case 'ret':
    case 'unreachable':
      return []
  }
}

/** The blocks that branch to each block of the function, each once, in block order; every block has an entry. */
export function predecessors(func: Func): Map<Block, Block[]> {
  const found = new Map<Block, Block[]>(func.blocks.map(block => [block, []]))
  for (const block of func.blocks) {
    for (const next of successors(terminatorOf(block))) found.get(next)?.push(block)
  }
  return found
}

/** Reachable blocks, each before its successors except along back edges; the first successor's side comes first. */
export function reversePostOrder(func: Func): Block[] {
  const entry = func.blocks[0]
  return entry ? postOrder([entry], block => successors(terminatorOf(block)).reverse()).reverse() : []
}

function postOrder(roots: readonly Block[], next: (block: Block) => readonly Block[]): Block[] {
  const order: Block[] = []
  const seen = new Set<Block>()
  for (const root of roots) {
    if (seen.has(root)) continue
    seen.add(root)
    const stack = [{ block: root, next: next(root), at: 0 }]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const follow = top.next[top.at++]
      if (!follow) {
        order.push(top.block)
        stack.pop()
      } else if (!seen.has(follow)) {
        seen.add(follow)
        stack.push({ block: follow, next: next(follow), at: 0 })
      }
    }
  }
  return order
}

/** A tree of blocks in which a block's ancestors are those that dominate (or post-dominate) it. */
export interface DominatorTree {
  /** The closest strict dominator; undefined for the root, and for what only the virtual exit post-dominates. */
  immediate(block: Block): Block | undefined
  /** Every block dominates itself; unreachable blocks dominate nothing and are dominated by nothing. */
  dominates(dominator: Block, block: Block): boolean
}

/** Dominators from the entry. Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm" (2001). */
export function dominators(func: Func): DominatorTree {
  const before = predecessors(func)
  return dominatorTree(reversePostOrder(func), block => before.get(block) ?? [], new Set(func.blocks.slice(0, 1)))
}

/**
 * Post-dominators towards a virtual exit behind every `ret` and `unreachable`. A part of the function that never ends is
 * tied to the exit at its last block in reverse post-order, so that every reachable block is in the tree.
 */
export function postDominators(func: Func): DominatorTree {
  const order = reversePostOrder(func)
  const reachable = new Set(order)
  const before = predecessors(func)
  const back = (block: Block): Block[] => (before.get(block) ?? []).filter(other => reachable.has(other))
  const exits = order.filter(block => successors(terminatorOf(block)).length === 0)
  let seen = new Set(postOrder(exits, back))
  for (let i = order.length - 1; i >= 0; i--) {
    if (seen.has(order[i]!)) continue
    exits.push(order[i]!)
    seen = new Set(postOrder(exits, back))
  }
  return dominatorTree(postOrder(exits, back).reverse(), block => successors(terminatorOf(block)), new Set(exits))
}

/** `order`: reverse post-order of the graph whose edges into a block are `before`; `roots` hang below a virtual root. */
function dominatorTree(
  order: readonly Block[],
  before: (block: Block) => readonly Block[],
  roots: ReadonlySet<Block>,
): DominatorTree {
  const indexOf = new Map(order.map((block, index) => [block, index + 1]))
  const virtualRoot = 0
  const parents = new Int32Array(order.length + 1).fill(-1)
  parents[virtualRoot] = virtualRoot
  const meet = (a: number, b: number): number => {
    while (a !== b) {
      while (a > b) a = parents[a]!
      while (b > a) b = parents[b]!
    }
    return a
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const [i, block] of order.entries()) {
      let parent = roots.has(block) ? virtualRoot : -1
      for (const other of before(block)) {
        const index = indexOf.get(other)
        if (index === undefined || parents[index] === -1) continue
        parent = parent === -1 ? index : meet(parent, index)
      }
      if (parent !== -1 && parents[i + 1] !== parent) {
        parents[i + 1] = parent
        changed = true
      }
    }
  }
  return {
    immediate: block => {
      const index = indexOf.get(block)
      return index === undefined ? undefined : order[parents[index]! - 1]
    },
    dominates: (dominator, block) => {
      const wanted = indexOf.get(dominator)
      let index = indexOf.get(block)
      if (wanted === undefined || index === undefined) return false
      while (index > wanted) index = parents[index]!
      return index === wanted
    },
  }
}

/** A natural loop: `header` dominates all its blocks, `latches` branch back to it. Loops of one header are one loop. */
export interface Loop {
  readonly header: Block
  readonly latches: readonly Block[]
  /** Header, latches and the blocks of inner loops included. */
  readonly blocks: ReadonlySet<Block>
  /** The innermost loop around this one. */
  readonly parent: Loop | undefined
  readonly children: Loop[]
  /** 1 for an outermost loop. */
  readonly depth: number
}

/** Whether a value is there before these blocks are entered. */
export const isFromOutside = (value: Value, blocks: ReadonlySet<Block>): boolean =>
  value.kind !== 'instruction' || !blocks.has(value.block)

/** All natural loops, outer before inner, in reverse post-order of their headers. Irreducible cycles are not natural loops. */
export function loops(func: Func, tree: DominatorTree = dominators(func)): Loop[] {
  const before = predecessors(func)
  const found: Loop[] = []
  for (const header of reversePostOrder(func)) {
    const latches = before.get(header)!.filter(block => tree.dominates(header, block))
    if (latches.length === 0) continue
    const blocks = new Set<Block>([header])
    const pending = [...latches]
    for (let block = pending.pop(); block; block = pending.pop()) {
      if (blocks.has(block)) continue
      blocks.add(block)
      for (const other of before.get(block)!) if (tree.dominates(header, other)) pending.push(other)
    }
    // A loop that holds this header was found before, as its own header dominates it; the last such is the innermost.
    const parent = found.findLast(loop => loop.blocks.has(header))
    const loop: Loop = { header, latches, blocks, parent, children: [], depth: (parent?.depth ?? 0) + 1 }
    parent?.children.push(loop)
    found.push(loop)
  }
  return found
}
