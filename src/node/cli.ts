/**
 * The command line: which command, which flags, which exit code. In: arguments and a terminal. Out: an exit code; a report on
 * standard output, everything else on standard error. Nothing that a user does ends in a stack trace.
 */
import { Command, CommanderError } from 'commander'
import { userError } from '../diagnostic.ts'
import { checkCommand } from './checkCommand.ts'
import { devicesCommand } from './devicesCommand.ts'
import { describeFailure, exitCodes } from './failure.ts'
import { metricsCommand } from './metricsCommand.ts'
import {
  addCheckOptions,
  addCommonOptions,
  addProfileOptions,
  checkOptions,
  commonOptions,
  normalizeArguments,
  profileOptions,
} from './options.ts'
import { profileCommand } from './profileCommand.ts'
import { runCommand } from './runCommand.ts'
import { packageVersion } from './sources.ts'
import { colorsFor, type Terminal } from './terminal.ts'

/** Runs one command. `args` without node and script; what follows `--` goes to the user's program untouched. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const split = args.indexOf('--')
  const given = split < 0 ? args : args.slice(0, split)
  const programArguments = split < 0 ? [] : args.slice(split + 1)
  const version = packageVersion()
  let exitCode: number = exitCodes.fine
  const program = commandLine(version, terminal, programArguments, code => {
    exitCode = code
  })
  try {
    refuseBareFile(given[0])
    await program.parseAsync(normalizeArguments(given), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and version arrive as errors with code 0; the message is already printed.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
    const color = given.includes('--color=never') ? 'never' : 'auto'
    const failure = describeFailure(error, version, colorsFor(color, terminal.stderr, terminal.environment))
    terminal.stderr.write(failure.text)
    return failure.exitCode
  }
}

function commandLine(
  version: string,
  terminal: Terminal,
  programArguments: readonly string[],
  finish: (exitCode: number) => void,
): Command {
  const program = new Command('warplens')
    .description(
      'Runs CUDA C++ programs with no GPU, and counts for every source line what the memory system would do.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .helpCommand('help [command]', 'print the options of a command')
    .showHelpAfterError('(--help prints what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: text => terminal.stdout.write(text),
      writeErr: text => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 80,
      getErrHelpWidth: () => terminal.stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText('after', footer)
  const add = (name: string, description: string): Command =>
    program.command(name).description(description).helpOption('-h, --help', 'print this text')

  addProfileOptions(add('profile', 'run a program and report each kernel launch, as ncu and nvprof do'))
    .argument('<file...>', 'the .cu, .cpp and .c files of one program')
    .usage('<file...> [options] [-- program arguments]')
    .action(async (files, parsed) =>
      finish(await profileCommand(files, programArguments, profileOptions(parsed), terminal)),
    )
  addCommonOptions(add('run', 'run a program; its exit code is the exit code'))
    .argument('<file...>', 'the .cu, .cpp and .c files of one program')
    .usage('<file...> [options] [-- program arguments]')
    .action(async (files, parsed) => finish(await runCommand(files, programArguments, commonOptions(parsed), terminal)))
  addCheckOptions(add('check', 'run a program and report its mistakes, as compute-sanitizer does'))
    .argument('<file...>', 'the .cu, .cpp and .c files of one program')
    .usage('<file...> [options] [-- program arguments]')
    .action(async (files, parsed) =>
      finish(await checkCommand(files, programArguments, checkOptions(parsed), terminal)),
    )
  add('devices', 'the table of GPUs, or one in full')
    .argument('[name]', 'as for --device')
    .action(name => devicesCommand(name, terminal))
  add('metrics', 'the table of metrics, or one in full')
    .argument('[name]', 'an ncu or nvprof name, or regex:EXPR')
    .option('--device <name>', 'the GPU to be', 'H200')
    .action((name, { device }) => metricsCommand(name, device, terminal))
  return program
}

/** The command is what a first try leaves out. */
function refuseBareFile(first: string | undefined): void {
  if (first === undefined || !SOURCE.test(first)) return
  throw userError('no-command', `${first} stands where the command belongs`, undefined, [
    `warplens run ${first} runs it`,
    `warplens profile ${first} reports each kernel launch`,
    `warplens check ${first} reports its mistakes`,
  ])
}

const SOURCE = /\.(?:cu|cpp|cc|cxx|c)$/

const footer = `
Examples:
  warplens run transpose.cu -- 1024 1024
  warplens profile transpose.cu -- 1024 1024
  warplens profile transpose.cu -k regex:^naive --page source
  warplens profile transpose.cu --metrics gld_efficiency,gst_efficiency
  warplens profile transpose.cu -o report.html -o report.json
  warplens check transpose.cu --tool memcheck,racecheck

Exit codes: run gives the program's own. Others: 0 fine, 1 findings of
check (--error-exitcode), 2 a mistake in the command or the source, 3 the
program itself failed, 70 a bug of ours.
`
