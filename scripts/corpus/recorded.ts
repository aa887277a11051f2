/**
 * What programs printed on a real GPU, by program: a JSON list made once with nvcc on an H200 from the same manifest. Times,
 * rates and device properties differ from run to run, so outputs are compared with their numbers aside.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const recordedSchema = v.array(
  v.object({
    name: v.string(),
    args: v.array(v.string()),
    /** False where nvcc 13 refused the program. */
    compiled: v.optional(v.boolean()),
    exitCode: v.optional(v.number()),
    stdout: v.optional(v.string()),
    failure: v.optional(v.string()),
  }),
)

export interface RecordedRun {
  readonly exitCode: number
  readonly stdout: string
}

/** Runs that ended by themselves, by program. @throws Error for a file that is not such a list. */
export function readRecordedRuns(path: string): Map<string, RecordedRun> {
  const list = v.parse(recordedSchema, JSON.parse(readFileSync(path, 'utf8')))
  const runs = new Map<string, RecordedRun>()
  for (const { name, exitCode, stdout } of list)
    if (exitCode !== undefined && exitCode >= 0) runs.set(name, { exitCode, stdout: stdout ?? '' })
  return runs
}

/** `same`: line by line, numbers aside; else the first pair of lines that differ. Long outputs are compared as far as recorded. */
export function compareOutputs(ours: string, recorded: string): 'same' | { readonly difference: string } {
  const mine = maskedLines(ours)
  const theirs = maskedLines(recorded)
  const index = theirs.findIndex(
    (line, at) => line !== mine[at] && !(at === theirs.length - 1 && mine[at]?.startsWith(line)),
  )
  if (index < 0) return 'same'
  // What blocks and warps print comes in any order.
  if ([...mine].sort().join('\n') === [...theirs].sort().join('\n')) return 'same'
  return { difference: `prints "${(mine[index] ?? '').slice(0, 60)}" for "${(theirs[index] ?? '').slice(0, 60)}"` }
}

/** Numbers become `#`, runs of blanks one; blank lines go. The GPU's name is the driver's matter. */
function maskedLines(text: string): string[] {
  return text
    .split('\n')
    .map(line =>
      line
        .replace(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\b(?:0x)?[0-9a-f]{6,}\b/gi, '#')
        .replace(/\.\/[\w.#-]+/g, './program')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(line => line !== '')
}
