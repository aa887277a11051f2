/**
 * Files that are devices: what programs read seeds and zeros from, and the processor's description. They stand in front of the user's
 * files; /dev/null is one of those (node/hostFiles.ts).
 */
import type { HostFiles, OpenedFile } from './files.ts'

/** `random`: a byte a call; runs must repeat. */
export function withDeviceFiles(files: HostFiles, random: () => number): HostFiles {
  const bytesOf: Readonly<Record<string, () => number>> = {
    '/dev/random': random,
    '/dev/urandom': random,
    '/dev/zero': () => 0,
  }
  const opened = (path: string, isWritten: boolean): OpenedFile | undefined => {
    const next = bytesOf[path]
    if (next !== undefined) return openDevice(next)
    return path === PROCESSORS && !isWritten ? openText(PROCESSOR) : undefined
  }
  const isOurs = (path: string) => path === PROCESSORS || bytesOf[path] !== undefined
  return {
    ...files,
    open: (path, options) => opened(path, options.write) ?? files.open(path, options),
    status: (path, isOpening) => (isOurs(path) ? UNSIZED : files.status(path, isOpening)),
  }
}

/** Devices and files of /proc have no size. */
const UNSIZED = { kind: 'file', bytes: 0, modifiedMs: 0 } as const

const PROCESSORS = '/proc/cpuinfo'
/**
 * The one processor that programs find (include/warplens/host_longs.h), in the words of Linux (Documentation/filesystems/proc.rst). They
 * read its clock rate to make seconds of its time stamps, which count nanoseconds (`__rdtsc` of include/warplens/x86.h).
 */
const PROCESSOR = new TextEncoder().encode(
  [
    'processor\t: 0',
    'vendor_id\t: Warplens',
    'model name\t: WebAssembly',
    'cpu MHz\t\t: 1000.000',
    'physical id\t: 0',
    'siblings\t: 1',
    'core id\t\t: 0',
    'cpu cores\t: 1',
    '\n',
  ].join('\n'),
)

/** Is opened to be read alone. */
function openText(text: Uint8Array): OpenedFile {
  return {
    read(position, into) {
      const part = text.subarray(position, position + into.length)
      into.set(part)
      return part.length
    },
    write: () => 0,
    status: () => UNSIZED,
    truncate: () => undefined,
    close: () => undefined,
  }
}

/** Has no end and no position; what is written to it is gone. */
function openDevice(next: () => number): OpenedFile {
  return {
    read(_position, into) {
      for (let index = 0; index < into.length; index++) into[index] = next()
      return into.length
    },
    write: (_position, bytes) => bytes.length,
    status: () => UNSIZED,
    truncate: () => undefined,
    close: () => undefined,
  }
}
