/** The process around a command as a value, so that a test can run one and read what it would have printed. */
import { createColors } from 'picocolors'
import type { Clang } from '../frontend/clang/clang.ts'
import type { Colors } from '../report/format.ts'

export interface Terminal {
  readonly stdout: Stream
  readonly stderr: Stream
  /** Up to `size` bytes of standard input, none at its end. Blocks. */
  readonly stdin: (size: number) => Uint8Array
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  /** A compiler that outlives the command; without one each command has its own. */
  readonly clang?: Clang
}

export interface Stream {
  readonly write: (text: string | Uint8Array) => void
  readonly isTerminal: boolean
  /** Columns of a terminal; undefined elsewhere. */
  readonly columns: number | undefined
}

export type ColorChoice = 'auto' | 'always' | 'never'

/** `auto` follows https://no-color.org and FORCE_COLOR, then whether the stream is a terminal. */
export function colorsFor(choice: ColorChoice, stream: Stream, environment: Terminal['environment']): Colors {
  const automatic = environment.NO_COLOR ? false : Boolean(environment.FORCE_COLOR) || stream.isTerminal
  return createColors(choice === 'always' || (choice === 'auto' && automatic && environment.TERM !== 'dumb'))
}

/** Columns for a report: the terminal's, between 60 and 160; 80 in a pipe, so that the same command prints the same text. */
export function reportWidth(stream: Stream): number {
  return Math.min(160, Math.max(60, stream.columns ?? 80))
}
