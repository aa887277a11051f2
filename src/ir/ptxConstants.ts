/**
 * PTX's integer constants: literals (`0123` is octal, `0b101`, `0xFFU`) and expressions of them. In: an operand's text. Out: its value,
 * undefined where it is no constant. Source: PTX ISA, "Integer Constants", "Integer Constant Expression Evaluation": 64 bits with a sign.
 */

const TOKEN = /\s*(?:((?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?)|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|?:()!~]))/y
/** Operators of two operands, by how tightly they bind. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

export function ptxConstant(text: string): bigint | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined || tokens.length === 0) return undefined
  const reader = { tokens, at: 0 }
  const value = choice(reader)
  return value !== undefined && reader.at === tokens.length ? BigInt.asIntN(64, value) : undefined
}

interface Reader {
  readonly tokens: readonly (string | bigint)[]
  at: number
}

function tokensOf(text: string): (string | bigint)[] | undefined {
  const tokens: (string | bigint)[] = []
  const trimmed = text.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed)
    if (!found) return undefined
    const literal = found[1] === undefined ? undefined : literalOf(found[1].replace(/U$/, ''))
    if (found[1] !== undefined && literal === undefined) return undefined
    tokens.push(literal ?? found[2]!)
  }
  return tokens
}

function literalOf(digits: string): bigint | undefined {
  if (!/^0\d+$/.test(digits)) return BigInt(digits)
  return /^[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : undefined
}

function choice(reader: Reader): bigint | undefined {
  const condition = binary(reader, 0)
  if (condition === undefined || reader.tokens[reader.at] !== '?') return condition
  reader.at++
  const yes = choice(reader)
  if (reader.tokens[reader.at++] !== ':') return undefined
  const no = choice(reader)
  return yes === undefined || no === undefined ? undefined : condition !== 0n ? yes : no
}

function binary(reader: Reader, level: number): bigint | undefined {
  const operators = LEVELS[level]
  if (operators === undefined) return unary(reader)
  let value = binary(reader, level + 1)
  for (;;) {
    const operator = reader.tokens[reader.at]
    if (value === undefined || typeof operator !== 'string' || !operators.includes(operator)) return value
    reader.at++
    const right = binary(reader, level + 1)
    value = right === undefined ? undefined : computed(operator, value, right)
  }
}

function computed(operator: string, a: bigint, b: bigint): bigint | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0n ? undefined : a / b
    case '%':
      return b === 0n ? undefined : a % b
    case '<<':
      return b < 0n || b > 63n ? undefined : BigInt.asIntN(64, a << b)
    case '>>':
      return b < 0n || b > 63n ? undefined : a >> b
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '&&':
      return a !== 0n && b !== 0n ? 1n : 0n
    case '||':
      return a !== 0n || b !== 0n ? 1n : 0n
    default:
      return isTrue(operator, a, b) ? 1n : 0n
  }
}

function isTrue(operator: string, a: bigint, b: bigint): boolean {
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}

function unary(reader: Reader): bigint | undefined {
  const token = reader.tokens[reader.at++]
  if (typeof token === 'bigint') return token
  if (token === '(') {
    const value = choice(reader)
    return reader.tokens[reader.at++] === ')' ? value : undefined
  }
  const operand = token === '-' || token === '+' || token === '!' || token === '~' ? unary(reader) : undefined
  if (operand === undefined) return undefined
  return token === '-' ? -operand : token === '!' ? (operand === 0n ? 1n : 0n) : token === '~' ? ~operand : operand
}
