/**
 * Writes a random program as LLVM IR in SSA form, as clang would at -O2: one kernel `k(ptr out, ptr in, i32 n)` and its helpers.
 * Variables never live in memory: where paths meet, phis choose. Local arrays are allocas; shared memory is module variables.
 * Computes the same as the CUDA form of the program, contraction of floating-point operations aside.
 */
import { type Edge, IrWriter, LLVM_TYPES, type Operand } from './irWriter.ts'
import {
  ATOMIC_OPERATIONS,
  ATOMIC_WORDS,
  bitsOfScalar,
  isFloat,
  type Program,
  type Statement,
  slotWords,
  threadsOf,
} from './program.ts'

const SHARED = 'ptr addrspace(3)'

export function emitIr(program: Program): string {
  const threads = program.block.x * program.block.y * program.block.z
  const shared = [64, 32, 16, 8].map(
    bits => `@shared${bits} = internal addrspace(3) global [${threads} x i${bits}] undef, align 8\n`,
  )
  const counts = `@counts = internal addrspace(3) global [${ATOMIC_WORDS} x i32] undef, align 4\n`
  const functions = [...program.helpers.map((_, index) => emitHelper(program, index)), emitKernel(program)]
  const declarations = new Set(functions.flatMap(({ declarations }) => [...declarations]))
  const text = functions.map(({ text }) => text)
  return [...shared, counts, ...text, ...[...declarations].sort().map(line => `${line}\n`)].join('') + ATTRIBUTES
}

const ATTRIBUTES = `attributes #0 = { convergent noinline nounwind }
attributes #1 = { convergent nounwind }
`

interface Emitted {
  readonly text: string
  readonly declarations: ReadonlySet<string>
}

function emitHelper(program: Program, index: number): Emitted {
  const { body, result } = program.helpers[index]!
  const writer = new IrWriter(program, program.helperVariables, ['%a', '%b'])
  const emitter = new StatementEmitter(writer, program)
  emitter.list(body)
  writer.line(`ret i32 ${writer.expression(result)}`)
  const text = `define internal i32 @helper${index}(i32 %a, i32 %b) #0 {\nentry:\n${writer.text()}}\n`
  return { text, declarations: writer.declarations }
}

function emitKernel(program: Program): Emitted {
  const writer = new IrWriter(program, program.variables, [])
  const { arrays, block } = program
  arrays.forEach(({ type, length }, i) => {
    writer.line(`%array${i} = alloca [${length} x ${LLVM_TYPES[type]}], align 8`)
    const bytes = (length * bitsOfScalar(type)) / 8
    writer.callVoid('llvm.memset.p0.i32', [`ptr align 8 %array${i}`, 'i8 0', `i32 ${bytes}`, 'i1 false'])
  })
  const register = (name: string): Operand => writer.call('i32', `llvm.nvvm.read.ptx.sreg.${name}`, [])
  const linear = (x: Operand, xSize: Operand, y: Operand, ySize: Operand, z: Operand): Operand =>
    writer.value(
      `add i32 ${x}, ${writer.value(`mul i32 ${xSize}, ${writer.value(`add i32 ${y}, ${writer.value(`mul i32 ${ySize}, ${z}`)}`)}`)}`,
    )
  const tid = linear(register('tid.x'), register('ntid.x'), register('tid.y'), register('ntid.y'), register('tid.z'))
  const blockId = linear(
    register('ctaid.x'),
    register('nctaid.x'),
    register('ctaid.y'),
    register('nctaid.y'),
    register('ctaid.z'),
  )
  const threads = block.x * block.y * block.z
  const gid = writer.value(`add i32 ${writer.value(`mul i32 ${blockId}, ${threads}`)}, ${tid}`)
  const lane = writer.value(`and i32 ${tid}, 31`)
  writer.specials = { tid, blockId, gid, lane, n: '%n' }
  const slots = writer.value(
    `getelementptr i32, ptr %out, i32 ${writer.value(`mul i32 ${gid}, ${slotWords(program)}`)}`,
  )
  const emitter = new StatementEmitter(writer, program, slots, tid)
  emitter.list(program.body)
  program.variables.forEach((type, i) => {
    const value = writer.variable(i)
    const bits = isFloat(type) ? writer.bitsWithoutNaN(value, type) : value
    const wide = bitsOfScalar(type) === 64 ? bits : writer.value(`zext i${bitsOfScalar(type)} ${bits} to i64`)
    const high = writer.value(`lshr i64 ${wide}, 32`)
    emitter.storeSlot(2 + 2 * i, writer.value(`trunc i64 ${wide} to i32`))
    emitter.storeSlot(3 + 2 * i, writer.value(`trunc i64 ${high} to i32`))
  })
  writer.line('ret void')
  const text = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) #0 {\nentry:\n${writer.text()}}\n`
  return { text, declarations: writer.declarations }
}

/** The edges that leave the loop being written. */
interface Loop {
  readonly breaks: Edge[]
  readonly continues: Edge[]
}

class StatementEmitter {
  private readonly writer: IrWriter
  private readonly program: Program
  private readonly slots: Operand
  private readonly tid: Operand
  private loop: Loop | undefined

  constructor(writer: IrWriter, program: Program, slots = 'null', tid = '0') {
    this.writer = writer
    this.program = program
    this.slots = slots
    this.tid = tid
  }

  list(statements: readonly Statement[]): void {
    for (const statement of statements) this.statement(statement)
  }

  storeSlot(index: number, value: Operand): void {
    const { writer } = this
    writer.line(
      `store i32 ${value}, ptr ${writer.value(`getelementptr i32, ptr ${this.slots}, i32 ${index}`)}, align 4`,
    )
  }

  private statement(statement: Statement): void {
    const { writer } = this
    switch (statement.kind) {
      case 'assign':
        writer.assign(statement.variable, writer.expression(statement.value))
        return
      case 'if': {
        const [yes, no] = writer.branch(writer.condition(statement.condition))
        writer.join([yes])
        this.list(statement.yes)
        const ends = [writer.jump()]
        writer.join([no])
        this.list(statement.otherwise)
        writer.join([...ends, writer.jump()])
        return
      }
      case 'loop':
        this.emitLoop(statement)
        return
      case 'break':
      case 'continue': {
        const [yes, no] = writer.branch(writer.condition(statement.condition))
        this.loop?.[statement.kind === 'break' ? 'breaks' : 'continues'].push(yes)
        writer.join([no])
        return
      }
      case 'switch':
        this.emitSwitch(statement)
        return
      case 'setElement': {
        const { type } = this.program.arrays[statement.array]!
        const pointer = writer.elementPointer(statement.array, statement.index)
        const value = writer.expression(statement.value)
        writer.line(`store ${LLVM_TYPES[type]} ${value}, ptr ${pointer}, align ${bitsOfScalar(type) / 8}`)
        return
      }
      case 'exit': {
        const [yes, no] = writer.branch(writer.condition(statement.condition))
        writer.join([yes])
        this.storeSlot(0, writer.expression(statement.value))
        writer.line('ret void')
        writer.join([no])
        return
      }
      case 'ownAtomic': {
        const pointer = writer.value(`getelementptr i32, ptr ${this.slots}, i32 1`)
        const value = writer.expression(statement.value)
        writer.assign(statement.variable, this.ownAtomic(statement, pointer, value))
        return
      }
      case 'globalAtomic': {
        const region =
          threadsOf(this.program) * slotWords(this.program) + ATOMIC_OPERATIONS.indexOf(statement.op) * ATOMIC_WORDS
        const base = writer.value(`getelementptr i32, ptr %out, i32 ${region}`)
        const index = writer.value(`urem i32 ${writer.expression(statement.index)}, ${ATOMIC_WORDS}`)
        const pointer = writer.value(`getelementptr inbounds i32, ptr ${base}, i32 ${index}`)
        writer.value(
          `atomicrmw ${statement.op} ptr ${pointer}, i32 ${writer.expression(statement.value)} monotonic, align 4`,
        )
        return
      }
      default:
        this.collective(statement)
    }
  }

  private ownAtomic(statement: Statement & { kind: 'ownAtomic' }, pointer: Operand, value: Operand): Operand {
    const { writer } = this
    if (statement.op !== 'cas') {
      const op = statement.op === 'exch' ? 'xchg' : statement.op
      return writer.value(`atomicrmw ${op} ptr ${pointer}, i32 ${value} seq_cst, align 4`)
    }
    const expected = writer.expression(statement.expected)
    const pair = writer.value(`cmpxchg ptr ${pointer}, i32 ${expected}, i32 ${value} seq_cst seq_cst, align 4`)
    return writer.value(`extractvalue { i32, i1 } ${pair}, 0`)
  }

  private emitLoop({ limit, turns, atLeastOnce, body }: Statement & { kind: 'loop' }): void {
    const { writer } = this
    const end = writer.value(`urem i32 ${writer.expression(limit)}, ${turns}`)
    const outer = this.loop
    const loop: Loop = { breaks: [], continues: [] }
    this.loop = loop
    const header = writer.beginLoop()
    let exit: Edge | undefined
    if (!atLeastOnce) {
      const [inside, outside] = writer.branch(writer.value(`icmp ult i32 ${header.counter}, ${end}`))
      exit = outside
      writer.join([inside])
    }
    this.list(body)
    writer.join([...loop.continues, writer.jump()])
    if (atLeastOnce) {
      const [again, outside] = writer.branch(writer.value(`icmp ult i32 ${header.counter}, ${end}`))
      exit = outside
      writer.join([again])
    }
    writer.endLoop(header)
    this.loop = outer
    writer.join([...(exit ? [exit] : []), ...loop.breaks])
  }

  private emitSwitch({ value, cases, fallback }: Statement & { kind: 'switch' }): void {
    const { writer } = this
    const selector = writer.value(`urem i32 ${writer.expression(value)}, 8`)
    const { entries, otherwise } = writer.switchOn(
      selector,
      cases.map(branch => branch.value),
    )
    const ends: Edge[] = []
    let falling: Edge[] = []
    cases.forEach(({ body, fallsThrough }, i) => {
      writer.join([entries[i]!, ...falling])
      this.list(body)
      falling = [writer.jump()]
      if (!fallsThrough) ends.push(...falling.splice(0))
    })
    writer.join([otherwise, ...falling])
    this.list(fallback)
    writer.join([...ends, writer.jump()])
  }

  // ---------------------------------------------------------------- what all threads do together

  private barrier(): void {
    this.writer.callVoid('llvm.nvvm.barrier.cta.sync.aligned.all', ['i32 0'])
  }

  private collective(statement: Statement): void {
    const { writer } = this
    switch (statement.kind) {
      case 'exchange': {
        const type = LLVM_TYPES[statement.type]
        const bits = bitsOfScalar(statement.type)
        const threads = this.program.block.x * this.program.block.y * this.program.block.z
        const slot = (index: Operand): Operand =>
          writer.value(`getelementptr inbounds i${bits}, ${SHARED} @shared${bits}, i32 ${index}`)
        writer.line(
          `store ${type} ${writer.expression(statement.value)}, ${SHARED} ${slot(this.tid)}, align ${bits / 8}`,
        )
        this.barrier()
        const scaled = writer.value(`mul i32 ${this.tid}, ${statement.multiplier}`)
        const shifted = writer.value(`add i32 ${scaled}, ${writer.expression(statement.shift)}`)
        const from = slot(writer.value(`urem i32 ${shifted}, ${threads}`))
        writer.assign(statement.variable, writer.value(`load ${type}, ${SHARED} ${from}, align ${bits / 8}`))
        this.barrier()
        return
      }
      case 'sharedAtomic':
        this.sharedAtomic(statement)
        return
      case 'shuffle': {
        const { mode, width } = statement
        const value = writer.expression(statement.value)
        const lane = writer.value(`urem i32 ${writer.expression(statement.lane)}, ${width}`)
        // The segment mask and clamp of PTX's shfl.sync, as the CUDA headers compute them from a width.
        const clamp = ((32 - width) << 8) | (mode === 'up' ? 0 : 31)
        writer.assign(statement.variable, writer.shuffle(mode, '-1', value, lane, clamp))
        return
      }
      case 'vote': {
        const condition = writer.condition(statement.condition)
        const args = ['i32 -1', `i1 ${condition}`]
        if (statement.mode === 'ballot') {
          writer.assign(statement.variable, writer.call('i32', 'llvm.nvvm.vote.ballot.sync', args))
        } else {
          const truth = writer.call('i1', `llvm.nvvm.vote.${statement.mode}.sync`, args)
          writer.assign(statement.variable, writer.value(`zext i1 ${truth} to i32`))
        }
        return
      }
      case 'leader': {
        const condition = writer.condition(statement.condition)
        const mask = writer.call('i32', 'llvm.nvvm.vote.ballot.sync', ['i32 -1', `i1 ${condition}`])
        const value = writer.expression(statement.value)
        const [yes, no] = writer.branch(condition)
        writer.join([yes])
        const first = writer.call('i32', 'llvm.cttz.i32', [`i32 ${mask}`, 'i1 false'])
        writer.assign(statement.variable, writer.shuffle('idx', mask, value, first, 31))
        writer.join([writer.jump(), no])
        writer.callVoid('llvm.nvvm.bar.warp.sync', ['i32 -1'])
      }
    }
  }

  private sharedAtomic(statement: Statement & { kind: 'sharedAtomic' }): void {
    const { writer } = this
    const threads = this.program.block.x * this.program.block.y * this.program.block.z
    const word = (index: Operand): Operand => {
      const wrapped = writer.value(`urem i32 ${index}, ${ATOMIC_WORDS}`)
      return writer.value(`getelementptr inbounds [${ATOMIC_WORDS} x i32], ${SHARED} @counts, i32 0, i32 ${wrapped}`)
    }
    // for (i = tid; i < ATOMIC_WORDS; i += threads) counts[i] = i * 77
    const header = writer.beginLoop()
    const step = writer.value(`mul i32 ${header.counter}, ${threads}`)
    const i = writer.value(`add i32 ${step}, ${this.tid}`)
    const [inside, outside] = writer.branch(writer.value(`icmp ult i32 ${i}, ${ATOMIC_WORDS}`))
    writer.join([inside])
    writer.line(`store i32 ${writer.value(`mul i32 ${i}, 77`)}, ${SHARED} ${word(i)}, align 4`)
    writer.endLoop(header)
    writer.join([outside])
    this.barrier()
    const target = word(writer.expression(statement.index))
    writer.value(
      `atomicrmw ${statement.op} ${SHARED} ${target}, i32 ${writer.expression(statement.value)} monotonic, align 4`,
    )
    this.barrier()
    const from = word(writer.expression(statement.readIndex))
    writer.assign(statement.variable, writer.value(`load i32, ${SHARED} ${from}, align 4`))
    this.barrier()
  }
}
