/**
 * The user's files as the program's file system. It reads and writes below the working directory, and reads in folders that the
 * user allows besides; all else is refused here, symbolic links that lead there included.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { userError } from '../diagnostic.ts'
import type { FileFailure, FileStatus, HostFiles, OpenedFile } from '../runtime/host/files.ts'

export interface FileAccess {
  /** Files, and folders with all that lies below them, that the program may read. */
  readonly readable?: readonly string[]
  /** Called once for each path outside of all this that the program tried to read and is there, or tried to write or change. */
  readonly onRefused?: (path: string, access: RefusedAccess) => void
}

/** `change`: make, remove or rename. */
export type RefusedAccess = 'read' | 'write' | 'change'

/** @throws UserError where something `readable` does not exist. */
export function directoryFiles(directory: string, { readable = [], onRefused }: FileAccess = {}): HostFiles {
  const root = realpathSync(directory)
  const readRoots = [root, ...readable.map(path => existing(resolve(directory, path), path))]
  const absolute = (path: string): string => (path.startsWith('/') ? path : join(root, path))
  const locate = (path: string): string => insideOf([root], absolute(path))
  const locateToRead = (path: string): string => {
    const file = absolute(path)
    // What is not there is missed as on any machine; only what is there is refused.
    return existsSync(file) ? insideOf(readRoots, file) : file
  }
  const refused = new Set<string>()
  const tellIfRefused = (path: string, access: RefusedAccess, answer: unknown): void => {
    const file = absolute(path)
    const roots = access === 'read' ? readRoots : [root]
    if (answer !== 'not-allowed' || refused.has(file) || isInside(roots, file)) return
    refused.add(file)
    onRefused?.(file, access)
  }
  const change = (paths: readonly string[], act: () => void) => {
    const answer = attemptVoid(act)
    for (const path of paths) tellIfRefused(path, 'change', answer)
    return answer
  }
  return {
    // A program's absolute paths begin with '/', so elsewhere there is nothing outside.
    ...(sep === '/' && { workingDirectory: root }),
    open: (path, options) => {
      const answer = attempt(() => {
        const file = options.write || options.create ? locate(path) : locateToRead(path)
        const access = options.write ? constants.O_RDWR : constants.O_RDONLY
        const create = options.create ? constants.O_CREAT : 0
        const exclusive = options.exclusive ? constants.O_EXCL : 0
        const truncate = options.truncate ? constants.O_TRUNC : 0
        return openedFile(openSync(file, access | create | exclusive | truncate, 0o666))
      })
      tellIfRefused(path, options.write || options.create ? 'write' : 'read', answer)
      return answer
    },
    status: (path, isOpening = false) => {
      const answer = attempt(() => statusOf(statSync(locateToRead(path))))
      if (!isOpening) tellIfRefused(path, 'read', answer)
      return answer
    },
    list: path =>
      attempt(() =>
        readdirSync(locateToRead(path), { withFileTypes: true }).map(entry => ({
          name: entry.name,
          kind: entry.isDirectory() ? ('directory' as const) : ('file' as const),
        })),
      ),
    makeDirectory: path =>
      change([path], () => {
        // Programs make a path folder by folder, from the root, and go on at those that are there.
        if (existsSync(absolute(path))) throw Object.assign(new Error('exists'), { code: 'EEXIST' })
        mkdirSync(locate(path))
      }),
    removeDirectory: path => change([path], () => rmdirSync(locate(path))),
    removeFile: path => change([path], () => unlinkSync(locate(path))),
    rename: (from, to) => change([from, to], () => renameSync(locate(from), locate(to))),
  }
}

/** Where programs send what nobody shall read. */
const NOWHERE = '/dev/null'

function existing(path: string, typed: string): string {
  try {
    return realpathSync(path)
  } catch {
    throw userError('no-such-file', `--allow-read ${typed}: no such file or folder`)
  }
}

/** The path, if it lies in one of `roots` with its links followed as far as it exists. @throws an error of code EACCES. */
function insideOf(roots: readonly string[], path: string): string {
  if (isInside(roots, path)) return path
  throw Object.assign(new Error('outside'), { code: 'EACCES' })
}

function isInside(roots: readonly string[], path: string): boolean {
  if (path === NOWHERE) return true
  const real = existingPart(path)
  return roots.some(root => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))
}

function existingPart(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : existingPart(dirname(path))
  }
}

function openedFile(descriptor: number): OpenedFile {
  return {
    read: (position, into) => readSync(descriptor, into, 0, into.length, position),
    write: (position, bytes) => writeSync(descriptor, bytes, 0, bytes.length, position),
    status: () => statusOf(fstatSync(descriptor)),
    truncate: bytes => ftruncateSync(descriptor, bytes),
    close: () => closeSync(descriptor),
  }
}

function statusOf(stats: Stats): FileStatus {
  return { kind: stats.isDirectory() ? 'directory' : 'file', bytes: stats.size, modifiedMs: stats.mtimeMs }
}

const failures: Readonly<Record<string, FileFailure>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTDIR: 'not-a-directory',
  EISDIR: 'is-a-directory',
  EACCES: 'not-allowed',
  EPERM: 'not-allowed',
  ENOTEMPTY: 'not-empty',
  EINVAL: 'invalid',
}

function attempt<T>(action: () => T): T | FileFailure {
  try {
    return action()
  } catch (error) {
    return failureOf(error)
  }
}

function attemptVoid(action: () => void): FileFailure | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): FileFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return failures[code] ?? 'io'
}
