/**
 * Which elements the program chooses by an index without sign, which LLVM's passes forget where pointers have as many bits as an index (`m[i * p + x]`
 * becomes `m + 4 * x + 4 * i * p`, with a sign or without). nvcc widens such an index to 64 bits anew for each access, since it may wrap at 32.
 *
 * In: LLVM IR as clang writes it before any pass, and behind them. Out: the second with a line that says where in the source such
 * elements are ({@link UNSIGNED_PLACES}), for the reader of the IR.
 */
import { UNSIGNED_PLACES } from '../../ir/unsignedPlaces.ts'

export const ELEMENT = / = getelementptr ((?:inbounds |nuw |nusw )*).+, i(?:32|64) %[^,]+(?:, !dbg !(\d+))$/gm
const LOCATION = /^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?/gm

export function tellUnsignedIndices(before: string, behind: string): string {
  const { unsigned } = indexPlaces(before)
  return unsigned.size === 0 ? behind : `${behind}\n${UNSIGNED_PLACES}${[...unsigned].join(' ')}\n`
}

/** `line:column` of elements with a sign and without, as clang writes them before any pass; what is both is none. */
export function indexPlaces(before: string): { signed: Set<string>; unsigned: Set<string> } {
  const signed = new Set<string>()
  const unsigned = new Set<string>()
  for (const [, flags = '', location = ''] of before.matchAll(ELEMENT))
    (flags.includes('nuw') ? unsigned : signed).add(location)
  const places = { signed: new Set<string>(), unsigned: new Set<string>() }
  if (unsigned.size === 0) return places
  for (const [number, place] of placesByNumber(before)) {
    if (unsigned.has(number)) places.unsigned.add(place)
    if (signed.has(number)) places.signed.add(place)
  }
  const only = (ones: ReadonlySet<string>, others: ReadonlySet<string>) =>
    new Set([...ones].filter(place => !others.has(place)))
  return { signed: only(places.signed, places.unsigned), unsigned: only(places.unsigned, places.signed) }
}

/** `line:column` of the locations of a module, by number. */
export function placesByNumber(text: string): Map<string, string> {
  const places = new Map<string, string>()
  for (const [, number = '', line = '', column = '0'] of text.matchAll(LOCATION))
    places.set(number, `${line}:${column}`)
  return places
}
