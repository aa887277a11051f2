/**
 * The device side of one source, as nvcc's own passes would leave it. In: how clang compiles it, whose IR no pass has seen. Out: the same with
 * IR behind LLVM's passes: before them it says what nvcc knows and LLVM would conclude otherwise (passes/), behind them it is cleared
 * of that. Without optimisation no pass runs. What has errors stays as it is.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { Clang } from '../clang/clang.ts'
import { decodeUtf8, encodeUtf8 } from '../clang/text.ts'
import type { CompileInput } from '../compiledProgram.ts'
import { withoutSpeculation } from '../passes/asWritten.ts'
import { keepCarryOrder } from '../passes/carryOrder.ts'
import { raiseCastAlignments } from '../passes/castAlignments.ts'
import { keepChosenPlaces, openPlaces } from '../passes/chosenPlaces.ts'
import { withBoundExchanges, withFreeExchanges } from '../passes/exchanges.ts'
import { copyFields } from '../passes/fieldCopies.ts'
import { dropForwardedShared } from '../passes/forwardedShared.ts'
import { keepInclusiveBounds } from '../passes/inclusiveBounds.ts'
import { tellIndexKinds } from '../passes/indexKinds.ts'
import { repeatKnownCounts } from '../passes/knownCounts.ts'
import { markLoops } from '../passes/markedLoops.ts'
import { tellMembersApart } from '../passes/memberAliases.ts'
import { countAccesses, markMixed, unmark } from '../passes/mixedIndices.ts'
import { markPaddedCopies, unmarkPaddedCopies } from '../passes/paddedCopies.ts'
import { setSharedApart } from '../passes/sharedApart.ts'
import { showStaticVariables } from '../passes/staticVariables.ts'
import { keepTriangularNests } from '../passes/triangularNests.ts'
import { copyVectors } from '../passes/vectorCopies.ts'
import { keepWideBounds } from '../passes/wideBounds.ts'
import { longDoubleParameters, mayTakeLongDoubles, stubsCommand } from '../sizes/longDoubles.ts'
import { type VirtualFiles, virtualFiles } from '../sources/virtualFiles.ts'
import { UNOPTIMIZED } from './commands.ts'
import type { HeaderCache } from './precompiledHeaders.ts'
import {
  type CompiledUnit,
  type CompileUnit,
  hasErrors,
  type Precompiling,
  precompiling,
  runClang,
  sourceOf,
  stopped,
} from './runClang.ts'

/** The device side behind LLVM's passes, with loops around loops as nvcc has them; what clang says is of the user's own text. */
export function markingLoops(
  compile: CompileUnit,
  clang: Clang,
  input: CompileInput,
  headers: HeaderCache | undefined,
  passes: readonly string[],
): CompileUnit {
  const { workingDirectory = '/work' } = input
  return async command => {
    const before = await compile(command)
    const unit = await optimized(clang, before, passes, input)
    if (hasErrors(unit)) return unit
    const ir = {
      file: sourceOf(command),
      text: decodeUtf8(unit.output),
      unoptimised: () => decodeUtf8(before.output),
    }
    const files = markLoops(input.files, ir, workingDirectory)
    if (files === undefined) return unit
    const world = virtualFiles(files, input.headers, workingDirectory)
    const marked = await runClang(clang, command, world, precompiling({ ...input, files }, headers))
    const again = await optimized(clang, marked, passes, input)
    return hasErrors(again) ? unit : { ...unit, output: again.output }
  }
}

/** The device side without LLVM's passes. */
export function withCasts(compile: CompileUnit): CompileUnit {
  return async command => {
    const unit = await compile(command)
    return { ...unit, output: encodeUtf8(raiseCastAlignments(decodeUtf8(unit.output))) }
  }
}

/** Kernels that take what the two sides have different sizes for. `command`: of the host side of what has this device side. */
export async function findLongDoubles(
  clang: Clang,
  command: readonly string[],
  { output }: CompiledUnit,
  { files }: CompileInput,
  world: VirtualFiles,
  headers: Precompiling | undefined,
): Promise<Diagnostic[]> {
  if (!mayTakeLongDoubles(files, decodeUtf8(output))) return []
  const stubs = await runClang(clang, stubsCommand(command), world, headers)
  return longDoubleParameters(sourceOf(command), decodeUtf8(stubs.output))
}

/** The same IR behind LLVM's passes; what has errors stays. */
async function optimized(
  clang: Clang,
  unit: CompiledUnit,
  passes: readonly string[],
  { deviceOnly, asWritten }: CompileInput,
): Promise<CompiledUnit> {
  if (hasErrors(unit)) return unit
  const plain = decodeUtf8(unit.output)
  const written = deviceOnly ? showStaticVariables(plain) : plain
  const prepared = keepChosenPlaces(dropForwardedShared(keepCarryOrder(raiseCastAlignments(written))))
  const machine = tellMembersApart(copyFields(markPaddedCopies(copyVectors(prepared))))
  const kept = keepTriangularNests(keepInclusiveBounds(keepWideBounds(repeatKnownCounts(machine))))
  const shared = setSharedApart(withFreeExchanges(asWritten ? withoutSpeculation(kept) : kept))
  const { text } = shared
  const optimize = async (code: string) => {
    const { exitCode, stdout, stderr } = await clang.run(passes, { [UNOPTIMIZED]: withoutUnsignedSums(code) })
    return { exitCode, stderr, code: decodeUtf8(stdout) }
  }
  const first = await optimize(text)
  const marked = first.exitCode === 0 ? markMixed(text, first.code) : undefined
  const second = marked === undefined ? undefined : await optimize(marked)
  const isOther = second?.exitCode === 0 && countAccesses(second.code) !== countAccesses(first.code)
  const { exitCode, stderr, code } = isOther ? second : first
  const diagnostics = exitCode === 0 ? unit.diagnostics : [...unit.diagnostics, stopped(exitCode, stderr)]
  const behind = tellIndexKinds(text, openPlaces(unmark(unmarkPaddedCopies(shared.restore(withBoundExchanges(code))))))
  return { ...unit, output: encodeUtf8(behind), diagnostics }
}

/**
 * LLVM of today concludes from an index without sign that its sum does not wrap, and that `s[threadIdx.x + 32]` is not `s[3]`; nvcc's does
 * not (PTX of loops that store the one and load the other).
 */
const withoutUnsignedSums = (ir: string): string =>
  ir.replace(/ getelementptr inbounds nuw (?=.* ptr addrspacecast \(ptr addrspace\(3\) )/g, ' getelementptr inbounds ')

/**
 * In relocatable code clang gives a static variable that the host knows a longer name, and may leave uses of the short one
 * behind with a declaration of it.
 */
export function joinStaticNames(text: string): string {
  let joined = text
  for (const [, name, suffix] of text.matchAll(/^@([\w$.]+?)(__static__[0-9a-f]+) = /gm)) {
    const declaration = new RegExp(`^@${name!.replace(/[$.]/g, '\\$&')} = external .*\n`, 'm')
    if (declaration.test(joined))
      joined = joined
        .replace(declaration, '')
        .replace(new RegExp(`@${name!.replace(/[$.]/g, '\\$&')}(?![\\w$.])`, 'g'), `@${name}${suffix}`)
  }
  return joined
}
