/**
 * What programs of today expect of Thrust and the version of Debian's packages (1.17) has not, since version 2 has it: vectors made
 * from lists of values (`thrust::device_vector<int> v{1, 2, 3}`), function objects of `cuda::std` beside its own, and CUB's scans in place.
 * The copy of its headers that is compiled gets them; a newer Thrust stays as it is.
 * In: the files of a compilation. Out: the same, lines where they were. What its headers bring along besides is added as they are read
 * (`withBroughtHeaders`), since it has to be found too.
 */
import type { FileTree } from '../clang/clang.ts'

const VECTOR_HEADER = /(?:^|\/)thrust\/(device|host)_vector\.h$/
const SCAN_HEADER = /(?:^|\/)cub\/device\/device_scan\.cuh$/
const FUNCTIONS_HEADER = /(?:^|\/)thrust\/functional\.h$/

const ALGORITHM_HEADER = /(?:^|\/)thrust\/(\w+)\.h$/
/** What public headers of CUDA 13's Thrust bring along (`nvcc -M`) and 1.17's do not: programs use it without its own header. */
const BROUGHT: readonly (readonly [header: string, by: ReadonlySet<string>])[] = [
  [
    'iterator/discard_iterator.h',
    named(`adjacent_difference binary_search copy count device_vector equal execution_policy extrema find gather host_vector inner_product
      logical merge mismatch partition reduce remove reverse scan scatter sequence set_operations sort tabulate transform transform_reduce
      transform_scan unique universal_vector`),
  ],
  [
    'iterator/constant_iterator.h',
    named(`count device_vector equal extrema find host_vector inner_product logical mismatch partition reduce set_operations sort
      transform_reduce unique universal_vector`),
  ],
  [
    'copy.h',
    named(
      'count device_vector equal find host_vector inner_product logical mismatch reduce transform_reduce universal_vector',
    ),
  ],
]

/** A header of Thrust with what a newer one includes, behind everything else. */
export function withBroughtHeaders(path: string, text: string): string {
  const name = ALGORITHM_HEADER.exec(path)?.[1]
  if (name === undefined || !text.includes('THRUST_NAMESPACE_')) return text
  const missing = BROUGHT.filter(([header, by]) => by.has(name) && !text.includes(`<thrust/${header}>`))
  return missing.length > 0 ? `${text}\n${missing.map(([header]) => `#include <thrust/${header}>\n`).join('')}` : text
}

function named(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}

export function withNewerThrust(files: FileTree): FileTree {
  const changed = Object.entries(files).flatMap(([path, text]): [string, string][] => {
    if (typeof text !== 'string') return []
    const side = VECTOR_HEADER.exec(path)?.[1]
    if (side !== undefined) return [[path, withLists(text, `${side}_vector`)]]
    if (SCAN_HEADER.test(path)) return [[path, withScansInPlace(text)]]
    return FUNCTIONS_HEADER.test(path) ? [[path, withStandardFunctions(text)]] : []
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : files
}

function withLists(text: string, name: string): string {
  if (text.includes('initializer_list')) return text
  const list = 'std::initializer_list<value_type> list'
  const functions = [
    `${name}(${list}) : Parent(list.begin(), list.end()) {}`,
    `${name}(${list}, const Alloc &alloc) : Parent(list.begin(), list.end(), alloc) {}`,
    `${name} &operator=(${list}) { Parent::assign(list.begin(), list.end()); return *this; }`,
  ]
  return text.replace(`explicit ${name}(size_type n)`, `${functions.join(' ')} $&`)
}

function withStandardFunctions(text: string): string {
  if (text.includes('cuda/std')) return text
  return text.replace(/\n[ \t]*(?=\n#include)/, '\n#include <cuda/std/functional>')
}

/** Scans whose input is their output too: the header's own, with one iterator for both. */
function withScansInPlace(text: string): string {
  if (/\bd_data\b/.test(text)) return text
  const scan = (name: string, types: string, parameters: string, operands: string): string =>
    `template <typename IteratorT${types}> CUB_RUNTIME_FUNCTION static cudaError_t ${name}(void *d_temp_storage, size_t &temp_storage_bytes, ` +
    `IteratorT d_data, ${parameters}int num_items, cudaStream_t stream = 0) { ` +
    `return ${name}(d_temp_storage, temp_storage_bytes, d_data, d_data, ${operands}num_items, stream); }`
  const scans = [
    scan('ExclusiveSum', '', '', ''),
    scan('InclusiveSum', '', '', ''),
    scan(
      'ExclusiveScan',
      ', typename ScanOpT, typename InitValueT',
      'ScanOpT scan_op, InitValueT init_value, ',
      'scan_op, init_value, ',
    ),
    scan('InclusiveScan', ', typename ScanOpT', 'ScanOpT scan_op, ', 'scan_op, '),
  ]
  return text.replace(/struct DeviceScan\s*\{/, `$& ${scans.join(' ')}`)
}
