/**
 * The type rules of each instruction, as LLVM's language reference states them for what the IR keeps.
 * In: an instruction of a function; out: nothing, or a call of `fail` with what is wrong.
 */
import type { CallInstruction, CastOp, Constant, Func, Instruction, Type, Value } from './ir.ts'
import { bitsOf, formatType, I1, sameType } from './types.ts'

type Fail = (message: string) => never

export function checkTypes(i: Instruction, func: Func, fail: Fail): void {
  const same = (a: Type, b: Type): void => {
    if (!sameType(a, b)) fail(`types differ: ${formatType(a)} and ${formatType(b)}`)
  }
  const pointer = (value: Value): void => {
    if (value.type.kind !== 'pointer') fail(`a pointer is wanted, not ${formatType(value.type)}`)
  }
  const aligned = (align: number): void => {
    if (!(align > 0) || (align & (align - 1)) !== 0) fail(`alignment ${align} is no power of two`)
  }
  const truth = (value: Value): void => same(value.type, I1)
  const isVoid = (): void => {
    if (i.type.kind !== 'void') fail('it has no value, but a type')
  }
  switch (i.op) {
    case 'fneg':
    case 'fma':
      if (elementType(i.type).kind !== 'float') fail('floating-point operation of another type')
      if (i.op === 'fneg') {
        same(i.type, i.value.type)
        return
      }
      for (const operand of [i.left, i.right, i.addend]) same(i.type, operand.type)
      return
    case 'freeze':
      same(i.type, i.value.type)
      return
    case 'icmp':
    case 'fcmp': {
      const { kind } = elementType(i.left.type)
      same(i.left.type, i.right.type)
      same(elementType(i.type), I1)
      if (i.op === 'fcmp' ? kind !== 'float' : kind !== 'int' && kind !== 'pointer') fail('comparison of another type')
      return
    }
    case 'select':
      same(elementType(i.condition.type), I1)
      same(i.type, i.ifTrue.type)
      same(i.type, i.ifFalse.type)
      return
    case 'gep':
      pointer(i.base)
      same(i.type, i.base.type)
      if (!Number.isInteger(i.offset)) fail('an offset that is no integer')
      for (const { index, scale } of i.terms) {
        if (index.type.kind !== 'int' || !Number.isInteger(scale)) fail('an index that is no integer')
      }
      return
    case 'alloca':
      if (i.type.kind !== 'pointer' || !(i.bytes >= 0)) fail('a bad alloca')
      aligned(i.align)
      return
    case 'load':
      pointer(i.pointer)
      if (i.type.kind === 'void') fail('a load of nothing')
      aligned(i.align)
      return
    case 'store':
      isVoid()
      pointer(i.pointer)
      aligned(i.align)
      return
    case 'atomicrmw':
      pointer(i.pointer)
      same(i.type, i.value.type)
      aligned(i.align)
      return
    case 'cmpxchg':
      pointer(i.pointer)
      same(i.expected.type, i.replacement.type)
      same(i.type, { kind: 'struct', fields: [i.expected.type, I1], packed: false })
      aligned(i.align)
      return
    case 'phi':
      for (const { value } of i.incoming) same(i.type, value.type)
      return
    case 'call':
      checkCall(i, fail)
      return
    case 'extractvalue':
      same(i.type, innerType(i.aggregate.type, i.indices, fail))
      return
    case 'insertvalue':
      same(i.type, i.aggregate.type)
      same(i.value.type, innerType(i.aggregate.type, i.indices, fail))
      return
    case 'extractelement':
      same(i.type, vectorElement(i.vector.type, fail))
      return
    case 'insertelement':
      same(i.type, i.vector.type)
      same(i.value.type, vectorElement(i.vector.type, fail))
      return
    case 'shufflevector':
      same(i.left.type, i.right.type)
      same(vectorElement(i.type, fail), vectorElement(i.left.type, fail))
      if (i.type.kind === 'vector' && i.type.length !== i.mask.length) fail('a mask of another length')
      return
    case 'condbr':
      isVoid()
      truth(i.condition)
      return
    case 'switch':
      isVoid()
      if (i.value.type.kind !== 'int') fail('a switch on what is no integer')
      return
    case 'ret':
      isVoid()
      if (i.value) {
        same(i.value.type, func.returnType)
        return
      }
      if (func.returnType.kind !== 'void') fail('a return without a value')
      return
    case 'fence':
    case 'br':
    case 'unreachable':
      isVoid()
      return
    default:
      if ('left' in i) {
        same(i.type, i.left.type)
        same(i.type, i.right.type)
        const wanted = i.op.startsWith('f') ? 'float' : 'int'
        if (elementType(i.type).kind !== wanted) fail(`${i.op} of ${formatType(i.type)}`)
      } else if (!isCastLegal(i.op, i.value.type, i.type)) {
        fail(`no ${i.op} from ${formatType(i.value.type)} to ${formatType(i.type)}`)
      }
  }
}

function elementType(type: Type): Type {
  return type.kind === 'vector' ? type.element : type
}

function vectorElement(type: Type, fail: Fail): Type {
  return type.kind === 'vector' ? type.element : fail('a vector is wanted')
}

function innerType(type: Type, indices: readonly number[], fail: Fail): Type {
  let inner: Type | undefined = type
  for (const index of indices) {
    inner = inner.kind === 'struct' ? inner.fields[index] : inner.kind === 'array' ? inner.element : undefined
    if (!inner) return fail('an index into what has no elements')
  }
  return inner
}

function checkCall(call: CallInstruction, fail: Fail): void {
  if (call.args.length !== call.byval.length) fail('byval and args differ in length')
  const { callee } = call
  if (callee.kind !== 'function') {
    if (callee.type.kind !== 'pointer') fail('a call of what is no pointer')
    return
  }
  if (!sameType(call.type, callee.returnType)) fail(`@${callee.name} returns ${formatType(callee.returnType)}`)
  const parameters = callee.parameters.filter(parameter => parameter.type.kind !== 'void')
  const fits = callee.variadic ? call.args.length >= parameters.length : call.args.length === parameters.length
  if (!fits) fail(`@${callee.name} has ${parameters.length} parameters`)
  for (const [i, parameter] of parameters.entries()) {
    const arg: Value | Constant = call.args[i]!
    if (!sameType(arg.type, parameter.type)) {
      fail(`argument ${i} of @${callee.name} is ${formatType(arg.type)}, its parameter ${formatType(parameter.type)}`)
    }
  }
}

function isCastLegal(op: CastOp, fromVector: Type, toVector: Type): boolean {
  const from = elementType(fromVector)
  const to = elementType(toVector)
  const narrows = from.kind === to.kind && bitsOf(from) > bitsOf(to)
  const widens = from.kind === to.kind && bitsOf(from) < bitsOf(to)
  switch (op) {
    case 'trunc':
      return from.kind === 'int' && narrows
    case 'zext':
    case 'sext':
      return from.kind === 'int' && widens
    case 'fptrunc':
      return from.kind === 'float' && narrows
    case 'fpext':
      return from.kind === 'float' && widens
    case 'fptoui':
    case 'fptosi':
      return from.kind === 'float' && to.kind === 'int'
    case 'uitofp':
    case 'sitofp':
      return from.kind === 'int' && to.kind === 'float'
    case 'ptrtoint':
      return from.kind === 'pointer' && to.kind === 'int'
    case 'inttoptr':
      return from.kind === 'int' && to.kind === 'pointer'
    case 'addrspacecast':
      return from.kind === 'pointer' && to.kind === 'pointer'
    case 'bitcast':
      return bitsOf(fromVector) === bitsOf(toVector)
  }
}
