/**
 * Device printf: what `vprintf(format, arguments)` prints (CUDA C++ Programming Guide, "Formatted Output").
 * In: the device's memory and two device addresses. The arguments lie one after another, each at its natural alignment, as
 * clang passes them: char to int, float to double, `long` and pointers 4 bytes (ILP32), `long long` and double 8.
 * Out: the text. A NaN prints without its sign, which arithmetic leaves open.
 */
import { offsetOf } from '../../addressSpace.ts'

/** Device memory by offset; a DataView over it serves. */
export interface PrintfMemory {
  readonly byteLength: number
  readonly bytes: {
    getUint8(offset: number): number
    getUint32(offset: number, littleEndian: true): number
    getBigUint64(offset: number, littleEndian: true): bigint
  }
}

export interface PrintfOutput {
  readonly text: string
  /** What printf returns: the number of arguments, 0 for none, -1 for a null format. */
  readonly argumentCount: number
}

/** A string without an end stops here. */
const LONGEST_STRING = 1 << 20

export function formatPrintf(memory: DataView, formatAddress: number, argumentsAddress: number): string {
  return renderPrintf({ byteLength: memory.byteLength, bytes: memory }, formatAddress, argumentsAddress).text
}

export function renderPrintf(memory: PrintfMemory, formatAddress: number, argumentsAddress: number): PrintfOutput {
  if (formatAddress === 0) return { text: '', argumentCount: -1 }
  const args = new ArgumentReader(memory, argumentsAddress)
  let codes = ''
  for (const piece of piecesAt(memory, formatAddress))
    codes += typeof piece === 'string' ? piece : convert(withArguments(piece, args), args, memory)
  return { text: decodeCodes(codes), argumentCount: args.count }
}

/** Formats and texts are here as one character a byte: decoded as a whole, so that the bytes of one UTF-8 character stay together. */
function decodeCodes(codes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(codes)) return codes
  return new TextDecoder().decode(Uint8Array.from(codes, each => each.charCodeAt(0)))
}

function readString({ byteLength, bytes }: PrintfMemory, address: number, limit: number): string {
  let codes = ''
  const start = offsetOf(address)
  const end = Math.min(byteLength, start + limit)
  for (let at = start; at < end; at++) {
    const code = bytes.getUint8(at)
    if (code === 0) break
    codes += String.fromCharCode(code)
  }
  return codes
}

/** What stands in a format as it is, and its conversions. */
type Piece = string | Template

/** Formats that were read, by where they lie: kernels print the same one again and again. */
const known = new Map<number, { readonly format: string; readonly pieces: readonly Piece[] }>()
const MOST_KNOWN = 256

function piecesAt(memory: PrintfMemory, address: number): readonly Piece[] {
  const before = known.get(address)
  if (before && hasString(memory, address, before.format)) return before.pieces
  const format = readString(memory, address, LONGEST_STRING)
  const pieces = readFormat(format)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(address, { format, pieces })
  return pieces
}

function hasString({ byteLength, bytes }: PrintfMemory, address: number, codes: string): boolean {
  const start = offsetOf(address)
  if (start + codes.length >= byteLength || bytes.getUint8(start + codes.length) !== 0) return false
  for (let index = 0; index < codes.length; index++)
    if (bytes.getUint8(start + index) !== codes.charCodeAt(index)) return false
  return true
}

/** What a conversion takes: `%*lld` takes a `d` for the width, then a `d` of length `ll`. */
export interface ArgumentType {
  readonly type: string
  readonly length: string
}

/** The arguments that a format asks for, in order. */
export function argumentTypes(format: string): ArgumentType[] {
  const number = { type: 'd', length: '' }
  return readFormat(format).flatMap(piece => {
    if (typeof piece === 'string') return []
    const numbers = [piece.width, piece.precision].filter(each => each === '*').map(() => number)
    return piece.type === '%' ? numbers : [...numbers, { type: piece.type, length: piece.length }]
  })
}

class ArgumentReader {
  readonly #memory: PrintfMemory
  #at: number
  count = 0

  constructor(memory: PrintfMemory, address: number) {
    this.#memory = memory
    this.#at = offsetOf(address)
  }

  /** The next argument of 4 or 8 bytes, unsigned; 0 where the memory ends. */
  next(bytes: 4 | 8): bigint {
    const at = Math.ceil(this.#at / bytes) * bytes
    this.#at = at + bytes
    this.count++
    if (at + bytes > this.#memory.byteLength) return 0n
    const { bytes: view } = this.#memory
    return bytes === 8 ? view.getBigUint64(at, true) : BigInt(view.getUint32(at, true))
  }
}

// ---------------------------------------------------------------- conversions

interface Conversion {
  readonly flags: ReadonlySet<string>
  readonly width: number
  readonly precision: number | undefined
  readonly length: string
  readonly type: string
}

/** A conversion as it is written: `*` for what an argument says. */
interface Template {
  readonly flags: ReadonlySet<string>
  readonly width: number | '*'
  readonly precision: number | '*' | undefined
  readonly length: string
  readonly type: string
}

const CONVERSION = /^%([-+ #0]*)(\*|\d*)(?:(\.)(\*|\d*))?([hlLqjzt]*)([diuoxXcsfFeEgGaAp%])/

/** What is not a conversion stands for itself. */
function readFormat(format: string): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  for (let at = 0; at < format.length; ) {
    const found = format[at] === '%' ? CONVERSION.exec(format.slice(at, at + LONGEST_CONVERSION)) : null
    if (!found) {
      plain += format[at++]
      continue
    }
    if (plain !== '') pieces.push(plain)
    plain = ''
    const [text, flags = '', width = '', point, precision = '', length = '', type = ''] = found
    pieces.push({
      flags: new Set(flags),
      width: width === '*' ? width : Number(width),
      precision: point === undefined ? undefined : precision === '*' ? precision : Number(precision),
      length,
      type,
    })
    at += text.length
  }
  return plain === '' ? pieces : [...pieces, plain]
}

const LONGEST_CONVERSION = 64

/** With the numbers that `*` takes from the arguments: negative ones are a flag, or nothing said. */
function withArguments(template: Template, args: ArgumentReader): Conversion {
  const { flags, width, precision, length, type } = template
  if (width !== '*' && precision !== '*') return { flags, width, precision, length, type }
  const number = () => Number(BigInt.asIntN(32, args.next(4)))
  const wide = width === '*' ? number() : width
  const precise = precision === '*' ? number() : precision
  return {
    flags: wide < 0 ? new Set([...flags, '-']) : flags,
    width: Math.abs(wide),
    precision: precise !== undefined && precise < 0 ? undefined : precise,
    length,
    type,
  }
}

function convert(conversion: Conversion, args: ArgumentReader, memory: PrintfMemory): string {
  const { type, precision, length } = conversion
  switch (type) {
    case '%':
      return '%'
    case 'c':
      return pad(String.fromCharCode(Number(args.next(4) & 0xffn)), conversion)
    case 's': {
      const address = Number(args.next(4))
      const limit = precision ?? LONGEST_STRING
      return pad(address === 0 ? '(null)'.slice(0, limit) : readString(memory, address, limit), conversion)
    }
    case 'p': {
      const address = args.next(4)
      return pad(address === 0n ? '(nil)' : `0x${address.toString(16)}`, conversion)
    }
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return formatInteger(readInteger(args, length, type === 'd' || type === 'i'), conversion)
    default:
      return formatFloat(asDouble(args.next(8)), conversion)
  }
}

/** Blanks up to the width; `-` puts them behind. */
function pad(text: string, { flags, width }: Conversion): string {
  return flags.has('-') ? text.padEnd(width) : text.padStart(width)
}

/** `long`, size_t and ptrdiff_t are 4 bytes on this device, `long long` and intmax_t 8. */
function readInteger(args: ArgumentReader, length: string, signed: boolean): bigint {
  const wide = ['ll', 'L', 'q', 'j'].includes(length)
  const bits = wide ? 64 : length === 'h' ? 16 : length === 'hh' ? 8 : 32
  const value = args.next(wide ? 8 : 4)
  return signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)
}

function formatInteger(value: bigint, conversion: Conversion): string {
  const { flags, precision, type } = conversion
  const radix = type === 'o' ? 8 : type === 'x' || type === 'X' ? 16 : 10
  const magnitude = value < 0n ? -value : value
  let digits = magnitude === 0n && precision === 0 ? '' : magnitude.toString(radix)
  digits = digits.padStart(precision ?? 1, '0')
  if (flags.has('#') && radix === 8 && !digits.startsWith('0')) digits = `0${digits}`
  const prefix = flags.has('#') && radix === 16 && value !== 0n ? '0x' : ''
  const text = justify(
    signOf(value < 0n, conversion, radix === 10 && type !== 'u') + prefix,
    digits,
    conversion,
    precision === undefined,
  )
  return type === 'X' ? text.toUpperCase() : text
}

function signOf(negative: boolean, { flags }: Conversion, isSigned = true): string {
  if (negative) return '-'
  if (!isSigned) return ''
  return flags.has('+') ? '+' : flags.has(' ') ? ' ' : ''
}

/** Sign and digits to the width: with zeros between them, or blanks on either side. */
function justify(sign: string, digits: string, { flags, width }: Conversion, mayPadWithZeros: boolean): string {
  if (flags.has('-')) return (sign + digits).padEnd(width)
  if (flags.has('0') && mayPadWithZeros) return sign + digits.padStart(width - sign.length, '0')
  return (sign + digits).padStart(width)
}

// ---------------------------------------------------------------- floats

const scratch = new DataView(new ArrayBuffer(8))

function asDouble(bits: bigint): number {
  scratch.setBigUint64(0, bits)
  return scratch.getFloat64(0)
}

function formatFloat(value: number, conversion: Conversion): string {
  const negative = value < 0 || Object.is(value, -0)
  const sign = signOf(negative, conversion)
  const upper = conversion.type === conversion.type.toUpperCase()
  const finite = Number.isFinite(value)
  const body = Number.isNaN(value) ? 'nan' : finite ? formatMagnitude(Math.abs(value), conversion) : 'inf'
  const text =
    conversion.type.toLowerCase() === 'a' && finite
      ? justify(`${sign}0x`, body, conversion, true)
      : justify(sign, body, conversion, finite)
  return upper ? text.toUpperCase() : text
}

function formatMagnitude(value: number, { type, precision, flags }: Conversion): string {
  const keepPoint = flags.has('#')
  switch (type.toLowerCase()) {
    case 'f':
      return fixed(value, precision ?? 6, keepPoint)
    case 'e':
      return scientific(value, precision ?? 6, keepPoint).text
    case 'g':
      return general(value, precision ?? 6, keepPoint)
    default:
      return hexadecimal(value, precision, keepPoint)
  }
}

/** value = mantissa x 2^exponent, both exact. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  scratch.setFloat64(0, value)
  const bits = scratch.getBigUint64(0)
  const field = Number(bits >> 52n) & 0x7ff
  const fraction = bits & ((1n << 52n) - 1n)
  return field === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: field - 1075 }
}

/** The integer nearest to value x 10^power, ties to even: C rounds the exact value, not its shortest decimal form. */
function scaledToInteger(value: number, power: number): bigint {
  const { mantissa, exponent } = decompose(value)
  let numerator = mantissa
  let denominator = 1n
  if (exponent >= 0) numerator <<= BigInt(exponent)
  else denominator <<= BigInt(-exponent)
  if (power >= 0) numerator *= 10n ** BigInt(power)
  else denominator *= 10n ** BigInt(-power)
  const quotient = numerator / denominator
  const twice = (numerator - quotient * denominator) * 2n
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient
}

/** Of `toFixed`. */
const LARGEST_FRACTION = 100
const LARGEST_FIXED = 1e21

function withPoint(whole: string, fraction: string, keepPoint: boolean): string {
  return fraction === '' && !keepPoint ? whole : `${whole}.${fraction}`
}

function fixed(value: number, precision: number, keepPoint: boolean): string {
  // JavaScript's is as exact, but for ties, which only such numbers can be.
  const mayBeTie = Number.isInteger(value * 2 ** (precision + 1)) && !Number.isInteger(value * 2 ** precision)
  if (!mayBeTie && precision > 0 && precision <= LARGEST_FRACTION && value < LARGEST_FIXED)
    return value.toFixed(precision)
  const digits = scaledToInteger(value, precision)
    .toString()
    .padStart(precision + 1, '0')
  const point = digits.length - precision
  return withPoint(digits.slice(0, point), digits.slice(point), keepPoint)
}

function scientific(value: number, precision: number, keepPoint: boolean): { text: string; exponent: number } {
  let exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1])
  let digits = '0'.repeat(precision + 1)
  if (value !== 0) {
    // The exponent of the shortest form can be off by one either way once the digits are exact.
    for (;;) {
      digits = scaledToInteger(value, precision - exponent).toString()
      if (digits.length === precision + 1) break
      exponent += digits.length > precision + 1 ? 1 : -1
    }
  }
  const sign = exponent < 0 ? '-' : '+'
  const mantissa = withPoint(digits.slice(0, 1), digits.slice(1), keepPoint)
  return { text: `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`, exponent }
}

/** %g: the style by the exponent that %e would show, trailing zeros dropped unless `#`. */
function general(value: number, precision: number, keepZeros: boolean): string {
  const significant = Math.max(1, precision)
  const { text, exponent } = scientific(value, significant - 1, keepZeros)
  const useFixed = exponent >= -4 && exponent < significant
  const full = useFixed ? fixed(value, significant - 1 - exponent, keepZeros) : text
  if (keepZeros) return full
  const [mantissa, power] = full.split('e')
  const trimmed = mantissa!.includes('.') ? mantissa!.replace(/\.?0+$/, '') : mantissa!
  return power === undefined ? trimmed : `${trimmed}e${power}`
}

/** %a without sign and `0x`: one digit, the fraction in hexadecimal, the power of two. */
function hexadecimal(value: number, precision: number | undefined, keepPoint: boolean): string {
  const { mantissa, exponent } = decompose(value)
  let bits = mantissa
  const normal = bits >> 52n === 1n
  let digits = 13
  if (precision !== undefined && precision < 13) {
    const drop = BigInt(52 - 4 * precision)
    const rest = bits & ((1n << drop) - 1n)
    const half = 1n << (drop - 1n)
    bits >>= drop
    if (rest > half || (rest === half && bits % 2n === 1n)) bits += 1n
    digits = precision
  }
  const whole = (bits >> BigInt(4 * digits)).toString()
  let fraction = digits === 0 ? '' : (bits & ((1n << BigInt(4 * digits)) - 1n)).toString(16).padStart(digits, '0')
  if (precision === undefined) fraction = fraction.replace(/0+$/, '')
  else fraction = fraction.padEnd(precision, '0')
  const power = value === 0 ? 0 : normal ? exponent + 52 : -1022
  return `${withPoint(whole, fraction, keepPoint)}p${power < 0 ? '-' : '+'}${Math.abs(power)}`
}
