/**
 * PTX's loads, stores, atomics and asynchronous copies as the IR's own accesses, so that they are checked and counted as any
 * other. Cache operators, eviction hints, policies and scopes change no value and are dropped; orders stronger than weak keep an access
 * where it stands. Source: PTX ISA, "Data Movement and Conversion Instructions", "atom", "red", "cp.async".
 */
import {
  cast,
  extractElement,
  insertElement,
  intConstant,
  load,
  offsetPointer,
  store,
  vectorOf,
} from '../../../ir/build.ts'
import type { AtomicOp, Type, Value } from '../../../ir/ir.ts'
import { I1, I32, I64, POINTER, SPACE, sameType, sizeOf, VOID } from '../../../ir/types.ts'
import { type Emitter, NotLowered, ptxType } from './emitter.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

const SPACES: Readonly<Record<string, number>> = { global: 1, shared: 3, 'shared:cta': 3, const: 4, local: 5 }
/** Beside those that LLVM has: shared memory of all blocks of the cluster. */
const CLUSTER = 'shared:cluster'

/** What follows the opcode and does not change what is read or written. */
const HINT =
  /^(ca|cg|cs|cv|lu|wb|wt|nc|weak|cta|cluster|gpu|sys|unified|L1:\w+|L2:\w+|level:\w+|evict_\w+|no_allocate|noftz|volatile|relaxed|acquire|release|acq_rel|mmio)$/
const ORDER = /^(volatile|relaxed|acquire|release|acq_rel|mmio)$/

interface Form {
  readonly space: number | typeof CLUSTER
  readonly lanes: 1 | 2 | 4
  readonly typeName: string
  readonly ordered: boolean
  readonly passesL1: boolean
  /** Parts that are none of these: the operation of an atomic. */
  readonly rest: readonly string[]
}

function formOf(parts: readonly string[]): Form {
  const typeName = parts.at(-1) ?? ''
  let space: Form['space'] = 0
  let lanes: 1 | 2 | 4 = 1
  const rest: string[] = []
  for (const part of parts.slice(1, -1)) {
    const named = part === CLUSTER ? part : SPACES[part]
    if (named !== undefined) space = named
    else if (part === 'v2' || part === 'v4') lanes = part === 'v2' ? 2 : 4
    else if (!HINT.test(part)) rest.push(part)
  }
  const ordered = parts.some(part => ORDER.test(part))
  return { space, lanes, typeName, rest, ordered, passesL1: passesL1(parts) }
}

/** Reading: scripts/fidelity/cases/cacheOperators, loads of one place four times with each of 17 forms. */
function passesL1(parts: readonly string[]): boolean {
  if (parts.some(part => /^(cg|cv|lu|volatile|mmio|L1::?no_allocate)$/.test(part))) return true
  return parts.some(part => /^(relaxed|acquire)$/.test(part)) && !parts.includes('cta')
}

/** Handles the statement if it is one of memory. @throws NotLowered for forms that have no equal. */
export function lowerMemory(emitter: Emitter, { opcode, operands: written }: PtxStatement): boolean {
  // A policy for L2 is the last operand.
  const operands = opcode.includes('L2:cache_hint') ? written.slice(0, -1) : written
  switch (opcode[0]) {
    case 'ld':
    case 'ldu':
      lowerLoad(emitter, opcode, operands)
      return true
    case 'st':
      lowerStore(emitter, opcode, operands)
      return true
    case 'atom':
    case 'red':
      lowerAtomic(emitter, opcode, operands)
      return true
    case 'cp':
      return lowerCopy(emitter, opcode, operands)
    case 'cvta':
      lowerConversion(emitter, opcode, operands)
      return true
    case 'createpolicy':
      emitter.set(emitter.destination(operands[0]), intConstant(I64, 0))
      return true
    case 'isspacep':
      return lowerSpaceQuery(emitter, opcode, operands)
    case 'mapa':
    case 'getctarank':
      lowerRanks(emitter, opcode, operands)
      return true
    default:
      return false
  }
}

/** The address as a pointer into the space; 0 is generic. */
export function pointerOf(emitter: Emitter, operand: PtxOperand | undefined, space: Form['space']): Value {
  if (operand?.kind !== 'address') throw new NotLowered()
  if (space === CLUSTER) return clusterPointer(emitter, operand)
  const { base, offset } = operand
  const held = base.kind === 'register' ? emitter.get(base.name) : undefined
  const type: Type = { kind: 'pointer', space }
  const { place } = emitter
  let pointer: Value
  // Everywhere but in the shared window an address is the same number in its own space.
  if (held?.type.kind === 'pointer' && space !== SPACE.shared)
    pointer = held.type.space === space ? held : emitter.add(cast(place, 'addrspacecast', type, held))
  else {
    const address = emitter.read(base, I32)
    const generic = space === SPACE.shared ? genericPointer(address) : undefined
    pointer = emitter.add(
      generic ? cast(place, 'addrspacecast', type, generic) : cast(place, 'inttoptr', type, address),
    )
  }
  return offset === 0 ? pointer : emitter.add(offsetPointer(place, pointer, offset))
}

/**
 * An address in the shared memory of the cluster: the distance from the block's own window, so that what is in it has one number in both
 * spaces (PTX ISA, "State Spaces": the window of .shared::cta is part of that of .shared::cluster).
 */
function clusterPointer(emitter: Emitter, operand: PtxOperand): Value {
  const { place } = emitter
  const generic = emitter.add(cast(place, 'addrspacecast', POINTER, pointerOf(emitter, operand, 3)))
  const address = emitter.add(cast(place, 'ptrtoint', I32, generic))
  return emitter.add({ ...cast(place, 'inttoptr', POINTER, address), mayLeaveBlock: true })
}

/** mapa[.shared::cluster] d, a, b and getctarank[.shared::cluster] d, a: of generic addresses, or of those in the space. */
function lowerRanks(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const [target, source, rank] = operands
  const isInSpace = opcode[1] === CLUSTER
  if (opcode.length !== (isInSpace ? 3 : 2) || source?.kind !== 'register') throw new NotLowered()
  const pointer = isInSpace
    ? clusterPointer(emitter, { kind: 'address', base: source, offset: 0 })
    : emitter.read(source, POINTER)
  if (opcode[0] === 'getctarank') {
    emitter.set(emitter.destination(target), emitter.call('llvm.nvvm.getctarank', I32, [pointer]))
    return
  }
  const mapped = emitter.call('llvm.nvvm.mapa', POINTER, [pointer, emitter.read(rank, I32)])
  if (!isInSpace) return emitter.set(emitter.destination(target), mapped)
  const { place } = emitter
  const inSpace = emitter.add(cast(place, 'addrspacecast', { kind: 'pointer', space: 3 }, mapped))
  emitter.set(emitter.destination(target), emitter.add(cast(place, 'ptrtoint', I32, inSpace)))
}

/**
 * The pointer of which a number is the lower half. The machine's window of shared memory begins at a multiple of 4 GiB, so that
 * `(unsigned)(size_t)pointer` is the address in it (reading: LeoYa-micro_bench-m_cpasync).
 */
function genericPointer(address: Value): Value | undefined {
  if (address.kind !== 'instruction') return undefined
  if (address.op === 'ptrtoint')
    return address.value.type.kind === 'pointer' && address.value.type.space === 0 ? address.value : undefined
  return address.op === 'trunc' || address.op === 'zext' ? genericPointer(address.value) : undefined
}

function valueType({ typeName, rest }: Form): Type {
  const type = ptxType(typeName)
  if (!type || rest.length > 0) throw new NotLowered()
  return type
}

/** The name of loads that the program wrote itself, where they are. */
export const ASSEMBLY_LOAD = 'asm.load'

function lowerLoad(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const form = formOf(opcode)
  const element = valueType(form)
  const type = form.lanes === 1 ? element : vectorOf(element, form.lanes)
  const pointer = pointerOf(emitter, operands[1], form.space)
  const plain = { ...load(emitter.place, type, pointer, sizeOf(type), form.ordered), name: ASSEMBLY_LOAD }
  const loaded = emitter.add(form.passesL1 ? { ...plain, passesL1: true } : plain)
  const targets = operands[0]?.kind === 'vector' ? operands[0].elements : [operands[0]]
  if (targets.length !== form.lanes) throw new NotLowered()
  targets.forEach((target, lane) => {
    const value = form.lanes === 1 ? loaded : emitter.add(extractElement(emitter.place, loaded, lane, element))
    emitter.set(emitter.destination(target), widen(emitter, value, form.typeName))
  })
}

/** A register is wider than a byte or a signed half word: the rest is the sign's or zero. */
function widen(emitter: Emitter, value: Value, typeName: string): Value {
  if (value.type.kind !== 'int' || value.type.bits >= 32) return value
  return emitter.add(cast(emitter.place, typeName.startsWith('s') ? 'sext' : 'zext', I32, value))
}

function lowerStore(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const form = formOf(opcode)
  const element = valueType(form)
  const pointer = pointerOf(emitter, operands[0], form.space)
  const sources = operands[1]?.kind === 'vector' ? operands[1].elements : [operands[1]]
  if (sources.length !== form.lanes) throw new NotLowered()
  const values = sources.map(source => emitter.read(source, element))
  let value = values[0]!
  if (form.lanes > 1) {
    value = { kind: 'undef', type: vectorOf(element, form.lanes) }
    values.forEach((part, lane) => {
      value = emitter.add(insertElement(emitter.place, value, part, lane))
    })
  }
  emitter.add({ ...store(emitter.place, value, pointer, sizeOf(value.type), form.ordered), assembled: true })
}

/** isspacep.space p, a: is the generic address one of the space? */
function lowerSpaceQuery(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): boolean {
  const named = opcode[1] === CLUSTER ? 'shared.cluster' : opcode[1]
  const space = /^(global|local|const|shared(\.cluster)?)(:cta)?$/.exec(named ?? '')?.[1]
  if (space === undefined || opcode.length !== 2) throw new NotLowered()
  const address = emitter.read(operands[1], POINTER)
  emitter.set(emitter.destination(operands[0]), emitter.call(`llvm.nvvm.isspacep.${space}`, I1, [address]))
  return true
}

// ---------------------------------------------------------------- atomics

function operationOf(name: string, typeName: string): AtomicOp | undefined {
  const floating = /f(16|32|64)/.test(typeName)
  const signed = typeName.startsWith('s')
  switch (name) {
    case 'add':
      return floating ? 'fadd' : 'add'
    case 'min':
      return floating ? 'fmin' : signed ? 'min' : 'umin'
    case 'max':
      return floating ? 'fmax' : signed ? 'max' : 'umax'
    case 'and':
    case 'or':
    case 'xor':
      return name
    case 'exch':
      return 'xchg'
    case 'inc':
      return 'uinc_wrap'
    case 'dec':
      return 'udec_wrap'
    default:
      return undefined
  }
}

function lowerAtomic(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const { space, typeName, rest, lanes } = formOf(opcode)
  const [name] = rest
  const pair = /^(b?f16)x2$/.exec(typeName)
  const element = ptxType(pair?.[1] ?? typeName)
  const isReduction = opcode[0] === 'red'
  const [target, addressed, first, second] = isReduction ? [undefined, ...operands] : operands
  if (!element || name === undefined || rest.length !== 1 || lanes !== 1) throw new NotLowered()
  const pointer = pointerOf(emitter, addressed, space)
  const type = pair ? vectorOf(element, 2) : element
  const read = (operand: PtxOperand | undefined): Value =>
    pair ? emitter.add(cast(emitter.place, 'bitcast', type, emitter.read(operand, I32))) : emitter.read(operand, type)
  const common = {
    kind: 'instruction',
    name: '',
    ...emitter.place,
    pointer,
    align: sizeOf(type),
    volatile: true,
  } as const
  let old: Value
  if (name === 'cas') {
    const expected = read(first)
    const replacement = read(second)
    const result: Type = { kind: 'struct', fields: [type, { kind: 'int', bits: 1 }], packed: false }
    const exchanged = emitter.add({ ...common, op: 'cmpxchg', type: result, expected, replacement })
    if (isReduction) return
    old = emitter.part(exchanged, 0, type)
  } else {
    const operation = operationOf(name, typeName)
    if (!operation) throw new NotLowered()
    old = emitter.add({ ...common, op: 'atomicrmw', type, operation, value: read(first) })
  }
  if (isReduction || target === undefined) return
  if (target.kind === 'register' && target.name === '_') return
  emitter.set(emitter.destination(target), pair ? emitter.add(cast(emitter.place, 'bitcast', I32, old)) : old)
}

// ---------------------------------------------------------------- copies and addresses

/** A call with the number of the latest groups of copies that are not waited for. */
export const WAIT_FOR_COPIES = 'llvm.nvvm.cp.async.wait.group'

/**
 * cp.async: a load and a store, which are complete at once. Both are marked, since the machine counts them as one instruction of
 * another kind; a wait for them does nothing here, and says where the machine's threads wait. A source size (`sized`) fills what is behind it with zeros;
 * in its place a predicate may say that all are.
 */
function lowerCopy(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): boolean {
  const rest = opcode.slice(1).join('.')
  if (!rest.startsWith('async.')) throw new NotLowered()
  if (rest === 'async.commit_group') return true
  if (rest === 'async.wait_group' || rest === 'async.wait_all') {
    const groups = intConstant(I32, rest === 'async.wait_all' ? 0 : Number(emitter.constantOf(operands[0]) ?? 0))
    emitter.call(WAIT_FOR_COPIES, VOID, [groups])
    return true
  }
  const bytes = Number(emitter.constantOf(operands[2]) ?? 0)
  if (!/^async\.c[ag]\.shared(:cta)?\.global\b/.test(rest) || operands.length > 4) throw new NotLowered()
  if (bytes !== 4 && bytes !== 8 && bytes !== 16) throw new NotLowered()
  const isPastL1 = rest.startsWith('async.cg')
  const to = pointerOf(emitter, operands[0], 3)
  const type = bytes === 4 ? I32 : vectorOf(I32, bytes / 4)
  const write = (value: Value): void => {
    emitter.add({ ...store(emitter.place, value, to, bytes, true), copied: true })
  }
  const copy = (sized: PtxOperand | undefined): void => {
    const from = pointerOf(emitter, operands[1], 1)
    const loaded = { ...load(emitter.place, type, from, bytes, true), copiedTo: to }
    const value = emitter.add(isPastL1 ? { ...loaded, passesL1: true } : loaded)
    write(sized ? firstBytes(emitter, value, emitter.read(sized, I32), bytes) : value)
  }
  const size = operands[3]
  if (!size || Number(emitter.constantOf(size) ?? -1) === bytes) {
    copy(undefined)
    return true
  }
  const given = size.kind === 'register' ? emitter.get(size.name) : undefined
  const isIgnored = given && sameType(given.type, I1) ? given : undefined
  const compared = (predicate: 'eq' | 'ne'): Value =>
    isIgnored
      ? emitter.compare(predicate, isIgnored, intConstant(I1, 1))
      : emitter.compare(predicate, emitter.read(size, I32), intConstant(I32, 0))
  const isSome = compared('ne')
  const isNone = compared('eq')
  emitter.guarded(isSome, () => copy(isIgnored ? undefined : size))
  emitter.guarded(isNone, () => write({ kind: 'zero', type }))
  return true
}

/** A copied value with zeros behind its first `size` bytes. */
function firstBytes(emitter: Emitter, value: Value, size: Value, bytes: number): Value {
  const masked = (word: Value, at: number): Value => {
    const left = emitter.binary('sub', size, intConstant(I32, at))
    const bits = emitter.binary('shl', left, intConstant(I32, 3))
    const part = emitter.binary('sub', emitter.binary('shl', intConstant(I32, 1), bits), intConstant(I32, 1))
    const isWhole = emitter.compare('sge', left, intConstant(I32, 4))
    const isNone = emitter.compare('sle', left, intConstant(I32, 0))
    const kept = emitter.select(isWhole, intConstant(I32, -1), emitter.select(isNone, intConstant(I32, 0), part))
    return emitter.binary('and', word, kept)
  }
  if (bytes === 4) return masked(value, 0)
  let result: Value = { kind: 'undef', type: value.type }
  for (let word = 0; word < bytes / 4; word++) {
    const element = emitter.add(extractElement(emitter.place, value, word, I32))
    result = emitter.add(insertElement(emitter.place, result, masked(element, 4 * word), word))
  }
  return result
}

/** cvta[.to].space: between a generic address and one in a space. */
function lowerConversion(emitter: Emitter, opcode: readonly string[], operands: readonly PtxOperand[]): void {
  const toSpace = opcode[1] === 'to'
  const space = SPACES[opcode[toSpace ? 2 : 1] ?? '']
  const [target, source] = operands
  if (space === undefined || source?.kind !== 'register') throw new NotLowered()
  const { place } = emitter
  const inSpace: Type = { kind: 'pointer', space }
  const from = toSpace ? POINTER : inSpace
  const to = toSpace ? inSpace : POINTER
  const held = emitter.get(source.name)
  const pointer =
    held?.type.kind === 'pointer' && held.type.space === (toSpace ? 0 : space)
      ? held
      : emitter.add(cast(place, 'inttoptr', from, emitter.read(source, I32)))
  const moved = emitter.add(cast(place, 'addrspacecast', to, pointer))
  emitter.set(emitter.destination(target), toSpace ? emitter.add(cast(place, 'ptrtoint', I32, moved)) : moved)
}
