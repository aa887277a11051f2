/**
 * `npm run math:accuracy [effort [function]]`: measures include/warplens/math natively against libquadmath and the
 * processor's rounding modes. Wants g++ with libquadmath; CI does not run it (test/math/deviceMath.test.ts needs only Node).
 * `--expectations` writes expectations.txt anew.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const headers = fileURLToPath(new URL('../../include/warplens/math', import.meta.url))
const build = mkdtempSync(join(tmpdir(), 'warplens-math-'))
const flags = ['-std=gnu++17', '-O2', '-ffp-contract=off', '-fno-builtin', '-w', '-I', headers]

/** Builds one of the native programs, runs it here and returns its exit status. */
function measure(name, options, ...args) {
  const program = join(build, name)
  const compiled = spawnSync(
    'g++',
    [...flags, ...options, join(here, 'native', `${name}.cpp`), '-o', program, '-lquadmath'],
    {
      stdio: 'inherit',
    },
  )
  if (compiled.status !== 0) return compiled.status ?? 70
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 70
}

try {
  const args = process.argv.slice(2)
  if (args[0] === '--expectations') {
    process.exitCode = measure('accuracy', [], '--expectations', join(here, 'expectations.txt'))
  } else {
    process.exitCode = measure('accuracy', [], ...args) || measure('rounding', ['-frounding-math'])
  }
} finally {
  rmSync(build, { recursive: true })
}
