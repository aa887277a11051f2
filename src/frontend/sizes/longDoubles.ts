/**
 * Kernels that take a `long double` by value, alone or in a structure. The host's has 16 bytes; in device code nvcc makes a double of
 * it, 8 bytes, also in structures, and launches hand over the host's bytes as they are (PTX and stubs of CUDA 13): the kernel reads a
 * part of another number. No machine runs such a program as it is meant, so it is refused where ours would be wrong in silence.
 *
 * The device side's IR does not tell the two types apart, the host's does: a program that says `long double`, and has kernels that
 * take doubles by value, has its host side read once more, for the stubs of its kernels.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { withoutTexts } from '../sources/textEdits.ts'

const SAYS_LONG_DOUBLE = /\blong\s+double\b/
const KERNEL = /^define [^@\n]*\bptx_kernel [^@\n]*@[^(\n]+\((.*)\) [^\n]*!dbg !(\d+)/gm
const STUB = /^define [^@\n]*@[^(\n]*__device_stub__[^(\n]*\((.*)\) [^\n]*!dbg !(\d+)/gm
const TYPE = /^(%"[^"]+"|%[\w$.:]+) = type (.*)$/gm
const NAMED_TYPE = /%"[^"]+"|%[\w$.:]+/g

/** The command that writes what {@link longDoubleParameters} reads, from the one that compiles the host side. */
export const stubsCommand = (hostCommand: readonly string[]): string[] =>
  hostCommand.flatMap(flag => (flag === '-emit-obj' ? ['-emit-llvm', '-disable-llvm-passes'] : [flag]))

/** Whether the stubs of these files' kernels, `ir` on the device side, are to be looked at. */
export function mayTakeLongDoubles(files: FileTree, ir: string): boolean {
  const says = Object.entries(files).some(
    ([path, text]) =>
      typeof text === 'string' &&
      !path.startsWith('/usr/') &&
      SAYS_LONG_DOUBLE.test(text) &&
      SAYS_LONG_DOUBLE.test(withoutTexts(text)),
  )
  return says && functionsTaking('double', KERNEL, ir).length > 0
}

/** An error for each kernel that takes a `long double`. `ir`: of {@link stubsCommand}. `file`: what was compiled. */
export function longDoubleParameters(file: string, ir: string): Diagnostic[] {
  return functionsTaking('fp128', STUB, ir).map(note => {
    const { name = 'a kernel', line = 1, file: declared = file } = subprogram(ir, note)
    return {
      code: 'unsupported-type',
      severity: 'error',
      message: `kernel ${name} takes a long double by value, which has 16 bytes on the host and is a double of 8 in device code: a GPU would compute with a wrong number; make it a double`,
      range: { file: declared, line, column: 0 },
    }
  })
}

/** The nodes of the debug information of functions with such a number among their parameters, or in one. */
function functionsTaking(number: 'double' | 'fp128', functions: RegExp, ir: string): string[] {
  const members = new Map([...ir.matchAll(TYPE)].map(([, name = '', body = '']) => [name, body]))
  const word = new RegExp(`\\b${number}\\b`)
  const holds = (text: string, open: readonly string[] = []): boolean =>
    word.test(text.replace(NAMED_TYPE, '')) ||
    (text.match(NAMED_TYPE) ?? []).some(
      name => !open.includes(name) && members.has(name) && holds(members.get(name)!, [...open, name]),
    )
  return [...ir.matchAll(functions)].flatMap(([, parameters = '', note = '']) => (holds(parameters) ? [note] : []))
}

function subprogram(ir: string, note: string): { name?: string; line?: number; file?: string } {
  const at = (number: string) => new RegExp(`^!${number} = .*$`, 'm').exec(ir)?.[0] ?? ''
  const text = at(note)
  const name = /\bname: "(?:__device_stub__)?([^"]*)"/.exec(text)?.[1]
  const line = /\bline: (\d+)/.exec(text)?.[1]
  const file = /\bfilename: "([^"]*)"/.exec(at(/\bfile: !(\d+)/.exec(text)?.[1] ?? ''))?.[1]
  return {
    ...(name !== undefined && { name }),
    ...(line !== undefined && { line: Number(line) }),
    ...(file !== undefined && { file }),
  }
}
