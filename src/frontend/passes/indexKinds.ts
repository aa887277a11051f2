/**
 * Which elements the program chooses by an index without sign, which LLVM's passes forget where pointers have as many bits as an index (`m[i * p + x]`
 * becomes `m + 4 * x + 4 * i * p`, with a sign or without). nvcc widens such an index to 64 bits anew for each access, since it may wrap at 32; one
 * of 64 bits (`m[(size_t)i * p + x]`) it has as it is.
 *
 * In: LLVM IR as clang writes it before any pass, and behind them. Out: the second with lines that say where in the source such
 * elements are ({@link UNSIGNED_PLACES}, {@link WIDE_PLACES}), for the reader of the IR.
 */
import { UNSIGNED_PLACES, WIDE_PLACES } from '../../ir/indexPlaces.ts'

export const ELEMENT = / = getelementptr ((?:inbounds |nuw |nusw )*).+, i(?:32|64) %[^,]+(?:, !dbg !(\d+))$/gm
/** Of an index of 64 bits. */
const WIDE_ELEMENT = /^ +(%[^ ]+) = trunc i64 .*\n +%[^ ]+ = getelementptr .+, i32 \1, !dbg !(\d+)$/gm
const LOCATION = /^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?/gm

export function tellIndexKinds(before: string, behind: string): string {
  const wide = new Set([...before.matchAll(WIDE_ELEMENT)].map(([, , location]) => location!))
  const narrow = wide.size === 0 ? before : before.replace(WIDE_ELEMENT, '')
  const { unsigned } = indexPlaces(narrow)
  const told = [
    [UNSIGNED_PLACES, unsigned],
    [WIDE_PLACES, wide.size === 0 ? wide : widePlaces(wide, narrow)],
  ] as const
  return told.reduce(
    (text, [name, places]) => (places.size === 0 ? text : `${text}\n${name}${[...places].join(' ')}\n`),
    behind,
  )
}

/** @param narrow the IR without the elements at the wide locations; of a template that has both kinds at a place, it is of neither */
function widePlaces(wide: ReadonlySet<string>, narrow: string): Set<string> {
  const others = new Set([...narrow.matchAll(ELEMENT)].map(([, , location]) => location!))
  const places = [...placesByNumber(narrow)]
  const placesAt = (locations: ReadonlySet<string>) =>
    new Set(places.filter(([number]) => locations.has(number)).map(([, place]) => place))
  return without(placesAt(wide), placesAt(others))
}

const without = (ones: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> =>
  new Set([...ones].filter(place => !others.has(place)))

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
  return { signed: without(places.signed, places.unsigned), unsigned: without(places.unsigned, places.signed) }
}

/** `line:column` of the locations of a module, by number. */
export function placesByNumber(text: string): Map<string, string> {
  const places = new Map<string, string>()
  for (const [, number = '', line = '', column = '0'] of text.matchAll(LOCATION))
    places.set(number, `${line}:${column}`)
  return places
}
