/**
 * Inline assembly: the PTX that CUDA programs write to reach single instructions. A piece of assembly is a list of
 * instructions on registers (operands `$0`, `$1` … and its own), executed by the table in ptxInstructions.ts. Instructions
 * that touch memory, branch or synchronise are not understood here, and the whole piece is refused by its text.
 *
 * LLVM gives the text and constraints as `asm:<text>|<constraints>`: outputs (`=r`) are operands 0 …, inputs follow; an
 * input that names an output's number (from CUDA's `+r`) starts out in that operand.
 */
import type { Type } from '../../ir/ir.ts'
import { ptxConstant } from '../../ir/ptxConstants.ts'
import { bitsOf } from '../../ir/types.ts'
import { type Bits, fromBigInt, toBigInt } from '../arithmetic/values.ts'
import { IGNORED, type Intrinsic, pure, type Signature } from './intrinsic.ts'
import { findPtxInstruction, type PtxInstruction, type PtxState } from './ptxInstructions.ts'
import { REGISTERS } from './specialRegisters.ts'

/** Where an instruction's operand comes from. */
type PtxOperand =
  | { readonly kind: 'register'; readonly name: string }
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'constant'; readonly value: bigint }

interface Statement {
  readonly target: string
  readonly sources: readonly PtxOperand[]
  readonly instruction: PtxInstruction
}

interface Assembly {
  readonly statements: readonly Statement[]
  /** Operand number of each output and each input. */
  readonly outputs: readonly number[]
  readonly inputs: readonly number[]
}

/** Orders accesses or advises the machine: nothing that a value depends on. */
const WITHOUT_EFFECT =
  /^(membar|fence|prefetch|prefetchu|nanosleep|griddepcontrol|pmevent|discard|applypriority)\b|^bar\.warp\.sync\b/

export function findAssembly({ name, result }: Signature): Intrinsic | undefined {
  const cut = name.lastIndexOf('|')
  const lines = statementsOf(name.slice('asm:'.length, cut))
  if (lines.every(line => WITHOUT_EFFECT.test(line))) return result.kind === 'void' ? IGNORED : keepTied(name, result)
  if (lines.length === 1 && lines[0] === 'exit') return { kind: 'exit' }
  if (lines.length === 1 && /^activemask\.b32 \$0$/.test(lines[0]!)) return activeMask()
  const assembly = parse(lines, name.slice(cut + 1))
  if (!assembly) return undefined
  const usesThread = assembly.statements.some(({ sources }) => sources.some(({ kind }) => kind === 'special'))
  if (!usesThread) return pure(args => run(assembly, args, result, () => 0n))
  return {
    kind: 'thread',
    evaluate: (warp, lane, args) => run(assembly, args, result, register => BigInt(REGISTERS[register]!(warp, lane))),
  }
}

/** `mov.b64 d, {low, high}` and `mov.b64 {low, high}, a`, which we call pack and unpack. */
const PACK = /mov\.b(32|64)\s+([^\s,{};]+)\s*,\s*\{\s*([^\s,{};]+)\s*,\s*([^\s,{};]+)\s*\}/g
const UNPACK = /mov\.b(32|64)\s*\{\s*([^\s,{};]+)\s*,\s*([^\s,{};]+)\s*\}\s*,\s*([^\s,{};]+)/g

/** Instructions without comments, braces, declarations of registers and line breaks; `$$` is LLVM's dollar sign. */
function statementsOf(text: string): string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\/\/[^\n]*/g, ' ')
    .replace(PACK, 'pack.b$1 $2, $3, $4')
    .replace(UNPACK, 'unpack.low.b$1 $2, $4; unpack.high.b$1 $3, $4')
    .replace(/[{}]/g, ';')
    .split(';')
    .map(line => line.trim().replace(/\s+/g, ' '))
    .filter(line => line !== '' && !line.startsWith('.reg '))
}

/** An empty piece that still has outputs, written `asm("" : "+r"(x))`, passes its inputs on. */
function keepTied(name: string, result: Type): Intrinsic | undefined {
  const assembly = parse([], name.slice(name.lastIndexOf('|') + 1))
  return assembly && pure(args => run(assembly, args, result, () => 0n))
}

function activeMask(): Intrinsic {
  return {
    kind: 'warp',
    evaluate: lanes => lanes.map(() => lanes.reduce((mask, lane) => mask | (1 << lane), 0) >>> 0),
  }
}

function parse(lines: readonly string[], constraints: string): Assembly | undefined {
  const parts = constraints.split(',').filter(part => part !== '' && !part.startsWith('~'))
  const outputs: number[] = []
  const inputs: number[] = []
  parts.forEach((part, number) => {
    if (part.startsWith('=')) outputs.push(number)
    else inputs.push(/^\d+$/.test(part) ? Number(part) : number)
  })
  // An indirect operand (`*m`) is memory.
  if (parts.some(part => part.includes('*'))) return undefined
  const statements: Statement[] = []
  for (const line of lines) {
    const statement = parseStatement(line)
    if (!statement) return undefined
    statements.push(statement)
  }
  return { statements, outputs, inputs }
}

function parseStatement(line: string): Statement | undefined {
  const space = line.indexOf(' ')
  if (space < 0) return undefined
  const [target, ...sources] = line
    .slice(space + 1)
    .split(',')
    .map(operand => parseOperand(operand.trim()))
  const instruction = findPtxInstruction(line.slice(0, space), sources.length)
  if (!instruction || target?.kind !== 'register') return undefined
  const known = sources.filter(source => source !== undefined)
  return known.length === sources.length ? { target: target.name, sources: known, instruction } : undefined
}

function parseOperand(text: string): PtxOperand | undefined {
  const value = ptxConstant(text)
  if (value !== undefined) return { kind: 'constant', value }
  if (/^0[fFdD][0-9a-fA-F]+$/.test(text)) return { kind: 'constant', value: BigInt(`0x${text.slice(2)}`) }
  if (text.startsWith('%')) {
    const name = text.slice(1).replaceAll('_', '.')
    if (Object.hasOwn(REGISTERS, name)) return { kind: 'special', name }
  }
  return /^(\$\d+|%?[A-Za-z_$][\w$]*)$/.test(text) ? { kind: 'register', name: text } : undefined
}

function run(
  { statements, outputs, inputs }: Assembly,
  args: readonly Bits[],
  result: Type,
  special: (register: string) => bigint,
): Bits {
  const registers = new Map<string, bigint>()
  inputs.forEach((operand, i) => {
    registers.set(`$${operand}`, toBigInt(args[i]!))
  })
  // Beside its copy in the output, a tied input is also an operand of its own number.
  args.forEach((arg, i) => {
    if (inputs[i]! < outputs.length) registers.set(`$${outputs.length + i}`, toBigInt(arg))
  })
  const state: PtxState = { carry: 0n }
  for (const { target, sources, instruction } of statements) {
    const values = sources.map(source => {
      if (source.kind === 'constant') return source.value
      return source.kind === 'special' ? special(source.name) : (registers.get(source.name) ?? 0n)
    })
    registers.set(target, instruction(values, state))
  }
  const read = (output: number, type: Type): Bits => fromBigInt(registers.get(`$${output}`) ?? 0n, bitsOf(type))
  if (result.kind === 'struct') return result.fields.map((field, i) => read(outputs[i]!, field))
  return result.kind === 'void' ? 0 : read(outputs[0]!, result)
}
