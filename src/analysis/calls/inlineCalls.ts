/**
 * Replaces calls of functions that the module defines by their bodies, so that a kernel is one function.
 * In: a function of its own (a clone). Out: the same, with only intrinsics, recursive calls and those of shared functions left.
 * Locations gain the call as the outermost `inlinedAt`. By-value structures are copied, as the callee owns its copy.
 */
import { userError } from '../../diagnostic.ts'
import { jump } from '../../ir/build.ts'
import { cloneBlocks } from '../../ir/graph.ts'
import type { Block, CallInstruction, Func, Instruction, Location, PhiInstruction, Value } from '../../ir/ir.ts'
import { OPAQUE } from '../../ir/readMetadata.ts'
import { POINTER, sizeOf, VOID } from '../../ir/types.ts'
import { cutAt, replaceUses } from '../rewriting/blocks.ts'
import { expandIndirectCall, type TargetsOf } from './indirectCalls.ts'
import { isLookupFunction, LOOKUP } from './lookups.ts'

/** More than this and a kernel would take minutes to compile; nothing seen in public code comes near. */
const MOST_INSTRUCTIONS = 400_000

/** `shared`: functions whose calls stay, as those of recursive functions do (sharedFunctions.ts). */
export function inlineCalls(kernel: Func, targetsOf: TargetsOf, shared: ReadonlySet<Func>): void {
  const recursive = findRecursive(kernel, targetsOf)
  let count = instructionCount(kernel)
  for (let at = 0; at < kernel.blocks.length; ) {
    const block = kernel.blocks[at]!
    const indirect = block.instructions.find(isIndirect)
    if (indirect) {
      expandIndirectCall(kernel, indirect, targetsOf(indirect))
      continue
    }
    const call = block.instructions.find(
      (instruction): instruction is CallInstruction =>
        instruction.op === 'call' &&
        instruction.callee.kind === 'function' &&
        instruction.callee.blocks.length > 0 &&
        !recursive.has(instruction.callee) &&
        !shared.has(instruction.callee),
    )
    if (!call) {
      at++
      continue
    }
    count += instructionCount(call.callee as Func)
    if (count > MOST_INSTRUCTIONS)
      throw userError(
        'kernel-too-large',
        `kernel ${kernel.name} grows beyond ${MOST_INSTRUCTIONS} instructions when its calls are inlined`,
        call.location,
      )
    inlineCall(kernel, block, call, call.callee as Func)
  }
}

/** What a function's calls may call, a function as often as there are such calls. */
export function calledBy(func: Func, targetsOf: TargetsOf): Func[] {
  return func.blocks.flatMap(block =>
    block.instructions.flatMap(instruction => {
      if (instruction.op !== 'call') return []
      return instruction.callee.kind === 'function' ? [instruction.callee] : targetsOf(instruction)
    }),
  )
}

export function instructionCount(func: Func): number {
  return func.blocks.reduce((sum, block) => sum + block.instructions.length, 0)
}

function isIndirect(instruction: Instruction): instruction is CallInstruction {
  return instruction.op === 'call' && instruction.callee.kind !== 'function'
}

/** The functions that can reach themselves. */
export function findRecursive(root: Func, targetsOf: TargetsOf): Set<Func> {
  const callees = new Map<Func, Set<Func>>()
  const visit = (func: Func): void => {
    if (callees.has(func)) return
    const called = new Set(calledBy(func, targetsOf))
    callees.set(func, called)
    for (const next of called) visit(next)
  }
  visit(root)
  const reaches = (from: Func, target: Func): boolean => {
    const seen = new Set<Func>()
    const stack = [...callees.get(from)!]
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (next === target) return true
      if (seen.has(next)) continue
      seen.add(next)
      stack.push(...callees.get(next)!)
    }
    return false
  }
  return new Set([...callees.keys()].filter(func => reaches(func, func)))
}

function inlineCall(kernel: Func, block: Block, call: CallInstruction, callee: Func): void {
  const [only, ...others] = callee.blocks
  if (others.length === 0 && isPlain(only!, callee)) return insertBody(kernel, call, callee)
  const after = cutAt(call, `${block.name}.after.${callee.name}`)
  const values = new Map<Value, Value>()
  const entryBlock = kernel.blocks[0]!
  callee.parameters.forEach((parameter, index) => {
    const argument = call.args[index]!
    values.set(
      parameter,
      parameter.byval ? copyStructure(entryBlock, block, parameter.byval, argument, call) : argument,
    )
  })
  const copies = cloneBlocks(callee.blocks, values)
  const relocate = relocator(placeOf(call, callee))
  const results: { value: Value; block: Block }[] = []
  for (const copy of copies) {
    copy.name = `${callee.name}.${copy.name}`
    for (const instruction of copy.instructions) instruction.location = relocate(instruction.location)
    const last = copy.instructions.at(-1)!
    if (last.op === 'ret') {
      if (last.value) results.push({ value: last.value, block: copy })
      copy.instructions[copy.instructions.length - 1] = jump({ block: copy, location: last.location }, after)
    }
    hoistAllocas(entryBlock, copy)
  }
  block.instructions.push(jump({ block, location: call.location }, copies[0]!))
  if (call.type.kind !== 'void') replaceResult(kernel, after, call, results)
  kernel.blocks.splice(kernel.blocks.indexOf(block) + 1, 0, ...copies, after)
}

/** Its instructions can stand where the call stood. */
function isPlain(body: Block, { parameters }: Func): boolean {
  const isCopied = parameters.some(({ byval }) => byval !== undefined)
  return !isCopied && body.instructions.at(-1)!.op === 'ret' && body.instructions.every(({ op }) => op !== 'alloca')
}

/** A call that does not end its block: loops of one block stay so. */
function insertBody(kernel: Func, call: CallInstruction, callee: Func): void {
  const { block } = call
  const values = new Map<Value, Value>(callee.parameters.map((parameter, index) => [parameter, call.args[index]!]))
  const [body] = cloneBlocks(callee.blocks, values)
  const relocate = relocator(placeOf(call, callee))
  const last = body!.instructions.pop()!
  for (const instruction of body!.instructions) {
    instruction.location = relocate(instruction.location)
    instruction.block = block
  }
  block.instructions.splice(block.instructions.indexOf(call), 1, ...body!.instructions)
  if (last.op === 'ret' && last.value) replaceUses(kernel.blocks, call, last.value)
}

function replaceResult(kernel: Func, after: Block, call: CallInstruction, results: PhiInstruction['incoming']): void {
  let value: Value
  if (results.length === 1) value = results[0]!.value
  else if (results.length === 0) value = { kind: 'undef', type: call.type }
  else {
    const phi: PhiInstruction = {
      kind: 'instruction',
      op: 'phi',
      type: call.type,
      name: call.name,
      block: after,
      location: call.location,
      incoming: results,
    }
    after.instructions.unshift(phi)
    value = phi
  }
  replaceUses([...kernel.blocks, after], call, value)
}

function copyStructure(
  entry: Block,
  block: Block,
  byval: { type: Instruction['type']; align: number },
  source: Value,
  call: CallInstruction,
): Value {
  const bytes = sizeOf(byval.type)
  const copy: Instruction = {
    kind: 'instruction',
    op: 'alloca',
    type: POINTER,
    name: 'byval',
    block: entry,
    location: call.location,
    bytes,
    align: byval.align,
  }
  entry.instructions.unshift(copy)
  block.instructions.push({
    kind: 'instruction',
    op: 'call',
    type: VOID,
    name: '',
    block,
    location: call.location,
    callee: memcpy(),
    byval: [],
    argumentAligns: [byval.align, byval.align],
    contract: false,
    args: [
      copy,
      source,
      { kind: 'int', type: { kind: 'int', bits: 32 }, value: BigInt(bytes) },
      { kind: 'int', type: { kind: 'int', bits: 1 }, value: 0n },
    ],
  })
  return copy
}

/** A declaration, as LLVM has it; splitAccesses.ts or memoryLoops.ts turns the call into loads and stores. */
function memcpy(): Func {
  return {
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
}

function hoistAllocas(entry: Block, block: Block): void {
  const allocas = block.instructions.filter(instruction => instruction.op === 'alloca')
  if (allocas.length === 0) return
  block.instructions = block.instructions.filter(instruction => instruction.op !== 'alloca')
  for (const alloca of allocas) alloca.block = entry
  entry.instructions.unshift(...allocas)
}

/** A lookup's own instructions, and a function's of mathematics, are known as such, and which are of one by their location. */
function placeOf({ location }: CallInstruction, { name }: Func): Location | undefined {
  if (!location) return undefined
  if (isLookupFunction(name)) return { ...location, library: LOOKUP }
  const [prefix, length] = OPAQUE.exec(name) ?? []
  if (prefix === undefined) return location
  // Rounds that LLVM wrote out have one location for their calls, which are as many.
  if (location.library) return { ...location }
  // LLVM made one call of two, or moved it: which function it was in is not in its location any more.
  const end = `_Z${length}`.length + Number(length)
  return { ...location, library: name.slice(prefix.length, end) }
}

/** Appends the call site to a location's chain; equal locations stay shared. */
function relocator(site: Location | undefined): (location: Location | undefined) => Location | undefined {
  const known = new Map<Location, Location>()
  const relocate = (location: Location | undefined): Location | undefined => {
    if (!location || !site) return location ?? site
    // What is within a function of mathematics belongs to it (ir/readMetadata.ts).
    if (site.library) return site
    const before = known.get(location)
    if (before) return before
    const inlinedAt = location.inlinedAt ? relocate(location.inlinedAt) : site
    const moved: Location = { ...location, ...(inlinedAt && { inlinedAt }) }
    known.set(location, moved)
    return moved
  }
  return relocate
}
