/**
 * `make_float2(rand(), rand())` with the numbers that nvcc's program gives: GCC, nvcc's host compiler, evaluates the arguments of a call
 * from right to left (on x86-64, at every level and in every standard: functions, members, constructors with parentheses, `new`;
 * from left to right only in braces, which clang does too), clang from left to right. The copy that is compiled evaluates the arguments
 * with random numbers from right to left, where two or more of one call have them: into include/warplens/argument_order.h, in the first of them.
 * Other arguments, and operators of classes, stay clang's.
 *
 * In: the user's files. Out: the same, lines stay where they are. What the program has random numbers of is told by names: the C
 * library's functions, variables of engines and distributions, and functions, lambdas and macros of the program that call these or are called so.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { changeOwn, isOwn } from '../sources/ownFiles.ts'
import { closingBrace, closingParenthesis, partsOf, withoutTexts } from '../sources/textEdits.ts'

const LIBRARY = ['rand', 'rand_r', 'random', ...[...'delmnj'].map(letter => `${letter}rand48`)]
const ANY = /\brand(?:_r|om)?\s*\(|\b[delmnj]rand48\s*\(|_distribution\b/
const VARIABLE =
  /\b(?:mt19937(?:_64)?|default_random_engine|minstd_rand0?|ranlux\w+|knuth_b|random_device|\w+_distribution)\s*(?:<[^<>;]*>)?\s*&?\s+(\w+)/g
const FUNCTION = /\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const\s*)?(?:noexcept\s*)?\{/g
const LAMBDA = /\b(\w+)\s*=\s*\[[^\]]*\]\s*(?:\([^()]*\))?\s*(?:mutable\s*)?(?:->[\w:<>*&\s]+)?\{/g
const BOUND = /\b(\w+)\s*=\s*(?:std\s*::\s*)?bind\s*\([^;]*;/g
const MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)\n]*\))?((?:[^\n]*\\\n)*[^\n]*)/gm
const NAMED_SO = /rand|rnd/i
const NO_FUNCTION = /^(?:if|while|for|switch|return|sizeof|catch|alignof|decltype|typeid|noexcept|throw|defined|main)$/
/** What an argument must not have to be evaluated elsewhere: an assignment, a lambda, a list in braces, packs, lines of macros. */
const STAYS = /^\s*\{|(?<![=!<>+\-*/%&|^])=(?!=)|\[\s*[&=\]]|\.\.\.|\\\n|#/
const COMMAS_IN_TEMPLATES = /(?<=\w)<[\w\s:,*&]*>(?=\s*(?:[({]|::))/g

/** Where the copy does not compile, as with an argument that cannot be moved, the program is compiled as it is. */
export const OTHER_ORDER: Diagnostic = {
  code: 'argument-order',
  severity: 'warning',
  message:
    'arguments with random numbers are evaluated from left to right in this program, and from right to left by GCC: a call that has two of them gives them the other way round',
}

interface Names {
  /** Calls, and macros, that give random numbers. */
  readonly random: RegExp
  readonly macros: ReadonlySet<string>
}

/** Undefined where nothing changes. */
export function withArgumentOrder(files: FileTree): FileTree | undefined {
  const own = Object.entries(files).filter(
    (entry): entry is [string, string] => isOwn(...entry) && !entry[0].endsWith('.c'),
  )
  if (!own.some(([, text]) => ANY.test(text))) return undefined
  const names = namesOf(own.map(([, text]) => withoutTexts(text)))
  const places = { count: 0 }
  return changeOwn(files, (text, path) =>
    path.endsWith('.c') ? text : ordered(withoutComments(text), names, places, text),
  )
}

function namesOf(codes: readonly string[]): Names {
  const named: { name: string; body: string; isWord: boolean }[] = []
  const ofDevice = new Set<string>()
  const macros = new Set<string>()
  const found = new Set<string>(LIBRARY)
  const words = new Set<string>()
  for (const code of codes) {
    for (const [, name = ''] of code.matchAll(VARIABLE)) found.add(name)
    for (const { 0: head, 1: name = '', index } of [...code.matchAll(FUNCTION), ...code.matchAll(LAMBDA)]) {
      if (NO_FUNCTION.test(name)) continue
      const start =
        Math.max(code.lastIndexOf(';', index), code.lastIndexOf('}', index), code.lastIndexOf('{', index)) + 1
      if (/\b__(?:device|global)__\b/.test(code.slice(start, index))) ofDevice.add(name)
      if (NAMED_SO.test(name)) found.add(name)
      const from = index + head.length
      named.push({ name, body: code.slice(from, closingBrace(code, from)), isWord: false })
    }
    for (const { 0: body, 1: name = '' } of code.matchAll(BOUND))
      named.push({ name, body: body.replace(/\w+/g, '$&('), isWord: false })
    for (const [, name = '', parameters, body = ''] of code.matchAll(MACRO)) {
      if (parameters) macros.add(name)
      named.push({ name, body, isWord: parameters === undefined })
    }
  }
  for (const name of ofDevice) found.delete(name)
  for (let before = -1; before !== found.size + words.size; ) {
    before = found.size + words.size
    const random = randomOf(found, words)
    for (const { name, body, isWord } of named)
      if (!ofDevice.has(name) && random.test(body)) (isWord ? words : found).add(name)
  }
  return { random: randomOf(found, words), macros }
}

const randomOf = (functions: ReadonlySet<string>, words: ReadonlySet<string>): RegExp =>
  new RegExp([`\\b(?:${[...functions].join('|')})\\s*\\(`, ...[...words].map(word => `\\b${word}\\b`)].join('|'))

/** Comments become blanks. */
const withoutComments = (text: string): string =>
  text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, part =>
    part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part,
  )

/** `text` with the calls ordered. @param clean `text` without comments, @param places counts the arguments that are kept */
function ordered(clean: string, names: Names, places: { count: number }, text = clean): string {
  if (!names.random.test(clean)) return text
  const code = withoutTexts(clean)
  const split = code.replace(COMMAS_IN_TEMPLATES, list => list.replaceAll(',', ' '))
  let result = ''
  let position = 0
  for (const { 0: head, 1: name = '', index } of code.matchAll(/\b(\w+)\s*(?:<[\w\s:,*&]*>\s*)?\(/g)) {
    const open = index + head.length
    if (index < position || NO_FUNCTION.test(name) || names.macros.has(name)) continue
    const end = closingParenthesis(code, open)
    if (end === undefined || !names.random.test(code.slice(open, end))) continue
    const parts = partsOf(split, { at: open, end })
    const hot = parts.filter(({ at, end: to }) => names.random.test(code.slice(at, to)))
    if (hot.length < 2 || hot.some(({ at, end: to }) => STAYS.test(code.slice(at, to)))) continue
    const kept = hot.slice(1).map(({ at, end: to }) => {
      const argument = clean.slice(at, to).trim()
      return { at, argument, of: `<${places.count++}, decltype((${argument}))>` }
    })
    const keeps = kept
      .toReversed()
      .map(({ argument, of }) => `::__warplens_keep${of}(${ordered(argument, names, places)}), `)
    const list = parts.map(({ at, end: to }) => {
      if (at === hot[0]!.at) return `(${keeps.join('')}${ordered(clean.slice(at, to).trim(), names, places)})`
      const from = kept.find(each => each.at === at)
      return from ? `::__warplens_kept${from.of}()` : ordered(clean.slice(at, to), names, places)
    })
    const lines = code.slice(open, end).split('\n').length - 1
    result += text.slice(position, open) + list.join(', ').replaceAll('\n', ' ') + '\n'.repeat(lines)
    position = end
  }
  return result + text.slice(position)
}
