/**
 * Which headers of the C++ library a source includes, itself or through the user's headers: what may be read before its first
 * line without changing its meaning. In: a source and the files that it may include. Out: names, or nothing where the
 * program has a say in how those headers are to be read.
 */
import type { FileTree } from './clang.ts'
import { collectFiles, type FileSearch } from './includes.ts'
import { joinPath } from './paths.ts'

/** The C++ library's headers; those of C are read in no time. */
const STANDARD = new Set(
  `algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable coroutine
  deque exception execution expected filesystem format forward_list fstream functional future initializer_list iomanip ios
  iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers numeric optional
  ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span sstream stack
  stdexcept stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex
  typeinfo unordered_map unordered_set utility valarray variant vector version`.split(/\s+/),
)

/** Those that most programs choose from: what comes precompiled with the package. */
export const COMMON_HEADERS =
  `algorithm array atomic chrono fstream functional iomanip iostream iterator limits map memory numeric
  random set sstream stdexcept string type_traits unordered_map utility vector`.split(/\s+/)

/** What a definition before an include may change in a header of the C or C++ library. */
const SETTING = /^(?:_|NDEBUG$)/
/** They read the C++ library's headers in orders and under conditions of their own. */
const LIBRARIES = /^(?:thrust|cub|cuda\/std|nv)\//

export interface StandardHeaders {
  /** In alphabetical order, each once. */
  readonly names: readonly string[]
  /** Some are under conditions, so that the program may do without them. */
  readonly conditional: boolean
}

/** Undefined where the source had better be read as it stands. */
export function standardHeadersOf(
  source: string,
  files: FileTree,
  search: Pick<FileSearch, 'includes' | 'includeDirs' | 'defines' | 'workingDirectory'>,
): StandardHeaders | undefined {
  const read = (path: string): string | undefined => {
    const text = files[path]
    return typeof text === 'string' ? text : undefined
  }
  const names = new Set<string>()
  let conditional = false
  for (const text of Object.values(collectFiles({ ...search, sources: [source], read }))) {
    if (typeof text !== 'string') continue
    const found = headersOf(text)
    if (found === undefined) return undefined
    // A folder of the user's may have a file of that name.
    if (found.names.some(name => search.includeDirs.some(directory => joinPath(directory, name) in files)))
      return undefined
    for (const name of found.names) names.add(name)
    conditional ||= found.conditional
  }
  return { names: [...names].sort(), conditional }
}

function headersOf(text: string): StandardHeaders | undefined {
  const names: string[] = []
  const lines = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').matchAll(DIRECTIVE)
  let depth = 0
  let guard: string | undefined
  let first = true
  let conditional = false
  for (const [, directive, rest = ''] of lines) {
    const word = rest.trim()
    if (directive === 'if' || directive === 'ifdef' || directive === 'ifndef') {
      // `#ifndef NAME` at the top, with `#define NAME` below, is no condition.
      if (first && directive === 'ifndef') guard = word
      else depth++
    } else if (directive === 'endif') {
      if (depth > 0) depth--
    } else if (directive === 'define') {
      const name = /^\w+/.exec(word)?.[0] ?? ''
      if (name !== guard && SETTING.test(name)) return undefined
    } else if (directive === 'include') {
      const name = /^<([^>]+)>/.exec(word)?.[1] ?? ''
      if (LIBRARIES.test(name)) return undefined
      if (STANDARD.has(name)) {
        conditional ||= depth > 0
        names.push(name)
      }
    }
    first = false
  }
  return { names, conditional }
}

const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)([^\n]*)/gm
