/**
 * nvcc's flags that a line copied from a makefile brings along and that change nothing here: for which machine to build (`--device`
 * says which one is modelled), what the language allows (all of it is allowed), what the host's compiler, ptxas and the linker are
 * told, which libraries to link. Those that change what a program does, or what the machine counts, are refused with the reason.
 * Source: CUDA Compiler Driver NVCC, "NVCC Command Options".
 */
import { userError } from '../diagnostic.ts'
import { FAST_MATH, FLOAT_CHOICE } from '../frontend/building/floatFlags.ts'

/** With their value behind `=` or as the next argument. */
const WITH_VALUE =
  /^(?:--?(?:arch|gpu-architecture|gencode|generate-code|code|gpu-code|ccbin|compiler-bindir|cudart|diag-suppress|threads|split-compile|Werror|odir|output-directory)|-Xcompiler|--compiler-options|-Xptxas|--ptxas-options|-Xlinker|--linker-options|-Xcudafe|-Xnvlink|-Xarchive|-t|-L|-M[FTQ])(=.*)?$/
const ALONE =
  /^(?:--?(?:extended-lambda|expt-extended-lambda|expt-relaxed-constexpr|rdc=false|relocatable-device-code=false|lineinfo|generate-line-info|disable-warnings|restrict|keep|default-stream=legacy|resource-usage|forward-unknown-to-host-compiler|forward-unknown-to-host-linker|forward-unknown-opts|allow-unsupported-compiler|pthread)|-res-usage|-MM?D|-MP|-t\d+|-[glL]\S*|-w|-m64|-Wno-\S+)$/

/** What is not as such a build would be: reasons by flag. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^(-G|--device-debug)$/, 'kernels are counted as nvcc optimises them'],
  [
    /^--?maxrregcount(=.*)?$/,
    'what a kernel would keep in local memory instead is not known here; __launch_bounds__ is read, and profile --registers says how many it has',
  ],
  [
    /^--?default-stream=per-thread$/,
    'the default stream is the one that waits for all others; cudaStreamPerThread names the other',
  ],
]

/** What nvcc makes, and how far: these commands make no file. Elsewhere `-o` is a report, `-c` a count of launches. */
const OUTPUT = /^(?:-o|--output-file)(=.*)?$/
const COMPILE_ONLY = /^(?:-c|--compile)$/

/** Device code that is linked, which decides how shared memory is read. */
const RELOCATABLE = /^(?:--?(?:rdc|relocatable-device-code)=true|-dc|--device-c)$/
/** With what it is to be behind it. */
const RELOCATABLE_OR_NOT = /^--?(?:rdc|relocatable-device-code)$/

const INCLUDE = /^(?:--?isystem|--system-include|--include-path)(?:=(.*))?$/

/**
 * The arguments without such flags.
 * @throws UserError for a flag of nvcc's that would change what is counted
 */
export function withoutNvccFlags(args: readonly string[]): string[] {
  const kept: string[] = []
  const [command] = args
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const reason = REFUSED.find(([flag]) => flag.test(arg))?.[1]
    if (reason) throw userError('unsupported-flag', `nvcc's ${arg} is not supported: ${reason} (leave it out)`)
    const include = INCLUDE.exec(arg)
    if (include) {
      const folder = include[1] ?? args[++at]
      kept.push('-I', ...(folder === undefined ? [] : [folder]))
      continue
    }
    const isChosen = RELOCATABLE_OR_NOT.test(arg) && /^(?:true|false)$/.test(args[at + 1] ?? '')
    if (isChosen && args[++at] === 'false') continue
    if (isChosen || RELOCATABLE.test(arg)) {
      kept.push('--relocatable-device-code')
      continue
    }
    if (FAST_MATH.test(arg)) {
      kept.push('--use_fast_math')
      continue
    }
    const [, choice, attached] = FLOAT_CHOICE.exec(arg) ?? []
    if (choice !== undefined) {
      kept.push(`--${choice}=${attached ?? args[++at] ?? ''}`)
      continue
    }
    if (command === 'run' && COMPILE_ONLY.test(arg)) continue
    const isOutput = command === 'run' || command === 'check'
    const withValue = WITH_VALUE.exec(arg) ?? (isOutput ? OUTPUT.exec(arg) : null)
    if (withValue) at += withValue[1] === undefined ? 1 : 0
    else if (!ALONE.test(arg)) kept.push(arg)
  }
  return kept
}
