/**
 * Builds one WebAssembly module: functions written opcode by opcode straight into bytes, one imported memory.
 * Nothing is validated here; V8 does that. Locals are allocated by type and may be released for reuse.
 */
import { ByteWriter } from './bytes.ts'
import { Op, type Opcode, PREFIX_SHIFT } from './opcodes.ts'

export const I32 = 0x7f
export const I64 = 0x7e
export const F32 = 0x7d
export const F64 = 0x7c
export const V128 = 0x7b
export type ValueType = typeof I32 | typeof I64 | typeof F32 | typeof F64 | typeof V128

const EMPTY_BLOCK = 0x40

export interface Signature {
  readonly params: readonly ValueType[]
  readonly results: readonly ValueType[]
}

/** What `call` needs to know of a function, imported or defined. */
export interface Callable {
  readonly index: number
}

/** So many numbers of locals: a tuple where the count is written down. */
type Locals<Count extends number, Some extends number[] = []> = number extends Count
  ? number[]
  : Some['length'] extends Count
    ? Some
    : Locals<Count, [...Some, number]>

export class FunctionBuilder implements Callable {
  /** Where opcodes go; a prologue may be written last by putting another writer here for a while. */
  code = new ByteWriter()
  readonly index: number
  readonly signature: Signature
  private readonly localTypes: ValueType[] = []
  private readonly free = new Map<ValueType, number[]>()
  /** Nesting depth of blocks: labels are remembered by depth, branch distances follow. */
  depth = 0
  /** Places where control parts or meets: an engine's baseline compiler looks at every local at each of them. */
  branches = 0

  constructor(index: number, signature: Signature) {
    this.index = index
    this.signature = signature
  }

  get locals(): readonly ValueType[] {
    return this.localTypes
  }

  local(type: ValueType): number {
    return this.free.get(type)?.pop() ?? this.signature.params.length + this.localTypes.push(type) - 1
  }

  /** A local that nobody has used or will use: it is 0 when the function begins. */
  fresh(type: ValueType): number {
    return this.signature.params.length + this.localTypes.push(type) - 1
  }

  many<const Count extends number>(type: ValueType, count: Count): Locals<Count> {
    return Array.from({ length: count }, () => this.local(type)) as Locals<Count>
  }

  /** Gives a local back; its value is garbage from here on. */
  release(type: ValueType, ...indices: number[]): void {
    const list = this.free.get(type) ?? []
    this.free.set(type, list)
    list.push(...indices)
  }

  op(opcode: Opcode): this {
    if (opcode > 0xff) {
      this.code.byte(opcode >>> PREFIX_SHIFT)
      this.code.unsigned(opcode & 0xffff)
    } else this.code.byte(opcode)
    return this
  }

  get(local: number): this {
    this.code.byte(Op.local_get)
    this.code.unsigned(local)
    return this
  }

  set(local: number): this {
    this.code.byte(Op.local_set)
    this.code.unsigned(local)
    return this
  }

  tee(local: number): this {
    this.code.byte(Op.local_tee)
    this.code.unsigned(local)
    return this
  }

  i32(value: number): this {
    this.code.byte(Op.i32_const)
    this.code.signed(value)
    return this
  }

  i64(value: bigint): this {
    this.code.byte(Op.i64_const)
    this.code.signed64(value)
    return this
  }

  /** `bits` of the f32, so that NaN payloads survive. */
  f32Bits(bits: number): this {
    this.code.byte(Op.f32_const)
    this.code.uint32(bits >>> 0)
    return this
  }

  f64Bits(bits: bigint): this {
    this.code.byte(Op.f64_const)
    this.code.uint64(BigInt.asUintN(64, bits))
    return this
  }

  /** v128 constant of four 32-bit lanes. */
  v128(lanes: readonly [number, number, number, number]): this {
    this.op(Op.v128_const)
    for (const lane of lanes) this.code.uint32(lane >>> 0)
    return this
  }

  /** v128 constant of two 64-bit lanes. */
  v128x64(low: bigint, high: bigint): this {
    this.op(Op.v128_const)
    this.code.uint64(BigInt.asUintN(64, low))
    this.code.uint64(BigInt.asUintN(64, high))
    return this
  }

  shuffle(lanes: readonly number[]): this {
    this.op(Op.i8x16_shuffle)
    this.code.bytes(lanes)
    return this
  }

  /** i8x16.shuffle that moves whole 32-bit lanes: 0-3 of the first operand, 4-7 of the second. */
  shuffle32(a: number, b: number, c: number, d: number): this {
    return this.shuffle([a, b, c, d].flatMap(lane => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]))
  }

  /** extract_lane and replace_lane. */
  lane(opcode: Opcode, lane: number): this {
    this.op(opcode)
    this.code.byte(lane)
    return this
  }

  /** A load or store; `alignLog2` must not exceed the natural one (and equal it for atomics). */
  memory(opcode: Opcode, offset = 0, alignLog2 = 0): this {
    this.op(opcode)
    this.code.unsigned(alignLog2)
    this.code.unsigned(offset)
    return this
  }

  /** load_lane and store_lane. */
  memoryLane(opcode: Opcode, lane: number, offset = 0): this {
    this.memory(opcode, offset)
    this.code.byte(lane)
    return this
  }

  call(target: Callable): this {
    this.code.byte(Op.call)
    this.code.unsigned(target.index)
    return this
  }

  /** Opens a block; returns the label to branch to. */
  block(result?: ValueType): number {
    return this.open(Op.block, result)
  }

  loop(): number {
    return this.open(Op.loop, undefined)
  }

  /** Takes the condition from the stack. */
  if(result?: ValueType): this {
    this.open(Op.if, result)
    return this
  }

  else(): this {
    this.code.byte(Op.else)
    return this
  }

  end(): this {
    this.depth--
    this.code.byte(Op.end)
    return this
  }

  br(label: number): this {
    this.branches++
    this.code.byte(Op.br)
    this.code.unsigned(this.depth - label)
    return this
  }

  brIf(label: number): this {
    this.branches++
    this.code.byte(Op.br_if)
    this.code.unsigned(this.depth - label)
    return this
  }

  /** Takes an index from the stack; beyond the list, `otherwise`. */
  brTable(labels: readonly number[], otherwise: number): this {
    this.code.byte(Op.br_table)
    this.code.unsigned(labels.length)
    for (const label of [...labels, otherwise]) this.code.unsigned(this.depth - label)
    return this
  }

  /** Bytes of memory, or the most that 32 bits can say. */
  memorySize(): this {
    this.op(Op.memory_size)
    this.code.byte(0)
    // 65536 pages would be 2^32 bytes.
    this.op(Op.i64_extend_i32_u).i64(16n).op(Op.i64_shl).i64(0xffffffffn)
    const bytes = this.local(I64)
    const most = this.local(I64)
    this.set(most).set(bytes)
    this.get(bytes).get(most).get(bytes).get(most).op(Op.i64_lt_u).op(Op.select).op(Op.i32_wrap_i64)
    this.release(I64, bytes, most)
    return this
  }

  memoryFill(): this {
    this.op(Op.memory_fill)
    this.code.byte(0)
    return this
  }

  memoryCopy(): this {
    this.op(Op.memory_copy)
    this.code.byte(0)
    this.code.byte(0)
    return this
  }

  fence(): this {
    this.op(Op.atomic_fence)
    this.code.byte(0)
    return this
  }

  private open(opcode: Opcode, result: ValueType | undefined): number {
    this.branches++
    this.op(opcode)
    this.code.byte(result ?? EMPTY_BLOCK)
    return ++this.depth
  }
}

export interface MemoryImport {
  readonly initialPages: number
  readonly maximumPages: number
}

export class ModuleBuilder {
  private readonly types: Signature[] = []
  private readonly imports: { name: string; type: number }[] = []
  private readonly functions: FunctionBuilder[] = []
  private readonly exports: { name: string; index: number }[] = []

  /** Imports come before all definitions. Module name `env`. */
  import(name: string, params: readonly ValueType[], results: readonly ValueType[]): Callable {
    if (this.functions.length > 0) throw new Error('imports come before functions')
    this.imports.push({ name, type: this.typeIndex({ params, results }) })
    return { index: this.imports.length - 1 }
  }

  function(params: readonly ValueType[], results: readonly ValueType[], exportName?: string): FunctionBuilder {
    const signature = { params, results }
    this.typeIndex(signature)
    const built = new FunctionBuilder(this.imports.length + this.functions.length, signature)
    this.functions.push(built)
    if (exportName !== undefined) this.exports.push({ name: exportName, index: built.index })
    return built
  }

  /** The finished module; the shared memory is imported as `env.memory`. */
  finish(memory: MemoryImport): Uint8Array {
    const out = new ByteWriter()
    out.bytes([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00])
    section(out, 1, body => {
      body.unsigned(this.types.length)
      for (const { params, results } of this.types) {
        body.byte(0x60)
        body.unsigned(params.length)
        body.bytes(params)
        body.unsigned(results.length)
        body.bytes(results)
      }
    })
    section(out, 2, body => {
      body.unsigned(this.imports.length + 1)
      for (const { name, type } of this.imports) {
        body.name('env')
        body.name(name)
        body.byte(0x00)
        body.unsigned(type)
      }
      body.name('env')
      body.name('memory')
      body.bytes([0x02, 0x03])
      body.unsigned(memory.initialPages)
      body.unsigned(memory.maximumPages)
    })
    section(out, 3, body => {
      body.unsigned(this.functions.length)
      for (const { signature } of this.functions) body.unsigned(this.typeIndex(signature))
    })
    section(out, 7, body => {
      body.unsigned(this.exports.length)
      for (const { name, index } of this.exports) {
        body.name(name)
        body.byte(0x00)
        body.unsigned(index)
      }
    })
    section(out, 10, body => {
      body.unsigned(this.functions.length)
      for (const built of this.functions) {
        const header = new ByteWriter()
        const runs: { type: ValueType; count: number }[] = []
        for (const type of built.locals) {
          const last = runs.at(-1)
          if (last?.type === type) last.count++
          else runs.push({ type, count: 1 })
        }
        header.unsigned(runs.length)
        for (const { type, count } of runs) {
          header.unsigned(count)
          header.byte(type)
        }
        body.unsigned(header.length + built.code.length + 1)
        body.bytes(header.result())
        body.bytes(built.code.result())
        body.byte(Op.end)
      }
    })
    return out.result().slice()
  }

  private typeIndex(signature: Signature): number {
    const key = `${signature.params}:${signature.results}`
    const known = this.types.findIndex(({ params, results }) => `${params}:${results}` === key)
    return known >= 0 ? known : this.types.push(signature) - 1
  }
}

function section(out: ByteWriter, id: number, write: (body: ByteWriter) => void): void {
  const body = new ByteWriter()
  write(body)
  out.byte(id)
  out.unsigned(body.length)
  out.bytes(body.result())
}
