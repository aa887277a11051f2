/** Integer constants of PTX as its document has them; each value below is what ptxas puts into `mov.u32` or `mov.u64`. */
import { expect, test } from 'vitest'
import { ptxConstant } from '../../src/ir/ptxConstants.ts'

test.each([
  ['123', 123n],
  ['0123', 83n],
  ['0', 0n],
  ['0xFF', 255n],
  ['0b101', 5n],
  ['123U', 123n],
  ['-1', -1n],
  ['- 7', -7n],
  ['123 + 123 * 7', 984n],
  ['(1 << 5) | 3', 35n],
  ['3 & 1', 1n],
  ['3 == 1', 0n],
  ['~0', -1n],
  ['!5 || 2 < 3', 1n],
  ['1 ? 2 : 3', 2n],
  ['-8 >> 1', -4n],
])('%s is %s', (text, value) => {
  expect(ptxConstant(text)).toBe(value)
})

test.each(['', '%r1', '089', '1 +', '(1', 'WARP_SZ', '1.5', '4 / 0', 'a + 1'])('%s is none', text => {
  expect(ptxConstant(text)).toBeUndefined()
})
