/**
 * Files that are devices: what programs read seeds and zeros from. They stand in front of the user's files; /dev/null is one of those
 * (node/hostFiles.ts).
 */
import type { HostFiles, OpenedFile } from './files.ts'

/** `random`: a byte a call; runs must repeat. */
export function withDeviceFiles(files: HostFiles, random: () => number): HostFiles {
  const bytesOf: Readonly<Record<string, () => number>> = {
    '/dev/random': random,
    '/dev/urandom': random,
    '/dev/zero': () => 0,
  }
  return {
    ...files,
    open(path, options) {
      const next = bytesOf[path]
      return next === undefined ? files.open(path, options) : openDevice(next)
    },
    status: (path, isOpening) => (bytesOf[path] === undefined ? files.status(path, isOpening) : DEVICE_STATUS),
  }
}

const DEVICE_STATUS = { kind: 'file', bytes: 0, modifiedMs: 0 } as const

/** Has no end and no position; what is written to it is gone. */
function openDevice(next: () => number): OpenedFile {
  return {
    read(_position, into) {
      for (let index = 0; index < into.length; index++) into[index] = next()
      return into.length
    },
    write: (_position, bytes) => bytes.length,
    status: () => DEVICE_STATUS,
    truncate: () => undefined,
    close: () => undefined,
  }
}
