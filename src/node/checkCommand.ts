/**
 * `warplens check`: runs the program and reports its mistakes, as compute-sanitizer does. The program's own standard output comes first on
 * standard output; with --json it goes to standard error, so that the document stands alone; with --quiet it is not shown.
 */
import { buildCheckReport } from '../check/model.ts'
import { checkPage, isShown } from '../check/page.ts'
import { CheckSession } from '../check/programChecks.ts'
import { demangle } from '../report/demangle.ts'
import { exitCodes, programExitCode } from './failure.ts'
import type { CheckCommandOptions } from './options.ts'
import { newProgress, runSession } from './session.ts'
import { packageVersion } from './sources.ts'
import { colorsFor, reportWidth, type Terminal } from './terminal.ts'

/** Returns --error-exitcode where there are findings (no mere information), else 0; 3 where the program itself failed. */
export async function checkCommand(
  files: readonly string[],
  args: readonly string[],
  options: CheckCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { kernel, tools, launchSkip, launchCount } = options
  const checks = new CheckSession({
    tools: new Set(tools),
    ...(kernel && { selects: (name: string) => kernel.matches(demangle(name)) }),
    launchSkip,
    launchCount,
    findsLeaks: options.leakCheck === 'full',
    findsFailedCalls: options.reportApiErrors !== 'no',
    forgivesKernels: options.destroyOnDeviceError === 'kernel',
  })
  const output = options.quiet ? undefined : options.json ? terminal.stderr : terminal.stdout
  const progress = newProgress(options, terminal)
  try {
    const { program, result, device } = await runSession(files, args, options, terminal, output, progress, {
      modelTime: 'never',
      keepLaunches: false,
      checks,
    })
    progress.finish()
    const { exitCode } = result
    const launches = { all: checks.launches, checked: checks.checkedLaunches }
    const ran = { version: packageVersion(), files, args, exitCode, device: device.name, tools, launches }
    const report = buildCheckReport(checks.finish(), ran)
    if (options.json) terminal.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
    else {
      const colors = colorsFor(options.color, terminal.stdout, terminal.environment)
      const sources = new Map([...program.sources, ...result.sources])
      const page = { width: reportWidth(terminal.stdout), colors, sources, most: options.printLimit }
      terminal.stdout.write(checkPage(report, { ...page, level: options.printLevel }))
    }
    if (!options.quiet && exitCode !== 0)
      terminal.stderr.write(`warplens: the program ended with exit code ${exitCode}\n`)
    if (report.findings.some(finding => isShown(finding, 'warning'))) return options.errorExitCode
    return programExitCode(result) === 0 ? exitCodes.fine : exitCodes.programFailed
  } finally {
    progress.finish()
    if (options.verbose) terminal.stderr.write(progress.summary())
  }
}
