/**
 * One random program in two forms, written as SSA and compiled by clang from CUDA C++ without and with optimisation, must leave the
 * same bits on the reference interpreter. A difference is a fault of the reader, a pass before execution, our headers, or the interpreter.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Optimization } from '../../src/frontend/building/commandFlags.ts'
import { deviceCommand, optimizeCommand, UNOPTIMIZED } from '../../src/frontend/building/commands.ts'
import { createClang } from '../../src/frontend/clang/clang.ts'
import { decodeUtf8 } from '../../src/frontend/clang/text.ts'
import { tellMembersApart } from '../../src/frontend/passes/memberAliases.ts'
import { virtualFiles } from '../../src/frontend/sources/virtualFiles.ts'
import { checkModule } from '../../src/ir/check.ts'
import { readModule } from '../../src/ir/read.ts'
import { launch } from '../reference/launch.ts'
import { type GeneratedKernel, generateKernel } from './generate.ts'

const HEADERS = join(import.meta.dirname, '../../include')
const SEEDS = [1, 12, 13]

const headers = Object.fromEntries(
  readdirSync(HEADERS, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => [relative(HEADERS, path), readFileSync(path, 'utf8')]),
)
const clang = createClang()

async function compile(text: string, optimize: Optimization): Promise<string> {
  const world = virtualFiles({ 'k.cu': text }, headers, '/work')
  const none = { includeDirs: [], defines: [], includes: [] }
  const command = deviceCommand({
    ...none,
    ...{
      source: 'k.cu',
      language: 'cuda',
      standard: 'c++17',
      optimize,
      architecture: 90,
      exceptions: false,
      filesystem: false,
      jumps: false,
      random: false,
      sorting: false,
    },
  })
  const result = await clang.run([...command, ...world.args], world.files)
  if (result.exitCode !== 0) throw new Error(result.stderr)
  if (optimize === 0) return decodeUtf8(result.stdout)
  const files = { [UNOPTIMIZED]: tellMembersApart(decodeUtf8(result.stdout)) }
  const passed = await clang.run(optimizeCommand({ optimize, architecture: 90 }), files)
  if (passed.exitCode !== 0) throw new Error(passed.stderr)
  return decodeUtf8(passed.stdout)
}

/** The words of `out` after the launch. */
function outputOf(ir: string, { grid, block, input, outputWords }: GeneratedKernel): Uint32Array {
  checkModule(readModule(ir, 'k.cu'))
  const out = new Uint32Array(outputWords)
  const { fault } = launch(ir, { grid, block, buffers: [out, new Uint32Array(input)], values: [input.length] })
  expect(fault).toBeUndefined()
  return out
}

test.each(SEEDS)(
  'seed %i',
  async seed => {
    const ssa = generateKernel(seed, { form: 'ir', floats: false })
    const cuda = generateKernel(seed, { form: 'cuda', floats: false })
    const wanted = outputOf(ssa.text, ssa)
    expect(new Set(wanted).size).toBeGreaterThan(3)
    for (const optimize of [0, 2] as const) {
      expect(outputOf(await compile(cuda.text, optimize), cuda), `at -O${optimize}`).toEqual(wanted)
    }
  },
  120_000,
)
