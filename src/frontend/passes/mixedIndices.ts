/**
 * Elements that a program chooses by one value with a sign and without (`if (a[t] > a[p]) swap(a, t, p)` where `t` is unsigned and the function
 * takes an `int`): nvcc widens the two otherwise, does not see that they are one, and loads each. LLVM, whose pointers here have 32 bits, does
 * (PTX of 12 kernels; reading: mariaxarisi's bitonic sort, whose exchanged elements are loaded twice).
 *
 * In: LLVM IR before any pass, and behind them. Out: the first with a call in front of such indices without sign ({@link markMixed}), which
 * the passes take for another value; and their result without it ({@link unmark}).
 */
import { LIBRARY_DIR } from '../sources/includes.ts'
import { END, isNeverNegative, nameOf } from './functionTexts.ts'
import { ELEMENT, indexPlaces, placesByNumber } from './indexKinds.ts'
import { twofoldIndices } from './twofoldIndices.ts'

const WIDENED = '__wl_widened'
const ACCESS = /^ +(?:%[^ ]+ = load|store) .*, ptr (%[^ ,]+), align \d+, !dbg !(\d+)/
const CHOSEN = /^ +(%[^ ]+) = getelementptr .*, i32 (%[^ ,]+), !dbg !(\d+)/
const DEFINED = /^ +(%[^ ]+) = (.*)/

/** The unoptimised code with such indices marked; undefined where there are none. */
export function markMixed(before: string, behind: string): string | undefined {
  const isOfLibrary = libraryFunctions(before)
  const functions = before.split(END)
  const own = functions.filter(func => !isOfLibrary(func)).join(END)
  const { unsigned } = indexPlaces(own)
  if (unsigned.size === 0) return undefined
  const places = placesByNumber(before)
  const mixed = mixedPlaces(behind, signedPlaces(own, places), unsigned)
  for (const location of twofoldIndices(own.split(END))) mixed.places.add(places.get(location) ?? '')
  if (mixed.places.size === 0 && mixed.functions.size === 0) return undefined
  let count = 0
  const mark = (func: string) => {
    if (isOfLibrary(func)) return func
    const isWhole = mixed.functions.has(nameOf(func))
    return func.replace(ELEMENT, (line: string, flags: string, location: string) => {
      if (!flags.includes('nuw') || !(isWhole || mixed.places.has(places.get(location) ?? ''))) return line
      const [, start, index, end] = /^(.*), i32 (%[^ ,]+)(, !dbg !\d+)$/.exec(line) ?? []
      if (index === undefined || start!.includes('addrspace(3)')) return line
      const name = `%wl.widened${count++}`
      return ` ${name} = call i32 @${WIDENED}(i32 ${index})${end}\n${MOVED}${start}, i32 ${name}${end}`
    })
  }
  const marked = functions.map(mark).join(END)
  if (count === 0) return undefined
  return `${inOrder(marked)}\ndeclare i32 @${WIDENED}(i32) nounwind willreturn memory(none)\n`
}

/**
 * Functions of CUB and Thrust have many such elements, and what they access is modelled anyway (metrics/certainty/doubts.ts): the passes would run
 * twice over every program with them.
 */
function libraryFunctions(ir: string): (func: string) => boolean {
  const files = new Set([...ir.matchAll(LIBRARY_FILE)].map(([, number]) => number!))
  if (files.size === 0) return () => false
  const subprograms = new Set(
    [...ir.matchAll(SUBPROGRAM)].filter(([, , file]) => files.has(file!)).map(([, number]) => number!),
  )
  return func => subprograms.has(/^define .* !dbg !(\d+) \{$/m.exec(func)?.[1] ?? '')
}

const LIBRARY_FILE = new RegExp(`^!(\\d+) = !DIFile\\(filename: "${LIBRARY_DIR}/`, 'gm')
const SUBPROGRAM = /^!(\d+) = distinct !DISubprogram\(.*?, file: !(\d+),/gm

/** Loads and stores: where marks change none, the code without them is the better one. */
export const countAccesses = (code: string): number => code.match(/^ +(?:%[^ ]+ = load|store) /gm)?.length ?? 0

/** What is matched stands behind the name of the element: the call goes in front of it. */
const MOVED = '\u0001'

const inOrder = (text: string): string =>
  text.replace(new RegExp(`^( +%[^ ]+)( %wl\\.widened.*)\\n${MOVED}(.*)$`, 'gm'), ' $2\n$1$3')

export const unmark = (behind: string): string =>
  behind
    .replace(
      new RegExp(`= (?:tail |notail )?call i32 @${WIDENED}\\(i32 (?:noundef )?([^)]*)\\)(?: #\\d+)?`, 'g'),
      '= xor i32 $1, 0',
    )
    .replace(new RegExp(`^declare .*@${WIDENED}\\(.*\\n`, 'm'), '')

/** Of accesses, too: `a[i] += x` stores where its operator stands. */
function signedPlaces(before: string, places: ReadonlyMap<string, string>): Set<string> {
  const found = { signed: new Set<string>(), unsigned: new Set<string>() }
  for (const func of before.split(END)) {
    const signs = new Map<string, Set<string>>()
    for (const line of func.split('\n')) {
      const [, element, , location] = CHOSEN.exec(line) ?? []
      if (element !== undefined) {
        const sign = / getelementptr (?:inbounds |nusw )*nuw /.test(line) ? found.unsigned : found.signed
        signs.set(element, sign)
        sign.add(places.get(location!) ?? '')
      }
      const [, pointer, number] = ACCESS.exec(line) ?? []
      if (pointer !== undefined) signs.get(pointer)?.add(places.get(number!) ?? '')
    }
  }
  return new Set([...found.signed].filter(place => !found.unsigned.has(place)))
}

/**
 * Places of elements without sign at pointers that elements with one are at, too; and functions that have such where the place of the
 * pointer is lost (of two branches that begin with the same).
 */
function mixedPlaces(behind: string, signed: ReadonlySet<string>, unsigned: ReadonlySet<string>) {
  const placeOf = placesByNumber(behind)
  const mixed = { places: new Set<string>(), functions: new Set<string>() }
  for (const func of behind.split(END)) {
    const found = new Map<string, { index: string; isSigned: boolean; isLost: boolean; unsigned: Set<string> }>()
    const defined = new Map<string, string>()
    const meet = (pointer: string, number: string): void => {
      const element = found.get(pointer)
      const place = placeOf.get(number) ?? ''
      if (element && signed.has(place)) element.isSigned = true
      if (element && unsigned.has(place)) element.unsigned.add(place)
    }
    for (const line of func.split('\n')) {
      const [, value, definition] = DEFINED.exec(line) ?? []
      if (value !== undefined) defined.set(value, definition!)
      const [, element, index, location] = CHOSEN.exec(line) ?? []
      if (element !== undefined) {
        const isLost = /^0:|:0$/.test(placeOf.get(location!) ?? '0:')
        found.set(element, { index: index!, isSigned: false, isLost, unsigned: new Set() })
        meet(element, location!)
      }
      const [, pointer, number] = ACCESS.exec(line) ?? []
      if (pointer !== undefined) meet(pointer, number!)
    }
    for (const { index, isSigned, isLost, unsigned: places } of found.values()) {
      if (!isSigned || isNeverNegative(defined.get(index) ?? '')) continue
      for (const place of places) mixed.places.add(place)
      if (isLost) mixed.functions.add(nameOf(func))
    }
  }
  return mixed
}
