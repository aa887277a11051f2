/** Device variables as a program finds them: their initial values. */
import { expect, test } from 'vitest'
import { readModule } from '../../src/ir/read.ts'
import { DeviceMemory } from '../../src/runtime/memory/deviceMemory.ts'
import { loadModule } from '../../src/runtime/program/loadModule.ts'

/** A table whose rows differ in length is a structure of as many fields as it has rows. In time that is their number's square, a minute. */
test('a table of thousands of rows that differ in length is laid out at once', { timeout: 15_000 }, () => {
  const count = 16_000
  const rows = Array.from({ length: count }, (_, row) => ({
    type: `{ i32, <{ [${1 + (row % 7)} x i8], [${7 - (row % 7)} x i8] }>, double }`,
    value: `{ i32 ${row}, <{ [${1 + (row % 7)} x i8], [${7 - (row % 7)} x i8] }> zeroinitializer, double 5.000000e-01 }`,
  }))
  const module = readModule(
    `target triple = "nvptx-nvidia-cuda"\n@rows = dso_local addrspace(1) global <{ ${rows.map(({ type }) => type).join(', ')} }> <{ ${rows
      .map(({ type, value }) => `${type} ${value}`)
      .join(', ')} }>, align 8\n`,
    'k.cu',
  )
  const memory = new DeviceMemory(64 * 1024 * 1024)
  const { variables } = loadModule(module, memory)
  const { address, bytes } = variables.get('rows')!
  expect(bytes).toBe(count * 24)
  const { buffer, byteOffset } = memory.viewOf(address, bytes)
  const last = new DataView(buffer, byteOffset + (count - 1) * 24, 24)
  expect([last.getInt32(0, true), last.getFloat64(16, true)]).toEqual([count - 1, 0.5])
})
