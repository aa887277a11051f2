/**
 * nvcc's flags that a line copied from a makefile brings along and that change nothing here: for which machine to build (`--device`
 * says which one is modelled), what the language allows (all of it is allowed), what the host's compiler, ptxas and the linker are
 * told, which libraries to link. Flags that change what a program does (`-use_fast_math`, `-G`, `-maxrregcount`) are no such.
 * Source: CUDA Compiler Driver NVCC, "NVCC Command Options".
 */

/** With their value behind `=` or as the next argument. */
const WITH_VALUE =
  /^(?:--?(?:arch|gpu-architecture|gencode|generate-code|code|gpu-code|ccbin|compiler-bindir|cudart|diag-suppress|threads|Werror)|-Xcompiler|--compiler-options|-Xptxas|--ptxas-options|-Xlinker|--linker-options|-t|-L)(=.*)?$/
const ALONE =
  /^(?:--?(?:extended-lambda|expt-extended-lambda|expt-relaxed-constexpr|rdc=\w+|relocatable-device-code=\w+|lineinfo|generate-line-info|disable-warnings|restrict)|-[glL]\S*|-w|-m64|-Wno-\S+)$/

/** The arguments without such flags. */
export function withoutNvccFlags(args: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const withValue = WITH_VALUE.exec(arg)
    if (withValue) at += withValue[1] === undefined ? 1 : 0
    else if (!ALONE.test(arg)) kept.push(arg)
  }
  return kept
}
