/**
 * The file system that a program sees: an injected adapter with '/'-separated paths, relative inside the working directory and
 * absolute elsewhere, where the adapter decides what a program may touch. {@link memoryFiles} is the one for browsers and tests.
 */

export type FileFailure =
  | 'not-found'
  | 'exists'
  | 'not-a-directory'
  | 'is-a-directory'
  | 'not-allowed'
  | 'not-empty'
  | 'invalid'
  | 'io'

export interface OpenOptions {
  readonly write: boolean
  readonly create: boolean
  readonly exclusive: boolean
  readonly truncate: boolean
}

export interface FileStatus {
  readonly kind: 'file' | 'directory'
  readonly bytes: number
  readonly modifiedMs: number
}

/** Positions and sizes in bytes. Reads and writes may do less than asked; 0 read is the end of the file. */
export interface OpenedFile {
  read(position: number, into: Uint8Array): number
  write(position: number, bytes: Uint8Array): number
  status(): FileStatus
  truncate(bytes: number): void
  close(): void
}

/** Calls answer with a {@link FileFailure} where the file system says no; they do not throw. '' is the working directory. */
export interface HostFiles {
  /** Its absolute path; undefined where there is nothing outside it. */
  readonly workingDirectory?: string
  open(path: string, options: OpenOptions): OpenedFile | FileFailure
  /** isOpening: an `open` of the path follows, and says better what of it is not allowed. */
  status(path: string, isOpening?: boolean): FileStatus | FileFailure
  list(path: string): readonly { readonly name: string; readonly kind: 'file' | 'directory' }[] | FileFailure
  makeDirectory(path: string): FileFailure | undefined
  removeDirectory(path: string): FileFailure | undefined
  removeFile(path: string): FileFailure | undefined
  rename(from: string, to: string): FileFailure | undefined
}

/**
 * A path with `.` and `..` resolved: relative where it says so and stays inside the working directory, else absolute; undefined
 * where there is nothing outside it.
 */
export function normalizePath(path: string, workingDirectory?: string): string | undefined {
  const inside = path.startsWith('/') ? undefined : resolveDots(path)
  if (inside !== undefined || workingDirectory === undefined) return inside
  const full = path.startsWith('/') ? path : `${workingDirectory}/${path}`
  return `/${resolveDots(full, true)}`
}

/** `fromRoot`: `..` of the first folder is the first folder; otherwise it leads out, and the answer is undefined. */
function resolveDots(path: string, fromRoot = false): string | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined && !fromRoot) return undefined
  }
  return parts.join('/')
}

/** What a file holds; undefined where the program cannot read it. */
export function readWhole(files: HostFiles, path: string): Uint8Array<ArrayBuffer> | undefined {
  const normal = normalizePath(path, files.workingDirectory)
  if (normal === undefined) return undefined
  const file = files.open(normal, { write: false, create: false, exclusive: false, truncate: false })
  if (typeof file === 'string') return undefined
  try {
    const { kind, bytes } = file.status()
    if (kind !== 'file') return undefined
    const contents = new Uint8Array(bytes)
    for (let length = 0; length < bytes; ) {
      const read = file.read(length, contents.subarray(length))
      if (read === 0) return contents.slice(0, length)
      length += read
    }
    return contents
  } finally {
    file.close()
  }
}

/** Files that live in `content`, by path; folders exist where a file lies below them or one was made. */
export function memoryFiles(content: Map<string, Uint8Array> = new Map()): HostFiles {
  const folders = new Set<string>([''])
  const isFolder = (path: string) => folders.has(path) || [...content.keys()].some(name => name.startsWith(`${path}/`))
  const parentExists = (path: string) => isFolder(path.split('/').slice(0, -1).join('/'))
  const statusOf = (path: string): FileStatus | FileFailure => {
    const bytes = content.get(path)
    if (bytes !== undefined) return { kind: 'file', bytes: bytes.length, modifiedMs: 0 }
    return isFolder(path) ? { kind: 'directory', bytes: 0, modifiedMs: 0 } : 'not-found'
  }
  return {
    open(path, { create, exclusive, truncate }) {
      if (content.has(path) && exclusive) return 'exists'
      if (!content.has(path)) {
        if (isFolder(path)) return 'is-a-directory'
        if (!create || !parentExists(path)) return 'not-found'
        content.set(path, new Uint8Array(0))
      }
      if (truncate) content.set(path, new Uint8Array(0))
      return openMemoryFile(content, path)
    },
    status: statusOf,
    list(path) {
      if (!isFolder(path)) return content.has(path) ? 'not-a-directory' : 'not-found'
      const prefix = path === '' ? '' : `${path}/`
      const below = [...content.keys(), ...folders].filter(name => name !== path && name.startsWith(prefix))
      const names = new Set(below.map(name => name.slice(prefix.length).split('/')[0]!))
      return [...names].sort().map(name => ({ name, kind: content.has(prefix + name) ? 'file' : 'directory' }) as const)
    },
    makeDirectory(path) {
      if (statusOf(path) !== 'not-found') return 'exists'
      if (!parentExists(path)) return 'not-found'
      folders.add(path)
      return undefined
    },
    removeDirectory(path) {
      if (!folders.has(path)) return content.has(path) ? 'not-a-directory' : 'not-found'
      if ([...content.keys(), ...folders].some(name => name.startsWith(`${path}/`))) return 'not-empty'
      folders.delete(path)
      return undefined
    },
    removeFile(path) {
      return content.delete(path) ? undefined : isFolder(path) ? 'is-a-directory' : 'not-found'
    },
    rename(from, to) {
      const bytes = content.get(from)
      if (bytes === undefined) return 'not-found'
      content.delete(from)
      content.set(to, bytes)
      return undefined
    },
  }
}

function openMemoryFile(content: Map<string, Uint8Array>, path: string): OpenedFile {
  const bytes = () => content.get(path) ?? new Uint8Array(0)
  const resize = (length: number) => {
    const resized = new Uint8Array(length)
    resized.set(bytes().subarray(0, length))
    content.set(path, resized)
  }
  return {
    read(position, into) {
      const part = bytes().subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    write(position, data) {
      if (position + data.length > bytes().length) resize(position + data.length)
      bytes().set(data, position)
      return data.length
    },
    status: () => ({ kind: 'file', bytes: bytes().length, modifiedMs: 0 }),
    truncate: resize,
    close: () => undefined,
  }
}
