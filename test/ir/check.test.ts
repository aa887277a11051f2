import { expect, test } from 'vitest'
import { InternalError } from '../../src/diagnostic.ts'
import { checkModule } from '../../src/ir/check.ts'
import { floatBits, floatConstant, halfToNumber } from '../../src/ir/floats.ts'
import type { Func, Instruction, Module } from '../../src/ir/ir.ts'
import { printModule } from '../../src/ir/print.ts'
import { readModule } from '../../src/ir/read.ts'
import { F16, F32, F64, I32, I64 } from '../../src/ir/types.ts'
import { LOOP } from './samples.ts'

function named(module: Module, name: string): Instruction {
  return kernelOf(module)
    .blocks.flatMap(block => block.instructions)
    .find(instruction => instruction.name === name)!
}

function kernelOf(module: Module): Func {
  return module.functions[0]!
}

/** What checking says about the sample after a change. */
function complaint(change: (module: Module) => void): string {
  const module = readModule(LOOP, 'k.cu')
  checkModule(module)
  change(module)
  try {
    checkModule(module)
  } catch (error) {
    if (error instanceof InternalError) return error.message
    throw error
  }
  return ''
}

test.each<[string, (module: Module) => void, string]>([
  ['a lost terminator', m => kernelOf(m).blocks[0]!.instructions.pop(), 'no terminator'],
  [
    'a phi without one of its predecessors',
    m => {
      const phi = named(m, 'i')
      if (phi.op === 'phi') phi.incoming.pop()
    },
    'does not match the predecessors',
  ],
  [
    'a use before the definition',
    m => {
      const { instructions } = named(m, '1').block
      const at = instructions.indexOf(named(m, '1'))
      instructions.splice(at, 0, ...instructions.splice(at + 1, 1))
    },
    'use of a value that is not defined before',
  ],
  [
    'a value from a block that does not dominate',
    m => {
      const store = kernelOf(m)
        .blocks.flatMap(block => block.instructions)
        .find(i => i.op === 'store')
      const next = named(m, 'next')
      if (store?.op === 'store') store.value = next
    },
    'use of a value that is not defined before',
  ],
  [
    'operands of two types',
    m => {
      const add = named(m, 'next')
      if (add.op === 'add') add.right = { kind: 'int', type: I64, value: 1n }
    },
    'types differ: i32 and i64',
  ],
  [
    'a call with too many arguments',
    m => {
      const call = named(m, '0')
      if (call.op === 'call') {
        call.args.push({ kind: 'int', type: I32, value: 1n })
        call.byval.push(undefined)
      }
    },
    'has 0 parameters',
  ],
  [
    'an instruction with the wrong block',
    m => {
      named(m, 'add').block = kernelOf(m).blocks[0]!
    },
    'says it is in another block',
  ],
  ['a callee of no module', m => m.functions.splice(1, 1), 'not in the module'],
])('%s is found', (_, change, message) => {
  expect(complaint(change)).toContain(message)
})

test('a complaint names function, block and instruction', () => {
  const text = complaint(m => {
    const add = named(m, 'next')
    if (add.op === 'add') add.right = { kind: 'int', type: I64, value: 1n }
  })
  expect(text).toContain('in @_Z1kPfi, block for.inc: %next = add nuw nsw i32 %i, 1')
})

test('printing mentions every instruction, in order, with flags, alignment and location', () => {
  const text = printModule(readModule(LOOP, 'k.cu'))
  expect(text).toContain(
    'define ptx_kernel void @_Z1kPfi(ptr %out, i32 %n) convergent noinline nvvm.maxntid=256 {  ; k.cu:3:0 in k',
  )
  expect(text).toContain('  %1 = load float, ptr addrspace(3) %arrayidx, align 4  ; k.cu:6:12 in k')
  expect(text).toContain('vars.h:53:27 in fetch<int, "x">, inlined at k.cu:4:9 in k')
  const printed = text.split('\n').filter(line => line.startsWith('  '))
  const { blocks } = kernelOf(readModule(LOOP, 'k.cu'))
  expect(printed).toHaveLength(blocks.reduce((sum, block) => sum + block.instructions.length, 0))
})

test('floats round to their type, ties to even', () => {
  const half = (value: number): number => (F16.kind === 'float' ? Number(floatBits(F16, value)) : -1)
  expect([1, 65504, 65519.99, 65520, -0, 2 ** -24, 2 ** -25, 2 ** -25 * 1.01, 2049, 2051].map(half)).toEqual([
    ...[0x3c00, 0x7bff, 0x7bff, 0x7c00, 0x8000, 1, 0, 1, 0x6800, 0x6802],
  ])
  for (let bits = 0; bits < 0x7c00; bits++) expect(half(halfToNumber(bits))).toBe(bits)
  const constants = [F32, F64].map(type => (type.kind === 'float' ? floatConstant(type, 0.1) : undefined))
  expect(constants).toMatchObject([
    { value: Math.fround(0.1), bits: 0x3dcccccdn },
    { value: 0.1, bits: 0x3fb999999999999an },
  ])
})
