import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkFunction } from '../../src/ir/check.ts'
import {
  cloneFunction,
  dominators,
  loops,
  operandsOf,
  postDominators,
  predecessors,
  reversePostOrder,
  successors,
  terminatorOf,
  users,
} from '../../src/ir/graph.ts'
import type { Block, Func } from '../../src/ir/ir.ts'
import { printFunction } from '../../src/ir/print.ts'
import { readModule } from '../../src/ir/read.ts'
import { LOOP } from './samples.ts'

/** A function of empty blocks: `{ a: ['b', 'c'] }` branches from a to b or c; no targets: return. */
function flow(edges: Readonly<Record<string, readonly string[]>>): Func {
  const text = Object.entries(edges).map(([name, [first, second]]) => {
    if (!first) return `${name}:\n  ret void\n`
    return `${name}:\n  br ${second ? `i1 %c, label %${first}, label %${second}` : `label %${first}`}\n`
  })
  return readModule(`define void @f(i1 %c) {\n${text.join('\n')}}\n`, 'k.cu').functions[0]!
}

function block(func: Func, name: string): Block {
  return func.blocks.find(candidate => candidate.name === name)!
}

const NESTED = flow({
  entry: ['outer'],
  outer: ['inner', 'exit'],
  inner: ['body', 'latch'],
  body: ['inner', 'early'],
  early: [],
  latch: ['outer'],
  exit: [],
})

describe('order, dominators, loops', () => {
  test('reverse post-order visits a block after its predecessors, back edges aside', () => {
    expect(reversePostOrder(NESTED).map(b => b.name)).toEqual([
      'entry',
      'outer',
      'inner',
      'body',
      'early',
      'latch',
      'exit',
    ])
  })

  test('immediate dominators', () => {
    const tree = dominators(NESTED)
    const immediate = Object.fromEntries(NESTED.blocks.map(b => [b.name, tree.immediate(b)?.name]))
    expect(immediate).toEqual({
      ...{
        entry: undefined,
        outer: 'entry',
        inner: 'outer',
        body: 'inner',
        early: 'body',
        latch: 'inner',
        exit: 'outer',
      },
    })
  })

  test('immediate post-dominators, with several exits and with none', () => {
    const diamond = flow({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })
    expect(postDominators(diamond).immediate(block(diamond, 'a'))?.name).toBe('d')
    expect(postDominators(NESTED).immediate(block(NESTED, 'outer'))).toBeUndefined()
    expect(postDominators(NESTED).immediate(block(NESTED, 'latch'))?.name).toBe('outer')
    const endless = flow({ a: ['b'], b: ['c', 'd'], c: ['b'], d: ['b'] })
    expect(endless.blocks.map(b => postDominators(endless).dominates(b, b))).toEqual([true, true, true, true])
    expect(postDominators(endless).immediate(block(endless, 'a'))?.name).toBe('b')
  })

  test('loops nest', () => {
    const found = loops(NESTED)
    expect(
      found.map(loop => [loop.header.name, loop.depth, loop.parent?.header.name, loop.latches.map(b => b.name)]),
    ).toEqual([
      ['outer', 1, undefined, ['latch']],
      ['inner', 2, 'outer', ['body']],
    ])
    expect([...found[0]!.blocks].map(b => b.name).sort()).toEqual(['body', 'inner', 'latch', 'outer'])
  })

  test('an irreducible cycle is no loop', () => {
    expect(loops(flow({ a: ['b', 'c'], b: ['c', 'd'], c: ['b', 'd'], d: [] }))).toEqual([])
  })

  test('agree with the definition on random graphs', { timeout: 60_000 }, () => {
    const graphs = fc.integer({ min: 1, max: 9 }).chain(size =>
      fc.array(fc.array(fc.integer({ min: 1, max: Math.max(1, size - 1) }), { maxLength: 2 }), {
        minLength: size,
        maxLength: size,
      }),
    )
    fc.assert(
      fc.property(graphs, targets => {
        const size = targets.length
        const func = flow(
          Object.fromEntries(targets.map((next, i) => [`b${i}`, next.filter(n => n < size).map(n => `b${n}`)])),
        )
        const tree = dominators(func)
        const reaches = (from: readonly Block[], next: (b: Block) => Block[], without?: Block): Set<Block> => {
          const seen = new Set<Block>()
          const pending = from.filter(b => b !== without)
          for (let b = pending.pop(); b; b = pending.pop()) {
            if (seen.has(b)) continue
            seen.add(b)
            pending.push(...next(b).filter(n => n !== without))
          }
          return seen
        }
        const forward = (b: Block): Block[] => successors(terminatorOf(b))
        const entry = func.blocks[0]!
        const reachable = reaches([entry], forward)
        expect(new Set(reversePostOrder(func))).toEqual(reachable)
        const before = predecessors(func)
        const exits = [...reachable].filter(b => forward(b).length === 0)
        const post = postDominators(func)
        const canEnd = reaches(exits, b => before.get(b)!.filter(p => reachable.has(p)))
        for (const a of reachable) {
          const around = reaches([entry], forward, a)
          const aroundBack = reaches(exits, b => before.get(b)!.filter(p => reachable.has(p)), a)
          for (const b of reachable) {
            expect(tree.dominates(a, b)).toBe(a === b || !around.has(b))
            if (canEnd.size === reachable.size) expect(post.dominates(a, b)).toBe(a === b || !aroundBack.has(b))
          }
        }
      }),
      { numRuns: 200, seed: 11 },
    )
  })
})

describe('operands and copies', () => {
  const func = readModule(LOOP, 'k.cu').functions[0]!

  test('users are those whose operands mention a value', () => {
    const readers = users(func)
    for (const b of func.blocks) {
      for (const instruction of b.instructions) {
        for (const value of operandsOf(instruction)) {
          if (value.kind === 'instruction' || value.kind === 'parameter')
            expect(readers.get(value)).toContain(instruction)
        }
      }
    }
    expect(readers.get(func.parameters[1]!)?.map(user => user.op)).toEqual(['icmp'])
  })

  test('a copy prints the same, checks, and shares no instruction, block or list', () => {
    const copy = cloneFunction(func)
    checkFunction(copy)
    expect(printFunction(copy)).toBe(printFunction(func))
    const own = new Set(copy.blocks.flatMap(b => b.instructions))
    for (const instruction of func.blocks.flatMap(b => b.instructions)) expect(own.has(instruction)).toBe(false)
    const before = printFunction(func)
    for (const instruction of own) {
      if (instruction.op === 'phi') instruction.incoming.length = 0
      if (instruction.op === 'gep') instruction.terms.length = 0
    }
    expect(printFunction(func)).toBe(before)
  })

  test('a copy can replace parameters', () => {
    const five = { kind: 'int', type: func.parameters[1]!.type, value: 5n } as const
    const copy = cloneFunction(func, new Map([[func.parameters[1]!, five]]))
    expect(printFunction(copy)).toContain('icmp ult i32 %0, 5')
  })
})
