/** What clang writes reaches the run that it is of (directOutput.ts), also where several run at the same time on one thread. */
import { expect, it } from 'vitest'
import { createClang } from '../../src/frontend/clang/clang.ts'
import { decodeUtf8 } from '../../src/frontend/clang/text.ts'

const slow = { timeout: 300_000 }
const clang = createClang()
const command = (name: string, format: string) =>
  ['clang', '-cc1', '-triple', 'nvptx-nvidia-cuda', '-O0', format, '-x', 'c++', name, '-o', '-'] as const

it('keeps runs apart', slow, async () => {
  const names = ['first', 'second', 'third']
  const results = await Promise.all(
    names.map(name =>
      clang.run(command(`${name}.cpp`, '-emit-llvm'), {
        [`${name}.cpp`]: `#warning of ${name}\nint ${name}(int x) { return x + 1; }`,
      }),
    ),
  )
  for (const [index, { exitCode, stdout, stderr }] of results.entries()) {
    const name = names[index]!
    const text = decodeUtf8(stdout)
    expect(exitCode).toBe(0)
    expect(text).toContain(`source_filename = "${name}.cpp"`)
    expect(text.match(/^define /gm)).toHaveLength(1)
    expect(text.trimEnd()).toMatch(/}$/)
    expect(stderr).toContain(`of ${name}`)
    expect(names.filter(each => stderr.includes(each))).toEqual([name])
  }
})

it('loses nothing of a long text', slow, async () => {
  const source = Array.from({ length: 3000 }, (_, at) => `int f${at}(int x) { return x * ${at}; }`).join('\n')
  const { exitCode, stdout } = await clang.run(command('many.cpp', '-emit-llvm'), { 'many.cpp': source })
  expect(exitCode).toBe(0)
  const names = [...decodeUtf8(stdout).matchAll(/^define .*@_Z\d+(f\d+)i/gm)].map(match => match[1])
  expect(names).toEqual(Array.from({ length: 3000 }, (_, at) => `f${at}`))
  const { stdout: empty, exitCode: failed } = await clang.run(command('none.cpp', '-emit-llvm'), {})
  expect({ failed, length: empty.length }).toEqual({ failed: 1, length: 0 })
})
