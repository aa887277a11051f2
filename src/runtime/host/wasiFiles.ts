/** File descriptors of the host program: the three standard streams, and files and folders of an injected {@link HostFiles}. */
import { Fd, wasi } from '@bjorn3/browser_wasi_shim'
import { type FileFailure, type FileStatus, type HostFiles, normalizePath, type OpenedFile } from './files.ts'

const ERROR_NUMBERS: Record<FileFailure, number> = {
  'not-found': wasi.ERRNO_NOENT,
  exists: wasi.ERRNO_EXIST,
  'not-a-directory': wasi.ERRNO_NOTDIR,
  'is-a-directory': wasi.ERRNO_ISDIR,
  'not-allowed': wasi.ERRNO_ACCES,
  'not-empty': wasi.ERRNO_NOTEMPTY,
  invalid: wasi.ERRNO_INVAL,
  io: wasi.ERRNO_IO,
}
const ALL_RIGHTS = 0x1fff_ffffn
/** Without seek and tell, wasi-libc takes a character device for a terminal and buffers by line. */
const STREAM_RIGHTS = BigInt(wasi.RIGHTS_FD_READ | wasi.RIGHTS_FD_WRITE)

function errorNumber(failure: FileFailure | undefined): number {
  return failure === undefined ? wasi.ERRNO_SUCCESS : ERROR_NUMBERS[failure]
}

/** The library writes the times of a file status to wrong offsets; this one follows the WASI preview 1 layout. */
class FileStatusRecord extends wasi.Filestat {
  override write_bytes(view: DataView, at: number): void {
    view.setBigUint64(at, this.dev, true)
    view.setBigUint64(at + 8, this.ino, true)
    view.setUint8(at + 16, this.filetype)
    view.setBigUint64(at + 24, 1n, true)
    view.setBigUint64(at + 32, this.size, true)
    view.setBigUint64(at + 40, this.atim, true)
    view.setBigUint64(at + 48, this.mtim, true)
    view.setBigUint64(at + 56, this.ctim, true)
  }
}

function statusRecord(status: FileStatus): FileStatusRecord {
  const kind = status.kind === 'file' ? wasi.FILETYPE_REGULAR_FILE : wasi.FILETYPE_DIRECTORY
  const record = new FileStatusRecord(0n, kind, BigInt(status.bytes))
  record.atim = record.mtim = record.ctim = BigInt(Math.round(status.modifiedMs)) * 1_000_000n
  return record
}

function descriptorStatus(kind: number, rights: bigint): { ret: number; fdstat: wasi.Fdstat } {
  const fdstat = new wasi.Fdstat(kind, 0)
  fdstat.fs_rights_base = rights
  fdstat.fs_rights_inherited = rights
  return { ret: wasi.ERRNO_SUCCESS, fdstat }
}

export class OutputStream extends Fd {
  readonly #sink: (bytes: Uint8Array) => void
  constructor(sink: (bytes: Uint8Array) => void) {
    super()
    this.#sink = sink
  }
  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    if (data.length > 0) this.#sink(data)
    return { ret: wasi.ERRNO_SUCCESS, nwritten: data.length }
  }
  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return descriptorStatus(wasi.FILETYPE_CHARACTER_DEVICE, STREAM_RIGHTS)
  }
  override fd_filestat_get(): { ret: number; filestat: wasi.Filestat } {
    return { ret: wasi.ERRNO_SUCCESS, filestat: new FileStatusRecord(0n, wasi.FILETYPE_CHARACTER_DEVICE, 0n) }
  }
}

export class InputStream extends Fd {
  readonly #source: (capacity: number) => Uint8Array
  constructor(source: (capacity: number) => Uint8Array) {
    super()
    this.#source = source
  }
  override fd_read(size: number): { ret: number; data: Uint8Array } {
    return { ret: wasi.ERRNO_SUCCESS, data: this.#source(size) }
  }
  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return descriptorStatus(wasi.FILETYPE_CHARACTER_DEVICE, STREAM_RIGHTS)
  }
}

class FileDescriptor extends Fd {
  readonly #file: OpenedFile
  readonly #append: boolean
  #position = 0
  constructor(file: OpenedFile, append: boolean) {
    super()
    this.#file = file
    this.#append = append
  }
  override fd_read(size: number): { ret: number; data: Uint8Array } {
    const result = this.fd_pread(size, BigInt(this.#position))
    this.#position += result.data.length
    return result
  }
  override fd_pread(size: number, offset: bigint): { ret: number; data: Uint8Array } {
    const buffer = new Uint8Array(size)
    const read = this.#file.read(Number(offset), buffer)
    return { ret: wasi.ERRNO_SUCCESS, data: buffer.subarray(0, read) }
  }
  override fd_write(data: Uint8Array): { ret: number; nwritten: number } {
    if (this.#append) this.#position = this.#file.status().bytes
    const result = this.fd_pwrite(data, BigInt(this.#position))
    this.#position += result.nwritten
    return result
  }
  override fd_pwrite(data: Uint8Array, offset: bigint): { ret: number; nwritten: number } {
    return { ret: wasi.ERRNO_SUCCESS, nwritten: this.#file.write(Number(offset), data) }
  }
  override fd_seek(offset: bigint, whence: number): { ret: number; offset: bigint } {
    const bases: Record<number, number> = {
      [wasi.WHENCE_SET]: 0,
      [wasi.WHENCE_CUR]: this.#position,
      [wasi.WHENCE_END]: this.#file.status().bytes,
    }
    const base = bases[whence]
    const target = (base ?? 0) + Number(offset)
    if (base === undefined || target < 0) return { ret: wasi.ERRNO_INVAL, offset: 0n }
    this.#position = target
    return { ret: wasi.ERRNO_SUCCESS, offset: BigInt(target) }
  }
  override fd_tell(): { ret: number; offset: bigint } {
    return { ret: wasi.ERRNO_SUCCESS, offset: BigInt(this.#position) }
  }
  override fd_filestat_get(): { ret: number; filestat: wasi.Filestat } {
    return { ret: wasi.ERRNO_SUCCESS, filestat: statusRecord(this.#file.status()) }
  }
  override fd_filestat_set_size(size: bigint): number {
    this.#file.truncate(Number(size))
    return wasi.ERRNO_SUCCESS
  }
  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return descriptorStatus(wasi.FILETYPE_REGULAR_FILE, ALL_RIGHTS)
  }
  /** wasi-libc's search for the folders that it was given ends at the first descriptor that is none. */
  override fd_prestat_get(): { ret: number; prestat: wasi.Prestat | null } {
    return { ret: wasi.ERRNO_BADF, prestat: null }
  }
  override fd_close(): number {
    this.#file.close()
    return wasi.ERRNO_SUCCESS
  }
}

/**
 * A folder of the adapter: the preopened working directory (path ''), which is another one once the program has changed it, or one
 * that the program opened.
 */
export class FolderDescriptor extends Fd {
  readonly #files: HostFiles
  readonly #isPreopened: boolean
  #path: string
  constructor(files: HostFiles, path: string) {
    super()
    this.#files = files
    this.#path = path
    this.#isPreopened = path === ''
  }
  /** Where it is, for programs that ask: absolute, or as if the adapter's working directory were all there is. */
  get location(): string {
    const { workingDirectory } = this.#files
    if (this.#path.startsWith('/')) return this.#path
    return this.#path === '' ? (workingDirectory ?? '/') : `${workingDirectory ?? ''}/${this.#path}`
  }
  /** Makes it another folder; WASI's error number. */
  changeTo(path: string): number {
    const full = this.resolve(path)
    if (full === undefined) return wasi.ERRNO_ACCES
    const status = this.#files.status(full)
    if (typeof status === 'string') return ERROR_NUMBERS[status]
    if (status.kind !== 'directory') return wasi.ERRNO_NOTDIR
    this.#path = full
    return wasi.ERRNO_SUCCESS
  }
  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return descriptorStatus(wasi.FILETYPE_DIRECTORY, ALL_RIGHTS)
  }
  override fd_prestat_get(): { ret: number; prestat: wasi.Prestat | null } {
    return this.#isPreopened
      ? { ret: wasi.ERRNO_SUCCESS, prestat: wasi.Prestat.dir('.') }
      : { ret: wasi.ERRNO_BADF, prestat: null }
  }
  override fd_filestat_get(): { ret: number; filestat: wasi.Filestat | null } {
    return this.path_filestat_get(0, '')
  }
  override fd_readdir_single(cookie: bigint): { ret: number; dirent: wasi.Dirent | null } {
    const list = this.#files.list(this.#path)
    if (typeof list === 'string') return { ret: ERROR_NUMBERS[list], dirent: null }
    const entry = list[Number(cookie)]
    if (entry === undefined) return { ret: wasi.ERRNO_SUCCESS, dirent: null }
    const kind = entry.kind === 'file' ? wasi.FILETYPE_REGULAR_FILE : wasi.FILETYPE_DIRECTORY
    return { ret: wasi.ERRNO_SUCCESS, dirent: new wasi.Dirent(cookie + 1n, 0n, entry.name, kind) }
  }
  override path_open(
    _dirFlags: number,
    path: string,
    openFlags: number,
    rights: bigint,
    _inherited: bigint,
    fdFlags: number,
  ): { ret: number; fd_obj: Fd | null } {
    const full = this.resolve(path)
    if (full === undefined) return { ret: wasi.ERRNO_ACCES, fd_obj: null }
    const status = this.#files.status(full, (openFlags & wasi.OFLAGS_DIRECTORY) === 0)
    const isFolder = typeof status !== 'string' && status.kind === 'directory'
    if (isFolder) {
      return { ret: wasi.ERRNO_SUCCESS, fd_obj: new FolderDescriptor(this.#files, full) }
    }
    if ((openFlags & wasi.OFLAGS_DIRECTORY) !== 0) {
      return { ret: typeof status === 'string' ? ERROR_NUMBERS[status] : wasi.ERRNO_NOTDIR, fd_obj: null }
    }
    const file = this.#files.open(full, {
      write: (rights & BigInt(wasi.RIGHTS_FD_WRITE)) !== 0n,
      create: (openFlags & wasi.OFLAGS_CREAT) !== 0,
      exclusive: (openFlags & wasi.OFLAGS_EXCL) !== 0,
      truncate: (openFlags & wasi.OFLAGS_TRUNC) !== 0,
    })
    if (typeof file === 'string') return { ret: ERROR_NUMBERS[file], fd_obj: null }
    return { ret: wasi.ERRNO_SUCCESS, fd_obj: new FileDescriptor(file, (fdFlags & wasi.FDFLAGS_APPEND) !== 0) }
  }
  override path_filestat_get(_flags: number, path: string): { ret: number; filestat: wasi.Filestat | null } {
    const full = this.resolve(path)
    if (full === undefined) return { ret: wasi.ERRNO_ACCES, filestat: null }
    const status = this.#files.status(full)
    if (typeof status === 'string') return { ret: ERROR_NUMBERS[status], filestat: null }
    return { ret: wasi.ERRNO_SUCCESS, filestat: statusRecord(status) }
  }
  override path_create_directory(path: string): number {
    return this.#change(path, full => this.#files.makeDirectory(full))
  }
  override path_remove_directory(path: string): number {
    return this.#change(path, full => this.#files.removeDirectory(full))
  }
  override path_unlink_file(path: string): number {
    return this.#change(path, full => this.#files.removeFile(full))
  }
  override path_rename(from: string, target: number | Fd, to: string): number {
    const newPath = target instanceof FolderDescriptor ? target.resolve(to) : undefined
    if (newPath === undefined) return wasi.ERRNO_ACCES
    return this.#change(from, full => this.#files.rename(full, newPath))
  }

  /** The adapter's path of an absolute path, or of one below this folder; undefined where the adapter has no such place. */
  resolve(path: string): string | undefined {
    const full = path.startsWith('/') || this.#path === '' ? path : `${this.#path}/${path}`
    return normalizePath(full, this.#files.workingDirectory)
  }

  #change(path: string, change: (full: string) => FileFailure | undefined): number {
    const full = this.resolve(path)
    return full === undefined ? wasi.ERRNO_ACCES : errorNumber(change(full))
  }
}
