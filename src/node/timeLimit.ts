/**
 * A command's time limit: it begins with the command, so that compiling counts, and the program has what compiling left. Clang
 * runs on threads of its own and is given up in the middle; what this thread does itself is looked at when it is done.
 */
import { UserError } from '../diagnostic.ts'
import type { RunOptions } from '../runtime/run.ts'
import { hostWatch } from './hostWatch.ts'

/** setTimeout's largest number. */
const MAX_MS = 2 ** 31 - 1

export interface TimeLimit {
  /**
   * The result of `compiling`, which goes on in vain once the limit is reached: end its threads then.
   * @throws UserError with code `timeout`.
   */
  compile<T>(compiling: Promise<T>): Promise<T>
  /** For the run that begins now. */
  runOptions(): Pick<RunOptions, 'timeLimitMs' | 'watch'>
}

/** Begins now; without `limitMs` there is none. */
export function startTimeLimit(limitMs: number | undefined): TimeLimit {
  if (limitMs === undefined) return { compile: compiling => compiling, runOptions: () => ({}) }
  const end = performance.now() + limitMs
  return {
    async compile(compiling) {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(notCompiled(limitMs)), Math.min(limitMs, MAX_MS))
      })
      try {
        const result = await Promise.race([compiling, over])
        if (performance.now() >= end) throw notCompiled(limitMs)
        return result
      } finally {
        clearTimeout(timer)
      }
    },
    runOptions: () => ({ timeLimitMs: end - performance.now(), watch: hostWatch }),
  }
}

export const TIMEOUT = 'timeout'

const notCompiled = (limitMs: number): UserError =>
  new UserError({
    code: TIMEOUT,
    severity: 'error',
    message: `the program was not compiled within its time limit of ${limitMs / 1000} s, and did not run`,
    notes: ['a time limit counts compiling; compiled programs are kept, and start at once the next time'],
  })
