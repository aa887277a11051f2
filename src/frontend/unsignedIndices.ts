/**
 * Which elements the program chooses by an index without sign, which LLVM's passes forget where pointers have as many bits as an index (`m[i * p + x]`
 * becomes `m + 4 * x + 4 * i * p`, with a sign or without). nvcc widens such an index to 64 bits anew for each access, since it may wrap at 32.
 *
 * In: LLVM IR as clang writes it before any pass, and behind them. Out: the second with a line that says where in the source such
 * elements are ({@link UNSIGNED_PLACES}), for the reader of the IR.
 */
import { UNSIGNED_PLACES } from '../ir/unsignedPlaces.ts'

const ELEMENT = / = getelementptr ((?:inbounds |nuw |nusw )*).+, i(?:32|64) %[^,]+(?:, !dbg !(\d+))$/gm
const LOCATION = /^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(?:, column: (\d+))?/gm

export function tellUnsignedIndices(before: string, behind: string): string {
  const signed = new Set<string>()
  const unsigned = new Set<string>()
  for (const [, flags = '', location = ''] of before.matchAll(ELEMENT))
    (flags.includes('nuw') ? unsigned : signed).add(location)
  if (unsigned.size === 0) return behind
  const places = { signed: new Set<string>(), unsigned: new Set<string>() }
  for (const [, number = '', line = '', column = '0'] of before.matchAll(LOCATION)) {
    const place = `${line}:${column}`
    if (unsigned.has(number)) places.unsigned.add(place)
    if (signed.has(number)) places.signed.add(place)
  }
  const sure = [...places.unsigned].filter(place => !places.signed.has(place))
  return sure.length === 0 ? behind : `${behind}\n${UNSIGNED_PLACES}${sure.join(' ')}\n`
}
