/**
 * The JSON form of a report (`warplens-report/1`) as a schema, and the way back from text. Readers of other languages: the
 * shape is that of model.ts, field by field; unknown fields may be added within a version, none is removed or changed.
 */
import * as v from 'valibot'
import { userError } from '../diagnostic.ts'
import { REPORT_SCHEMA, type Report } from './model.ts'

const text = v.string()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const dims = v.tuple([count, count, count])
const fidelity = v.picklist(['exact', 'modelled', 'unsupported'])

const metric = v.object({ value: v.nullable(v.number()), unit: text, fidelity })

const frame = v.object({ file: text, line: count, column: count, function: text })

const site = v.object({
  file: text,
  line: count,
  column: count,
  inlinedAt: v.array(frame),
  space: v.picklist(['global', 'shared', 'local', 'constant', 'cluster']),
  op: v.picklist(['load', 'store', 'atomic', 'red']),
  bytes: v.picklist([1, 2, 4, 8, 16]),
  array: v.nullable(text),
  executed: count,
  threads: count,
  bytesTouched: count,
  sectors: count,
  sectorsIdeal: count,
  tags: count,
  wavefronts: count,
  wavefrontsIdeal: count,
  fidelity,
  limiterShare: v.exactOptional(v.number()),
})

const launch = v.object({
  index: count,
  kernel: text,
  name: text,
  stream: count,
  grid: dims,
  block: dims,
  sharedBytes: v.object({ static: count, dynamic: count }),
  metrics: v.record(text, metric),
  sites: v.array(site),
  prediction: v.exactOptional(
    v.object({
      fidelity: v.literal('modelled'),
      us: v.number(),
      limiter: text,
      limitersUs: v.record(text, v.number()),
    }),
  ),
  childGrids: v.exactOptional(count),
  fault: v.nullable(text),
})

const timelineEntry = v.object({
  kind: v.picklist(['kernel', 'copy', 'set', 'other']),
  name: text,
  stream: count,
  startUs: v.number(),
  durationUs: v.number(),
  bytes: v.nullable(count),
  launch: v.nullable(count),
})

const finding = v.object({
  rule: text,
  severity: v.picklist(['error', 'warning', 'note']),
  file: text,
  line: count,
  column: count,
  message: text,
  evidence: v.record(text, v.union([v.number(), v.string()])),
})

export const reportSchema = v.object({
  schema: v.literal(REPORT_SCHEMA),
  version: text,
  device: v.object({ name: text, computeCapability: text }),
  program: v.object({ files: v.array(text), args: v.array(text), exitCode: v.number() }),
  launches: v.array(launch),
  timeline: v.array(timelineEntry),
  findings: v.array(finding),
})

/**
 * Reads a report that was written with `-o FILE.json`. `file` is for the message.
 * @throws UserError `bad-report` that names the first field that is wrong.
 */
export function parseReport(json: string, file: string): Report {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw userError('bad-report', `${file} is not JSON`)
  }
  const result = v.safeParse(reportSchema, value)
  if (result.success) return result.output
  const issue = result.issues[0]
  throw userError(
    'bad-report',
    `${file} is not a report of ${REPORT_SCHEMA}: ${v.getDotPath(issue) ?? 'root'}: ${issue.message}`,
  )
}
