/**
 * `asm("rdtsc" : ...)` on the host side, with which programs measure their processor's time: WebAssembly has no such instruction.
 * The copy that is compiled takes __rdtsc() of include/warplens/x86.h, which counts nanoseconds. Other assembly of x86 is refused
 * (clangMessages.ts). Lines stay where they are; again on the result, it changes nothing.
 */
import { closingParenthesis, withoutTexts } from '../sources/textEdits.ts'

/** What a source mentions that needs x86intrin.h then; the repaired copy does too, which may be compiled again. */
export const TIME_STAMP = /(?:\b|\\[nt])rdtscp?\b|\bwarplens_stamp\b/
const STATEMENT = /\b(?:asm|__asm__|__asm)\b(?:\s|_*volatile_*\b)*\(/g

/** Which part of the 64 bits an operand gets. */
type Part = 'low' | 'high' | 'whole' | 'none'

export function repairTimeStamps(source: string): string {
  if (!TIME_STAMP.test(source)) return source
  const code = withoutTexts(source)
  let result = ''
  let position = 0
  for (const { 0: head, index } of code.matchAll(STATEMENT)) {
    const open = index + head.length
    const end = closingParenthesis(code, open)
    if (end === undefined || index < position) continue
    const repaired = timeStamp(source.slice(open, end), code.slice(open, end))
    if (repaired === undefined) continue
    const lines = source.slice(index, end).split('\n').length - 1
    result += source.slice(position, index) + repaired + '\n'.repeat(lines)
    position = end + 1
  }
  return result + source.slice(position)
}

/** What does the same as an assembly statement with these contents (`code`: without texts); undefined where it is another one. */
function timeStamp(contents: string, code: string): string | undefined {
  const behind = code.indexOf(':')
  const template = contents.slice(0, behind < 0 ? undefined : behind)
  if (!TIME_STAMP.test(template)) return undefined
  const outputs = behind < 0 ? [] : operandsFrom(contents, code, behind + 1)
  const sum = addedTo(
    template,
    outputs.map(({ place }) => place),
  )
  if (sum !== undefined) return sum
  const stores = outputs.map(({ constraint, place }, index) => {
    const part = partOf(constraint, index, template, outputs.length)
    return `(${place}) = ${VALUES[part]};`
  })
  return `({ const unsigned long long warplens_stamp = __rdtsc(); ${stores.join(' ')} (void)warplens_stamp; })`
}

/** `subl %%eax, %0; sbbl %%edx, %1`: the stamp is added to two halves, or taken from them. */
const LOW_SUM = /\b(add|sub)l\s+%%eax\s*,\s*%(\d)/
const HIGH_SUM = /\b(?:adc|sbb)l\s+%%edx\s*,\s*%(\d)/

function addedTo(template: string, places: readonly string[]): string | undefined {
  const [, operation, ofLow] = LOW_SUM.exec(template) ?? []
  const [, ofHigh] = HIGH_SUM.exec(template) ?? []
  const [low, high] = [places[Number(ofLow)], places[Number(ofHigh)]]
  if (low === undefined || high === undefined) return undefined
  const before = `((unsigned long long)(unsigned)(${high}) << 32 | (unsigned)(${low}))`
  const sum = `const unsigned long long warplens_stamp = ${before} ${operation === 'add' ? '+' : '-'} __rdtsc();`
  return `({ ${sum} (${low}) = ${VALUES.low}; (${high}) = ${VALUES.high}; })`
}

const VALUES: Readonly<Record<Part, string>> = {
  low: '(unsigned)warplens_stamp',
  high: '(unsigned)(warplens_stamp >> 32)',
  whole: 'warplens_stamp',
  none: '0',
}

/** The operands up to the next colon: `"=a"(low), [name] "=d"(high)`. */
function operandsFrom(contents: string, code: string, from: number): { constraint: string; place: string }[] {
  const operands: { constraint: string; place: string }[] = []
  const operand = /\s*,?\s*(?:\[\w+\]\s*)?"([^"]*)"\s*\(/y
  operand.lastIndex = from
  for (let match = operand.exec(contents); match; match = operand.exec(contents)) {
    const end = closingParenthesis(code, operand.lastIndex)
    if (end === undefined) break
    operands.push({ constraint: match[1]!, place: contents.slice(operand.lastIndex, end) })
    operand.lastIndex = end + 1
  }
  return operands
}

/**
 * The instruction sets eax and edx (and rdtscp ecx, the processor's number). One operand gets all of it where the two are put
 * together; one in any register gets what a `mov` at the end takes there.
 */
function partOf(constraint: string, index: number, template: string, count: number): Part {
  const isJoined = /\b(?:sh|sa)l[lq]?\b/.test(template)
  const moved = new RegExp(`%%[er]([ad])x\\s*,\\s*%${index}\\b`).exec(template)?.[1]
  if (constraint.includes('A') || (isJoined && count === 1)) return 'whole'
  const register = /[adc]/.exec(constraint)?.[0] ?? moved
  return register === 'a' ? 'low' : register === 'd' ? 'high' : 'none'
}
