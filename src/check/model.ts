/**
 * The document of `warplens check --json`, versioned by its schema's name: fields are added, never changed. In: what a session found and
 * what ran. Out: plain data, which the terminal's page is printed from as well.
 */
import type { Location } from '../ir/ir.ts'
import type { Dim3 } from '../launch.ts'
import { demangle } from '../report/demangle.ts'
import type { CheckTool, Finding, FindingPlace, FindingSeverity } from './findings.ts'

export const CHECK_SCHEMA = 'warplens-check/1'

export interface CheckReport {
  readonly schema: typeof CHECK_SCHEMA
  readonly generator: { readonly name: 'warplens'; readonly version: string }
  readonly program: { readonly files: readonly string[]; readonly args: readonly string[]; readonly exitCode: number }
  readonly device: string
  readonly tools: readonly CheckTool[]
  readonly launches: { readonly all: number; readonly checked: number }
  readonly summary: { readonly errors: number; readonly warnings: number; readonly infos: number }
  readonly findings: readonly ReportedFinding[]
}

export interface ReportedPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface ReportedFinding {
  readonly tool: CheckTool
  readonly kind: string
  readonly severity: FindingSeverity
  readonly message: string
  /** Name of the kernel in full; null for calls of the host. */
  readonly kernel: string | null
  readonly place: ReportedPlace | null
  /** Lines from where the place's function was called, innermost first. */
  readonly calledFrom: readonly (ReportedPlace & { readonly scope: string })[]
  /** Of a hazard: the access that came first. */
  readonly earlier: ReportedPlace | null
  /** Threads' accesses, calls or allocations that this finding stands for. */
  readonly count: number
  /** Of the first of them: number of the launch, block, thread, device address or offset in shared or local memory. */
  readonly launch: number | null
  readonly block: readonly [number, number, number] | null
  readonly thread: readonly [number, number, number] | null
  readonly address: number | null
  readonly notes: readonly string[]
}

export interface CheckedProgram {
  readonly version: string
  readonly files: readonly string[]
  readonly args: readonly string[]
  readonly exitCode: number
  readonly device: string
  readonly tools: readonly CheckTool[]
  readonly launches: { readonly all: number; readonly checked: number }
}

export function buildCheckReport(findings: readonly Finding[], program: CheckedProgram): CheckReport {
  const { version, files, args, exitCode, device, tools, launches } = program
  const count = (severity: FindingSeverity): number => findings.filter(each => each.severity === severity).length
  return {
    schema: CHECK_SCHEMA,
    generator: { name: 'warplens', version },
    program: { files, args, exitCode },
    device,
    tools,
    launches,
    summary: { errors: count('error'), warnings: count('warning'), infos: count('info') },
    findings: findings.map(reported),
  }
}

function reported({
  tool,
  kind,
  severity,
  message,
  kernel,
  location,
  earlier,
  example,
  count,
}: Finding): ReportedFinding {
  const { launch, block, thread, address, notes } = example
  return {
    tool,
    kind,
    severity,
    message,
    kernel: kernel === undefined ? null : demangle(kernel).full,
    place: location ? placeOf(location) : null,
    calledFrom: location && 'scope' in location ? callersOf(location) : [],
    earlier: earlier ? placeOf(earlier) : null,
    count,
    launch: launch ?? null,
    block: block ? axesOf(block) : null,
    thread: thread ? axesOf(thread) : null,
    address: address ?? null,
    notes,
  }
}

const placeOf = ({ file, line, column }: FindingPlace): ReportedPlace => ({ file, line, column })
const axesOf = ({ x, y, z }: Dim3): readonly [number, number, number] => [x, y, z]

function callersOf(location: Location): ReportedFinding['calledFrom'] {
  const callers: (ReportedPlace & { scope: string })[] = []
  for (let call = location.inlinedAt; call; call = call.inlinedAt) callers.push({ ...placeOf(call), scope: call.scope })
  return callers
}
