/**
 * The text of inline assembly as PTX statements. In: LLVM's text, operands `$0`, `$1` …. Out: statements in order, or the
 * line that ends them: labels, branches and whatever else is not an instruction.
 * Source: PTX ISA, "Syntax", "Instruction Statements".
 */
import { ptxConstant } from '../../../ir/ptxConstants.ts'

export type PtxOperand =
  /** `name`, and the second destination of `name|other` (a predicate); `_` is a destination that nobody reads. */
  | { readonly kind: 'register'; readonly name: string; readonly second?: string }
  | { readonly kind: 'special'; readonly name: string }
  /** An integer, or the bits of a float written `0f…` or `0d…`. */
  | { readonly kind: 'constant'; readonly value: bigint }
  /** A float in decimal, of the instruction's type. */
  | { readonly kind: 'float'; readonly value: number }
  /** `[base+offset]`. */
  | { readonly kind: 'address'; readonly base: PtxOperand; readonly offset: number }
  /** `{a, b, …}`. */
  | { readonly kind: 'vector'; readonly elements: readonly PtxOperand[] }

export interface PtxStatement {
  /** `mad.lo.u32` as its parts. */
  readonly opcode: readonly string[]
  readonly operands: readonly PtxOperand[]
  /** `@p` or `@!p`: runs only where the predicate holds, or does not. */
  readonly guard?: { readonly register: string; readonly negated: boolean }
  /** As the text has it. */
  readonly line: string
}

/** The statements in order, or the first line that is none. */
export function parsePtx(text: string): { readonly statements: PtxStatement[] } | { readonly refused: string } {
  const statements: PtxStatement[] = []
  for (const line of splitStatements(removeEscapes(text))) {
    if (/^\.(reg|loc|pragma)\b/.test(line)) continue
    const statement = parseStatement(line)
    if (!statement) return { refused: line }
    statements.push(statement)
  }
  return { statements }
}

/** LLVM's escapes of the characters that choose between assembler dialects, and comments taken out. */
function removeEscapes(text: string): string {
  return text
    .replace(/\$([()|$])/g, (_, character: string) => ({ '(': '{', ')': '}', '|': '|' })[character] ?? '$')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\/\/[^\n]*/g, ' ')
}

/** By semicolons. A brace where a statement could begin opens or closes a scope; any other is part of an operand. */
function splitStatements(text: string): string[] {
  const statements: string[] = []
  let current = ''
  const finish = (): void => {
    const line = current.trim().replace(/\s+/g, ' ')
    if (line !== '') statements.push(line)
    current = ''
  }
  let depth = 0
  for (const character of text) {
    if (character === '{' && current.trim() === '') continue
    if (character === '}' && depth === 0) {
      finish()
      continue
    }
    if (character === '{') depth++
    else if (character === '}') depth--
    if (character === ';') finish()
    else current += character
  }
  finish()
  return statements
}

function parseStatement(line: string): PtxStatement | undefined {
  const match = /^(?:@(!?)\s*([%$\w]+)\s+)?([a-z][\w.:]*)\s*(.*)$/.exec(line)
  if (!match) return undefined
  const [, negation, guard, opcode = '', rest = ''] = match
  const operands = splitOperands(rest).map(parseOperand)
  const known = operands.filter(operand => operand !== undefined)
  if (known.length !== operands.length) return undefined
  const parts = syncFirst(carryFirst(opcode.replaceAll('::', ':').split('.')))
  return {
    opcode: parts,
    operands: known,
    line,
    ...(guard !== undefined && { guard: { register: guard, negated: negation === '!' } }),
  }
}

/** At commas outside of braces. */
function splitOperands(text: string): string[] {
  if (text.trim() === '') return []
  return (text.match(/(?:\{[^}]*\}|\[[^\]]*\]|[^,])+/g) ?? []).map(part => part.trim())
}

function parseOperand(text: string): PtxOperand | undefined {
  const vector = /^\{(.*)\}$/.exec(text)
  if (vector) {
    const elements = splitOperands(vector[1]!).map(parseOperand)
    const known = elements.filter(element => element !== undefined)
    return known.length === elements.length ? { kind: 'vector', elements: known } : undefined
  }
  const address = /^\[\s*([^\s+\]]+)\s*(?:\+\s*(-?\s*(?:0[xX][0-9a-fA-F]+|\d+|\$\d+)))?\s*\]$/.exec(text)
  if (address) {
    const base = parseOperand(address[1]!)
    const offset = Number((address[2] ?? '0').replace(/\s/g, ''))
    return base && Number.isInteger(offset) ? { kind: 'address', base, offset } : undefined
  }
  if (/^0[fFdD][0-9a-fA-F]+$/.test(text)) return { kind: 'constant', value: BigInt(`0x${text.slice(2)}`) }
  if (/^[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?$/.test(text)) return { kind: 'float', value: Number(text) }
  const value = ptxConstant(text)
  if (value !== undefined) return { kind: 'constant', value }
  const pair = /^([%$\w]+)\s*\|\s*([%$\w]+)$/.exec(text)
  if (pair) return { kind: 'register', name: pair[1]!, second: pair[2]! }
  if (SPECIAL.test(text)) return { kind: 'special', name: text.slice(1) }
  return /^(\$\d+|%?[A-Za-z_][\w$]*)$/.test(text) ? { kind: 'register', name: text } : undefined
}

/** PTX ISA, "Special Registers". Other names that begin with % are registers of the program's own. */
const SPECIAL =
  /^%((n?tid|n?ctaid|(n?cluster|cluster_n?cta)id)\.[xyz]|cluster_n?ctarank|is_explicit_cluster|laneid|n?warpid|n?smid|gridid|lanemask_(eq|lt|le|gt|ge)|clock(64|_hi)?|globaltimer(_lo|_hi)?|(total|dynamic|aggr)_smem_size|envreg\d+|pm\d)$/

/** ptxas takes `add.u64.cc` for `add.cc.u64`. */
function carryFirst(opcode: readonly string[]): readonly string[] {
  const [type, last] = opcode.slice(-2)
  return last === 'cc' && type !== undefined ? [...opcode.slice(0, -2), last, type] : opcode
}

/** And `shfl.up.sync.b32` for `shfl.sync.up.b32`. */
function syncFirst(opcode: readonly string[]): readonly string[] {
  const [name = '', mode = '', sync, ...rest] = opcode
  return sync === 'sync' && /^(shfl|vote)$/.test(name) ? [name, sync, mode, ...rest] : opcode
}
