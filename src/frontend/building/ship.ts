/**
 * What compilations begin with and programs are linked with, made when Warplens is built. In: our headers. Out: entries of the caches that
 * every compilation looks into, under the names that it will ask for.
 */
import { InternalError } from '../../diagnostic.ts'
import type { Clang, FileTree } from '../clang/clang.ts'
import { virtualFiles } from '../sources/virtualFiles.ts'
import { deviceCommand, hostCommand } from './commands.ts'
import { commandOptions } from './plan.ts'
import { type HeaderCache, shipHeaders } from './precompiledHeaders.ts'
import { hasErrors, runClang, sourceOf } from './runClang.ts'
import { runtimeUnits } from './runtimeUnits.ts'
import { type UnitCache, unitIdentities } from './unitCache.ts'

/**
 * Makes what the compilation of any program without options can begin with, for `cache` to keep: a header of the device side, and one of
 * the host's with exceptions and without.
 */
export function shipHeadersOf(own: FileTree, clang: Clang, cache: HeaderCache): Promise<void> {
  const source = 'any.cu'
  const options = commandOptions({ sources: [source], files: { [source]: '' }, headers: own }, source)
  const hosts = [false, true].map(exceptions => hostCommand({ ...options, exceptions }))
  return shipHeaders(clang, [deviceCommand(options), ...hosts], own, cache)
}

/** Makes what programs are linked with, for `units` to keep. @throws InternalError */
export async function shipUnitsOf(own: FileTree, clang: Clang, units: UnitCache): Promise<void> {
  const source = 'any.cu'
  const options = commandOptions({ sources: [source], files: { [source]: '' }, headers: own }, source)
  const identityOf = unitIdentities(() => ({}), own, '/', sourceOf)
  const world = virtualFiles({}, own, '/')
  const needsAll = { ...options, exceptions: true, filesystem: true, jumps: true, sorting: true, threadLocals: true }
  const commands = [needsAll, options].flatMap(program => runtimeUnits([program])).map(hostCommand)
  for (const [identity, command] of new Map(commands.map(each => [identityOf(each), each]))) {
    const unit = await runClang(clang, command, world)
    if (hasErrors(unit)) throw new InternalError(`clang does not compile ${sourceOf(command)}: ${unit.messages}`)
    await units.store(identity, { output: unit.output, messages: unit.messages })
  }
}
