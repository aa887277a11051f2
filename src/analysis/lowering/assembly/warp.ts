/**
 * PTX's shuffles, votes, barriers, fences and ends of threads as calls of LLVM's intrinsics, which the executors know.
 * Source: PTX ISA, "Parallel Synchronization and Communication Instructions", "Control Flow Instructions".
 */
import { intConstant } from '../../../ir/build.ts'
import type { Type, Value } from '../../../ir/ir.ts'
import { I1, I32, I64, VOID } from '../../../ir/types.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

const ALL_LANES = intConstant(I32, -1)
const WITH_PREDICATE: Type = { kind: 'struct', fields: [I32, I1], packed: false }

/** Handles the statement if it is of this kind. @throws NotLowered for forms that have no intrinsic. */
export function lowerWarpOperation(emitter: Emitter, { opcode, operands }: PtxStatement): boolean {
  switch (opcode[0]) {
    case 'shfl':
      shuffle(emitter, opcode, operands)
      return true
    case 'vote':
      vote(emitter, opcode, operands)
      return true
    case 'activemask':
      emitter.set(emitter.destination(operands[0]), emitter.call('llvm.nvvm.activemask', I32, []))
      return true
    case 'match':
      match(emitter, opcode, operands)
      return true
    case 'redux':
      reduce(emitter, opcode, operands)
      return true
    case 'elect':
      elect(emitter, opcode, operands)
      return true
    case 'bar':
    case 'barrier':
      if (opcode[1] === 'cluster') clusterBarrier(emitter, opcode)
      else barrier(emitter, opcode, operands)
      return true
    case 'membar':
    case 'fence':
      emitter.call(opcode.includes('cta') ? 'llvm.nvvm.membar.cta' : 'llvm.nvvm.membar.gl', VOID, [])
      return true
    case 'nanosleep':
      emitter.call('llvm.nvvm.nanosleep', VOID, [emitter.read(operands[0], I32)])
      return true
    case 'exit':
      emitter.call('llvm.nvvm.exit', VOID, [])
      return true
    case 'trap':
    case 'brkpt':
      emitter.call('llvm.trap', VOID, [])
      return true
    case 'prefetch':
    case 'prefetchu':
    case 'griddepcontrol':
    case 'pmevent':
    case 'discard':
    case 'applypriority':
      return true
    default:
      return false
  }
}

function register(operand: PtxOperand | undefined): { name: string; second?: string } {
  if (operand?.kind !== 'register') throw new NotLowered()
  return operand
}

/** shfl[.sync].mode.b32 d[|p], a, b, c[, members]. */
function shuffle(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const sync = opcode[1] === 'sync'
  const mode = opcode[sync ? 2 : 1] ?? ''
  const [target, value, lane, control, members] = operands
  if (!/^(up|down|bfly|idx)$/.test(mode) || opcode.at(-1) !== 'b32' || operands.length !== (sync ? 5 : 4))
    throw new NotLowered()
  const { name, second } = register(target)
  const mask = sync ? emitter.read(members, I32) : ALL_LANES
  const args = [mask, emitter.read(value, I32), emitter.read(lane, I32), emitter.read(control, I32)]
  if (second === undefined) {
    emitter.set(name, emitter.call(`llvm.nvvm.shfl.sync.${mode}.i32`, I32, args))
    return
  }
  const both = emitter.call(`llvm.nvvm.shfl.sync.${mode}.i32p`, WITH_PREDICATE, args)
  emitter.set(name, emitter.part(both, 0, I32))
  emitter.set(second, emitter.part(both, 1, I1))
}

/** vote[.sync].{all,any,uni}.pred and .ballot.b32: d, [!]a[, members]. */
function vote(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const sync = opcode[1] === 'sync'
  const mode = opcode[sync ? 2 : 1] ?? ''
  if (!/^(all|any|uni|ballot)$/.test(mode)) throw new NotLowered()
  const mask = sync ? emitter.read(operands[2], I32) : ALL_LANES
  const result = mode === 'ballot' ? I32 : I1
  const agreed = emitter.call(`llvm.nvvm.vote.${mode}.sync`, result, [mask, emitter.read(operands[1], I1)])
  emitter.set(emitter.destination(operands[0]), agreed)
}

/** match.any.sync.type d, a, members; match.all.sync.type d[|p], a, members. */
function match(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const [, mode, , typeName] = opcode
  const type = typeName === 'b64' ? I64 : I32
  const { name, second } = register(operands[0])
  const args = [emitter.read(operands[2], I32), emitter.read(operands[1], type)]
  const suffix = type === I64 ? 'i64' : 'i32'
  if (mode === 'any') emitter.set(name, emitter.call(`llvm.nvvm.match.any.sync.${suffix}`, I32, args))
  else if (mode === 'all') {
    const both = emitter.call(`llvm.nvvm.match.all.sync.${suffix}p`, WITH_PREDICATE, args)
    emitter.set(name, emitter.part(both, 0, I32))
    if (second !== undefined) emitter.set(second, emitter.part(both, 1, I1))
  } else throw new NotLowered()
}

/** redux.sync.op.type d, a, members. */
function reduce(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const [, , operation = '', typeName = ''] = opcode
  const ordered = operation === 'min' || operation === 'max'
  if (!/^(add|min|max|and|or|xor)$/.test(operation) || !/^[usb]32$/.test(typeName)) throw new NotLowered()
  const name = ordered && typeName === 'u32' ? `u${operation}` : operation
  const args = [emitter.read(operands[1], I32), emitter.read(operands[2], I32)]
  emitter.set(emitter.destination(operands[0]), emitter.call(`llvm.nvvm.redux.sync.${name}`, I32, args))
}

/** elect.sync d|p, members: which lane it is the machine may choose; here it is the lowest. */
function elect(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const { name, second } = register(operands[0])
  if (opcode.length !== 2 || opcode[1] !== 'sync' || second === undefined || operands.length !== 2)
    throw new NotLowered()
  const members = emitter.read(operands[1], I32)
  emitter.call('llvm.nvvm.bar.warp.sync', VOID, [members])
  const leader = emitter.call('llvm.cttz.i32', I32, [members, intConstant(I1, 0)])
  const lane = emitter.call('llvm.nvvm.read.ptx.sreg.laneid', I32, [])
  emitter.set(name, leader)
  emitter.set(second, emitter.compare('eq', lane, leader))
}

/** bar and barrier[.cta]: .sync, .arrive, .red.{popc,and,or}; id, then the number of threads where it is not all. */
function barrier(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const parts = opcode.slice(1).filter(part => part !== 'cta' && part !== 'aligned')
  const [kind, operation, typeName] = parts
  const read = (operand: PtxOperand | undefined): Value => emitter.read(operand, I32)
  if (kind === 'warp' && operation === 'sync') {
    emitter.call('llvm.nvvm.bar.warp.sync', VOID, [read(operands[0])])
    return
  }
  if (kind === 'red' && operation !== undefined) {
    const [target, ...rest] = operands
    const predicate = emitter.read(rest.at(-1), I1)
    const ids = rest.slice(0, -1).map(read)
    if (!/^(popc|and|or)$/.test(operation) || ids.length === 0 || ids.length > 2) throw new NotLowered()
    const result = operation === 'popc' && typeName === 'u32' ? I32 : I1
    const name = `llvm.nvvm.barrier.cta.red.${operation}.${ids.length === 2 ? 'count' : 'all'}`
    emitter.set(emitter.destination(target), emitter.call(name, result, [...ids, predicate]))
    return
  }
  const ids = operands.map(read)
  if ((kind !== 'sync' && kind !== 'arrive') || parts.length !== 1 || ids.length === 0 || ids.length > 2)
    throw new NotLowered()
  emitter.call(`llvm.nvvm.barrier.cta.${kind}.${ids.length === 2 ? 'count' : 'all'}`, VOID, ids)
}

/** barrier.cluster.{arrive,wait}[.release|.relaxed|.acquire][.aligned]: orders of memory change nothing here. */
function clusterBarrier(emitter: Emitter, [, , kind, ...parts]: readonly string[]): void {
  const isKnown = kind === 'arrive' || kind === 'wait'
  if (!isKnown || !parts.every(part => /^(release|relaxed|acquire|aligned)$/.test(part))) throw new NotLowered()
  emitter.call(`llvm.nvvm.barrier.cluster.${kind}`, VOID, [])
}
