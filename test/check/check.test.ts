/**
 * `warplens check` on programs that say themselves what it must find: `//! tool kind severity [argument]` at the end of a line, and nothing
 * else anywhere. By generated code and by the reference interpreter, whose findings are the same to the last word.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CheckReport } from '../../src/check/model.ts'
import { workshop } from '../cli/harness.ts'

const CASES = [
  'right',
  'memcheck',
  'racecheck',
  'initcheck',
  'initcheck_parts',
  'synccheck',
  'heap',
  'barriers',
  'epochs',
] as const
const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, 'cases', `${name}.cu`), 'utf8')
const shop = workshop(Object.fromEntries(CASES.map(name => [`${name}.cu`, sourceOf(name)])))
afterAll(() => shop.remove())

interface Expected {
  readonly what: string
  readonly argument: string
}

function expectedOf(source: string): Expected[] {
  return source.split('\n').flatMap((text, index) => {
    const [, tool, kind, severity, argument = ''] = /\/\/! (\S+) (\S+) (\S+)(?: (\S+))?/.exec(text) ?? []
    return tool ? [{ what: `${index + 1} ${tool} ${kind} ${severity}`, argument }] : []
  })
}

const foundBy = ({ findings }: CheckReport): string[] =>
  findings.map(({ place, tool, kind, severity }) => `${place?.line} ${tool} ${kind} ${severity}`).sort()

async function check(
  name: string,
  ...args: string[]
): Promise<{ report: CheckReport; exitCode: number; stderr: string }> {
  const { stdout, stderr, exitCode } = await shop.run('check', `${name}.cu`, '--json', ...args)
  expect(stdout, stderr).not.toBe('')
  return { report: JSON.parse(stdout) as CheckReport, exitCode, stderr }
}

describe.each(CASES)('%s', name => {
  const expected = expectedOf(sourceOf(name))
  const runs = [...new Set(['', ...expected.map(({ argument }) => argument)])]
  it.each(runs)('finds what it says (argument "%s")', async argument => {
    const wanted = expected.filter(each => each.argument === argument).map(({ what }) => what)
    const args = argument === '' ? [] : ['--', argument]
    const fast = await check(name, ...args)
    expect(foundBy(fast.report)).toEqual(wanted.sort())
    expect(fast.exitCode).toBe(wanted.some(what => !what.endsWith('info')) ? 1 : 0)
    const slow = await check(name, '--executor', 'reference', ...args)
    expect(slow.report.findings).toEqual(fast.report.findings)
  })
})

describe('options', () => {
  it('look for what is asked for', async () => {
    const { report } = await check('racecheck', '--tool', 'memcheck,initcheck')
    expect(report.tools).toEqual(['memcheck', 'initcheck'])
    expect(report.findings.every(({ tool }) => tool !== 'racecheck')).toBe(true)
    const none = await shop.run('check', 'racecheck.cu', '--tool', 'leakcheck')
    expect(none.exitCode).toBe(2)
    expect(none.stderr).toContain('memcheck, racecheck, initcheck, synccheck')
  })

  it('choose launches, and what others wrote is not held against them', async () => {
    const { report } = await check('initcheck', '-k', 'again')
    expect(report.launches).toEqual({ all: 9, checked: 1 })
    expect(report.findings).toEqual([])
    const two = await check('initcheck', '-k', 'regex:copy', '-c', '2')
    expect(foundBy(two.report)).toHaveLength(1)
    expect(two.report.launches).toEqual({ all: 9, checked: 2 })
    expect((await check('initcheck', '-k', 'regex:copy', '-s', '1')).report.findings).toEqual([])
  })

  it('set the exit code, and leave it to the program where nothing is found', async () => {
    expect((await check('racecheck', '--error-exitcode', '42')).exitCode).toBe(42)
    expect((await check('racecheck', '--error-exitcode', '0')).exitCode).toBe(0)
    shop.write('fails.cu', 'int main() { return 5; }')
    expect((await check('fails')).exitCode).toBe(3)
  })

  it('tell of memory that is never freed, and not of calls that fail', async () => {
    shop.write(
      'leak.cu',
      'int main() {\n  int *p, *q;\n  cudaMalloc(&p, 100);\n  cudaMalloc(&q, 200);\n  cudaFree(p);\n  cudaMemcpy(q, p, 999, cudaMemcpyDeviceToDevice);\n}\n',
    )
    const { report } = await check('leak', '--leak-check', 'full', '--report-api-errors', 'no')
    expect(foundBy(report)).toEqual(['undefined memcheck leak error'])
    expect(report.findings[0]!.message).toContain('200 bytes')
    expect(foundBy((await check('leak')).report)).toEqual(['6 memcheck failed-call error'])
  })
})

describe('--destroy-on-device-error', () => {
  const source = `#include <cstdio>
__global__ void crooked(char *p) { *(int *)(p + 1) = 1; }
__global__ void past(int *p) { p[1 << 20] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 64);
  crooked<<<1, 1>>>((char *)p);
  printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  past<<<1, 1>>>(p);
  return cudaDeviceSynchronize() != cudaSuccess;
}
`
  it('ends that kernel alone, or all', async () => {
    shop.write('bad.cu', source)
    const kernel = await shop.run('check', 'bad.cu', '--destroy-on-device-error', 'kernel')
    expect(kernel.stdout).toContain('no error')
    expect(kernel.stdout).toContain('2 errors')
    const context = await shop.run('check', 'bad.cu')
    expect(context.stdout).toContain('misaligned address')
    expect(context.stdout).toContain('1 error\n')
    expect((await shop.run('run', 'bad.cu', '--destroy-on-device-error', 'kernel')).stderr).toContain('warplens check')
  })
})

describe('the page for people', () => {
  it('has a paragraph for each finding, with threads, places and the source', async () => {
    const { stdout, exitCode } = await shop.run('check', 'memcheck.cu', '--tool', 'memcheck', '--print-limit', '2')
    expect(exitCode).toBe(1)
    const paragraph = stdout.slice(stdout.indexOf('error:'), stdout.indexOf('\n\n'))
    expect(
      paragraph.replace(/0x[0-9a-f]+/g, '0xADDRESS'),
    ).toBe(`error: invalid __global__ read of size 4 bytes (memcheck)
  at memcheck.cu:9:13 in pastEnd(float *, const float *, int)
      float v = in[i];    //! memcheck invalid-global-access error
  by thread (100,0,0) in block (0,0,0)
  through in
  address 0xADDRESS is just past the end of the 400-byte allocation at
  0xADDRESS (cudaMalloc)`)
    expect(stdout).toContain('(7 more are not printed: --print-limit)')
    expect(stdout).toMatch(/========= ERROR SUMMARY: 9 errors\n========= 6 launches under memcheck\n$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('leaves out what is no mistake, unless it is asked for', async () => {
    const quiet = await shop.run('check', 'racecheck.cu')
    expect(quiet.stdout).not.toContain('info:')
    expect(quiet.stdout).toContain('6 errors, 2 warnings, 2 of information')
    const all = await shop.run('check', 'racecheck.cu', '--print-level', 'info')
    expect(all.stdout).toContain('what is stored is there already')
  })
})
