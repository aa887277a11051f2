import { describe, expect, test } from 'vitest'
import { checkModule } from '../../src/ir/check.ts'
import { loops, reversePostOrder } from '../../src/ir/graph.ts'
import type { Instruction, Module } from '../../src/ir/ir.ts'
import { readModule } from '../../src/ir/read.ts'
import { generateKernel } from './generate.ts'

const SEEDS = Array.from({ length: 80 }, (_, seed) => seed)

function kernelInstructions(module: Module): Instruction[] {
  return module.functions.flatMap(func => func.blocks).flatMap(block => block.instructions)
}

describe('random kernels', { timeout: 60_000 }, () => {
  test('are legal IR', () => {
    for (const seed of SEEDS) {
      const { text, kernel } = generateKernel(seed)
      try {
        const module = readModule(text, `seed ${seed}`)
        checkModule(module)
        expect(module.functions.find(func => func.name === kernel)?.isKernel).toBe(true)
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error })
      }
    }
  })

  test('are the same for the same seed', () => {
    for (const form of ['ir', 'cuda', 'graph'] as const) {
      expect(generateKernel(5, { form })).toEqual(generateKernel(5, { form }))
      expect(generateKernel(5, { form }).text).not.toBe(generateKernel(6, { form }).text)
    }
  })

  test('have, among them, every operation that executors must agree on', () => {
    const seen = new Set<string>()
    for (const seed of SEEDS) {
      for (const instruction of kernelInstructions(readModule(generateKernel(seed, { form: 'ir' }).text, 'k'))) {
        seen.add(instruction.op)
        if (instruction.op === 'call' && instruction.callee.kind === 'function') seen.add(instruction.callee.name)
        if (instruction.op === 'atomicrmw') seen.add(`atomic ${instruction.operation}`)
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...['add', 'sub', 'mul', 'udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor', 'phi'],
        ...['fadd', 'fsub', 'fmul', 'fdiv', 'fneg', 'fma', 'icmp', 'fcmp', 'select', 'switch', 'condbr', 'ret'],
        ...['trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp', 'bitcast'],
        ...['alloca', 'load', 'store', 'gep', 'cmpxchg', 'extractvalue', 'atomic xchg', 'atomic umax', 'helper0'],
        ...['llvm.nvvm.barrier.cta.sync.aligned.all', 'llvm.nvvm.vote.ballot.sync', 'llvm.nvvm.bar.warp.sync'],
        ...['idx', 'up', 'down', 'bfly'].map(mode => `llvm.nvvm.shfl.sync.${mode}.i32`),
        ...['llvm.fshl.i8', 'llvm.ctlz.i16', 'llvm.bitreverse.i64', 'llvm.minnum.f32', 'llvm.sqrt.f64'],
      ]),
    )
  })

  test('have irreducible control flow among the graphs', () => {
    const irreducible = SEEDS.filter(seed => {
      const func = readModule(generateKernel(seed, { form: 'graph' }).text, 'k').functions[0]!
      const order = reversePostOrder(func)
      const headers = new Set(loops(func).map(loop => loop.header))
      const backEdges = order.flatMap((block, at) => {
        const last = block.instructions.at(-1)!
        const targets = last.op === 'br' ? [last.target] : last.op === 'condbr' ? [last.ifTrue, last.ifFalse] : []
        return targets.filter(target => order.indexOf(target) <= at)
      })
      return backEdges.some(target => !headers.has(target))
    })
    expect(irreducible.length).toBeGreaterThan(10)
  })
})
