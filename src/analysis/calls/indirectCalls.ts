/**
 * Calls through pointers become choices between direct calls, which are then inlined like any other: function pointers and
 * virtual functions cost a comparison for each function that could be meant. These are the functions of the called type whose
 * address the program takes anywhere (in code, in tables of virtual functions, in variables).
 */
import { branch, jump, type Place } from '../../ir/build.ts'
import { operandsOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Constant, Func, Instruction, Module, PhiInstruction, Value } from '../../ir/ir.ts'
import { I1, sameType, VOID } from '../../ir/types.ts'
import { cutAt, replaceUses } from '../rewriting/blocks.ts'

/** What a pointer that is no function's address calls: the reference interpreter stops there with the fault. */
export const UNKNOWN_FUNCTION = 'warplens.call.unknown'

export type TargetsOf = (call: CallInstruction) => readonly Func[]

/** The functions that a call through a pointer may mean, in the module's order. */
export function indirectTargets(module: Module): TargetsOf {
  let taken: readonly Func[] | undefined
  return call => {
    taken ??= functionsWithAddress(module)
    return taken.filter(func => hasType(func, call))
  }
}

function hasType(func: Func, call: CallInstruction): boolean {
  return (
    !func.variadic &&
    sameType(func.returnType, call.type) &&
    func.parameters.length === call.args.length &&
    func.parameters.every((parameter, index) => sameType(parameter.type, call.args[index]!.type))
  )
}

function functionsWithAddress(module: Module): Func[] {
  const found = new Set<Func>()
  const visit = (value: Value): void => {
    if (value.kind === 'address' && value.target.kind === 'function') found.add(value.target)
    const parts: readonly Constant[] =
      value.kind === 'aggregate' ? value.elements : value.kind === 'expression' ? value.operands : []
    for (const part of parts) visit(part)
  }
  for (const { initializer } of module.globals) if (initializer) visit(initializer)
  for (const func of module.functions)
    for (const block of func.blocks)
      for (const instruction of block.instructions) for (const value of operandsOf(instruction)) visit(value)
  return module.functions.filter(func => found.has(func) && func.blocks.length > 0 && !func.isKernel)
}

/** Replaces a call through a pointer, in `func`, by comparisons and direct calls of the targets. */
export function expandIndirectCall(func: Func, call: CallInstruction, targets: readonly Func[]): void {
  const { block, location } = call
  const pointer = call.callee
  if (pointer.kind === 'function') return
  const after = cutAt(call, `${block.name}.behind`)
  const added: Block[] = []
  const results: PhiInstruction['incoming'] = []
  let test = block
  for (const target of targets) {
    const chosen: Block = { name: `${block.name}.${target.name}`, instructions: [] }
    const next: Block = { name: `${block.name}.not.${target.name}`, instructions: [] }
    const place: Place = { block: test, location }
    const address: Constant = { kind: 'address', type: pointer.type, target, offset: 0 }
    const isTarget: Instruction = {
      kind: 'instruction',
      op: 'icmp',
      type: I1,
      name: '',
      ...place,
      predicate: 'eq',
      left: pointer,
      right: address,
    }
    test.instructions.push(isTarget, branch(place, isTarget, chosen, next))
    const direct: CallInstruction = {
      ...call,
      block: chosen,
      callee: target,
      args: [...call.args],
      byval: target.parameters.map(({ byval }) => byval?.type),
    }
    chosen.instructions.push(direct, jump({ block: chosen, location }, after))
    results.push({ value: direct, block: chosen })
    added.push(chosen, next)
    test = next
  }
  test.instructions.push(callUnknown(pointer, { block: test, location }), {
    kind: 'instruction',
    op: 'unreachable',
    type: VOID,
    name: '',
    block: test,
    location,
  })
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, ...added, after)
  if (call.type.kind === 'void') return
  const phi: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type: call.type,
    name: call.name,
    block: after,
    location,
    incoming: results,
  }
  if (results.length > 0) after.instructions.unshift(phi)
  replaceUses(func.blocks, call, results.length > 0 ? phi : { kind: 'undef', type: call.type })
}

function callUnknown(pointer: Value, place: Place): CallInstruction {
  const callee: Func = {
    kind: 'function',
    name: UNKNOWN_FUNCTION,
    returnType: VOID,
    parameters: [],
    variadic: true,
    isKernel: false,
    attributes: new Set(),
    blocks: [],
    location: undefined,
  }
  return {
    kind: 'instruction',
    op: 'call',
    type: VOID,
    name: '',
    ...place,
    callee,
    args: [pointer],
    byval: [undefined],
    contract: false,
  }
}
