/**
 * Shared variables that a kernel, or a function of its own, reads only where it has just written them: LLVM finds what is read in registers and drops the
 * variable, with its stores. nvcc drops a variable only before it looks for that, so there the stores are made (machine code of 14
 * kernels: `s[t] = x; o[t] = s[t];` has one to shared memory). In: the sources and the IR that clang made of them. Out: the sources with such
 * variables declared by a word of the same length (keywords.h), which makes clang keep them.
 */
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { withoutTexts } from '../sources/textEdits.ts'

const SHARED = '__shared__'
const KEPT = '__wl_kept_'

const DECLARATION = /__shared__[^;{}]*;/g

/** Undefined where clang has dropped nothing that nvcc keeps. */
export function keepShared(files: FileTree, deviceIr: readonly { readonly text: string }[]): FileTree | undefined {
  const ir = deviceIr.map(({ text }) => text).join('\n')
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  for (const [path, text] of Object.entries(files)) {
    if (!isOwn(path, text) || !text.includes(SHARED)) continue
    const code = withoutTexts(text)
    for (const { index, 0: declaration } of code.matchAll(DECLARATION)) {
      const around = functionAround(code, index)
      if (around === undefined || isExtern(code, index)) continue
      const scope = code.slice(index + declaration.length, endOfBlock(code, index))
      const isDropped = (name: string) => !hasVariable(ir, around, name) && isRead(scope, name)
      if (!namesIn(declaration).some(isDropped) || !isUsed(ir, around)) continue
      const now = result[path] as string
      result[path] = now.slice(0, index) + KEPT + now.slice(index + SHARED.length)
      isChanged = true
    }
  }
  return isChanged ? result : undefined
}

/** Text of clang's about such a file, in the words of the user's. */
export const sharedAsWritten = (text: string): string => text.replaceAll(KEPT, SHARED)

const isExtern = (code: string, at: number): boolean => /\bextern\s[^;{}]*$/.test(code.slice(0, at))

/** The names of `__shared__ float a[4], b;`. */
function namesIn(declaration: string): string[] {
  const declarators = declaration.replace(/\[[^\]]*\]/g, '').split(',')
  return declarators.flatMap(each => /([A-Za-z_]\w*)\s*;?$/.exec(each.trim())?.[1] ?? [])
}

/** The kernel or function of the device's whose body a place is in. */
function functionAround(code: string, at: number): string | undefined {
  const start = Math.max(code.lastIndexOf('__global__', at), code.lastIndexOf('__device__', at))
  if (start < 0 || endOfBlock(code, code.indexOf('{', start) + 1) < at) return undefined
  const head = code.slice(start, at).replace(/\b__launch_bounds__\s*\([^)]*\)/, '')
  return /^__(?:global|device)__[^({;]*?(\w+)\s*\(/.exec(head)?.[1]
}

/** Where the block ends that a place is in. */
function endOfBlock(code: string, from: number): number {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth < 0) return at
  }
  return code.length
}

/** Whether something else is done with it than to assign to it or to hand it to a function. */
function isRead(scope: string, name: string): boolean {
  const uses = scope.matchAll(
    new RegExp(`(?<![\\w.]|->)${name}\\b((?:\\s*\\[[^\\]]*\\]|\\s*\\.\\s*\\w+)*)\\s*(..)`, 'g'),
  )
  return [...uses].some(([, subscripts, behind]) => {
    const isTarget = /^=[^=]/.test(behind!)
    const isArgument = subscripts === '' && /^[,)]/.test(behind!)
    return !isTarget && !isArgument
  })
}

const mangled = (name: string): string => `${name.length}${name}`

/** In a kernel or by one: inlined functions stay in what is known for debugging. */
const isUsed = (ir: string, name: string): boolean => new RegExp(`DISubprogram\\(name: "${name}["<]`).test(ir)

const hasVariable = (ir: string, kernel: string, name: string): boolean =>
  new RegExp(`^@_ZZ\\w*${mangled(kernel)}\\w*E${mangled(name)}(_\\d+)?(\\.\\d+)* = `, 'm').test(ir)
