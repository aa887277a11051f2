/** POSIX paths as text: clang's virtual world knows no other. */

/** Joins and removes `.`, `..` and empty segments; an absolute `path` wins over `directory`. `..` above the root vanishes. */
export function resolvePath(directory: string, path: string): string {
  const absolute = path.startsWith('/') ? path : `${directory}/${path}`
  const segments: string[] = []
  for (const segment of absolute.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** The directory part, without a trailing slash; `.` for a bare name, `/` for a file of the root. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)
}

/** `name` seen from `directory`, spelled as clang spells it: a bare name in `.`, else joined. */
export function joinPath(directory: string, name: string): string {
  return directory === '.' || name.startsWith('/') ? name : `${directory === '/' ? '' : directory}/${name}`
}

/** Lower-case extension with its dot, '' where there is none. */
export function extensionOf(path: string): string {
  const match = /\.[^./]*$/.exec(path)
  return match ? match[0].toLowerCase() : ''
}
