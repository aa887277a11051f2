/** Finds what a kernel uses that no executor can run, before anything runs: by name, with the source line. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Diagnostic, SourceRange } from '../diagnostic.ts'
import type { Func, Instruction, Location, Type } from '../ir/ir.ts'
import { formatType } from '../ir/types.ts'
import { findIntrinsic, unsupportedCall } from './functions/intrinsics.ts'

/** One diagnostic for each unsupported thing and source line, in program order; empty when the kernel can run. */
export function findUnsupported(program: KernelProgram): Diagnostic[] {
  const found = new Map<string, Diagnostic>()
  for (const func of reachable(program))
    for (const block of func.blocks)
      for (const instruction of block.instructions) {
        const message = problemOf(instruction)
        if (message === undefined) continue
        const range = sourceRange(instruction.location ?? func.location)
        const code = instruction.op === 'call' ? 'unsupported-intrinsic' : 'unsupported-type'
        const key = `${message} ${range?.file}:${range?.line}`
        if (!found.has(key)) found.set(key, { code, severity: 'error', message, ...(range && { range }) })
      }
  return [...found.values()]
}

/** The place in the user's source: where a header's function was called from is told by the notes of whoever reports it. */
export function sourceRange(location: Location | undefined): SourceRange | undefined {
  return location && { file: location.file, line: location.line, column: location.column }
}

/** The kernel and what it calls; through a pointer, every function of the module. */
function reachable({ kernel, module }: KernelProgram): Set<Func> {
  const seen = new Set<Func>()
  const visit = (func: Func): void => {
    if (seen.has(func)) return
    seen.add(func)
    for (const block of func.blocks)
      for (const instruction of block.instructions) {
        if (instruction.op !== 'call') continue
        if (instruction.callee.kind === 'function') visit(instruction.callee)
        else for (const other of module.functions) if (other.blocks.length > 0 && !other.isKernel) visit(other)
      }
  }
  visit(kernel)
  return seen
}

function problemOf(instruction: Instruction): string | undefined {
  switch (instruction.op) {
    case 'call': {
      const { callee } = instruction
      if (callee.kind !== 'function' || callee.blocks.length > 0 || findIntrinsic(callee, instruction)) return undefined
      return unsupportedCall(callee)
    }
    case 'load':
      return memoryTypeProblem(instruction.type)
    case 'store':
      return memoryTypeProblem(instruction.value.type)
    default:
      return undefined
  }
}

/** Vectors of elements that are not whole bytes are packed in memory. */
function memoryTypeProblem(type: Type): string | undefined {
  return type.kind === 'vector' && type.element.kind === 'int' && type.element.bits % 8 !== 0
    ? `a vector of type ${formatType(type)} in memory is not supported`
    : undefined
}
