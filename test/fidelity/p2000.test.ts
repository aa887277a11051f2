/**
 * The transpose program as document 004 ran it, on its Quadro P2000: naive 4.4511 ms, shared 2.3309 ms, copy 1.3557 ms for
 * 4096 x 4096. The whole way from source to time: order and ratios to the copy hold (a quarter of the size: the ratios are
 * the same once the launches fill the card).
 */
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { createClangPool } from '../../src/node/clangPool.ts'
import { createNodeExecutor } from '../../src/node/executor.ts'
import { buildFiles } from '../../src/node/program.ts'
import { executeProgram } from '../../src/pipeline.ts'

const folder = fileURLToPath(new URL('../../../shared/cases/seeds/', import.meta.url))
const clang = createClangPool()
afterAll(() => clang.close())

test('naive > shared > copy on a P2000, each within 25 % of each other’s ratios', async () => {
  const device = findDevice('P2000')
  const silent = { stage: () => {} }
  const built = await buildFiles(
    ['transpose.cu'],
    {
      includeDirs: [],
      defines: [],
      includes: [],
      standard: 'c++17',
      optimize: 2,
      architecture: 61,
      cache: true,
      clang,
      workingDirectory: folder,
      environment: process.env,
    },
    silent,
  )
  const node = createNodeExecutor({ device, jobs: 1 })
  try {
    const result = executeProgram(
      built,
      {
        device,
        executor: node.executor,
        args: ['2048', '2048'],
        stdout: () => {},
        stderr: () => {},
        modelTime: 'always',
      },
      silent,
    )
    const seconds = (kernel: RegExp) => {
      const launch = result.launches.find(({ kernel: name }) => kernel.test(name))!
      return result.models!.of(launch)!.predicted.seconds
    }
    const copy = seconds(/copyGmem/)
    const naive = seconds(/naiveGmemPfPKf/)
    const shared = seconds(/transposeSmemILi0E/)
    expect(naive).toBeGreaterThan(shared)
    expect(shared).toBeGreaterThan(copy)
    expect(Math.abs(naive / copy / (4.4511 / 1.3557) - 1)).toBeLessThan(0.25)
    expect(Math.abs(shared / copy / (2.3309 / 1.3557) - 1)).toBeLessThan(0.25)
    expect(Math.abs(naive / shared / (4.4511 / 2.3309) - 1)).toBeLessThan(0.25)
  } finally {
    await node.close()
  }
}, 300_000)
