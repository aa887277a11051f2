/**
 * What is wrong with a program's memory accesses, in numbers: one finding for each memory instruction of each kernel that
 * moves more sectors, or takes more wavefronts, than its active lanes need. Worst first.
 * The ideals are MEMORY_MODEL.md's: ceil(lanes x width / 32) sectors; the wavefronts of the same lanes without bank conflicts.
 */
import { decimal, percent } from './format.ts'
import type { Finding, LaunchReport, SiteReport } from './model.ts'

/** Sites of one kernel at one place, over all its launches. */
interface Group {
  readonly kernel: string
  readonly site: SiteReport
  launches: number
  executed: number
  threads: number
  sectors: number
  sectorsIdeal: number
  wavefronts: number
  wavefrontsIdeal: number
}

/**
 * Sectors and wavefronts rank in one list, one sector for one wavefront: on 7.0 and later an L1 moves about one sector
 * from L2, or serves about one wavefront, a cycle.
 */
export function findExcess(launches: readonly LaunchReport[]): Finding[] {
  const groups = new Map<string, Group>()
  for (const launch of launches) {
    const seen = new Set<Group>()
    for (const site of launch.sites) {
      const group = groupOf(groups, launch.name, site)
      if (!seen.has(group)) group.launches++
      seen.add(group)
      group.executed += site.executed
      group.threads += site.threads
      group.sectors += site.sectors
      group.sectorsIdeal += site.sectorsIdeal
      group.wavefronts += site.wavefronts
      group.wavefrontsIdeal += site.wavefrontsIdeal
    }
  }
  const ranked = [...groups.values()]
    .map(group => ({ group, excess: excessOf(group) }))
    .filter(entry => entry.excess > 0)
  ranked.sort((a, b) => b.excess - a.excess) // stable: equal ones stay in program order
  return ranked.map(({ group, excess }) => finding(group, excess))
}

function groupOf(groups: Map<string, Group>, kernel: string, site: SiteReport): Group {
  const place = [kernel, site.file, site.line, site.column, site.space, site.op, site.bytes, site.array]
  const key = JSON.stringify([...place, site.inlinedAt])
  let group = groups.get(key)
  if (group === undefined) {
    const zero = {
      launches: 0,
      executed: 0,
      threads: 0,
      sectors: 0,
      sectorsIdeal: 0,
      wavefronts: 0,
      wavefrontsIdeal: 0,
    }
    groups.set(key, (group = { kernel, site, ...zero }))
  }
  return group
}

function excessOf(group: Group): number {
  const { site, sectors, sectorsIdeal, wavefronts, wavefrontsIdeal } = group
  if (site.space === 'shared') return Math.max(0, wavefronts - wavefrontsIdeal)
  return site.space === 'global' ? Math.max(0, sectors - sectorsIdeal) : 0
}

function finding(group: Group, excess: number): Finding {
  const { site, kernel, launches, executed, threads, sectors, sectorsIdeal, wavefronts, wavefrontsIdeal } = group
  const shared = site.space === 'shared'
  const common = { kernel, launches, space: site.space, op: site.op, bytes: site.bytes, executed, threads, excess }
  return {
    rule: shared ? 'shared-bank-conflict' : 'uncoalesced-global-access',
    severity: 'warning',
    file: site.file,
    line: site.line,
    column: site.column,
    message: shared ? conflictMessage(group, excess) : sectorMessage(group, excess),
    evidence: {
      ...common,
      ...(site.array !== null && { array: site.array }),
      ...(shared ? { wavefronts, wavefrontsIdeal } : { sectors, sectorsIdeal }),
    },
  }
}

function sectorMessage(group: Group, excess: number): string {
  const { executed, sectors, sectorsIdeal } = group
  const each = `${decimal(sectors / executed)} sectors a request where ${decimal(sectorsIdeal / executed)} would do`
  return `${each}: ${excess} of ${sectors} sectors in excess (${percent(excess, sectors)})`
}

function conflictMessage(group: Group, excess: number): string {
  const { executed, wavefronts, wavefrontsIdeal } = group
  const each = `${decimal(wavefronts / executed)} wavefronts a request where ${decimal(wavefrontsIdeal / executed)} would do`
  return `${each}: ${excess} of ${wavefronts} wavefronts in excess (${percent(excess, wavefronts)})`
}

/**
 * What a finding is about, without its place: 'shared load of tile in tiled<0>'.
 * @param shown how the kernel is called where there is not room for its whole name
 */
export function accessText({ evidence: { kernel, space, op, array } }: Finding, shown = kernel): string {
  return `${space} ${op}${array === undefined ? '' : ` of ${array}`} in ${shown}`
}
