/**
 * Both sides of all sources. In: a program's commands, and what compiles one. Out: what each side of each source compiles to, in the plan's
 * order. Where a source has errors, those up to it: no other is begun, since whoever has a typing error in one of ten files would
 * wait for the nine to hear of it.
 */
import { nowMs } from '../clang/text.ts'
import type { CommandOptions } from './commandFlags.ts'
import { inOrder } from './inOrder.ts'
import type { Plan } from './plan.ts'
import { type CompiledUnit, type CompileUnit, hasErrors } from './runClang.ts'

/** Sources under way at a time: with their two sides more commands than clang has threads, so that none of these has to wait. */
const WIDTH = 2

export interface CompiledSides {
  readonly devices: readonly CompiledUnit[]
  readonly hosts: readonly CompiledUnit[]
  /** Milliseconds from the start until the last of each was there. */
  readonly deviceMs: number
  readonly hostMs: number
  /** The source that has errors, or formats that clang stops at; nothing is left out without one. */
  readonly failed: string | undefined
}

interface Source {
  readonly name: string
  readonly device: readonly string[] | undefined
  readonly host: readonly string[] | undefined
}

/**
 * @param suspects sources that had errors under other assumptions, or are likely to have some: they come first, since with errors in them the
 *   others need not be compiled
 */
export async function compileSides(
  plan: Plan,
  units: readonly CommandOptions[],
  compileDevice: CompileUnit,
  compileHost: CompileUnit,
  suspects: readonly string[],
): Promise<CompiledSides> {
  const start = nowMs()
  const ms = { device: 0, host: 0 }
  const side = async (kind: keyof typeof ms, compile: CompileUnit, command: readonly string[] | undefined) => {
    const unit = command && (await compile(command))
    if (unit) ms[kind] = nowMs() - start
    return unit
  }
  const sources = sourcesOf(plan, units)
  const isSuspect = ({ name }: Source): boolean => suspects.includes(name)
  const order = [...sources.filter(isSuspect), ...sources.filter(source => !isSuspect(source))]
  const compiled = await inOrder(
    order,
    WIDTH,
    async source => {
      const [device, host] = await Promise.all([
        side('device', compileDevice, source.device),
        side('host', compileHost, source.host),
      ])
      return { source, device, host }
    },
    ({ device, host }) => fails(device) || fails(host),
  )
  const last = compiled.at(-1)
  const bySource = new Map(compiled.map(each => [each.source, each]))
  const inPlansOrder = sources.flatMap(source => bySource.get(source) ?? [])
  return {
    devices: inPlansOrder.flatMap(({ device }) => device ?? []),
    hosts: inPlansOrder.flatMap(({ host }) => host ?? []),
    deviceMs: ms.device,
    hostMs: ms.host,
    failed: last && (fails(last.device) || fails(last.host)) ? last.source.name : undefined,
  }
}

const fails = (unit: CompiledUnit | undefined): boolean => unit !== undefined && hasErrors(unit)

/** The program's sources with their commands, then ours that it is linked with. */
function sourcesOf(plan: Plan, units: readonly CommandOptions[]): Source[] {
  const devices = plan.devices.values()
  const own = units.map(({ source, language }, index) => ({
    name: source,
    device: language === 'cuda' ? devices.next().value : undefined,
    host: plan.hosts[index],
  }))
  const ours = plan.hosts.slice(units.length).map(host => ({ name: '', device: undefined, host }))
  return [...own, ...ours]
}
