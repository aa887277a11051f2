/** Vectors and structures as values: their parts are storage of their own. */
import { userError } from '../../diagnostic.ts'
import type { Instruction, Value } from '../../ir/ir.ts'
import type { KernelContext } from '../kernelContext.ts'
import { leafRange } from '../values/storage.ts'

/** Parts of aggregates are storage of their own: taking apart and putting together moves nothing. */
export function rename(context: KernelContext, instruction: Instruction): void {
  const { values } = context
  switch (instruction.op) {
    case 'extractvalue': {
      const { first, count } = leafRange(instruction.aggregate.type, instruction.indices)
      values.alias(instruction, values.storagesOf(instruction.aggregate).slice(first, first + count))
      return
    }
    case 'insertvalue': {
      const { first, count } = leafRange(instruction.aggregate.type, instruction.indices)
      const parts = [...values.storagesOf(instruction.aggregate)]
      parts.splice(first, count, ...values.storagesOf(instruction.value))
      values.alias(instruction, parts)
      return
    }
    case 'extractelement': {
      const { first, count } = leafRange(instruction.vector.type, [
        constantIndex(context, instruction.index, instruction),
      ])
      values.alias(instruction, values.storagesOf(instruction.vector).slice(first, first + count))
      return
    }
    case 'insertelement': {
      const { first, count } = leafRange(instruction.vector.type, [
        constantIndex(context, instruction.index, instruction),
      ])
      const parts = [...values.storagesOf(instruction.vector)]
      parts.splice(first, count, ...values.storagesOf(instruction.value))
      values.alias(instruction, parts)
      return
    }
    case 'shufflevector': {
      const parts = [...values.storagesOf(instruction.left), ...values.storagesOf(instruction.right)]
      values.alias(
        instruction,
        instruction.mask.map(index => parts[Math.max(0, index)]!),
      )
    }
  }
}

function constantIndex(context: KernelContext, index: Value, { location }: Instruction): number {
  const constant = context.shapes.constantOf(index)
  if (constant === undefined)
    throw userError('unsupported-vector-index', 'an index into a vector must be a constant', location)
  return constant
}

/** Taking an aggregate apart costs nothing: the part is storage of the whole. */
export function isExtraction({ op }: Instruction): boolean {
  return op === 'extractvalue' || op === 'extractelement'
}

export function isAggregate({ type }: Value): boolean {
  return type.kind === 'vector' || type.kind === 'struct' || type.kind === 'array'
}
