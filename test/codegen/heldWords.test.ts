/**
 * Words of shared memory that one warp writes and reads again at the next barriers (heldWords.ts): in other orders, with lanes
 * that leave some out, with constants, copies and other warps' words between them, with the NaNs that reductions meet. Against
 * the interpreter.
 */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'

const BARRIER = 'call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)'
const THREADS = 64

/** A step of the kernel: threads for which `condition` holds do `body`; `{}` is a suffix that makes its names its own. */
interface Step {
  readonly condition: string
  readonly body: string
}

const at = (name: string, index: string): string => `
  %i.${name}.{} = ${index}
  %p.${name}.{} = getelementptr [256 x TYPE], ptr addrspace(3) @s, i32 0, i32 %i.${name}.{}`
const load = (name: string, index: string): string => `${at(name, index)}
  %v.${name}.{} = load TYPE, ptr addrspace(3) %p.${name}.{}`
const store = (name: string, index: string, value: string): string => `${at(name, index)}
  store TYPE ${value}, ptr addrspace(3) %p.${name}.{}`
const sum = (name: string, a: string, b: string): string => `
  %v.${name}.{} = ADD TYPE %v.${a}.{}, %v.${b}.{}`

const tree = (reach: number): Step => ({
  condition: `icmp ult i32 %t, ${reach}`,
  body: `${load('a', 'add i32 %t, 0')}${load('b', `add i32 %t, ${reach}`)}${sum('c', 'a', 'b')}${store('d', 'add i32 %t, 0', '%v.c.{}')}`,
})
const lanes = (count: number, body: string): Step => ({ condition: `icmp ult i32 %t, ${count}`, body })

const CASES: Readonly<Record<string, readonly Step[]>> = {
  'a tree': [32, 16, 8, 4, 2, 1].map(tree),
  'an odd tree': [32, 21, 7, 3, 1].map(tree),
  'other orders': [
    tree(32),
    lanes(
      32,
      `${load('a', 'sub i32 31, %t')}${load('b', 'xor i32 %t, 5')}${sum('c', 'a', 'b')}${store('d', 'add i32 %t, 0', '%v.c.{}')}`,
    ),
    lanes(
      30,
      `${load('a', 'add i32 %t, 1')}${load('b', 'add i32 %t, 2')}${sum('c', 'a', 'b')}${store('d', 'add i32 %t, 1', '%v.c.{}')}`,
    ),
    tree(16),
  ],
  'several lanes to one word': [
    tree(32),
    lanes(32, `${load('a', 'sub i32 31, %t')}${store('d', 'lshr i32 %t, 1', '%v.a.{}')}`),
    tree(16),
    tree(8),
  ],
  'a constant over some': [tree(32), lanes(10, store('d', 'add i32 %t, 3', 'CONSTANT')), tree(16), tree(4)],
  'words of another warp between': [
    tree(32),
    tree(16),
    {
      condition: 'icmp ugt i32 %t, 40',
      body: `${load('a', 'add i32 %t, 0')}${store('d', 'sub i32 %t, 40', '%v.a.{}')}`,
    },
    tree(8),
    tree(4),
  ],
  'what was moved only': [
    lanes(32, `${load('a', 'add i32 %t, 32')}${store('d', 'add i32 %t, 0', '%v.a.{}')}`),
    lanes(8, `${load('a', 'add i32 %t, 6')}${store('d', 'add i32 %t, 0', '%v.a.{}')}`),
    lanes(8, `${load('a', 'sub i32 7, %t')}${store('d', 'add i32 %t, 16', '%v.a.{}')}`),
  ],
  'a sum or a constant': [
    lanes(
      32,
      `${load('a', 'add i32 %t, 0')}${load('b', 'sub i32 31, %t')}${sum('c', 'a', 'b')}
  %odd.{} = and i32 %g, 1
  %is.{} = icmp ne i32 %odd.{}, 0
  %v.e.{} = select i1 %is.{}, TYPE %v.c.{}, TYPE CONSTANT${store('d', 'add i32 %t, 0', '%v.e.{}')}`,
    ),
    lanes(16, `${load('a', 'add i32 %t, 7')}${store('d', 'add i32 %t, 0', '%v.a.{}')}`),
  ],
  'twice in one step': [
    tree(32),
    lanes(
      16,
      `${load('a', 'add i32 %t, 4')}${store('b', 'add i32 %t, 0', '%v.a.{}')}${load('c', 'add i32 %t, 8')}${store('d', 'add i32 %t, 2', '%v.c.{}')}`,
    ),
    tree(8),
  ],
  'an atomic among them': [
    tree(32),
    lanes(
      16,
      `${at('a', 'add i32 %t, 4')}
  %old.{} = atomicrmw add ptr addrspace(3) %p.a.{}, i32 3 monotonic`,
    ),
    tree(8),
  ],
}

function kernel(steps: readonly Step[], type: 'i32' | 'float'): string {
  const parts = steps.map(({ condition, body }, index) =>
    `
  %c.{} = ${condition}
  br i1 %c.{}, label %do.{}, label %after.{}
do.{}:${body}
  br label %after.{}
after.{}:
  ${BARRIER}`.replaceAll('{}', String(index)),
  )
  return `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@s = internal addrspace(3) global [256 x TYPE] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, ${THREADS}
  %g = add i32 %start, %t
  %from = getelementptr TYPE, ptr %in, i32 %g
  %to = getelementptr TYPE, ptr %out, i32 %g
  %mine = getelementptr [256 x TYPE], ptr addrspace(3) @s, i32 0, i32 %t
  %x = load TYPE, ptr %from
  store TYPE %x, ptr addrspace(3) %mine
  ${BARRIER}${parts.join('')}
  %first = load TYPE, ptr addrspace(3) @s
  %last = load TYPE, ptr addrspace(3) %mine
  %is = icmp eq i32 %t, 0
  store TYPE %last, ptr %to
  br i1 %is, label %one, label %end
one:
  %sums = getelementptr TYPE, ptr %out, i32 ${4 * THREADS}
  %place = getelementptr TYPE, ptr %sums, i32 %b
  store TYPE %first, ptr %place
  br label %end
end:
  ret void
}`
    .replaceAll('TYPE', type)
    .replaceAll('ADD', type === 'float' ? 'fadd' : 'add')
    .replaceAll('CONSTANT', type === 'float' ? '1.500000e+00' : '7')
}

/** Numbers, and here and there infinities, quiet and signalling NaNs with payloads. */
const SPECIAL = [0x7f800000, 0xff800000, 0x7fc12345, 0xff812345, 0x80000000, 1]
function bits(index: number, type: 'i32' | 'float'): number {
  if (type === 'i32') return Math.imul(index + 1, 2654435761) >>> 0
  if (index >= 2 * THREADS && index % 11 === 4) return SPECIAL[index % SPECIAL.length]!
  return new Uint32Array(new Float32Array([index / 3 - 20]).buffer)[0]!
}

const all = Object.keys(CASES).flatMap(name => (['i32', 'float'] as const).map(type => ({ name, type })))

test.each(all.filter(({ name, type }) => !(name === 'an atomic among them' && type === 'float')))(
  '$name of $type',
  ({ name, type }) => {
    const input = Uint32Array.from({ length: 4 * THREADS }, (_, index) => bits(index, type))
    const { outcome } = compareExecutors({
      ir: kernel(CASES[name]!, type),
      grid: { x: 4, y: 1, z: 1 },
      block: { x: THREADS, y: 1, z: 1 },
      buffers: [new Uint32Array(4 * THREADS + 4), input],
    })
    expect(outcome.fault).toBeUndefined()
  },
)
