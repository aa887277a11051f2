#!/usr/bin/env node
/**
 * The executable of the built package: main.ts with all that it imports, which the build makes one script (program.cjs), and the
 * code that V8 made of it in an earlier run. Compiling so much text anew, most of it function by function as it is called, was a
 * third of a short command's time.
 *
 * The code comes with the build where the same Node runs as built it; else the first command that runs a program keeps its own
 * in the cache folder. V8 refuses the code of another version, other options or another text, but trusts the bytes: what is
 * kept has a checksum (compileCache.ts).
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import type { CodeCache } from './compileCache.ts'

/** SHA-256 of program.cjs, by the build. */
declare const PROGRAM_HASH: string

type Program = (require: NodeJS.Require, module: { exports: { finished?: Promise<void> } }, url: string) => void

const filename = fileURLToPath(new URL('program.cjs', import.meta.url))
const source = `(function (require, module, bundleUrl) {${readFileSync(filename, 'latin1')}\n})`
const runtime = `${process.version}-${process.platform}-${process.arch}`
const own = process.argv.includes('--') ? process.argv.slice(2, process.argv.indexOf('--')) : process.argv.slice(2)
const keeps = (own[0] === 'run' || own[0] === 'profile') && !own.includes('--no-cache')

const { script, cache } = await compile()
const module: Parameters<Program>[1] = { exports: {} }
const program: Program = script.runInThisContext()
program(createRequire(import.meta.url), module, import.meta.url)
if (cache) {
  await module.exports.finished
  await cache.store(script.createCachedData())
}

/** The script, and where to keep its code if that is to be kept when the command is over. */
async function compile(): Promise<{ script: Script; cache?: CodeCache }> {
  const shipped = shippedCode()
  const script = shipped && scriptWith(shipped)
  if (script?.cachedDataRejected === false) return { script }
  if (!keeps) return { script: script ?? scriptWith() }
  const { createCodeCache } = await import('./compileCache.ts')
  const cache = createCodeCache(`${PROGRAM_HASH} ${runtime}`)
  const kept = scriptWith(await cache.load())
  return kept.cachedDataRejected === false ? { script: kept } : { script: kept, cache }
}

function scriptWith(cachedData?: Buffer): Script {
  return new Script(source, { filename, cachedData })
}

function shippedCode(): Buffer | undefined {
  try {
    return readFileSync(new URL(`program-${runtime}.code`, import.meta.url))
  } catch {
    return undefined
  }
}
