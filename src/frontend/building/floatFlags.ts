/** nvcc's and NVRTC's flags of how kernels compute with singles: the same names and values. Source: NVCC and NVRTC, their options. */
import type { FloatChoices } from '../../ir/floatMode.ts'

const FAST_MATH = /^--?use_fast_math$/
const CHOICE = /^--?(ftz|prec-div|prec-sqrt|fmad)=(true|false)$/
const NAMES = { ftz: 'ftz', 'prec-div': 'precDiv', 'prec-sqrt': 'precSqrt', fmad: 'fmad' } as const

/** What one flag chooses; undefined for any other flag. */
export function readFloatFlag(flag: string): FloatChoices | undefined {
  if (FAST_MATH.test(flag)) return { useFastMath: true }
  const [, name, value] = CHOICE.exec(flag) ?? []
  return name === undefined ? undefined : { [NAMES[name as keyof typeof NAMES]]: value === 'true' }
}
