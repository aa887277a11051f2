/** Public suites: figures by suite, and each program that does not pass with the reason. */
import * as v from 'valibot'

const resultSchema = v.object({
  suite: v.string(),
  source: v.string(),
  programs: v.array(v.object({ name: v.string(), status: v.string(), cause: v.string() })),
})
type SuiteResult = v.InferOutput<typeof resultSchema>

const GOOD = new Set(['passed', 'ran', 'waived'])
/** Not part of the figures: out of scope, or not tried by the recorded run. */
const OUTSIDE = new Set(['excluded', 'not run'])

/** What was run and compared without the command. */
const BY_HAND = `Run by hand once, with output compared with an H200's: Rodinia's 17 programs that need no data files, or take ones of ours (all end as
there; \`hybridsort\` needs OpenGL's headers, \`mummergpu\` the driver API, \`huffman\` and \`kmeans\` do not compile with CUDA 13), and the 36
exercises of the OLCF's CUDA training series that compile (all but five as there: two products of 4096 x 4096 matrices, two with
thousands of launches and one with 1 GiB of \`double\` are longer than a minute).
`

/** `results`: what `npm run corpus -- -o FILE` wrote, one a suite. @throws Error for something else. */
export function corpusSection(results: readonly unknown[]): string {
  const suites = results.map(result => v.parse(resultSchema, result))
  return `## Public programs

Run by \`npm run corpus\`; the code is fetched for the purpose and not part of this repository. "passed": its own check, or its output
(numbers aside) as on an H200, where the two were compared. "ran": it ended as it should, and has no check that we recognise. "waived": the
program says that it needs a second GPU, or pointers of 64 bits. A program has a minute of two cores, compiling aside; arguments are in
\`scripts/corpus\`, with smaller sizes and fewer repetitions where the suite's own are for a GPU: most time limits are of programs whose sizes
are fixed. Last run: all of CUDA by Example, PolyBench and Professional CUDA C, all that was new or had not been good in the others, and half of the
samples; what remains is from the run before.

| Suite | programs run | passed | ran | waived | not | of them by our refusal, by name |
|---|---|---|---|---|---|---|
${suites.map(figures).join('')}
${BY_HAND}
${suites.map(failures).join('')}`
}

function figures({ suite, source, programs }: SuiteResult): string {
  const inScope = programs.filter(({ status }) => !OUTSIDE.has(status))
  const count = (status: string): number => inScope.filter(program => program.status === status).length
  const bad = inScope.filter(({ status }) => !GOOD.has(status)).length
  const share = inScope.length === 0 ? 0 : Math.round((100 * (inScope.length - bad)) / inScope.length)
  return `| ${suite} (${source}) | ${inScope.length} | ${count('passed')} | ${count('ran')} | ${count('waived')} | ${bad} (${share} % good) | ${count('refused')} |\n`
}

function failures({ suite, programs }: SuiteResult): string {
  const bad = programs.filter(({ status }) => !GOOD.has(status) && !OUTSIDE.has(status))
  const excluded = new Map<string, string[]>()
  for (const { name, cause } of programs.filter(({ status }) => status === 'excluded'))
    excluded.set(cause, [...(excluded.get(cause) ?? []), `\`${name}\``])
  const rows = bad.map(({ name, status, cause }) => `| \`${name}\` | ${status} | ${cause.replaceAll('|', '\\|')} |\n`)
  const untried = programs.filter(({ status }) => status === 'not run').map(({ name }) => `\`${name}\``)
  if (untried.length > 0) excluded.set('not run yet', untried)
  const outside = [...excluded].map(([reason, names]) => `Not counted (${reason}): ${names.join(', ')}.\n\n`)
  return `### ${suite}

${rows.length > 0 ? `| Program | Status | Cause |\n|---|---|---|\n${rows.join('')}\n` : ''}${outside.join('')}`
}
