/** The two ways into a kernel: both do the same, and the one that is faster is kept, also when that changes. */
import { expect, test } from 'vitest'
import { exportWaysIn, WAYS_IN, WayIn } from '../../src/codegen/running/stackAlignment.ts'
import { I32, ModuleBuilder } from '../../src/wasm/builder.ts'
import { Op } from '../../src/wasm/opcodes.ts'

/** Runs pieces whose cost is `costs[way]` and grows along the launch; how often each way was taken. */
function pieces(way: WayIn, count: number, costs: readonly [number, number], growth = 0): [number, number] {
  const taken: [number, number] = [0, 0]
  for (let piece = 0; piece < count; piece++) {
    const next = way.next() as 0 | 1
    taken[next]++
    way.took(costs[next] * (1 + growth * piece))
  }
  return taken
}

test.each([0, 0.01, -0.001])('the faster way is taken, with a trend of %f a piece', growth => {
  for (const faster of [0, 1] as const) {
    const costs: [number, number] = faster === 0 ? [1, 1.3] : [1.3, 1]
    const taken = pieces(new WayIn(), 500, costs, growth)
    expect(taken[faster]).toBeGreaterThan(440)
  }
})

test('a change is noticed', () => {
  const way = new WayIn()
  pieces(way, 2000, [1, 1.3])
  const after = pieces(way, 2000, [1.3, 1])
  expect(after[1]).toBeGreaterThan(1300)
})

test('both ways run the same function with the same arguments', () => {
  const module = new ModuleBuilder()
  const body = module.function([I32, I32, I32], [])
  body.get(0).get(1).get(2).op(Op.i32_sub).memory(Op.i32_store, 0)
  exportWaysIn(module, body, [I32, I32, I32])
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true })
  const bytes = module.finish({ initialPages: 1, maximumPages: 65536 }) as Uint8Array<ArrayBuffer>
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  const words = new Int32Array(memory.buffer)
  WAYS_IN.forEach((name, index) => {
    const run = exports[name] as (...args: number[]) => void
    run(4 * index, 50, 8)
    expect(words[index]).toBe(42)
  })
})
