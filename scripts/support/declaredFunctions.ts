/**
 * The functions that preprocessed headers declare, by header: every name before a parenthesis outside of all braces and
 * parentheses, in lines that come from our own headers. What is reserved to our implementation is left out.
 */

export interface HeaderFunctions {
  /** As in include/. */
  readonly header: string
  readonly names: readonly string[]
}

const OWN = /^\/inc\/(.+)$/
const KEYWORDS = new Set([
  '__attribute__',
  'alignas',
  'decltype',
  'if',
  'return',
  'sizeof',
  'static_assert',
  'while',
  'operator',
  'defined',
  '__declspec',
  'asm',
  'explicit',
  'noexcept',
])
const HOST_HEADER = /host_|cublas|cufft|cusolver|cusparse|cuda_runtime_api|driver_(?:memory|queries|types)/
const HOST_NAME = /^(?:cuda|cublas|cufft|cusolver|cusparse|curand|cu[A-Z])/

/** `side`: which functions to keep, those for kernels or those of the runtime and the libraries. Sorted by header, then name. */
export function declaredFunctions(preprocessed: string, side: 'device' | 'host'): HeaderFunctions[] {
  const found = new Map<string, Set<string>>()
  for (const [header, text] of piecesOf(preprocessed)) {
    if (side === 'device' && HOST_HEADER.test(header)) continue
    const names = found.get(header) ?? new Set<string>()
    for (const name of declaratorsOf(text)) if (isWanted(name, side)) names.add(name)
    if (names.size > 0) found.set(header, names)
  }
  return [...found]
    .map(([header, names]) => ({ header, names: [...names].sort() }))
    .sort((a, b) => (a.header < b.header ? -1 : 1))
}

/** The text of each of our headers, joined over its pieces: `# line "file"` begins one. */
function piecesOf(preprocessed: string): Map<string, string> {
  const pieces = new Map<string, string>()
  let header: string | undefined
  for (const line of preprocessed.split('\n')) {
    const marker = /^# \d+ "([^"]+)"/.exec(line)
    if (marker) header = OWN.exec(marker[1] ?? '')?.[1]
    else if (header !== undefined) pieces.set(header, `${pieces.get(header) ?? ''}${line}\n`)
  }
  return pieces
}

function* declaratorsOf(text: string): Generator<string> {
  let depth = 0
  const tokens = text
    .replace(/"(?:\\.|[^"\\])*"/g, '""')
    .replace(/extern\s*""\s*\{/g, '')
    .replace(/namespace\s+\w+\s*\{/g, '')
    .matchAll(/[A-Za-z_]\w*|[{}()]|[^\s\w]/g)
  let previous = ''
  for (const [token] of tokens) {
    if (token === '(' && depth === 0 && /^[A-Za-z_]/.test(previous) && !KEYWORDS.has(previous)) yield previous
    if (token === '(' || token === '{') depth++
    else if (token === ')' || token === '}') depth = Math.max(0, depth - 1)
    previous = token
  }
}

function isWanted(name: string, side: 'device' | 'host'): boolean {
  if (
    /^(?:__asm|__warplens|__WARPLENS|__wl_|__WL_|__nv_|__nvvm_|__builtin|__clang|__internal|__real_|__wrap_)/.test(name)
  )
    return false
  return side === 'host'
    ? HOST_NAME.test(name) && !/^curand(?:_|State)/.test(name)
    : !HOST_NAME.test(name) || /^curand_/.test(name)
}
