/**
 * What the table of launches cannot say in its cells, as sentences for every page and format: launches that ended in a fault,
 * and those whose counters are also other grids'.
 */
import type { LaunchReport } from './model.ts'

export function launchCount(launches: readonly LaunchReport[]): string {
  return `${launches.length} kernel launch${launches.length === 1 ? '' : 'es'}`
}

export function faultNotes(launches: readonly LaunchReport[]): string[] {
  return launches.flatMap(({ index, name, fault }) => (fault === null ? [] : [`Launch ${index}, ${name}: ${fault}`]))
}

/** Kernels that launch others have no rows for those. */
export function childGridNotes(launches: readonly LaunchReport[]): string[] {
  const parents = launches.filter(({ childGrids }) => childGrids !== undefined)
  if (parents.length === 0) return []
  const grids = parents.reduce((sum, { childGrids }) => sum + (childGrids ?? 0), 0)
  const which = parents.length === 1 ? `Launch ${parents[0]!.index}` : `${parents.length} launches`
  return [
    `${which}: counters and time with those of ${grids} grid${grids === 1 ? '' : 's'} that kernels launched, as in Nsight Compute.`,
  ]
}
