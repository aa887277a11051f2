/**
 * The user's working directory as the program's file system. Paths arrive relative and without `..` (runtime/files.ts);
 * symbolic links that lead out of the folder are refused here, so that a program touches nothing outside it.
 */
import {
  closeSync,
  constants,
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
import { dirname, join, sep } from 'node:path'
import type { FileFailure, FileStatus, HostFiles, OpenedFile } from '../runtime/files.ts'

export function directoryFiles(directory: string): HostFiles {
  const root = realpathSync(directory)
  const locate = (path: string): string => insideOf(root, join(root, path))
  return {
    open: (path, options) =>
      attempt(() => {
        const file = locate(path)
        const access = options.write ? constants.O_RDWR : constants.O_RDONLY
        const create = options.create ? constants.O_CREAT : 0
        const exclusive = options.exclusive ? constants.O_EXCL : 0
        const truncate = options.truncate ? constants.O_TRUNC : 0
        return openedFile(openSync(file, access | create | exclusive | truncate, 0o666))
      }),
    status: path => attempt(() => statusOf(statSync(locate(path)))),
    list: path =>
      attempt(() =>
        readdirSync(locate(path), { withFileTypes: true }).map(entry => ({
          name: entry.name,
          kind: entry.isDirectory() ? ('directory' as const) : ('file' as const),
        })),
      ),
    makeDirectory: path => attemptVoid(() => mkdirSync(locate(path))),
    removeDirectory: path => attemptVoid(() => rmdirSync(locate(path))),
    removeFile: path => attemptVoid(() => unlinkSync(locate(path))),
    rename: (from, to) => attemptVoid(() => renameSync(locate(from), locate(to))),
  }
}

/** The path with its links followed as far as it exists. @throws an error of code EACCES when that leads out of `root`. */
function insideOf(root: string, path: string): string {
  const real = existingPart(path)
  if (real !== root && !real.startsWith(root + sep)) throw Object.assign(new Error('outside'), { code: 'EACCES' })
  return path
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
