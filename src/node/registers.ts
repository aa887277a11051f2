/** What `--registers` says: a number for every kernel, or a file with the machine compiler's listing. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { userError } from '../diagnostic.ts'
import { parseRegisterListing, registerLookup } from '../metrics/occupancy/registerListing.ts'
import { demangle } from '../report/demangle.ts'

/** @throws UserError for 0, for a file that is not there or lists no kernel. */
export function readRegisters(option: string, workingDirectory: string): (kernel: string) => number | undefined {
  if (/^\d+$/.test(option)) {
    const registers = Number(option)
    if (registers < 1 || registers > 255)
      throw userError('bad-registers', `--registers ${option}: a thread has from 1 to 255`)
    return () => registers
  }
  let text: string
  try {
    text = readFileSync(resolve(workingDirectory, option), 'utf8')
  } catch {
    throw userError('no-such-file', `--registers ${option}: neither a number nor a file`)
  }
  const listing = parseRegisterListing(text)
  if (listing.size === 0)
    throw userError(
      'no-registers',
      `--registers ${option}: lists no kernel; write what 'nvcc -Xptxas -v' or 'cuobjdump --dump-resource-usage' prints`,
    )
  return registerLookup(listing, mangled => demangle(mangled).short)
}
