/**
 * Inline assembly: what analysis/lowering/assembly makes of it in words, and each opcode that computes, asked of the reference
 * interpreter's table, which has them all.
 */
import { findPtxInstruction } from '../../src/reference/functions/ptxInstructions.ts'

/** PTX ISA 8.3, chapter 9.7; the forms and their number of sources. */
const FORMS: readonly (readonly [form: string, sources: number])[] = [
  ...['add', 'sub', 'mul.lo', 'mul.hi', 'mul.wide', 'div', 'rem', 'min', 'max', 'and', 'or', 'xor', 'shl', 'shr'].map(
    name => [name, 2] as const,
  ),
  ...[
    'mad.lo',
    'mad.hi',
    'mad.wide',
    'sad',
    'bfe',
    'fma.rn',
    'prmt',
    'selp',
    'shf.l.wrap',
    'shf.r.wrap',
    'shf.l.clamp',
    'shf.r.clamp',
    'lop3',
    'fns',
    'vset4',
    'vmad',
  ].map(name => [name, 3] as const),
  ...['bfi', 'lop3'].map(name => [name, 4] as const),
  ...[
    'mov',
    'not',
    'cnot',
    'neg',
    'abs',
    'popc',
    'clz',
    'bfind',
    'bfind.shiftamt',
    'brev',
    'sqrt.rn',
    'sqrt.approx',
    'rcp.rn',
    'rcp.approx',
    'rsqrt.approx',
    'sin.approx',
    'cos.approx',
    'lg2.approx',
    'ex2.approx',
    'tanh.approx',
  ].map(name => [name, 1] as const),
  ...['add.cc', 'addc', 'addc.cc', 'sub.cc', 'subc', 'subc.cc'].map(name => [name, 2] as const),
  ...['mad.lo.cc', 'madc.lo', 'madc.hi', 'madc.lo.cc', 'madc.hi.cc'].map(name => [name, 3] as const),
  ...['setp.eq', 'setp.lt', 'setp.ge'].map(name => [name, 2] as const),
]
const TYPES = ['u16', 's16', 'b16', 'u32', 's32', 'b32', 'u64', 's64', 'b64', 'f16', 'f32', 'f64', 'pred']

export function ptxSection(): string {
  const rows: string[] = []
  const missing: string[] = []
  for (const [form, sources] of FORMS) {
    const types = TYPES.filter(type => findPtxInstruction(`${form}.${type}`, sources) !== undefined)
    if (types.length > 0) rows.push(`| \`${form}\` | ${types.map(type => `\`${type}\``).join(' ')} |\n`)
    else if (
      !FORMS.some(
        ([other, count]) => other === form && TYPES.some(type => findPtxInstruction(`${other}.${type}`, count)),
      )
    )
      missing.push(`\`${form}\``)
  }
  return `## Inline assembly

Several instructions in one \`asm\`, with registers of its own, scopes and predicates (\`@p\`). Loads, stores, atomics and
reductions of 1 to 16 bytes in every state space, with cache, eviction, order and scope hints; \`cp.async\`; \`cvta\`; \`cvt\` between
integers and floats of 8 to 64 bits, to \`tf32\` and to pairs of 16-bit floats, \`cvt.pack\`; shuffles, votes, matches, \`redux\`, \`elect.sync\`; barriers, fences,
\`exit\`, \`trap\`; special registers; \`vote\`s and \`setp\` with two results; \`ldmatrix\`, \`stmatrix\`, \`movmatrix\`, and \`mma.sync\` of m16n8k8 and m16n8k16 for \`f16\` (sums \`f32\` or \`f16\`) and \`bf16\`, m16n8k4 and m16n8k8 for
\`tf32\`, m16n8k16 and m16n8k32 for \`e4m3\` and \`e5m2\` (sums \`f32\` or \`f16\`), m8n8k16, m16n8k16 and m16n8k32 for \`s8\` and \`u8\` (\`.satfinite\` too), m8n8k4 for \`f64\`; \`wmma.load\`, \`wmma.mma\` and \`wmma.store\` of all that \`mma.h\` has here; \`set\`, \`setp\`, \`testp\`, \`slct\`, \`copysign\`, \`isspacep\`; sums that saturate and those of \`u16x2\` and \`s16x2\`, \`mul24\`, \`mad24\`,
\`dp4a\`, \`dp2a\`, \`bmsk\`, \`szext\`, \`prmt\` in all its modes, the video instructions for sums, differences, minima, maxima (one value, two, four), averages (two, four) and shifts. And:

| Instruction | Types |
|---|---|
${rows.join('')}
Refused by name: labels and branches, \`wgmma\`, other shapes and types of \`mma\`, and everything else, among them ${[...new Set(missing)].join(', ') || 'none of those asked for'}.
`
}
