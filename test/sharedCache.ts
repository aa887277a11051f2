/**
 * One cache of compilations for a whole run of the tests, in a temporary folder: headers are precompiled once and not once a test
 * file, and a program that several files run is compiled once. Entries are named by all that they depend on, so a test gets what it
 * would compile itself. `WARPLENS_CACHE_DIR` from outside is used as it is, and kept.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup(): (() => void) | undefined {
  if (process.env.WARPLENS_CACHE_DIR) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'warplens-tests-'))
  process.env.WARPLENS_CACHE_DIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
