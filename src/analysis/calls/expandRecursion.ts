/**
 * Recursive and shared functions become code of the kernel with a stack of their own making, as the machine has it: a call writes what the
 * caller still needs and where to go on to its frame and branches to the function's entry; a return reads from the frame where
 * to go on, and the caller reads back what it wrote. Lanes at different depths run the same code together.
 * In: a kernel whose calls are inlined (inlineCalls.ts). Out: one without calls of defined functions.
 *
 * A frame is, from its start: the number of the call to return to, what was saved, variables (allocas), copies of structures
 * that were passed by value. Frames lie one behind the other in one local array; the kernel's is the first.
 */
import { branch, cast, intConstant, jump, load, offsetPointer, type Place, store } from '../../ir/build.ts'
import { cloneFunction } from '../../ir/graph.ts'
import type { Block, CallInstruction, Func, Instruction, PhiInstruction, Type, Value } from '../../ir/ir.ts'
import { alignOf, alignUp, I1, I8, I32, POINTER, sameType, sizeOf, VOID } from '../../ir/types.ts'
import { liveIn } from '../execution/liveness.ts'
import { cutAt, replaceUses } from '../rewriting/blocks.ts'
import { repairVariables, type Variable } from '../rewriting/repairVariables.ts'
import type { TargetsOf } from './indirectCalls.ts'
import { inlineCalls } from './inlineCalls.ts'

/** Called where the stack is full; ends the thread with a fault. */
export const STACK_OVERFLOW = 'warplens.stack.overflow'

/** For each thread. Real devices start with 1 KB and let programs ask for more (cudaLimitStackSize). */
const STACK_BYTES = 16 * 1024
const FRAME_ALIGN = 16

/** A function, or the kernel, as a part of the new kernel. */
interface Part {
  readonly func: Func
  readonly blocks: Block[]
  /** Start of the frame at hand, as the part's code has it. */
  readonly frame: Value
  frameBytes: number
  readonly calls: Call[]
  /** Where callers come in (its phis: frame, parameters), and where returns go on; the kernel has neither. */
  readonly enter: Enter | undefined
}

interface Enter {
  readonly block: Block
  readonly frame: PhiInstruction
  readonly parameters: readonly PhiInstruction[]
  /** Offsets in the frame of the copies of structures passed by value, by parameter. */
  readonly copies: readonly (number | undefined)[]
  readonly dispatch: Block
  readonly dispatchFrame: PhiInstruction
  readonly result: PhiInstruction | undefined
  readonly callers: { readonly number: number; readonly resume: Block }[]
}

/** A call that becomes a branch: it stood at the end of `block`, and what came behind it is `resume`. */
interface Call {
  readonly call: CallInstruction
  readonly block: Block
  readonly resume: Block
}

export function expandRecursion(kernel: Func, targetsOf: TargetsOf, shared: ReadonlySet<Func>): void {
  if (!findCall(kernel.blocks)) return
  new Expansion(kernel, targetsOf, shared).run()
}

function findCall(blocks: readonly Block[]): CallInstruction | undefined {
  for (const block of blocks)
    for (const instruction of block.instructions)
      if (instruction.op === 'call' && instruction.callee.kind === 'function' && instruction.callee.blocks.length > 0)
        return instruction
  return undefined
}

class Expansion {
  private readonly kernel: Func
  private readonly targetsOf: TargetsOf
  private readonly parts = new Map<Func, Part>()
  private readonly variables = new Map<Value, Variable>()
  private readonly stack: Instruction
  private callNumber = 0
  private readonly shared: ReadonlySet<Func>

  constructor(kernel: Func, targetsOf: TargetsOf, shared: ReadonlySet<Func>) {
    this.kernel = kernel
    this.targetsOf = targetsOf
    this.shared = shared
    const block = kernel.blocks[0]!
    this.stack = {
      kind: 'instruction',
      op: 'alloca',
      type: POINTER,
      name: 'stack',
      block,
      location: kernel.location,
      bytes: STACK_BYTES,
      align: FRAME_ALIGN,
    }
  }

  run(): void {
    const { kernel } = this
    const root: Part = {
      func: kernel,
      blocks: kernel.blocks,
      frame: this.stack,
      frameBytes: 0,
      calls: [],
      enter: undefined,
    }
    this.cutCalls(root)
    const all = [root, ...this.parts.values()]
    for (const part of all) this.layoutSaved(part)
    for (const part of all) for (const call of part.calls) this.link(part, call)
    for (const part of this.parts.values()) this.returns(part)
    kernel.blocks[0]!.instructions.unshift(this.stack)
    kernel.blocks = all.flatMap(({ blocks }) => blocks)
    repairVariables(kernel, this.variables)
  }

  // ---------------------------------------------------------------- parts

  private partOf(func: Func): Part {
    const known = this.parts.get(func)
    if (known) return known
    const copy = cloneFunction(func)
    inlineCalls(copy, this.targetsOf, this.shared)
    const part = this.makePart(func, copy)
    this.parts.set(func, part)
    this.cutCalls(part)
    return part
  }

  private makePart(func: Func, copy: Func): Part {
    const block: Block = { name: `${func.name}.enter`, instructions: [] }
    const dispatch: Block = { name: `${func.name}.return`, instructions: [] }
    const phi = (at: Block, type: Type): PhiInstruction => {
      const made: PhiInstruction = {
        kind: 'instruction',
        op: 'phi',
        type,
        name: '',
        block: at,
        location: func.location,
        incoming: [],
      }
      at.instructions.push(made)
      return made
    }
    const frame = phi(block, POINTER)
    const parameters = copy.parameters.map(parameter => phi(block, parameter.type))
    const place: Place = { block, location: func.location }
    // The number of the call comes first.
    let frameBytes = 4
    const takePlace = (bytes: number, align: number): number => {
      const at = alignUp(frameBytes, Math.max(1, align))
      frameBytes = at + bytes
      return at
    }
    const copies = copy.parameters.map(
      ({ byval }) => byval && takePlace(sizeOf(byval.type), Math.min(FRAME_ALIGN, byval.align)),
    )
    copy.parameters.forEach((parameter, index) => {
      const at = copies[index]
      if (at === undefined) return replaceUses(copy.blocks, parameter, parameters[index]!)
      const address = offsetPointer(place, frame, at)
      block.instructions.push(address)
      replaceUses(copy.blocks, parameter, address)
    })
    for (const inside of copy.blocks)
      inside.instructions = inside.instructions.filter(instruction => {
        if (instruction.op !== 'alloca') return true
        const address = offsetPointer(
          place,
          frame,
          takePlace(instruction.bytes, Math.min(FRAME_ALIGN, instruction.align)),
        )
        block.instructions.push(address)
        replaceUses(copy.blocks, instruction, address)
        return false
      })
    block.instructions.push(jump(place, copy.blocks[0]!))
    const dispatchFrame = phi(dispatch, POINTER)
    const result = func.returnType.kind === 'void' ? undefined : phi(dispatch, func.returnType)
    return {
      func,
      blocks: [block, ...copy.blocks],
      frame,
      frameBytes,
      calls: [],
      enter: { block, frame, parameters, copies, dispatch, dispatchFrame, result, callers: [] },
    }
  }

  /** Cuts the part's blocks at their calls, each left last before a branch, and finds the parts that they call. */
  private cutCalls(part: Part): void {
    for (let call = findCall(uncut(part)); call; call = findCall(uncut(part))) {
      const { block } = call
      const resume = cutAt(call, `${block.name}.returned`)
      block.instructions.push(call, jump({ block, location: call.location }, resume))
      part.blocks.splice(part.blocks.indexOf(block) + 1, 0, resume)
      part.calls.push({ call, block, resume })
    }
    for (const { call } of part.calls) this.partOf(call.callee as Func)
  }

  // ---------------------------------------------------------------- frames

  /** Gives what lives across calls a place in the frame; the results of calls are made anew at their resumption. */
  private layoutSaved(part: Part): void {
    const live = liveIn({ ...part.func, blocks: part.blocks })
    const saved = new Map<Instruction, number>()
    for (const { call, resume } of part.calls) {
      for (const value of live.get(resume)!) {
        if (
          value === call ||
          value === part.frame ||
          isAddressIn(value, part) ||
          saved.has(value) ||
          value.op === 'alloca'
        )
          continue
        const type = typeInFrame(value.type)
        const at = alignUp(part.frameBytes, Math.min(FRAME_ALIGN, alignOf(type)))
        saved.set(value, at)
        part.frameBytes = at + sizeOf(type)
      }
    }
    part.frameBytes = alignUp(part.frameBytes, FRAME_ALIGN)
    for (const { call, block, resume } of part.calls) {
      const lives = [...live.get(resume)!].filter(
        value => value !== call && value !== part.frame && value.op !== 'alloca',
      )
      this.save(part, block, resume, lives, saved)
    }
  }

  private save(
    part: Part,
    block: Block,
    resume: Block,
    lives: readonly Instruction[],
    saved: ReadonlyMap<Instruction, number>,
  ): void {
    const end: Instruction[] = block.instructions.splice(-2)
    const start: Instruction[] = []
    const place: Place = { block: resume, location: end[0]!.location }
    // link() makes the frame of the resumed activation and puts it in front of these.
    const frame = part.enter ? offsetPointer(place, part.frame, 0) : part.frame
    if (part.enter && frame.kind === 'instruction') {
      start.push(frame)
      this.define(part.frame, resume, frame)
    }
    for (const value of lives) {
      const at = saved.get(value)
      if (at === undefined) {
        // An address in the frame.
        if (value.op !== 'gep') continue
        const again = offsetPointer(place, frame, value.offset)
        start.push(again)
        this.define(value, resume, again)
        continue
      }
      const type = typeInFrame(value.type)
      const align = Math.min(FRAME_ALIGN, alignOf(type))
      const before: Place = { ...place, block }
      const to = offsetPointer(before, part.frame, at)
      const from = offsetPointer(place, frame, at)
      let again: Instruction = load(place, type, from, align)
      start.push(from, again)
      if (type === value.type) block.instructions.push(to, store(before, value, to, align))
      else {
        const wide = cast(before, 'zext', type, value)
        block.instructions.push(to, wide, store(before, wide, to, align))
        again = cast(place, 'trunc', value.type, again)
        start.push(again)
      }
      this.define(value, resume, again)
    }
    block.instructions.push(...end)
    resume.instructions.unshift(...start)
  }

  private define(value: Value, block: Block, again: Instruction): void {
    if (value.kind !== 'instruction') return
    const variable = this.variables.get(value) ?? { type: value.type, definitions: new Map([[value.block, value]]) }
    variable.definitions.set(block, again)
    this.variables.set(value, variable)
  }

  // ---------------------------------------------------------------- calls and returns

  private link(part: Part, { call, block, resume }: Call): void {
    const callee = this.parts.get(call.callee as Func)!
    const enter = callee.enter!
    block.instructions.splice(-2)
    const { location } = call
    const place: Place = { block, location }
    const frame = offsetPointer(place, part.frame, part.frameBytes)
    const number = ++this.callNumber
    const limit = offsetPointer(place, this.stack, STACK_BYTES - callee.frameBytes)
    const isFull: Instruction = {
      kind: 'instruction',
      op: 'icmp',
      type: I1,
      name: '',
      ...place,
      predicate: 'ugt',
      left: frame,
      right: limit,
    }
    const full: Block = { name: `${block.name}.full`, instructions: [] }
    const go: Block = { name: `${block.name}.call`, instructions: [] }
    block.instructions.push(frame, limit, isFull, branch(place, isFull, full, go))
    full.instructions.push(callOverflow({ block: full, location }), {
      kind: 'instruction',
      op: 'unreachable',
      type: VOID,
      name: '',
      block: full,
      location,
    })
    const inGo: Place = { block: go, location }
    go.instructions.push(store(inGo, intConstant(I32, number), frame, 4))
    call.args.forEach((argument, index) => {
      const at = enter.copies[index]
      const type = callee.func.parameters[index]!.byval?.type
      if (at !== undefined && type) {
        const to = offsetPointer(inGo, frame, at)
        const align = Math.min(FRAME_ALIGN, callee.func.parameters[index]!.byval!.align)
        go.instructions.push(to, copyBytes(inGo, to, argument, sizeOf(type), align))
      }
      enter.parameters[index]!.incoming.push({ value: argument, block: go })
    })
    enter.frame.incoming.push({ value: frame, block: go })
    go.instructions.push(jump(inGo, enter.block))
    enter.callers.push({ number, resume })
    part.blocks.splice(part.blocks.indexOf(block) + 1, 0, full, go)
    this.resume(part, call, resume, enter)
  }

  /** The frame of the resumed activation, and the call's result. */
  private resume(part: Part, call: CallInstruction, resume: Block, enter: Enter): void {
    const [first] = resume.instructions
    // save() left a place for it: the callee's frame less our own.
    if (part.enter && first?.op === 'gep') {
      first.base = enter.dispatchFrame
      first.offset = -part.frameBytes
    }
    if (!enter.result) return
    const result: Instruction = {
      kind: 'instruction',
      op: 'freeze',
      type: call.type,
      name: call.name,
      block: resume,
      location: call.location,
      value: enter.result,
    }
    resume.instructions.splice(part.enter ? 1 : 0, 0, result)
    const variable = this.variables.get(call)
    if (variable) {
      variable.definitions.delete(call.block)
      variable.definitions.set(resume, result)
    }
    // What was saved and reread of it under its old name goes on under the new one.
    const blocks = [
      ...part.blocks,
      ...[...this.parts.values()].flatMap(({ enter: other }) => (other ? [other.block] : [])),
    ]
    replaceUses(blocks, call, result)
    if (variable) {
      this.variables.delete(call)
      this.variables.set(result, variable)
    }
  }

  private returns(part: Part): void {
    const { dispatch, dispatchFrame, result, callers } = part.enter!
    for (const block of part.blocks) {
      const last = block.instructions.at(-1)!
      if (last.op !== 'ret') continue
      dispatchFrame.incoming.push({ value: part.frame, block })
      if (result) result.incoming.push({ value: last.value ?? { kind: 'undef', type: result.type }, block })
      block.instructions[block.instructions.length - 1] = jump({ block, location: last.location }, dispatch)
    }
    const place: Place = { block: dispatch, location: part.func.location }
    const number = load(place, I32, dispatchFrame, 4)
    const [fallback, ...others] = callers
    dispatch.instructions.push(number, {
      kind: 'instruction',
      op: 'switch',
      type: VOID,
      name: '',
      ...place,
      value: number,
      fallback: fallback!.resume,
      cases: others.map(({ number: value, resume }) => ({ value: BigInt(value), target: resume })),
    })
    part.blocks.push(dispatch)
  }
}

/** Blocks whose calls have not been cut yet: in the others the call stands before the only branch. */
function uncut(part: Part): Block[] {
  const cut = new Set(part.calls.map(({ block }) => block))
  return part.blocks.filter(block => !cut.has(block))
}

/** Truth values, and vectors of them, have no bytes of their own in memory: each gets one. */
function typeInFrame(type: Type): Type {
  if (type.kind === 'vector') return sameType(type.element, I1) ? { ...type, element: I8 } : type
  return sameType(type, I1) ? I8 : type
}

function isAddressIn(value: Instruction, { frame, enter }: Part): boolean {
  return enter !== undefined && value.op === 'gep' && value.base === frame && value.block === enter.block
}

function callOverflow(place: Place): CallInstruction {
  return callDeclared(place, STACK_OVERFLOW, [intConstant(I32, STACK_BYTES)])
}

function copyBytes(place: Place, to: Value, from: Value, bytes: number, align: number): CallInstruction {
  const call = callDeclared(place, 'llvm.memcpy.p0.p0.i32', [to, from, intConstant(I32, bytes), intConstant(I1, 0)])
  return { ...call, argumentAligns: [align, align] }
}

function callDeclared(place: Place, name: string, args: Value[]): CallInstruction {
  const callee: Func = {
    kind: 'function',
    name,
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
    args,
    byval: args.map(() => undefined),
    contract: false,
  }
}
