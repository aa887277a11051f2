/**
 * What clang has read once it need not read again. Nine tenths of a usual compilation go into headers, the same ones for most
 * programs: ours, which every source begins with, and those of the C++ library. The second program that begins with the same
 * ones, under the same flags, makes a precompiled header of them, and later ones take it from there (measured: 2.4 s of one
 * side become 0.5 s; making one takes 2.9 s, so a single run is left alone).
 *
 * Whatever goes wrong with one is no error: the source is compiled again as it stands, and what clang says then counts. It has
 * 128 open files at most, and keeps those open that it meets again; so all headers have to be in (standardHeaders.ts).
 */
import { CLANG_VERSION, type Clang, type ClangResult, type FileTree } from './clang.ts'
import { parseClangMessages } from './clangMessages.ts'
import { type VirtualFiles, virtualFiles } from './virtualFiles.ts'

/** Keeps precompiled headers. `identity` is a text that determines the bytes. Neither call throws. */
export interface HeaderCache {
  /** 'asked' where an earlier program wanted the same. */
  load(identity: string): Promise<Uint8Array | 'asked' | undefined>
  store(identity: string, header: Uint8Array | 'asked'): Promise<void>
}

/** Changes when the bytes do for a reason that the identity does not show. */
const REVISION = 1
const SOURCE = '/leading.h'
const RESULT = '/leading.pch'

/**
 * Runs a `clang -cc1` command whose first `-include` is ours with that header and the standard `headers` read beforehand.
 * Undefined where nothing is precompiled yet, or where it did not work.
 */
export async function runPrecompiled(
  clang: Clang,
  command: readonly string[],
  headers: readonly string[],
  ownHeaders: FileTree,
  world: VirtualFiles,
  cache: HeaderCache,
): Promise<ClangResult | undefined> {
  const place = command.indexOf('-include')
  const own = command[place + 1]
  if (place < 0 || own === undefined) return undefined
  const text = [`#include "${own}"`, ...headers.map(name => `#include <${name}>`), ''].join('\n')
  const common = [...command.slice(2, place), ...command.slice(place + 2)]
  const making = makingCommand(common)
  const identity = JSON.stringify([REVISION, CLANG_VERSION, making, text, ownHeaders])
  let header = await (underWay.get(identity) ?? cache.load(identity))
  if (header === undefined) {
    await cache.store(identity, 'asked')
    return undefined
  }
  if (header === 'asked') {
    const files = { ...virtualFiles({}, ownHeaders, '/').files, [SOURCE]: text }
    header = await once(identity, async () => {
      const { exitCode, stdout } = await clang.run(making, files)
      if (exitCode !== 0) return undefined
      await cache.store(identity, stdout)
      return stdout
    })
    if (header === undefined) return undefined
  }
  const use = ['clang', '-cc1', ...world.args, '-include-pch', RESULT, ...common]
  const result = await clang.run(use, { ...world.files, [SOURCE]: text, [RESULT]: header })
  return result.exitCode === 0 || isOfProgram(result) ? result : undefined
}

/** Headers that are being made: sources of one program that begin alike wait for one. */
const underWay = new Map<string, Promise<Uint8Array | undefined>>()

async function once(identity: string, make: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
  const running = underWay.get(identity) ?? make()
  underWay.set(identity, running)
  try {
    return await running
  } finally {
    underWay.delete(identity)
  }
}

/** The errors are the program's own, and not of names that more headers than usual, or an earlier one, could have brought. */
function isOfProgram({ exitCode, stderr }: ClangResult): boolean {
  if (exitCode !== 1) return false
  const errors = parseClangMessages(stderr).filter(({ severity }) => severity === 'error')
  return (
    errors.length > 0 &&
    errors.every(
      ({ range, message }) =>
        range !== undefined &&
        !/^\/(?:usr|inc)\//.test(range.file) &&
        !/ambiguous|redefinition|cannot open/.test(message),
    )
  )
}

/** The same command for the header, which is of no folder: it serves programs everywhere. */
function makingCommand(common: readonly string[]): string[] {
  const command = ['clang', '-cc1']
  for (let at = 0; at < common.length; at++) {
    const flag = common[at]!
    if (flag === '-include' || flag === '-I' || flag === '-fcuda-include-gpubinary') at++
    else if (flag === '-emit-llvm' || flag === '-emit-obj') command.push('-emit-pch')
    else if (flag === '-x') {
      command.push('-x', `${common[at + 1]}-header`, SOURCE)
      at += 2
    } else command.push(flag)
  }
  return command
}
