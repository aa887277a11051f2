/** Kernels of structures, functions, templates, tables, atomics, choices of cases and narrow halves. */
import { condition, enterElements, number, value } from './expressions.ts'
import type { KernelWriter } from './writer.ts'

export function bodies(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double'])
  const structure = `Body_${kernel.name}`
  const extra = random.pick([`${type} mass;`, 'int kind;', '', `${type} mass; int id;`])
  kernel.before.push(
    `struct ${random.chance(0.2) ? '__align__(16) ' : ''}${structure} { ${type} x, y, z; ${type} vx, vy, vz; ${extra} };`,
  )
  const p = kernel.output(structure, 'p')
  const dt = kernel.scalar(type, 'dt')
  const { index: i, count: n } = enterElements(kernel)
  switch (random.below(6)) {
    case 0:
      for (const m of ['x', 'y', 'z']) kernel.line(`${p}[${i}].${m} += ${p}[${i}].v${m} * ${dt};`)
      break
    case 1:
      kernel.line(`${structure} b = ${p}[${i}];`)
      for (const m of ['x', 'y', 'z']) kernel.line(`b.${m} += b.v${m} * ${dt};`)
      if (random.chance(0.5)) kernel.line('if (b.x < 0) { b.x = -b.x; b.vx = -b.vx; }')
      kernel.line(`${p}[${i}] = b;`)
      break
    case 2:
      kernel.line(`${structure} &b = ${p}[${i}];`)
      for (const m of ['x', 'y', 'z']) kernel.line(`b.${m} += b.v${m} * ${dt};`)
      kernel.line(`if (b.y < 0) b.vy = -b.vy;`)
      break
    case 3:
      kernel.line(`${type} fx = 0, fy = 0, fz = 0;`)
      kernel.within(`for (int j = 0; j < ${n}; j++)`, () => {
        for (const m of ['x', 'y', 'z']) kernel.line(`${type} d${m} = ${p}[j].${m} - ${p}[${i}].${m};`)
        kernel.line(`${type} d = dx * dx + dy * dy + dz * dz + 0.01f;`)
        kernel.line(`${type} s = 1 / (d * ${type === 'float' ? 'sqrtf' : 'sqrt'}(d));`)
        for (const m of ['x', 'y', 'z']) kernel.line(`f${m} += d${m} * s;`)
      })
      for (const m of ['x', 'y', 'z']) kernel.line(`${p}[${i}].v${m} += ${dt} * f${m};`)
      break
    case 4: {
      const o = kernel.output(type, 'o')
      kernel.line(`${structure} *b = &${p}[${i}];`)
      kernel.line(`${type} e = b->vx * b->vx + b->vy * b->vy + b->vz * b->vz;`)
      kernel.line(`${o}[${i}] = ${random.pick(['0.5f * e', 'e + b->x', 'b->z > 0 ? e : b->y'])};`)
      break
    }
    default:
      kernel.line(`if (${p}[${i}].x > 1) { ${p}[${i}].x = 1; ${p}[${i}].vx *= -1; }`)
      kernel.line(`if (${p}[${i}].y > 1) { ${p}[${i}].y = 1; ${p}[${i}].vy *= -1; }`)
  }
}

export function records(kernel: KernelWriter): void {
  const { random } = kernel
  const structure = `Record_${kernel.name}`
  const members = random.pick([
    ['int', 'float', 'int'],
    ['char', 'int', 'double'],
    ['short', 'short', 'int'],
    ['int', 'int'],
    ['float', 'float', 'float', 'float'],
    ['unsigned char', 'unsigned char', 'unsigned char'],
    ['double', 'int'],
    ['int', 'char', 'char', 'float'],
  ])
  kernel.before.push(`struct ${structure} { ${members.map((type, at) => `${type} m${at};`).join(' ')} };`)
  const byPointer = random.chance(0.5)
  const a = kernel.input(structure, 'r')
  const o = byPointer ? kernel.output(structure, 'q') : kernel.output('float', 'o')
  const { index: i } = enterElements(kernel)
  const member = () => `m${random.below(members.length)}`
  if (byPointer) {
    switch (random.below(4)) {
      case 0:
        kernel.line(`${o}[${i}] = ${a}[${i}];`)
        break
      case 1:
        kernel.line(`${structure} v = ${a}[${i}];`)
        kernel.line(`v.${member()} += 1;`)
        kernel.line(`${o}[${i}] = v;`)
        break
      case 2:
        kernel.line(`if (${a}[${i}].m0 > ${o}[${i}].m0) ${o}[${i}] = ${a}[${i}];`)
        break
      default:
        for (let at = 0; at < members.length; at++)
          kernel.line(`${o}[${i}].m${at} = ${a}[${i}].m${at}${random.pick(['', ' + 1'])};`)
    }
    return
  }
  if (random.chance(0.5)) kernel.line(`const ${structure} &v = ${a}[${i}];`)
  else kernel.line(`${structure} v = ${a}[${i}];`)
  kernel.line(
    `${o}[${i}] = ${random.pick([`v.${member()} + v.${member()}`, `v.m0 > 0 ? v.${member()} : v.${member()}`, `v.${member()} * 2`])};`,
  )
}

/** Arrays of pointers' own structure (SoA), and structures of parameters, by value. */
export function parameterStructures(kernel: KernelWriter): void {
  const { random } = kernel
  const structure = `Args_${kernel.name}`
  kernel.before.push(
    `struct ${structure} { float *x, *y; const float *w; int n; float scale${random.chance(0.5) ? ', bias[3]' : ''}; };`,
  )
  const has = kernel.before[0]!.includes('bias')
  const args = kernel.scalar(structure, 'args')
  kernel.line('int i = blockIdx.x * blockDim.x + threadIdx.x;')
  kernel.line(`if (i >= ${args}.n) return;`)
  kernel.line(
    random.pick([
      `${args}.y[i] = ${args}.x[i] * ${args}.scale${has ? ` + ${args}.bias[1]` : ''};`,
      `${args}.x[i] += ${args}.w[i]; ${args}.y[i] += ${args}.x[i] * ${args}.scale;`,
      `float sum = 0; for (int k = 0; k < ${args}.n; k++) sum += ${args}.w[k] * ${args}.x[k]; ${args}.y[i] = sum;`,
      `${args}.y[i] = ${has ? `${args}.bias[i % 3]` : `${args}.scale`} + ${args}.x[i];`,
    ]),
  )
}

export function functions(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'double', 'int'] as const)
  const name = kernel.name
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  switch (random.below(5)) {
    case 0:
      kernel.before.push(
        `template <typename T> __device__ T f_${name}(T a, T b) { return ${value(kernel, type, ['a', 'b'])}; }`,
      )
      break
    case 1:
      kernel.before.push(
        `__device__ ${type} f_${name}(${type} a, ${type} b) {\n  if (${condition(kernel, type, ['a', 'b'])}) return ${value(kernel, type, ['a', 'b'])};\n  return ${value(kernel, type, ['b', 'a'])};\n}`,
      )
      break
    case 2:
      kernel.before.push(
        `__device__ ${type} f_${name}(const ${type} &a, const ${type} &b) { return ${value(kernel, type, ['a', 'b'])}; }`,
      )
      break
    case 3:
      kernel.before.push(
        `template <int N> __device__ ${type} f_${name}(${type} a, ${type} b) {\n  ${type} r = a;\n  for (int k = 0; k < N; k++) r = r * b + a;\n  return r;\n}`,
      )
      break
    default:
      kernel.before.push(
        `__device__ __forceinline__ void swap_${name}(${type} *p, ${type} *q) { ${type} t = *p; *p = *q; *q = t; }\n__device__ ${type} f_${name}(${type} a, ${type} b) { return a + b; }`,
      )
  }
  const { index: i } = enterElements(kernel)
  const call = (x: string, y: string) =>
    `f_${name}${kernel.before.at(-1)!.startsWith('template <int') ? '<4>' : ''}(${x}, ${y})`
  switch (random.below(5)) {
    case 0:
      kernel.line(`${o}[${i}] = ${call(`${a}[${i}]`, `${o}[${i}]`)};`)
      break
    case 1:
      kernel.line(`auto g = [&](int k) { return ${call(`${a}[k]`, `${a}[${i}]`)}; };`)
      kernel.line(`${o}[${i}] = g(${i}) + g(${i} + 1);`)
      break
    case 2:
      kernel.line(`${type} v = ${call(`${a}[${i}]`, number(kernel, type))};`)
      kernel.line(`v = ${call('v', `${a}[${i} + 1]`)};`)
      kernel.line(`${o}[${i}] = v;`)
      break
    case 3:
      kernel.line(`for (int k = 0; k < 4; k++) ${o}[4 * ${i} + k] = ${call(`${a}[4 * ${i} + k]`, `${a}[k]`)};`)
      break
    default:
      if (kernel.before[0]!.includes('swap_'))
        kernel.line(`if (${o}[2 * ${i}] > ${o}[2 * ${i} + 1]) swap_${name}(&${o}[2 * ${i}], &${o}[2 * ${i} + 1]);`)
      kernel.line(`${o}[${i}] += ${call(`${a}[${i}]`, `${a}[${i}]`)};`)
  }
}

export function tables(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int'] as const)
  const [name, size] = [`table_${kernel.name}`, random.pick([5, 9, 16, 64])]
  kernel.before.push(`__constant__ ${type} ${name}[${size}];`)
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const { index: i } = enterElements(kernel)
  switch (random.below(4)) {
    case 0:
      kernel.line(`${type} sum = 0;`)
      kernel.line(`for (int k = 0; k < ${size}; k++) sum += ${name}[k] * ${a}[${i} + k];`)
      kernel.line(`${o}[${i}] = sum;`)
      break
    case 1:
      kernel.line(`${o}[${i}] = ${name}[${i} % ${size}] * ${random.pick([`${a}[${i}]`, `__ldg(&${a}[${i}])`])};`)
      break
    case 2:
      kernel.line(`${o}[${i}] = ${a}[(int)${name}[2]] + ${name}[1] * ${a}[${i}];`)
      break
    default:
      kernel.line(`${type} v = ${random.pick([`__ldg(${a} + ${i})`, `__ldg(&${a}[${i}])`])};`)
      kernel.line(`${o}[${i}] += v * ${name}[0];`)
      kernel.line(`${o}[${i}] -= ${random.pick([`__ldg(${a} + ${i})`, `${a}[${i}]`])} * ${name}[1];`)
  }
}

export function cases(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'double'] as const)
  const mode = kernel.input(random.pick(['int', 'char', 'unsigned char']), 'mode')
  const [a, b] = [kernel.input(type, 'a'), kernel.input(type, 'b')]
  const o = kernel.output(type, 'o')
  const isUniform = random.chance(0.3)
  const which = isUniform ? kernel.scalar('int', 'op') : ''
  const { index: i } = enterElements(kernel)
  const reads = [`${a}[${i}]`, `${b}[${i}]`, `${a}[${i} + 1]`]
  const inVariable = random.chance(0.4)
  if (inVariable) kernel.line(`${type} r = ${random.pick(['0', `${a}[${i}]`])};`)
  kernel.open(`switch (${isUniform ? which : `${mode}[${i}]`})`)
  const target = inVariable ? 'r' : `${o}[${i}]`
  const count = random.between(2, 5)
  const shuffled = () => (random.chance(0.5) ? reads : [reads[1]!, reads[0]!, reads[2]!])
  const lines: string[] = []
  for (let at = 0; at < count; at++) lines.push(`case ${at}: ${target} = ${value(kernel, type, shuffled())}; break;`)
  if (random.chance(0.7)) lines.push(`default: ${target} = ${random.pick(['0', reads[0]!])};`)
  for (const line of lines) kernel.line(line)
  kernel.close()
  if (inVariable) kernel.line(`${o}[${i}] = r;`)
}

export function atomics(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['int', 'float', 'unsigned'] as const)
  const keys = kernel.input('int', 'keys')
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const { index: i } = enterElements(kernel)
  switch (random.below(5)) {
    case 0:
      kernel.line(`atomicAdd(&${o}[${keys}[${i}]], ${a}[${i}]);`)
      break
    case 1:
      kernel.line(
        `if (${condition(kernel, type, [`${a}[${i}]`])}) atomicAdd(${o}, ${random.pick(['1', `${a}[${i}]`])});`,
      )
      break
    case 2:
      kernel.line(`${type} v = ${a}[${i}];`)
      kernel.line(`atomicAdd(&${o}[${keys}[${i}]], v);`)
      kernel.line(`atomicAdd(&${o}[${keys}[${i}] + 1], v * ${a}[${i}]);`)
      break
    case 3:
      kernel.line(`int k = ${keys}[${i}];`)
      kernel.line(`if (k >= 0) { atomicAdd(&${o}[k], ${a}[k]); atomicAdd(&${o}[k + 1], ${a}[k + 1]); }`)
      break
    default:
      kernel.line(`if (${a}[${i}] > ${o}[0]) ${type === 'float' ? 'atomicAdd' : 'atomicMax'}(${o}, ${a}[${i}]);`)
  }
}

export function halves(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['__half', '__half2', '__half', 'half'])
  const a = kernel.input(type, 'a')
  const b = kernel.input(type, 'b')
  const isFloat = random.chance(0.3) && type !== '__half2'
  const o = kernel.output(isFloat ? 'float' : type, 'o')
  const { index: i } = enterElements(kernel)
  if (type === '__half2')
    kernel.line(
      `${o}[${i}] = ${random.pick([`__hadd2(${a}[${i}], ${b}[${i}])`, `__hfma2(${a}[${i}], ${b}[${i}], ${o}[${i}])`, `__hmul2(${a}[${i}], ${b}[${i}])`])};`,
    )
  else if (random.chance(0.5)) {
    kernel.line('float sum = 0;')
    kernel.line(`for (int k = 0; k < 8; k++) sum += __half2float(${a}[${i} * 8 + k]) * __half2float(${b}[k]);`)
    kernel.line(`${o}[${i}] = ${isFloat ? 'sum' : '__float2half(sum)'};`)
  } else if (isFloat) kernel.line(`${o}[${i}] = __half2float(${a}[${i}]) + __half2float(${b}[${i}]);`)
  else
    kernel.line(
      `${o}[${i}] = ${random.pick([`__hadd(${a}[${i}], ${b}[${i}])`, `__hgt(${a}[${i}], ${b}[${i}]) ? ${a}[${i}] : ${b}[${i}]`, `${a}[${i}] * ${b}[${i}]`])};`,
    )
}
