/**
 * A structure passed by value is the thread's own copy. Most kernels only read it, straight from the argument buffer; one
 * that writes it, or lets its address go anywhere but into loads, gets a copy in local memory first, as nvcc makes one.
 */
import { intConstant } from '../../ir/build.ts'
import { users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, Parameter, Value } from '../../ir/ir.ts'
import { POINTER, sizeOf, VOID } from '../../ir/types.ts'
import { replaceUses } from '../rewriting/blocks.ts'

export function copyWrittenParameters(kernel: Func): void {
  const usersOf = users(kernel)
  for (const parameter of kernel.parameters)
    if (parameter.byval && !isOnlyRead(parameter, usersOf)) copyToLocal(kernel, parameter, parameter.byval)
}

function isOnlyRead(pointer: Value, usersOf: ReadonlyMap<Value, readonly Instruction[]>): boolean {
  return (usersOf.get(pointer) ?? []).every(user => {
    switch (user.op) {
      case 'load':
        return true
      case 'gep':
      case 'addrspacecast':
      case 'bitcast':
      case 'freeze':
        return isOnlyRead(user, usersOf)
      case 'call':
        return (
          user.callee.kind === 'function' &&
          (/^llvm\.lifetime/.test(user.callee.name) ||
            (/^llvm\.mem(cpy|move)/.test(user.callee.name) && user.args[0] !== pointer))
        )
      default:
        return false
    }
  })
}

function copyToLocal(kernel: Func, parameter: Parameter, byval: NonNullable<Parameter['byval']>): void {
  const entry = kernel.blocks[0] as Block
  const place = { block: entry, location: kernel.location }
  const copy: Instruction = {
    kind: 'instruction',
    op: 'alloca',
    type: POINTER,
    name: parameter.name,
    ...place,
    bytes: sizeOf(byval.type),
    align: byval.align,
  }
  replaceUses(kernel.blocks, parameter, copy)
  const declaration: Func = {
    kind: 'function',
    name: 'llvm.memcpy.p0.p0.i32',
    returnType: VOID,
    parameters: [],
    variadic: true,
    isKernel: false,
    attributes: new Set(),
    blocks: [],
    location: undefined,
  }
  entry.instructions.unshift(copy, {
    kind: 'instruction',
    op: 'call',
    type: VOID,
    name: '',
    ...place,
    callee: declaration,
    byval: [],
    contract: false,
    argumentAligns: [byval.align, byval.align],
    args: [
      copy,
      parameter,
      intConstant({ kind: 'int', bits: 32 }, sizeOf(byval.type)),
      intConstant({ kind: 'int', bits: 1 }, 0),
    ],
  })
}
