/**
 * The `__constant__` variables of a program's files. In: their modules. Out: how much constant memory they take; a file that has more
 * than there is, is the user's mistake. Without relocatable code each file's device side has constant memory of its own.
 */
import { userError } from '../diagnostic.ts'
import type { Global, Module } from './ir.ts'
import { alignUp, SPACE, sizeOf } from './types.ts'

/** Source: CUDA C++ Programming Guide, "Technical Specifications". */
const CONSTANT_LIMIT_BYTES = 64 * 1024

/** What a module's `__constant__` variables take at most, behind a multiple of 256. */
export function constantBytesOf({ globals }: Module): number {
  return bytesOf(globals.filter(({ space }) => space === SPACE.constant))
}

/** @throws UserError `constant-too-large` for a file that defines more `__constant__` data than a program may have. */
export function checkConstantMemory(modules: readonly Module[], files: readonly string[]): void {
  modules.forEach(({ globals }, index) => {
    const bytes = bytesOf(globals.filter(({ space, external }) => space === SPACE.constant && !external))
    if (bytes <= CONSTANT_LIMIT_BYTES) return
    const where = modules.length > 1 ? ` in ${files[index]}` : ''
    throw userError(
      'constant-too-large',
      `too much __constant__ data${where} (${bytes} bytes, ${CONSTANT_LIMIT_BYTES} max)`,
    )
  })
}

function bytesOf(variables: readonly Global[]): number {
  return variables.reduce((end, { type, align }) => alignUp(end, Math.max(align, 1)) + Math.max(1, sizeOf(type)), 0)
}
