/** Finds what a function that the device program only declares does. */
import type { CallInstruction, Func, Type } from '../../ir/ir.ts'
import { elementsOf } from '../arithmetic/values.ts'
import { findAssembly } from './asm.ts'
import { IGNORED, type Intrinsic, pure, type Signature } from './intrinsic.ts'
import { floatIntrinsic } from './intrinsicsFloat.ts'
import { integerIntrinsic } from './intrinsicsInteger.ts'
import { nvvmMath } from './intrinsicsNvvm.ts'
import { runtimeFunction } from './intrinsicsRuntime.ts'
import { matrixIntrinsic } from './matrix.ts'
import { specialRegister } from './specialRegisters.ts'
import { warpIntrinsic } from './warpIntrinsics.ts'

/** Hints, and orders between accesses that this interpreter keeps anyway. */
const WITHOUT_EFFECT = [
  'llvm.lifetime.',
  'llvm.assume',
  'llvm.experimental.noalias.scope.decl',
  'llvm.invariant.',
  'llvm.dbg.',
  'llvm.donothing',
  'llvm.prefetch',
  'llvm.sideeffect',
  'llvm.var.annotation',
  'llvm.nvvm.membar.',
  'llvm.nvvm.fence.',
  'llvm.nvvm.bar.warp.sync',
  'llvm.nvvm.nanosleep',
  'llvm.nvvm.prefetch',
  'llvm.nvvm.griddepcontrol.',
  'llvm.nvvm.pm.event',
  'llvm.nvvm.cp.async.wait.',
]

/** Returns undefined for what is not supported. */
export function findIntrinsic(callee: Func, call: CallInstruction): Intrinsic | undefined {
  const signature: Signature = {
    name: callee.name,
    result: call.type,
    parameters: call.args.map(({ type }) => type),
  }
  if (callee.name.startsWith('asm:')) return findAssembly(signature)
  if (WITHOUT_EFFECT.some(prefix => callee.name.startsWith(prefix))) return IGNORED
  return (
    matrixIntrinsic(call) ??
    runtimeFunction(signature) ??
    specialRegister(signature) ??
    warpIntrinsic(signature) ??
    computed(signature) ??
    nvvmMath(signature)
  )
}

/** LLVM's own, which may work on vectors: then element by element. */
function computed(signature: Signature): Intrinsic | undefined {
  const { result, parameters } = signature
  if (result.kind !== 'vector') return integerIntrinsic(signature) ?? floatIntrinsic(signature)
  const elementType = (type: Type): Type => (type.kind === 'vector' ? type.element : type)
  const scalar: Signature = { ...signature, result: result.element, parameters: parameters.map(elementType) }
  const intrinsic = integerIntrinsic(scalar) ?? floatIntrinsic(scalar)
  if (intrinsic?.kind !== 'pure') return undefined
  return pure(args =>
    Array.from({ length: result.length }, (_, i) =>
      intrinsic.evaluate(args.map((arg, j) => (parameters[j]?.kind === 'vector' ? elementsOf(arg)[i]! : arg))),
    ),
  )
}

/** The message for a call of something unsupported. */
export function unsupportedCall(callee: Func): string {
  if (callee.name.startsWith('asm:')) {
    const { refused } = callee
    const text = refused ?? callee.name.slice(4, callee.name.lastIndexOf('|')).trim()
    const asWritten = text.replaceAll(/\$(?=\d)/g, '%')
    return `inline assembly "${asWritten}" is not supported`
  }
  return callee.name.startsWith('llvm.')
    ? `intrinsic ${callee.name} is not supported`
    : `device function ${callee.name} is declared but not defined, and Warplens does not provide it`
}
