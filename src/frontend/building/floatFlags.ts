/** nvcc's and NVRTC's flags of how kernels compute with singles: the same names and values. Source: NVCC and NVRTC, their options. */
import type { FloatChoices } from '../../ir/floatMode.ts'

export const FAST_MATH = /^--?use_fast_math$/
const NAMES = { ftz: 'ftz', 'prec-div': 'precDiv', 'prec-sqrt': 'precSqrt', fmad: 'fmad' } as const
/** Such a flag, with its value behind `=` where it is there. */
export const FLOAT_CHOICE = new RegExp(`^--?(${Object.keys(NAMES).join('|')})(?:=(.*))?$`)

/** What one flag chooses; undefined for any other flag. */
export function readFloatFlag(flag: string): FloatChoices | undefined {
  if (FAST_MATH.test(flag)) return { useFastMath: true }
  const [, name, value] = FLOAT_CHOICE.exec(flag) ?? []
  return value === 'true' || value === 'false' ? { [NAMES[name as keyof typeof NAMES]]: value === 'true' } : undefined
}
