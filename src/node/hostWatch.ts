/**
 * Ends a host program that computes past its time limit without calling anything of ours: V8 can interrupt its own thread,
 * and Node offers that as the time limit of a script. It costs nothing while the program runs.
 */
import { runInNewContext } from 'node:vm'
import type { HostWatch } from '../runtime/run.ts'

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT'
/** setTimeout's and the watchdog's largest number. */
const MAX_MS = 2 ** 31 - 1

export const hostWatch: HostWatch = (limitMs, body) => {
  if (limitMs > MAX_MS) {
    body()
    return true
  }
  let failure: { readonly error: unknown } | undefined
  const run = () => {
    try {
      body()
    } catch (error) {
      failure = { error }
    }
  }
  try {
    runInNewContext('run()', { run }, { timeout: Math.max(1, Math.ceil(limitMs)) })
  } catch (error) {
    // An Error of the other context, and so no instance of ours.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === TIMED_OUT) return false
    throw error
  }
  if (failure) throw failure.error
  return true
}
