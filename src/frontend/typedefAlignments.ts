/**
 * Alignment that a typedef adds behind its name (`typedef struct { double x, y; } pair __attribute__((aligned(16)));`): nvcc's accesses through
 * such a type are as aligned as the structure itself, while clang's are as the typedef says, and then join. Behind the structure, before
 * the name, it is the structure's own for both. (Machine code of 10 kernels; reading: hec-su3.) In: the user's files. Out: the files
 * without it, every character in its place.
 */
import type { FileTree } from './clang.ts'
import { withoutTexts } from './textEdits.ts'
import { isOwn } from './wideLongs.ts'

const ADDED = /\}\s*\w+\s*((?:__attribute__\s*\(\(\s*aligned\b[^;]*?\)\)|__align__\s*\([^()]*\))\s*);/g

export function withoutTypedefAlignments(files: FileTree): FileTree {
  const changed = Object.entries(files).flatMap(([path, text]) => {
    if (!isOwn(path, text) || !/\btypedef\b/.test(text) || !/aligned|__align__/.test(text)) return []
    const plain = withoutThem(text)
    return plain === text ? [] : [[path, plain] as const]
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : files
}

function withoutThem(text: string): string {
  const code = withoutTexts(text)
  let result = text
  for (const match of code.matchAll(ADDED)) {
    if (!isTypedef(code, match.index)) continue
    const from = match.index + match[0].indexOf(match[1]!)
    result = result.slice(0, from) + match[1]!.replace(/\S/g, ' ') + result.slice(from + match[1]!.length)
  }
  return result
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
