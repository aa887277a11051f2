/**
 * Writes a random program as CUDA C++: one `extern "C"` kernel `k(int *out, const int *in, int n)` and its helpers.
 * It needs the CUDA runtime header for the names of the device functions, and nothing else.
 */
import {
  ATOMIC_OPERATIONS,
  ATOMIC_WORDS,
  bitsOfScalar,
  type Comparison,
  type Condition,
  type Expression,
  type IntegerBinary,
  isFloat,
  type Program,
  type Scalar,
  type Statement,
  slotWords,
  threadsOf,
} from './program.ts'

const PRELUDE = `#include <cuda_runtime.h>
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
typedef signed char s8; typedef short s16; typedef int s32; typedef long long s64; typedef float f32; typedef double f64;
#define ELEMENT(number, index) array##number[(index) % (u32)(sizeof(array##number) / sizeof(*array##number))]
template <class T> __device__ inline T smaller(T a, T b) { return a < b ? a : b; }
template <class T> __device__ inline T larger(T a, T b) { return a > b ? a : b; }
template <class T> __device__ inline T rotated(T a, int n) { return (T)(a << n | a >> ((sizeof(T) * 8 - n) & (sizeof(T) * 8 - 1))); }
template <class T> __device__ inline T trailing(T a) { return a ? __ffsll((u64)a) - 1 : sizeof(T) * 8; }
template <class T, class F> __device__ inline T toInteger(F x, F low, F high) { return x >= low && x < high ? (T)x : (T)0; }
__device__ inline u32 bitsOf32(f32 x) { return x == x ? __float_as_uint(x) : 0u; }
__device__ inline u64 bitsOf64(f64 x) { return x == x ? (u64)__double_as_longlong(x) : 0ull; }
`

export function emitCuda(program: Program): string {
  return PRELUDE + program.helpers.map((_, index) => emitHelper(program, index)).join('') + emitKernel(program)
}

function emitHelper(program: Program, index: number): string {
  const { body, result } = program.helpers[index]!
  const types = program.helperVariables
  const declarations = types.slice(2).map((type, i) => `  ${type} v${i + 2} = 0;\n`)
  const lines = body.map(statement => emitStatement(statement, types, '  '))
  return `__device__ __noinline__ u32 helper${index}(u32 v0, u32 v1) {\n${declarations.join('')}${lines.join('')}  return ${emit(result)};\n}\n`
}

function emitKernel(program: Program): string {
  const { variables, arrays } = program
  const threads = program.block.x * program.block.y * program.block.z
  const declarations = [
    ...variables.map((type, i) => `  ${type} v${i} = 0;\n`),
    ...arrays.map(({ type, length }, i) => `  ${type} array${i}[${length}] = {};\n`),
  ]
  const lines = program.body.map(statement => emitStatement(statement, variables, '  '))
  const results = variables.map((type, i) => {
    const bits = type === 'f32' ? `bitsOf32(v${i})` : type === 'f64' ? `bitsOf64(v${i})` : `(u64)v${i}`
    return `  { u64 bits = ${bits}; slots[${2 + 2 * i}] = (u32)bits; slots[${3 + 2 * i}] = (u32)(bits >> 32); }\n`
  })
  const emitted = [...declarations, ...lines, ...results].join('')
  return `extern "C" __global__ void k(int *out, const int *in, int n_) {
  __shared__ u64 shared64[${threads}]; __shared__ u32 shared32[${threads}];
  __shared__ u16 shared16[${threads}]; __shared__ u8 shared8[${threads}]; __shared__ u32 counts[${ATOMIC_WORDS}];
  const u32 n = n_, threads = ${threads};
  const u32 tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = tid & 31;
  const u32 blockId = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z), gid = blockId * threads + tid;
  u32 *slots = (u32 *)out + gid * ${slotWords(program)}, *atomics = (u32 *)out + ${threadsOf(program) * slotWords(program)};
  (void)lane, (void)atomics, (void)counts;
${emitted}}
`
}

// ---------------------------------------------------------------- statements

function emitStatement(statement: Statement, types: readonly Scalar[], indent: string): string {
  const nested = (list: readonly Statement[]): string =>
    list.map(inner => emitStatement(inner, types, `${indent}  `)).join('')
  switch (statement.kind) {
    case 'assign':
      return `${indent}v${statement.variable} = ${emit(statement.value)};\n`
    case 'if': {
      const otherwise = statement.otherwise.length > 0 ? ` else {\n${nested(statement.otherwise)}${indent}}` : ''
      return `${indent}if (${emitCondition(statement.condition)}) {\n${nested(statement.yes)}${indent}}${otherwise}\n`
    }
    case 'loop': {
      const turns = `${emit(statement.limit)} % ${statement.turns}u`
      if (!statement.atLeastOnce)
        return `${indent}for (u32 i = 0, end = ${turns}; i < end; i++) {\n${nested(statement.body)}${indent}}\n`
      return `${indent}{ u32 i = 0, end = ${turns}; do {\n${nested(statement.body)}${indent}} while (i++ < end); }\n`
    }
    case 'break':
    case 'continue':
      return `${indent}if (${emitCondition(statement.condition)}) ${statement.kind};\n`
    case 'switch': {
      const cases = statement.cases.map(
        ({ value, body, fallsThrough }) =>
          `${indent}case ${value}:\n${nested(body)}${fallsThrough ? '' : `${indent}  break;\n`}`,
      )
      return `${indent}switch (${emit(statement.value)} % 8u) {\n${cases.join('')}${indent}default:\n${nested(statement.fallback)}${indent}}\n`
    }
    case 'setElement':
      return `${indent}ELEMENT(${statement.array}, ${emit(statement.index)}) = ${emit(statement.value)};\n`
    case 'exit':
      return `${indent}if (${emitCondition(statement.condition)}) { slots[0] = ${emit(statement.value)}; return; }\n`
    case 'ownAtomic': {
      const value = emit(statement.value)
      const call =
        statement.op === 'cas'
          ? `atomicCAS(&slots[1], ${emit(statement.expected)}, ${value})`
          : statement.op === 'exch'
            ? `atomicExch(&slots[1], ${value})`
            : emitAtomic(statement.op, '&slots[1]', value)
      return `${indent}v${statement.variable} = ${call};\n`
    }
    case 'globalAtomic': {
      const region = ATOMIC_OPERATIONS.indexOf(statement.op) * ATOMIC_WORDS
      return `${indent}${emitAtomic(statement.op, `&atomics[${region} + ${emit(statement.index)} % ${ATOMIC_WORDS}u]`, emit(statement.value))};\n`
    }
    case 'exchange': {
      const array = `shared${bitsOfScalar(statement.type)}`
      const pointer = `((${statement.type} *)${array})`
      return (
        `${indent}${pointer}[tid] = ${emit(statement.value)}; __syncthreads();\n` +
        `${indent}v${statement.variable} = ${pointer}[(tid * ${statement.multiplier}u + ${emit(statement.shift)}) % threads]; __syncthreads();\n`
      )
    }
    case 'sharedAtomic':
      return (
        `${indent}for (u32 i = tid; i < ${ATOMIC_WORDS}; i += threads) counts[i] = i * 77u;\n${indent}__syncthreads();\n` +
        `${indent}${emitAtomic(statement.op, `&counts[${emit(statement.index)} % ${ATOMIC_WORDS}u]`, emit(statement.value))}; __syncthreads();\n` +
        `${indent}v${statement.variable} = counts[${emit(statement.readIndex)} % ${ATOMIC_WORDS}u]; __syncthreads();\n`
      )
    case 'shuffle': {
      const { mode, width } = statement
      const name = mode === 'idx' ? '__shfl_sync' : mode === 'bfly' ? '__shfl_xor_sync' : `__shfl_${mode}_sync`
      return `${indent}v${statement.variable} = ${name}(~0u, ${emit(statement.value)}, ${emit(statement.lane)} % ${width}u, ${width});\n`
    }
    case 'vote': {
      const name =
        statement.mode === 'ballot' ? '__ballot_sync' : statement.mode === 'any' ? '__any_sync' : '__all_sync'
      return `${indent}v${statement.variable} = ${name}(~0u, ${emitCondition(statement.condition)})${statement.mode === 'ballot' ? '' : ' != 0'};\n`
    }
    case 'leader':
      return (
        `${indent}{ bool some = ${emitCondition(statement.condition)}; u32 mask = __ballot_sync(~0u, some), value = ${emit(statement.value)};\n` +
        `${indent}if (some) v${statement.variable} = __shfl_sync(mask, value, __ffs(mask) - 1); __syncwarp(); }\n`
      )
  }
}

function emitAtomic(op: (typeof ATOMIC_OPERATIONS)[number], pointer: string, value: string): string {
  switch (op) {
    case 'min':
    case 'max':
      return `atomic${op === 'min' ? 'Min' : 'Max'}((int *)(${pointer}), (int)(${value}))`
    case 'umin':
    case 'umax':
      return `atomic${op === 'umin' ? 'Min' : 'Max'}(${pointer}, ${value})`
    default:
      return `atomic${op[0]!.toUpperCase()}${op.slice(1)}(${pointer}, ${value})`
  }
}

// ---------------------------------------------------------------- expressions

const COMPARISONS: Readonly<Record<Comparison, string>> = {
  ...{ eq: '==', ne: '!=', ult: '<', ule: '<=', slt: '<', sle: '<=' },
  ...{ folt: '<', fole: '<=', foeq: '==', funo: '' },
}

function emitCondition(condition: Condition): string {
  if (condition.kind !== 'compare') {
    return `(${emitCondition(condition.a)} ${condition.kind === 'both' ? '&&' : '||'} ${emitCondition(condition.b)})`
  }
  const { op } = condition
  const a = emit(condition.a)
  const b = emit(condition.b)
  if (op === 'funo') return `__builtin_isunordered(${a}, ${b})`
  const cast = op.startsWith('s') ? `(s${bitsOfScalar(condition.a.type)})` : ''
  return `(${cast}${a} ${COMPARISONS[op]} ${cast}${b})`
}

function emit(expression: Expression): string {
  const { type } = expression
  switch (expression.kind) {
    case 'integer':
      return `((${type})${expression.value}ull)`
    case 'float': {
      const digits = String(expression.value)
      return `((${type})${/[.e]/.test(digits) ? digits : `${digits}.0`})`
    }
    case 'variable':
      return `v${expression.index}`
    case 'special':
      return expression.name
    case 'binary':
      return emitBinary(type, expression.op, emit(expression.a), emit(expression.b))
    case 'unary':
      return emitUnary(type, expression.op, emit(expression.a))
    case 'fma':
      return `${type === 'f32' ? 'fmaf' : 'fma'}(${emit(expression.a)}, ${emit(expression.b)}, ${emit(expression.c)})`
    case 'convert':
      return emitConversion(expression.a, type, expression.op)
    case 'select':
      return `(${emitCondition(expression.condition)} ? ${emit(expression.a)} : ${emit(expression.b)})`
    case 'input':
      return `((u32)in[${emit(expression.index)} % n])`
    case 'element':
      return `ELEMENT(${expression.array}, ${emit(expression.index)})`
    case 'call':
      return `helper${expression.helper}(${emit(expression.a)}, ${emit(expression.b)})`
  }
}

function emitBinary(type: Scalar, op: string, a: string, b: string): string {
  const bits = bitsOfScalar(type)
  if (isFloat(type)) {
    const suffix = type === 'f32' ? 'f' : ''
    const symbols: Readonly<Record<string, string>> = { fadd: '+', fsub: '-', fmul: '*', fdiv: '/' }
    return symbols[op] ? `(${a} ${symbols[op]} ${b})` : `${op}${suffix}(${a}, ${b})`
  }
  // Narrow types are computed in 32 bits, where unsigned arithmetic wraps, and cut.
  const wide = bits < 32 ? 'u32' : type
  const signed = `s${bits}`
  const plain = (symbol: string): string => `((${type})((${wide})${a} ${symbol} (${wide})${b}))`
  const amount = `(${b} & ${bits - 1})`
  switch (op as IntegerBinary) {
    case 'add':
      return plain('+')
    case 'sub':
      return plain('-')
    case 'mul':
      return plain('*')
    case 'and':
      return plain('&')
    case 'or':
      return plain('|')
    case 'xor':
      return plain('^')
    case 'shl':
      return `((${type})((${wide})${a} << ${amount}))`
    case 'lshr':
      return `((${type})((${wide})${a} >> ${amount}))`
    case 'ashr':
      return `((${type})((${signed})${a} >> ${amount}))`
    case 'udiv':
      return `((${type})(${a} / (${b} | 1)))`
    case 'urem':
      return `((${type})(${a} % (${b} | 1)))`
    case 'sdiv':
      return `((${type})((${signed})((${signed})${a} >> 1) / (${signed})(${b} | 1)))`
    case 'srem':
      return `((${type})((${signed})((${signed})${a} >> 1) % (${signed})(${b} | 1)))`
    case 'umin':
      return `smaller<${type}>(${a}, ${b})`
    case 'umax':
      return `larger<${type}>(${a}, ${b})`
    case 'smin':
      return `((${type})smaller<${signed}>(${a}, ${b}))`
    case 'smax':
      return `((${type})larger<${signed}>(${a}, ${b}))`
    case 'rotl':
      return `rotated<${type}>(${a}, (int)${amount})`
  }
}

function emitUnary(type: Scalar, op: string, a: string): string {
  const bits = bitsOfScalar(type)
  const suffix = type === 'f32' ? 'f' : ''
  const long = bits === 64 ? 'll' : ''
  const wide = Math.max(32, bits)
  switch (op) {
    case 'not':
      return `((${type})~${a})`
    case 'popc':
      return `((${type})__popc${long}(${a}))`
    case 'clz':
      return `((${type})(__clz${long}(${a}) - ${wide - bits}))`
    case 'ctz':
      return `trailing<${type}>(${a})`
    case 'brev':
      return `((${type})(__brev${long}(${a}) >> ${wide - bits}))`
    case 'fneg':
      return `(-${a})`
    default:
      return `${op}${suffix}(${a})`
  }
}

function emitConversion(a: Expression, type: Scalar, op: string): string {
  const text = emit(a)
  const bits = bitsOfScalar(type)
  switch (op) {
    case 'sext':
    case 'sitofp':
      return `((${type})(s${bitsOfScalar(a.type)})${text})`
    case 'tobits':
      return `bitsOf${bits}(${text})`
    case 'frombits':
      return type === 'f32' ? `__uint_as_float(${text})` : `__longlong_as_double((long long)${text})`
    case 'fptosi':
      return `((${type})toInteger<s${bits}, ${a.type}>(${text}, ${-(2 ** (bits - 1))}.0, ${2 ** (bits - 1)}.0))`
    case 'fptoui':
      return `toInteger<${type}, ${a.type}>(${text}, 0.0, ${2 ** bits}.0)`
    default:
      return `((${type})${text})`
  }
}
