/**
 * The host side, linked. In: an object for each command of the plan. Out: one WebAssembly module with a main function, which imports what the
 * runtime provides and nothing else; where C sources call functions by other types than these have, adapters lie between
 * (linkAdapters.ts). What is not defined, or twice, is told by its source name.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import { UserError, userError } from '../../diagnostic.ts'
import type { Clang, FileTree } from '../clang/clang.ts'
import type { CompileInput } from '../compiledProgram.ts'
import { parseLinkMessages } from '../messages/linkMessages.ts'
import type { VirtualFiles } from '../sources/virtualFiles.ts'
import type { CommandOptions } from './commandFlags.ts'
import { hostCommand } from './commands.ts'
import { hostImports, LINKED_BINARY } from './hostImports.ts'
import { adaptersFor } from './linkAdapters.ts'
import { ALLOWED_IMPORTS, type Plan } from './plan.ts'
import { runClang } from './runClang.ts'

interface LinkResult {
  readonly wasm: Uint8Array
  readonly warnings: readonly Diagnostic[]
}

export async function linkHost(
  clang: Clang,
  plan: Plan,
  objects: readonly Uint8Array[],
  { sources, files: userFiles }: CompileInput,
  units: readonly CommandOptions[],
  world: VirtualFiles,
): Promise<LinkResult> {
  const mains = sources.filter((_, index) => definesMain(objects[index]!))
  if (mains.length === 0) throw userError('no-main', `the program has no main function: ${sources.join(', ')}`)
  if (mains.length > 1) throw severalMains(mains)
  const imports = [...hostImports, ...objects.flatMap(registrations)]
  const files: Record<string, string | Uint8Array> = { [ALLOWED_IMPORTS]: `${imports.join('\n')}\n` }
  plan.objects.forEach((path, index) => {
    files[path] = objects[index]!
  })
  const first = await runLinker(clang, plan.link, files, plan, sources, userFiles)
  const adapters = adaptersFor(first.messages, object => {
    const unit = units[plan.objects.indexOf(object)]
    return { text: String(userFiles[unit?.source ?? ''] ?? ''), isC: unit?.language === 'c' }
  })
  if (adapters === undefined || adapters.defines.size === 0)
    return { wasm: first.wasm, warnings: adapters?.warnings ?? [] }
  for (const [object, defines] of adapters.defines) {
    const unit = units[plan.objects.indexOf(object)]!
    const again = await runClang(clang, hostCommand({ ...unit, defines: [...unit.defines, ...defines] }), world)
    files[object] = again.output
  }
  const plain = { ...units[0]!, source: ADAPTERS, language: 'c', defines: [], includes: [], includeDirs: [] } as const
  const adapting = { files: { ...world.files, [ADAPTERS]: adapters.source }, args: world.args }
  files[ADAPTER_OBJECT] = (await runClang(clang, hostCommand(plain), adapting)).output
  const place = plan.link.indexOf(plan.objects[0]!)
  const command = [...plan.link.slice(0, place), ADAPTER_OBJECT, ...plan.link.slice(place)]
  const second = await runLinker(clang, command, files, plan, sources, userFiles)
  return { wasm: second.wasm, warnings: adapters.warnings }
}

const ADAPTERS = '/adapters.c'
const ADAPTER_OBJECT = '/object/adapters.o'

async function runLinker(
  clang: Clang,
  command: readonly string[],
  files: FileTree,
  plan: Plan,
  sources: readonly string[],
  userFiles: FileTree,
): Promise<{ wasm: Uint8Array; messages: string }> {
  const { exitCode, stdout, stderr } = await clang.run(command, files)
  if (exitCode === 0) return { wasm: stdout, messages: stderr }
  const textOf = (file: string): string | undefined => {
    const text = userFiles[file]
    return typeof text === 'string' ? text : undefined
  }
  const diagnostics = parseLinkMessages(stderr, object => sources[plan.objects.indexOf(object)] ?? object, textOf)
  if (diagnostics.length === 0) diagnostics.push({ code: 'link', severity: 'error', message: `wasm-ld: ${stderr}` })
  throw new UserError(...diagnostics)
}

/**
 * clang names main `__main_void` or `__main_argc_argv` in an object. wasi-libc refers to them weakly, so the linker would
 * make a program of none and trap at its start.
 */
function definesMain(object: Uint8Array): boolean {
  return ['__main_void', '__main_argc_argv'].some(name => includesText(object, name))
}

/** Those with parameters and those without have two names in objects, of which the linker would take one. */
function severalMains(files: readonly string[]): UserError {
  const message = 'main is defined more than once; give the files of one program'
  const notes = files.map(file => `defined in ${file}`)
  return new UserError({ code: 'duplicate-symbol', severity: 'error', message, notes })
}

/** What registers the kernels of a relocatable file has the file's own identity in its name. */
function registrations(object: Uint8Array): string[] {
  if (!includesText(object, LINKED_BINARY)) return []
  return new TextDecoder('latin1').decode(object).match(new RegExp(`${LINKED_BINARY}\\w+`, 'g')) ?? []
}

function includesText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1
    while (length < text.length && bytes[at + length] === text.charCodeAt(length)) length++
    if (length === text.length) return true
  }
  return false
}
