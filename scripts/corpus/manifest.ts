/**
 * What a suite of public programs needs beyond its files: folders to look in, flags, arguments, how its programs say that
 * their result is right. In: a JSON file. Out: a checked value. The suites' own manifests lie beside this file; their code
 * is fetched for a run and never part of the repository.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const strings = v.optional(v.array(v.string()), [])
const expression = v.pipe(
  v.string(),
  v.check(text => isExpression(text), 'Not a regular expression.'),
  v.transform(text => new RegExp(text, 'im')),
)

const settings = {
  /** Folders for `#include`, relative to the suite's root; `{program}` is the program's folder. Missing ones are skipped. */
  includeDirs: strings,
  defines: strings,
  /** Further flags of the command line, as `-std=c++14`. */
  flags: strings,
  /** Passed to the program. */
  args: strings,
  /** Text of the program's output that says its own check passed, or failed (ignoring case, line by line). */
  pass: v.optional(expression),
  fail: v.optional(expression),
}

const programSchema = v.strictObject({
  ...settings,
  /** Relative to the program's folder; default: its .cu, .cpp and .c files that no other file includes. */
  sources: v.optional(v.array(v.string())),
  /** Exit codes that mean success; default 0 only (some samples return 1 where all is well). */
  exitCodes: v.optional(v.array(v.number())),
  /** Standard input. */
  input: v.optional(v.string()),
  /** A recorded standard output, relative to the suite's root, that this run must equal. */
  expectedOutput: v.optional(v.string()),
  note: v.optional(v.string()),
})

const manifestSchema = v.strictObject({
  suite: v.string(),
  /** Where the code is from. */
  source: v.string(),
  /** One program is one .cu file, or all files of a folder. */
  unit: v.picklist(['file', 'folder']),
  /** Folders to look in, relative to the root. */
  within: v.optional(v.array(v.string()), ['.']),
  /** Of the folders of that ending, in alphabetical order, those of these numbers modulo `every`, counted from 1. */
  sample: v.optional(v.strictObject({ ending: v.string(), every: v.number(), numbers: v.array(v.number()) })),
  ...settings,
  timeoutSeconds: v.optional(v.number(), 60),
  /** Programs that are out of scope, by reason; a path is a program, or a folder with all below it. */
  exclude: v.optional(v.record(v.string(), v.array(v.string())), {}),
  /** By path relative to the root. */
  programs: v.optional(v.record(v.string(), programSchema), {}),
})

export type Manifest = v.InferOutput<typeof manifestSchema>
export type ProgramSettings = v.InferOutput<typeof programSchema>

/** @throws Error that names the file and what is wrong in it. */
export function readManifest(path: string): Manifest {
  const result = v.safeParse(manifestSchema, JSON.parse(readFileSync(path, 'utf8')))
  if (result.success) return result.output
  throw new Error(`${path}: ${result.issues.map(issue => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')}`)
}

/** For a folder of .cu files that has no manifest: each file is a program. */
export function defaultManifest(suite: string): Manifest {
  return v.parse(manifestSchema, { suite, source: suite, unit: 'file' })
}

export const defaultProgram: ProgramSettings = v.parse(programSchema, {})

function isExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
