/**
 * A user's own GPU: `--device my.json`. In: the file's text; out: a checked {@link Device}.
 * A file may start from a known card (`"base": "RTX4090"`) and change some values, or state them all.
 */
import * as v from 'valibot'
import { UserError } from '../diagnostic.ts'
import type { Device } from './device.ts'
import { findDevice } from './devices.ts'

const name = v.pipe(v.string(), v.nonEmpty())
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const bytes = v.pipe(v.number(), v.integer(), v.minValue(0))
const positive = v.pipe(v.number(), v.gtValue(0))
const dimensions = v.tuple([count, count, count])

/** One entry a field of {@link Device}; unknown fields are refused, so that a misspelt one is not ignored. */
const fields = {
  id: name,
  name,
  computeCapability: v.strictObject({ major: count, minor: bytes }),
  multiprocessors: count,
  clockMHz: positive,
  memoryClockMHz: positive,
  memoryBusBits: count,
  memoryBytes: count,
  memoryBandwidthGBs: positive,
  l2Bytes: bytes,
  l2ClockMHz: v.optional(positive),
  emptyLaunchUs: v.optional(positive),
  l1Bytes: bytes,
  sharedBytesPerMultiprocessor: count,
  sharedCarveouts: v.pipe(v.array(bytes), v.minLength(1)),
  sharedBytesPerBlock: count,
  sharedBytesPerBlockOptin: count,
  sharedBytesReserved: bytes,
  sharedAllocationUnit: count,
  maxThreadsPerBlock: count,
  maxBlockDim: dimensions,
  maxGridDim: dimensions,
  maxWarpsPerMultiprocessor: count,
  maxBlocksPerMultiprocessor: count,
  registersPerMultiprocessor: count,
  registersPerBlock: count,
  maxRegistersPerThread: count,
  registerAllocationUnit: count,
  registerAllocation: v.picklist(['warp', 'block']),
  partitions: count,
} satisfies Record<keyof Device, v.GenericSchema>

const whole = v.strictObject(fields)
const withBase = v.strictObject({ ...v.partial(v.object(fields)).entries, base: name })
const baseOnly = v.object({ base: name })

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError({ code: 'invalid-device', severity: 'error', message: `${file} is not JSON: ${reason}` })
  }
}

/** Drops keys whose value is undefined, which optional schema fields allow and a {@link Device} does not. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function invalid(file: string, issues: readonly v.BaseIssue<unknown>[]): UserError {
  return new UserError(
    ...issues.map(issue => ({
      code: 'invalid-device',
      severity: 'error' as const,
      message: `${file}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`,
    })),
  )
}

/**
 * @param text JSON: all fields of {@link Device}, or `base` (a known device's name) and those that differ
 * @param file the name for messages
 * @throws UserError `invalid-device`, one diagnostic a wrong field; `unknown-device` for an unknown base
 */
export function deviceFromJson(text: string, file = 'device file'): Device {
  const json = parseJson(text, file)
  if (!v.is(baseOnly, json)) {
    const result = v.safeParse(whole, json)
    if (!result.success) throw invalid(file, result.issues)
    const { l2ClockMHz, emptyLaunchUs, ...others } = result.output
    return { ...others, ...defined({ l2ClockMHz, emptyLaunchUs }) }
  }
  const result = v.safeParse(withBase, json)
  if (!result.success) throw invalid(file, result.issues)
  const { base, ...changes } = result.output
  return { ...findDevice(base), ...defined(changes) }
}
