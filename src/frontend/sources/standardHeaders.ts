/**
 * Which headers of the C++ library a source includes, itself or through the user's headers: what may be read before its first
 * line without changing its meaning. In: a source and the files that it may include. Out: names, or nothing where the
 * program has a say in how those headers are to be read.
 */
import type { FileTree } from '../clang/clang.ts'
import { collectFiles, type FileSearch, LIBRARY_DIR, readerOf } from './includes.ts'
import { joinPath } from './paths.ts'

/** The C++ library's headers, and GNU's of them all; those of C are read in no time. */
const STANDARD = new Set(
  `algorithm any array atomic barrier bit bits/stdc++.h bitset charconv chrono codecvt compare complex concepts condition_variable coroutine
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

/** One that includes them all. */
export const ALL_HEADERS = 'bits/stdc++.h'

/**
 * What a definition before an include may change in a header of the C or C++ library, or ours. Not `_USE_MATH_DEFINES`, `_CRT_SECURE_NO_WARNINGS`
 * and the like, which other systems' libraries ask for, nor `_POSIX_C_SOURCE` beside our `_GNU_SOURCE`, nor CUDA's words for compilers
 * that do not know them, nor what HIP asks for.
 */
const SETTING =
  /^(?:__(?!STDC_|HIP_PLATFORM_|(?:host|device|global|shared|constant|forceinline)__)|_LIBCPP_|_WASI_|NDEBUG$)/
/** How names in capitals begin that headers of clang's, the libraries' or ours have (a test reads them all); others end with an underscore or _H. */
const KNOWN_BEGINNINGS =
  `AMX ARE ARM AS ATOMIC BEGIN BIG BIND BUILTIN BYTE CIMAG CLANG CMPLX CMSG CORRECT CPU CR6 CUBE CUDA CXX DATA DBL DE DO_LANE DOUBLE EINVAL
  END ENOMEM FAST FLOAT FLT FP GCC GLIBC GNU GPU HIP HLSL IMPL IN IS LDBL LIB LITTLE LLVM LONG MAKE MHDR NAMESER NATIVE NEED NV OP PCONFIG
  PDP PRI PROPERTY PTR RDPRU REDIR RELAXED REQUIRE RESTORE RET RISCV SAVE SI SPIRV SSC STD STR SURF SW THROW TMP TSAN UAPI UINT USE VEC
  WARPLENS WAS WL WORDSIZE ZWJ [A-Z]{1,3}\\d?$ [A-Z]_`.split(/\s+/)
/** Programs call things of their own so too (`__PREFIX`, `__DO_CUDA`): no header knows such a name, so that it changes nothing in one. */
const OWN_NAME = new RegExp(`^__(?!${KNOWN_BEGINNINGS.join('|')}|\\w*_H$)[A-Z][A-Z0-9_]*[A-Z0-9]$`)

/** Whether a definition of this name, before headers are read, may make others of them. */
export const isSetting = (name: string): boolean => SETTING.test(name) && !OWN_NAME.test(name)
/** Ours, which read the C++ library's headers in orders and under conditions of their own. */
const PARTICULAR = /^(?:cuda\/std|nv)\//
/** Thousands of lines that several sources of a program read, and what a definition may change in them. */
const TEMPLATE_LIBRARY = /^(?:thrust|cub)\//
const TEMPLATE_SETTING = /^(?:THRUST|CUB|CCCL)_/

export interface StandardHeaders {
  /** In alphabetical order, each once. */
  readonly names: readonly string[]
  /** Some are under conditions, so that the program may do without them. */
  readonly conditional: boolean
  /** Headers of Thrust and CUB, in the order in which they are read first; none of them is under a condition. */
  readonly libraries: readonly string[]
}

/** Undefined where the source had better be read as it stands. */
export function standardHeadersOf(
  source: string,
  files: FileTree,
  search: Pick<FileSearch, 'includes' | 'includeDirs' | 'defines' | 'workingDirectory'>,
): StandardHeaders | undefined {
  const read = readerOf(files, search.workingDirectory)
  const names = new Set<string>()
  const libraries = new Set<string>()
  let conditional = false
  let setsTemplates = false
  for (const text of Object.values(collectFiles({ ...search, sources: [source], read }))) {
    if (typeof text !== 'string') continue
    const found = headersOf(text)
    if (found === undefined) return undefined
    // A folder of the user's may have a file of that name.
    if (
      [...found.names, ...found.libraries].some(name =>
        search.includeDirs.some(directory => read(joinPath(directory, name)) !== undefined),
      )
    )
      return undefined
    for (const name of found.names) names.add(name)
    for (const name of found.libraries) libraries.add(name)
    conditional ||= found.conditional
    setsTemplates ||= found.setsTemplates
  }
  if (libraries.size > 0 && setsTemplates) return undefined
  // One that is not installed is the source's error: there is nothing to precompile.
  const isThere = [...libraries].every(name => read(joinPath(LIBRARY_DIR, name)) !== undefined)
  // What it includes anyway makes no other set of headers.
  if (names.has(ALL_HEADERS)) for (const name of COMMON_HEADERS) names.delete(name)
  return { names: [...names].sort(), conditional, libraries: isThere ? [...libraries] : [] }
}

function headersOf(text: string): (StandardHeaders & { readonly setsTemplates: boolean }) | undefined {
  const names: string[] = []
  const libraries: string[] = []
  const lines = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').matchAll(DIRECTIVE)
  let depth = 0
  let guard: string | undefined
  let asked: string | undefined
  let first = true
  let conditional = false
  let setsTemplates = false
  for (const [, directive, rest = ''] of lines) {
    const word = rest.trim()
    if (directive === 'if' || directive === 'ifdef' || directive === 'ifndef') {
      // `#ifndef NAME` at the top, with `#define NAME` below, is no condition.
      asked = directive === 'ifndef' ? word : undefined
      if (first && directive === 'ifndef') guard = word
      else depth++
    } else if (directive === 'endif') {
      if (depth > 0) depth--
    } else if (directive === 'define') {
      const name = /^\w+/.exec(word)?.[0] ?? ''
      if (name !== asked && name !== guard && isSetting(name)) return undefined
      setsTemplates ||= TEMPLATE_SETTING.test(name)
    } else if (directive === 'include') {
      const name = /^<([^>]+)>/.exec(word)?.[1] ?? ''
      if (PARTICULAR.test(name)) return undefined
      if (TEMPLATE_LIBRARY.test(name)) {
        if (depth > 0) return undefined
        libraries.push(name)
      }
      if (STANDARD.has(name)) {
        conditional ||= depth > 0
        names.push(name)
      }
    }
    first &&= directive === 'pragma'
  }
  return { names, conditional, libraries, setsTemplates }
}

const DIRECTIVE = /^[ \t]*#[ \t]*(\w+)([^\n]*)/gm
