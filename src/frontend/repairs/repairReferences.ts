/**
 * Memory read as another type through a reference: `(float4 &)tile[i]`, `reinterpret_cast<uint2 &>(words[i])`. CUDA's compiler takes such a
 * reference's alignment from its type, as a pointer's; clang keeps that of the element, which splits the access into elements (PTX of
 * nvcc 13.0 for test/cases/machine_vector_references.cu). The copy that is compiled casts pointers, which means the same ([expr.reinterpret.cast]
 * 11) and has the type's alignment. Again on the result, it changes nothing.
 */
import { closingParenthesis, type Edit, edited, withoutTexts } from '../sources/textEdits.ts'

const NAMED_CAST = /\breinterpret_cast\s*<([^;(){}]*?[^&;(){}\s]\s*)&\s*>\s*\(/g
const PLAIN_TYPE =
  '(?:u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]|(?:__)?(?:half|nv_bfloat16)2?|u?int(?:8|16|32|64)_t|(?:unsigned\\s+)?(?:char|short|int|long|long\\s+long)|unsigned|float|double)'
/**
 * The parenthesis of a cast. What stands in front of a parameter list is a name or a capture; behind one, no operand. What is in front is
 * looked at from the parenthesis on: from every character it took longer than all other repairs together.
 */
const CAST = '\\((?<=(?:(?<=\\b(?:return|else|do|case)\\s*)|(?<![\\w\\]]\\s*))\\()'
const IS_OPERAND = '(?!\\s*(?:const|volatile|noexcept|override|final|mutable|requires)\\b)(?=\\s*[A-Za-z_(*:])'
const PLAIN_CAST = new RegExp(`${CAST}\\s*${PLAIN_TYPE}\\s*&\\s*\\)${IS_OPERAND}`, 'g')
/** A reference to a constant may be one to a value, which has no address: these are places in memory. */
const CONSTANT_CAST = new RegExp(
  `${CAST}\\s*(?:const\\s+${PLAIN_TYPE}|${PLAIN_TYPE}\\s+const)\\s*&\\s*\\)(?=\\s*(?:\\*|[A-Za-z_][\\w.]*(?:->\\w+)*\\s*\\[|\\([A-Za-z_]\\w*\\)))`,
  'g',
)
/** A class may have a function that a cast to a reference calls. */
const CONVERSION = /\boperator\s+[\w\s:]+&\s*\(\s*\)/

export function repairReferences(source: string): string {
  if (!/&\s*[>)]/.test(source)) return source
  const code = withoutTexts(source)
  const named = [...code.matchAll(NAMED_CAST)].flatMap(cast => namedCast(code, cast))
  const patterns = CONVERSION.test(code) ? [] : [PLAIN_CAST, CONSTANT_CAST]
  const plain = patterns.flatMap(pattern => [...code.matchAll(pattern)].flatMap(plainCast))
  return edited(source, [...named, ...plain])
}

function namedCast(code: string, { 0: cast, 1: type = '', index }: RegExpExecArray): Edit[] {
  const open = index + cast.length
  const close = closingParenthesis(code, open)
  if (close === undefined) return []
  const start = index + cast.indexOf('<') + 1
  return [
    { at: index, length: 0, text: '(*' },
    { at: start, length: 0, text: '__add_pointer(' },
    { at: start + type.length, length: 1, text: ')' },
    { at: open, length: 0, text: '__builtin_addressof(' },
    { at: close, length: 1, text: ')))' },
  ]
}

function plainCast({ 0: cast, index }: RegExpExecArray): Edit[] {
  return [
    { at: index, length: 0, text: '*' },
    { at: index + cast.lastIndexOf('&'), length: 1, text: '*' },
    { at: index + cast.length, length: 0, text: '&' },
  ]
}
