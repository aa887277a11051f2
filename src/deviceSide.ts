/**
 * A program's device side, ready to be loaded: LLVM IR of its files in; one linked and checked module out, with the texts of the
 * user's files by the names that its locations use. Code compiled when the program is and code compiled while it runs take this way.
 */
import { markKeptRemainders } from './analysis/loops/keptRemainders.ts'
import { callWideFunctions } from './analysis/lowering/wideCalls.ts'
import { loadWhatIsReadAgain } from './analysis/reusing/readAgain.ts'
import type { FileTree } from './frontend/clang/clang.ts'
import type { DeviceIr } from './frontend/compile.ts'
import { tellOwnColumns } from './frontend/sources/ownColumns.ts'
import { resolvePath } from './frontend/sources/paths.ts'
import { repairSource } from './frontend/sources/virtualFiles.ts'
import { checkModule } from './ir/check.ts'
import { applyFloatMode } from './ir/floatMode.ts'
import type { Module } from './ir/ir.ts'
import { type LinkedModule, leavePlacesToLinker, linkModules } from './ir/link.ts'
import { readModule } from './ir/read.ts'

export interface ReadDeviceSide {
  readonly module: LinkedModule
  readonly sources: Map<string, string>
}

/** @throws UserError for what cannot be linked and for what we do not support. */
export function readDeviceSide(ir: readonly DeviceIr[], files: FileTree, workingDirectory: string): ReadDeviceSide {
  const modules = ir.map(({ text, file }) => readModule(text, file))
  const module = linkModules(
    modules,
    ir.map(({ file }) => file),
  )
  if (module.sharesSymbols || ir.some(({ relocatable }) => relocatable)) leavePlacesToLinker(module)
  callWideFunctions(module)
  checkModule(module)
  // The files of a program are compiled alike.
  applyFloatMode(module, ir.find(({ floats }) => floats)?.floats)
  const sources = sourcesOf(files, module, workingDirectory)
  // Columns of locations are those of the texts that clang has read.
  const compiled = new Map([...sources].map(([name, text]) => [name, repairSource(text)]))
  markKeptRemainders(module, compiled)
  loadWhatIsReadAgain(module, compiled)
  tellOwnColumns(module, sources, compiled)
  return { module, sources }
}

/** Text of the user's files, also by the names that clang finds included ones under (`./kernel.cuh`, `src/../kernel.cuh`). */
function sourcesOf(files: FileTree, { functions }: Module, workingDirectory: string): Map<string, string> {
  const sources = new Map(
    Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const byPath = new Map([...sources].map(([name, text]) => [resolvePath(workingDirectory, name), text]))
  const named = new Set<string>()
  for (const { blocks } of functions)
    for (const { instructions } of blocks)
      for (const { location } of instructions) for (let at = location; at; at = at.inlinedAt) named.add(at.file)
  for (const name of named) {
    const text = byPath.get(resolvePath(workingDirectory, name))
    if (text !== undefined) sources.set(name, text)
  }
  return sources
}
