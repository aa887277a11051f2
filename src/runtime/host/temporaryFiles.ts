/**
 * /tmp, which every program may use: its own, in memory, empty at first and gone when the program ends, so that runs repeat and the
 * user's is not touched. What the user has there is the user's, for `files` to allow or refuse. In: the user's files. Out: those with
 * /tmp in front, and what the program leaves there, which the user may have wanted to keep.
 */
import { type FileStatus, type HostFiles, memoryFiles } from './files.ts'

const FOLDER = '/tmp'
/** Those of `tmpfile` (include/warplens/host_temporary.h). */
const UNNAMED = '.tmpfile-'
const FOLDER_STATUS: FileStatus = { kind: 'directory', bytes: 0, modifiedMs: 0 }

export interface TemporaryFiles extends HostFiles {
  /** Paths of the program's own files in /tmp that it has not removed, and to which it gave names. */
  left(): string[]
}

export function withTemporaryFiles(files: HostFiles): TemporaryFiles {
  // A program that works there has real files there.
  if (files.workingDirectory === FOLDER) return { ...files, left: () => [] }
  const own = memoryFiles()
  const isOurs = (path: string): boolean => typeof own.status(path) !== 'string'
  /** Where it is in `own`, for what is there. */
  const placeOfOurs = (path: string): string | undefined => {
    if (path !== FOLDER && !path.startsWith(`${FOLDER}/`)) return undefined
    const place = path.slice(FOLDER.length + 1)
    return isOurs(place) ? place : undefined
  }
  /** The same for what is there, or can be made: its folder is there, and the user has nothing of that name. */
  const placeOf = (path: string): string | undefined => {
    const folder = placeOfOurs(path.slice(0, Math.max(0, path.lastIndexOf('/'))))
    if (folder === undefined || placeOfOurs(path) !== undefined) return placeOfOurs(path)
    return files.status(path, true) === 'not-found' ? path.slice(FOLDER.length + 1) : undefined
  }
  /** Who has what lies there, or is to have it, and where it is there. */
  const holderOf = (path: string, place: string | undefined): [HostFiles, string] =>
    place === undefined ? [files, path] : [own, place]
  return {
    ...files,
    left: () =>
      filesIn(own, '')
        .filter(place => !place.startsWith(UNNAMED))
        .map(place => `${FOLDER}/${place}`),
    open(path, options) {
      const [holder, at] = holderOf(path, options.create ? placeOf(path) : placeOfOurs(path))
      return holder.open(at, options)
    },
    status(path, isOpening) {
      const place = placeOfOurs(path)
      if (place === '') return FOLDER_STATUS
      const [holder, at] = holderOf(path, place)
      return holder.status(at, isOpening)
    },
    list(path) {
      const [holder, at] = holderOf(path, placeOfOurs(path))
      return holder.list(at)
    },
    makeDirectory(path) {
      const [holder, at] = holderOf(path, placeOf(path))
      return holder.makeDirectory(at)
    },
    removeDirectory(path) {
      const [holder, at] = holderOf(path, placeOfOurs(path))
      return holder.removeDirectory(at)
    },
    removeFile(path) {
      const [holder, at] = holderOf(path, placeOfOurs(path))
      return holder.removeFile(at)
    },
    rename(from, to) {
      const [source, target] = [placeOfOurs(from), placeOf(to)]
      // As between two disks, for which rename gives an error too.
      if ((source === undefined) !== (target === undefined)) return 'not-allowed'
      return source === undefined || target === undefined ? files.rename(from, to) : own.rename(source, target)
    },
  }
}

function filesIn(files: HostFiles, folder: string): string[] {
  const entries = files.list(folder)
  if (typeof entries === 'string') return []
  return entries.flatMap(({ name, kind }) => {
    const path = folder === '' ? name : `${folder}/${name}`
    return kind === 'directory' ? filesIn(files, path) : [path]
  })
}
