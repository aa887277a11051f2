/**
 * What clang has read once it need not read again. Nine tenths of a usual compilation go into headers, the same ones for most
 * programs: ours, which every source begins with, and those of the C++ library. The second source that begins with the same
 * ones, under the same flags, in this program or another, makes a precompiled header of them, and later ones take it from there
 * (measured: 2.4 s of one side become 0.5 s; making one takes 2.9 s, so a single source is left alone). A source gets all of the
 * common ones, whichever it includes: what a program does not include it may see all the same, as with other C++ libraries, whose
 * headers include each other. A few others it then reads in a tenth of the time, since most of what they include is there. So
 * sources share them, and under the flags that a program has when nobody says otherwise they come precompiled with the package
 * ({@link shipHeaders}). Headers of Thrust and CUB, ten times as long, join them from the second program on that reads any.
 *
 * Whatever goes wrong with one is no error: the source is compiled again as it stands, and what clang says then counts. It has
 * 128 open files at most, and keeps those open that it meets again; so where a source
 * includes many others, all have to be in (standardHeaders.ts).
 */
import { InternalError } from '../../diagnostic.ts'
import { CLANG_VERSION, type Clang, type ClangResult, type FileTree } from '../clang/clang.ts'
import { parseClangMessages } from '../messages/clangMessages.ts'
import { ALL_HEADERS, COMMON_HEADERS, type StandardHeaders } from '../sources/standardHeaders.ts'
import { type VirtualFiles, virtualFiles } from '../sources/virtualFiles.ts'
import { STOPPING_AT_FORMATS } from './commandFlags.ts'

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
 * Headers that are read behind the common ones, in a tenth of the time: what they include is there already. Ten of them work, eighteen
 * open too many files.
 */
const MOST_OTHERS = 8

/** Where headers come from, by path: ours, and those of Thrust and CUB that the program may open. */
export interface HeaderSources {
  readonly own: FileTree
  readonly libraries: FileTree
}

/**
 * Runs a `clang -cc1` command whose first `-include` is ours with that header and `standard` ones read beforehand: those that
 * were shipped, or what a program before this one began with. Undefined where nothing is precompiled yet, or where it did not work.
 */
export async function runPrecompiled(
  clang: Clang,
  command: readonly string[],
  standard: StandardHeaders,
  sources: HeaderSources,
  world: VirtualFiles,
  cache: HeaderCache,
): Promise<ClangResult | undefined> {
  for (const { headers, libraries } of setsOf(standard)) {
    const files = { own: sources.own, libraries: libraries ? sources.libraries : {} }
    const found = await made(clang, beginning(command, headers, files), cache)
    if (found === undefined) continue
    const use = ['clang', '-cc1', ...world.args, '-include-pch', RESULT, ...found.common]
    const result = await clang.run(use, { ...world.files, [SOURCE]: found.text, [RESULT]: found.header })
    return result.exitCode === 0 || isOfProgram(result) ? result : undefined
  }
  return undefined
}

/** What may be read before a source, the best first; what it does not have of the source's headers is read behind it. */
function setsOf({ names, conditional, libraries }: StandardHeaders) {
  const others = names.filter(name => !COMMON_HEADERS.includes(name))
  const hasFewOthers = others.length <= MOST_OTHERS && !others.includes(ALL_HEADERS)
  if (!hasFewOthers) return conditional ? [] : [{ headers: [...names, ...libraries], libraries: libraries.length > 0 }]
  const common = { headers: COMMON_HEADERS, libraries: false }
  return libraries.length > 0 ? [{ headers: [...COMMON_HEADERS, ...libraries], libraries: true }, common] : [common]
}

/** Makes the header of each of these commands with the common standard ones, for `cache` to keep. @throws InternalError */
export async function shipHeaders(
  clang: Clang,
  commands: readonly (readonly string[])[],
  ownHeaders: FileTree,
  cache: HeaderCache,
): Promise<void> {
  await Promise.all(
    commands.map(async command => {
      const common = beginning(command, COMMON_HEADERS, { own: ownHeaders, libraries: {} })
      if (common === undefined) throw new InternalError('a command that begins with no header of ours')
      const { exitCode, stdout, stderr } = await make(clang, common)
      if (exitCode !== 0) throw new InternalError(`clang makes no header: ${stderr}`)
      await cache.store(common.identity, stdout)
    }),
  )
}

/** What a source begins with, as a source of its own. */
interface Beginning {
  readonly text: string
  /** The command's flags without the one that includes our header. */
  readonly common: readonly string[]
  readonly sources: HeaderSources
  /** The command that makes the header of it. */
  readonly making: readonly string[]
  readonly identity: string
}

function beginning(
  command: readonly string[],
  headers: readonly string[],
  sources: HeaderSources,
): Beginning | undefined {
  const place = command.indexOf('-include')
  const own = command[place + 1]
  if (place < 0 || own === undefined) return undefined
  const text = [`#include "${own}"`, ...headers.map(name => `#include <${name}>`), ''].join('\n')
  const common = [...command.slice(2, place), ...command.slice(place + 2)]
  const making = makingCommand(common)
  return {
    text,
    common,
    sources,
    making,
    identity: JSON.stringify([REVISION, CLANG_VERSION, making, text, sources]),
  }
}

type Precompiled = Beginning & { readonly header: Uint8Array }

/** Kept, under way, or made now because it is wanted for the second time: by another program, or another source of this one. */
async function made(clang: Clang, wanted: Beginning | undefined, cache: HeaderCache): Promise<Precompiled | undefined> {
  if (wanted === undefined) return undefined
  const { identity } = wanted
  const failed = failedIn.get(cache) ?? new Set()
  failedIn.set(cache, failed)
  if (failed.has(identity)) return undefined
  const missed = missedIn.get(cache) ?? new Set()
  missedIn.set(cache, missed)
  const isSecond = missed.has(identity)
  missed.add(identity)
  const kept = await (underWay.get(identity) ?? cache.load(identity))
  if (kept === undefined && !isSecond) await cache.store(identity, 'asked')
  const isWanted = kept === 'asked' || (kept === undefined && isSecond)
  const header = isWanted ? await once(identity, () => makeAndKeep(clang, wanted, cache)) : kept
  if (header) missed.delete(identity)
  else if (isWanted) failed.add(identity)
  return header && { ...wanted, header }
}

/** Identities that this process has asked a cache for and not got. */
const missedIn = new WeakMap<HeaderCache, Set<string>>()
/** Those that clang could not read by themselves: the next source, or attempt, need not try. */
const failedIn = new WeakMap<HeaderCache, Set<string>>()

async function makeAndKeep(clang: Clang, wanted: Beginning, cache: HeaderCache): Promise<Uint8Array | undefined> {
  const { exitCode, stdout } = await make(clang, wanted)
  if (exitCode !== 0) return undefined
  await cache.store(wanted.identity, stdout)
  return stdout
}

function make(clang: Clang, { making, text, sources }: Beginning): Promise<ClangResult> {
  const { files, args } = virtualFiles(sources.libraries, sources.own, '/')
  const [tool = '', mode = '', ...rest] = making
  return clang.run([tool, mode, ...args, ...rest], { ...files, [SOURCE]: text })
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
        range !== undefined && !/^\/(?:usr|inc)\//.test(range.file) && !/cannot open/.test(message),
    ) &&
    !meetsHeaders(stderr)
  )
}

/**
 * A name means two things, and one of them is a header's that the program may not have: not what begins every source of its language (what we
 * declare for kernels among it). clang names the places of both in notes behind the error.
 */
function meetsHeaders(stderr: string): boolean {
  const [, ...errors] = stderr.split(/^.*: (?:fatal )?error: /m)
  return errors.some(error => {
    const [message = ''] = error.split('\n', 1)
    const places = [...error.matchAll(NOTED_PLACE)].map(([, file = '']) => file)
    return /ambiguous|redefinition/.test(message) && (places.length === 0 || places.some(file => OF_HEADERS.test(file)))
  })
}

const NOTED_PLACE = /^(\S.*?):\d+:\d+: note: /gm
const OF_HEADERS = /^\/(?:usr|inc(?!\/warplens\/device_))\//

/**
 * The same command for the header, which is of no folder: it serves programs everywhere. What the headers instantiate of templates is
 * in it; otherwise each program would do that again (measured: half of what clang then takes, for 3 % more bytes; same device code).
 */
function makingCommand(common: readonly string[]): string[] {
  const command = ['clang', '-cc1']
  for (let at = 0; at < common.length; at++) {
    const flag = common[at]!
    if (STOPPING_AT_FORMATS.includes(flag)) continue
    if (flag === '-include' || flag === '-I' || flag === '-fcuda-include-gpubinary') at++
    else if (flag === '-emit-llvm' || flag === '-emit-obj') command.push('-emit-pch', '-fpch-instantiate-templates')
    else if (flag === '-x') {
      command.push('-x', `${common[at + 1]}-header`, SOURCE)
      at += 2
    } else command.push(flag)
  }
  return command
}
