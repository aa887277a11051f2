/**
 * Alignment that a typedef adds behind its name (`typedef struct { double x, y; } pair __attribute__((aligned(16)));`): nvcc's accesses through
 * such a type are as aligned as the structure itself, while clang's are as the typedef says, and then join. Behind the structure, before
 * the name, it is the structure's own for both. (Machine code of 10 kernels; reading: hec-su3.) In: the user's files. Out: the files
 * without it, every character in its place.
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn } from '../sources/ownFiles.ts'
import { edited, withoutTexts } from '../sources/textEdits.ts'

const ADDED = /\}\s*\w+\s*((?:__attribute__\s*\(\(\s*aligned\b[^;]*?\)\)|__align__\s*\([^()]*\))\s*);/g

export const withoutTypedefAlignments = (files: FileTree): FileTree => changeOwn(files, withoutThem) ?? files

function withoutThem(text: string): string {
  if (!/\btypedef\b/.test(text) || !/aligned|__align__/.test(text)) return text
  const code = withoutTexts(text)
  const found = [...code.matchAll(ADDED)].filter(({ index }) => isTypedef(code, index))
  return edited(
    text,
    found.map(({ 0: end, 1: alignment = '', index }) => ({
      at: index + end.indexOf(alignment),
      length: alignment.length,
      text: alignment.replace(/\S/g, ' '),
    })),
  )
}

/** @param end of the structure's members */
function isTypedef(code: string, end: number): boolean {
  let depth = 0
  for (let at = end; at >= 0; at--) {
    if (code[at] === '}') depth++
    if (code[at] === '{' && --depth === 0) return /\btypedef\s+struct\b[^;{}]*$/.test(code.slice(0, at))
  }
  return false
}
