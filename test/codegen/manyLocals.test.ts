/** Kernels that hold much and branch often: V8's baseline compiler takes the product of the two, and is not asked. */
import { expect, test } from 'vitest'
import { compileModule } from '../../src/node/executor.ts'
import { I32, ModuleBuilder } from '../../src/wasm/builder.ts'

/** A function whose every local is read behind all of its branches, and how long its code takes to be there. */
function timeOf(locals: number, branches: number, salt: number, merges: (product: number) => number) {
  const module = new ModuleBuilder()
  const f = module.function([I32], [I32], 'run')
  const held = f.many(I32, locals)
  held.forEach((local, index) => {
    f.get(0)
      .i32(index + salt)
      .op(0x6a)
      .set(local)
  })
  for (let index = 0; index < branches; index++) {
    f.get(0).i32(index).op(0x46).if()
    f.i32(index)
      .set(held[index % locals]!)
      .end()
  }
  f.i32(0)
  for (const local of held) f.get(local).op(0x6a)
  const bytes = module.finish({ initialPages: 1, maximumPages: 65536 })
  const start = performance.now()
  const compiled = compileModule(bytes, merges(f.locals.length * f.branches))
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true })
  const { run } = new WebAssembly.Instance(compiled, { env: { memory } }).exports as { run: (value: number) => number }
  const result = run(7)
  return { ms: performance.now() - start, result, product: f.locals.length * f.branches }
}

test('the time of many locals and many branches is not their product', { timeout: 60_000 }, () => {
  const many = timeOf(4000, 4000, 1, product => product)
  const baseline = timeOf(4000, 4000, 2, () => 0)
  expect(many.product).toBe(16_000_000)
  expect(many.ms).toBeLessThan(baseline.ms / 2)
})

test('both compilers give one result', () => {
  expect(timeOf(20, 30, 1, () => 1e9).result).toBe(timeOf(20, 30, 1, () => 0).result)
})
