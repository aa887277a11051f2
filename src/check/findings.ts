/**
 * What checks find. Findings of the same kind at the same lines of a kernel are one, with a count and the first of them in full, so that
 * a mistake of a million threads is one paragraph.
 */
import type { Location } from '../ir/ir.ts'
import type { Dim3 } from '../launch.ts'

export const checkTools = ['memcheck', 'racecheck', 'initcheck', 'synccheck'] as const
export type CheckTool = (typeof checkTools)[number]

/** As compute-sanitizer's racecheck has them: information is no mistake, a warning one that depends on how warps run. */
export type FindingSeverity = 'error' | 'warning' | 'info'

export interface FindingPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** The first of those that a finding stands for. */
export interface FindingExample {
  /** Number of the launch, from 0. */
  readonly launch?: number
  readonly block?: Dim3
  readonly thread?: Dim3
  readonly address?: number
  /** Sentences, each a line. */
  readonly notes: readonly string[]
}

export interface Finding {
  readonly tool: CheckTool
  /** Stable, kebab-case. */
  readonly kind: string
  severity: FindingSeverity
  message: string
  /** Mangled. */
  readonly kernel?: string
  readonly location?: Location | FindingPlace
  /** Of a hazard: the other line, whose access came first. */
  readonly earlier?: Location | FindingPlace
  example: FindingExample
  /** Of hazards between two lines: their kinds, in the order in which they were found. */
  readonly hazards?: readonly string[]
  /** Of these, the example is a read of what another thread wrote. */
  readonly isRead?: boolean
  /** Threads' accesses, calls or allocations. */
  count: number
}

export class Findings {
  private readonly found = new Map<string, Finding>()

  /** `example` is made for the first one alone. */
  add(finding: Omit<Finding, 'example' | 'count'>, example: () => FindingExample): void {
    const { tool, kind, message, kernel, location, earlier } = finding
    const key = [tool, kind, message, kernel, placeKey(location), placeKey(earlier)].join('|')
    const known = this.found.get(key)
    if (known) known.count++
    else this.found.set(key, { ...finding, example: example(), count: 1 })
  }

  /** Hazards between two lines are one finding, which is as bad as the worst of them. `hazard`: its kind. */
  addHazard(
    finding: Pick<Finding, 'severity' | 'kernel' | 'location' | 'earlier'>,
    hazard: string,
    isRead: boolean,
    example: () => FindingExample,
  ): void {
    const { severity, kernel, location, earlier } = finding
    const lines = [placeKey(location), placeKey(earlier)].sort()
    const key = ['hazard', kernel, ...lines].join('|')
    const known = this.found.get(key)
    const hazards = known?.hazards ?? []
    const all = hazards.includes(hazard) ? hazards : [...hazards, hazard]
    // Of equals, who reads too early shows best what is wrong.
    const isWorst =
      !known ||
      rank(severity) > rank(known.severity) ||
      (rank(severity) === rank(known.severity) && isRead && !known.isRead)
    if (known && !isWorst && all === hazards) {
      known.count++
      return
    }
    this.found.set(key, {
      tool: 'racecheck',
      kind: 'hazard',
      ...(isWorst ? { ...finding, example: example() } : known),
      message: hazardText(all),
      hazards: all,
      isRead: isWorst ? isRead : known.isRead === true,
      count: (known?.count ?? 0) + 1,
    })
  }

  /** In the order in which they were found first. */
  all(): readonly Finding[] {
    return [...this.found.values()]
  }
}

/** The line of the program's own from which a function of our headers, or of a library's, was called; others are as they are. */
export function ownPlace(location: Location | undefined): Location | undefined {
  for (let frame = location; frame; frame = frame.inlinedAt) if (!/^\/(?:usr|inc)\//.test(frame.file)) return frame
  return location
}

const rank = (severity: FindingSeverity): number => ['info', 'warning', 'error'].indexOf(severity)

function hazardText(kinds: readonly string[]): string {
  return `${kinds.join(' and ')} hazard${kinds.length > 1 ? 's' : ''} in __shared__ memory`
}

function placeKey(place: Location | FindingPlace | undefined): string {
  return place ? `${place.file}:${place.line}` : ''
}
