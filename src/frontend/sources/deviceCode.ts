/**
 * Whether a source has anything for the device. In: the files that it may open, as they are written. Out: false only where its device side
 * is empty for sure, so that it need not be compiled: of the sources of public programs of several files a third (146 of 433).
 */
import type { FileTree } from '../clang/clang.ts'

/** What any function or variable of the device's, and whatever is one thing on one side and another on the other, is written with. */
const DEVICE_WORDS =
  /\b__(?:global|device|constant|managed|shared|CUDA_ARCH)__|\b__CUDA_ARCH|\bNV_IF_TARGET|\b(?:texture|surface)\s*<|\b(?:global|device|constant|shared)\s*(?:,|\)\s*\))/
/** Libraries of NVIDIA's whose kernels are ours, and are compiled with whoever calls them. */
export const KERNEL_LIBRARIES =
  /^[ \t]*#[ \t]*include[ \t]*[<"](?:cublas(?:_v2|_api|Lt)?|cufft(?:Xt)?|cusparse(?:_v2)?|cusolverDn)\.h[>"]/m
/** What a macro stands for, which may be one of those. */
const MACRO_INCLUDE = /#[ \t]*include[ \t]+[A-Za-z_]/
/** All headers of theirs. */
const KERNEL_HEADERS = /#[ \t]*include[ \t]*[<"](?:cublas|cufft|cusparse|cusolver)\w*\.h[>"]/

/** @param defines `NAME` or `NAME=value`, of the command line */
export function mayHaveDeviceCode(opened: FileTree, defines: readonly string[]): boolean {
  const texts = [...defines, ...Object.values(opened)]
  return texts.some(
    text => typeof text !== 'string' || [DEVICE_WORDS, KERNEL_HEADERS, MACRO_INCLUDE].some(words => words.test(text)),
  )
}

/** IR of a source without any. */
export const emptyDeviceSide = (source: string): string => `source_filename = ${JSON.stringify(source)}\n`
