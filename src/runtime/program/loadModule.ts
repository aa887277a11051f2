/**
 * Module load: places the device program's variables in device memory, writes their initial values, and gives every symbol
 * its number: a device address for a variable, a distinct small one for a function (a function pointer's value).
 * Shared variables (space 3) are not placed: each launch lays them out in the block's window.
 */
import { addressOf, CONSTANT_BYTES, CONSTANT_OFFSET, offsetOf } from '../../addressSpace.ts'
import { WARP_SIZE, WARP_SIZE_VARIABLE } from '../../analysis/loops/warpSize.ts'
import { becomesLocal } from '../../analysis/lowering/localConstants.ts'
import { userError } from '../../diagnostic.ts'
import { operandsOf } from '../../ir/graph.ts'
import type { Constant, Global, Module, Type, Value } from '../../ir/ir.ts'
import { alignUp, fieldOffsets, SPACE, sizeOf, storeBytes } from '../../ir/types.ts'
import type { DeviceMemory } from '../memory/deviceMemory.ts'
import { DEVICE_FACTS } from './deviceFacts.ts'
import { libraryTable } from './libraryTables.ts'

export interface LoadedModule {
  readonly symbols: ReadonlyMap<string, number>
  /** Device addresses and sizes of the variables that the host can name. */
  readonly variables: ReadonlyMap<string, { readonly address: number; readonly bytes: number }>
}

/**
 * Throws a UserError for variables that fit nowhere or are defined nowhere. `fixedAddresses` places variables by name where
 * the caller wants them (managed ones lie at the address of their host twin); `facts` are what kernels may ask the runtime for;
 * `constantStart`: the offset that `__constant__` variables begin at, where other code has some too.
 */
export function loadModule(
  module: Module,
  memory: DeviceMemory,
  facts?: Uint32Array,
  fixedAddresses?: ReadonlyMap<string, number>,
  constantStart: number = CONSTANT_OFFSET,
): LoadedModule {
  const symbols = new Map<string, number>()
  const variables = new Map<string, { address: number; bytes: number }>()
  let functionNumber = 0
  for (const func of module.functions) symbols.set(func.name, ++functionNumber)
  const libraryTables = new Map<Global, Uint32Array>()
  let constantEnd = constantStart
  const isPlaced = (global: Global): boolean =>
    global.space !== SPACE.shared &&
    !isMetadata(global) &&
    !(becomesLocal(global) && hasSharedAddress(global.initializer))
  const placed = module.globals.filter(isPlaced)
  for (const global of placed) {
    if (global.external && global.linkage === 'weak') {
      symbols.set(global.name, 0) // C's rule; clang's threadIdx and its like are such variables at -O0
      continue
    }
    if (global.name === WARP_SIZE_VARIABLE && !isPointedTo(module, global)) continue
    // Where clang compiles one file by itself, a declaration is a definition without a value.
    const table = global.name === DEVICE_FACTS ? facts : libraryTable(global.name)
    if (table !== undefined) libraryTables.set(global, table)
    else if (global.external && global.name !== WARP_SIZE_VARIABLE)
      throw userError('undefined-variable', `undefined device variable ${global.name}`)
    const bytes = Math.max(1, sizeOf(global.type))
    let address = fixedAddresses?.get(global.name)
    if (address === undefined && global.space === SPACE.constant) {
      // One behind the other; variables in global memory begin at multiples of 256 (printed by an H200).
      const start = alignUp(constantEnd, Math.max(global.align, 1))
      constantEnd = start + bytes
      address = addressOf(start)
      memory.place(address, bytes, global.name)
    }
    address ??= memory.allocate(bytes, 'global variable', global.name, Math.max(global.align, 256))
    if (address === undefined)
      throw userError('device-out-of-memory', `no device memory for variable ${global.name} (${bytes} bytes)`)
    symbols.set(global.name, address)
    variables.set(global.name, { address, bytes })
  }
  const constantBytes = constantEnd - constantStart
  if (constantBytes > CONSTANT_BYTES) {
    throw userError(
      'constant-too-large',
      `too much __constant__ data in all files together (${constantBytes} bytes; ${CONSTANT_BYTES} at most are supported)`,
    )
  }
  for (const global of placed) initialize(global, symbols, memory, libraryTables.get(global))
  return { symbols, variables }
}

/** Whether a program does more with a variable than read it as a whole. */
function isPointedTo(module: Module, global: Global): boolean {
  const isTaken = (value: Value) => value.kind === 'address' && value.target === global
  return module.functions.some(({ blocks }) =>
    blocks.some(({ instructions }) => instructions.some(each => each.op !== 'load' && operandsOf(each).some(isTaken))),
  )
}

/** `float *buffers[] = {a, b};` of a function, of shared arrays: where they lie is each launch's matter. */
function hasSharedAddress(value: Constant | undefined): boolean {
  if (value?.kind === 'address') return value.target.kind === 'global' && value.target.space === SPACE.shared
  const parts = value?.kind === 'aggregate' ? value.elements : value?.kind === 'expression' ? value.operands : []
  return parts.some(hasSharedAddress)
}

/** `llvm.used` and the like carry no data of the program. */
function isMetadata(global: Global): boolean {
  return global.name.startsWith('llvm.')
}

function initialize(
  global: Global,
  symbols: ReadonlyMap<string, number>,
  memory: DeviceMemory,
  table: Uint32Array | undefined,
): void {
  const address = symbols.get(global.name)!
  if (address === 0) return
  const bytes = sizeOf(global.type)
  const view = new DataView(memory.memory.buffer, offsetOf(address), bytes)
  new Uint8Array(view.buffer, view.byteOffset, bytes).fill(0)
  if (global.name === WARP_SIZE_VARIABLE) view.setInt32(0, WARP_SIZE, true)
  if (global.initializer !== undefined) writeConstant(view, 0, global.initializer, global.type, symbols)
  table?.forEach((word, index) => {
    view.setUint32(index * 4, word, true)
  })
}

function writeConstant(
  view: DataView,
  at: number,
  value: Constant,
  type: Type,
  symbols: ReadonlyMap<string, number>,
): void {
  switch (value.kind) {
    case 'zero':
    case 'undef':
      return
    case 'aggregate': {
      const placeOf = elementsOf(type)
      value.elements.forEach((element, index) => {
        const [offset, elementType] = placeOf(index)
        writeConstant(view, at + offset, element, elementType, symbols)
      })
      return
    }
    case 'float':
      writeInteger(view, at, value.bits, storeBytes(type))
      return
    case 'int':
    case 'address':
    case 'expression':
      writeInteger(view, at, evaluate(value, symbols), storeBytes(type))
  }
}

/** Where each element lies, and its type. Tables are structures of thousands of fields where their rows differ in length. */
function elementsOf(type: Type): (index: number) => readonly [number, Type] {
  if (type.kind === 'struct') {
    const offsets = fieldOffsets(type)
    return index => [offsets[index]!, type.fields[index]!]
  }
  if (type.kind === 'array' || type.kind === 'vector') {
    const bytes = type.kind === 'array' ? sizeOf(type.element) : storeBytes(type.element)
    return index => [index * bytes, type.element]
  }
  throw userError(
    'unsupported-initializer',
    `a device variable's initial value has a form that is not supported (${type.kind})`,
  )
}

function writeInteger(view: DataView, at: number, value: bigint, bytes: number): void {
  for (let index = 0; index < bytes; index++) view.setUint8(at + index, Number((value >> BigInt(8 * index)) & 0xffn))
}

/** The bits of an integer constant, an address or an expression over them, cut to its type's width. */
function evaluate(value: Constant, symbols: ReadonlyMap<string, number>): bigint {
  const bits = BigInt(storeBytes(value.type) * 8)
  return BigInt.asUintN(Number(bits), rawValue(value, symbols))
}

function rawValue(value: Constant, symbols: ReadonlyMap<string, number>): bigint {
  switch (value.kind) {
    case 'int':
      return value.value
    case 'float':
      return value.bits
    case 'zero':
    case 'undef':
      return 0n
    case 'address': {
      const address = symbols.get(value.target.name)
      if (address === undefined) {
        throw userError(
          'unsupported-initializer',
          `a device variable's initial value refers to ${value.target.name}, which has no address of its own`,
        )
      }
      return BigInt(address + value.offset)
    }
    case 'aggregate':
      throw userError('unsupported-initializer', 'a device variable is initialised by arithmetic on a structure')
    case 'expression':
      return evaluateExpression(value, symbols)
  }
}

function evaluateExpression(value: Constant & { kind: 'expression' }, symbols: ReadonlyMap<string, number>): bigint {
  const [left = 0n, right = 0n] = value.operands.map(operand => evaluate(operand, symbols))
  const from = value.operands[0] === undefined ? 0 : storeBytes(value.operands[0].type) * 8
  switch (value.op) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'and':
      return left & right
    case 'or':
      return left | right
    case 'xor':
      return left ^ right
    case 'shl':
      return left << right
    case 'lshr':
      return left >> right
    case 'sext':
      return BigInt.asIntN(from, left)
    case 'trunc':
    case 'zext':
    case 'ptrtoint':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast':
      return left
    default:
      throw userError(
        'unsupported-initializer',
        `a device variable is initialised by an expression with '${value.op}', which is not supported`,
      )
  }
}
