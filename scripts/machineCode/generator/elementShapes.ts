/** Kernels of one element a thread: maps, updates, branches, neighbours, narrow types, vectors. */
import { condition, enterElements, enterPlane, number, value } from './expressions.ts'
import type { Element, KernelWriter } from './writer.ts'

const elementOf = (kernel: KernelWriter): Element =>
  kernel.random.pick(['float', 'float', 'float', 'float', 'int', 'int', 'double', 'unsigned', 'short', 'unsigned char'])

/** Statements of several kinds, one after the other, over the same arrays. */
export function statements(kernel: KernelWriter): void {
  const { random } = kernel
  const type = elementOf(kernel)
  const inputs = Array.from({ length: random.between(1, 3) }, () => kernel.input(type, 'a'))
  const outputs = Array.from({ length: random.between(1, 2) }, () => kernel.output(type, 'o'))
  const { index: i } = enterElements(kernel)
  const at = (array: string) => `${array}[${i}]`
  const locals: string[] = []
  const read = (): string => {
    if (locals.length > 0 && random.chance(0.4)) return random.pick(locals)
    return random.chance(0.2) ? at(random.pick(outputs)) : at(random.pick(inputs))
  }
  const some = () => [...new Set([read(), read(), read(), read()])].slice(0, 3)
  const target = () => at(random.pick(outputs))
  const kinds: (() => void)[] = [
    () => {
      const name = kernel.fresh('v')
      kernel.line(`${type} ${name} = ${value(kernel, type, some())};`)
      locals.push(name)
    },
    () => kernel.line(`${target()} = ${value(kernel, type, some())};`),
    () => kernel.line(`${target()} ${random.pick(['+=', '-=', '*='])} ${value(kernel, type, some())};`),
    () => {
      if (random.chance(0.5))
        kernel.line(`if (${condition(kernel, type, some())}) ${target()} = ${value(kernel, type, some())};`)
      else
        kernel.within(`if (${condition(kernel, type, some())})`, () => {
          kernel.line(`${target()} = ${value(kernel, type, some())};`)
          if (random.chance(0.4)) kernel.line(`${target()} += ${value(kernel, type, some())};`)
        })
    },
    () => {
      const [first, second] = random.chance(0.6) ? [target()].flatMap(one => [one, one]) : [target(), target()]
      kernel.within(`if (${condition(kernel, type, some())})`, () =>
        kernel.line(`${first} = ${value(kernel, type, some())};`),
      )
      kernel.within('else', () => kernel.line(`${second} = ${value(kernel, type, some())};`))
    },
    () => {
      const one = target()
      kernel.line(`${one} = ${one} < 0 ? 0 : ${one};`)
    },
    () => {
      if (locals.length === 0) return
      const name = random.pick(locals)
      kernel.line(`if (${name} < ${number(kernel, type)}) ${name} = ${value(kernel, type, some())};`)
    },
    () => kernel.line(`if (${condition(kernel, type, some())}) return;`),
    () => {
      const one = random.pick(outputs)
      kernel.within(`if (${condition(kernel, type, some())})`, () => {
        kernel.within(`if (${condition(kernel, type, some())})`, () =>
          kernel.line(`${at(one)} = ${value(kernel, type, some())};`),
        )
        if (random.chance(0.6)) kernel.within('else', () => kernel.line(`${at(one)} = ${value(kernel, type, some())};`))
      })
    },
  ]
  const count = random.between(2, 5)
  for (let each = 0; each < count; each++) random.pick(kinds)()
  kernel.line(`${target()} = ${value(kernel, type, locals.length > 0 ? [locals.at(-1)!, ...some()] : some())};`)
}

export function neighbours(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double', 'int'] as const)
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const type2 = random.pick(['int', 'int', 'unsigned int', 'size_t'])
  const n = kernel.scalar('int', 'n')
  kernel.line(`${type2} i = blockIdx.x * blockDim.x + threadIdx.x;`)
  const reach = random.between(1, 3)
  const guard = random
    .pick([`i >= ${reach} && i < n - ${reach}`, `i < n - ${reach}`, `i > 0 && i < n - ${reach}`])
    .replaceAll('n -', `${n} -`)
  if (random.chance(0.5)) kernel.open(`if (${guard})`)
  else kernel.line(`if (!(${guard})) return;`)
  const offsets = Array.from({ length: random.between(2, 5) }, () => random.between(-reach, reach))
  const read = (by: number) => (by === 0 ? `${a}[i]` : `${a}[i ${by < 0 ? '-' : '+'} ${Math.abs(by)}]`)
  switch (random.below(5)) {
    case 0:
      kernel.line(`${o}[i] = ${offsets.map(by => `${number(kernel, type)} * ${read(by)}`).join(' + ')};`)
      break
    case 1:
      kernel.line(`${o}[i] = ${value(kernel, type, offsets.map(read))};`)
      break
    case 2:
      kernel.line(`${type} left = ${read(-1)}, right = ${read(1)};`)
      kernel.line(
        `if (${condition(kernel, type, ['left', 'right'])}) ${o}[i] = ${value(kernel, type, [read(0), 'left', read(1)])};`,
      )
      kernel.line(`else ${o}[i] = ${value(kernel, type, ['right', read(0), read(-1)])};`)
      break
    case 3:
      kernel.line(`${type} sum = 0;`)
      if (random.chance(0.5)) kernel.line('#pragma unroll')
      kernel.line(`for (int k = -${reach}; k <= ${reach}; k++) sum += ${a}[i + k];`)
      kernel.line(`${o}[i] = sum / ${2 * reach + 1};`)
      break
    default:
      kernel.line(`${type} sum = 0;`)
      kernel.line(`int count = 0;`)
      kernel.within(`for (int k = -${reach}; k <= ${reach}; k++)`, () => {
        kernel.line(`int at = (int)i + k;`)
        kernel.line(`if (at >= 0 && at < ${n}) { sum += ${a}[at]; count++; }`)
      })
      kernel.line(`${o}[i] = sum / count;`)
  }
}

export function plane(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double', 'unsigned char', 'int'] as const)
  const result = type === 'unsigned char' ? random.pick(['float', 'unsigned char'] as const) : type
  const a = kernel.input(type, 'img')
  const b = random.chance(0.4) ? kernel.input(type, 'b') : a
  const o = kernel.output(result, 'o')
  const { x, y, width, height } = enterPlane(kernel)
  const read = (array: string, dx: number, dy: number) =>
    `${array}[(${y}${dy ? ` ${dy < 0 ? '-' : '+'} ${Math.abs(dy)}` : ''}) * ${width} + ${x}${dx ? ` ${dx < 0 ? '-' : '+'} ${Math.abs(dx)}` : ''}]`
  switch (random.below(6)) {
    case 0:
      kernel.line(`int c = ${y} * ${width} + ${x};`)
      kernel.line(
        `${o}[c] = ${b}[c] + 0.25f * (${a}[c - 1] + ${a}[c + 1] + ${a}[c - ${width}] + ${a}[c + ${width}]${random.chance(0.5) ? ` - 4 * ${a}[c]` : ''});`,
      )
      break
    case 1: {
      kernel.line(`${type} up = ${read(a, 0, -1)}, down = ${read(a, 0, 1)};`)
      kernel.line(`${type} left = ${read(a, -1, 0)}, right = ${read(a, 1, 0)};`)
      kernel.line(`float gx = right - left, gy = down - up;`)
      kernel.line(
        `${o}[${y} * ${width} + ${x}] = ${random.pick(['sqrtf(gx * gx + gy * gy)', 'fabsf(gx) + fabsf(gy)', '(gx > gy ? gx : gy)'])};`,
      )
      break
    }
    case 2: {
      const radius = random.between(1, 2)
      kernel.line(`float sum = 0${random.chance(0.5) ? '' : '.0f'};`)
      const unroll = random.below(3)
      if (unroll === 1) kernel.line('#pragma unroll')
      kernel.open(`for (int dy = -${radius}; dy <= ${radius}; dy++)`)
      if (unroll === 1) kernel.line('#pragma unroll')
      kernel.open(`for (int dx = -${radius}; dx <= ${radius}; dx++)`)
      if (random.chance(0.5)) {
        kernel.line(`int px = min(max(${x} + dx, 0), ${width} - 1), py = min(max(${y} + dy, 0), ${height} - 1);`)
        kernel.line(`sum += ${a}[py * ${width} + px];`)
      } else {
        kernel.line(`int px = ${x} + dx, py = ${y} + dy;`)
        kernel.line(`if (px >= 0 && px < ${width} && py >= 0 && py < ${height}) sum += ${a}[py * ${width} + px];`)
      }
      kernel.close()
      kernel.close()
      kernel.line(`${o}[${y} * ${width} + ${x}] = sum / ${(2 * radius + 1) ** 2};`)
      break
    }
    case 3:
      kernel.line(`${type} left = ${x} > 0 ? ${read(a, -1, 0)} : ${read(a, 0, 0)};`)
      kernel.line(
        `${type} right = ${x} < ${width} - 1 ? ${read(a, 1, 0)} : ${random.chance(0.5) ? '0' : read(a, 0, 0)};`,
      )
      kernel.line(`${o}[${y} * ${width} + ${x}] = left + right - 2 * ${read(a, 0, 0)};`)
      break
    case 4:
      kernel.line(`int c = ${y} * ${width} + ${x};`)
      kernel.within(`if (${condition(kernel, type, [`${a}[c]`, `${b}[c + 1]`])})`, () =>
        kernel.line(`${o}[c] = ${value(kernel, 'float', [`${a}[c]`, `${a}[c + ${width}]`, `${b}[c]`])};`),
      )
      kernel.within(random.pick(['else', `else if (${a}[c + 1] > 3)`]), () =>
        kernel.line(`${o}[c] = ${value(kernel, 'float', [`${a}[c]`, `${a}[c - 1]`, `${b}[c]`])};`),
      )
      break
    default:
      kernel.line(`int channels = 3;`)
      kernel.line(`int p = (${y} * ${width} + ${x}) * channels;`)
      kernel.line(`${type} r = ${a}[p], g = ${a}[p + 1], b_ = ${a}[p + 2];`)
      kernel.line(`${o}[${y} * ${width} + ${x}] = 0.299f * r + 0.587f * g + 0.114f * b_;`)
  }
}

export function volume(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'double'])
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const [nx, ny, nz] = ['nx', 'ny', 'nz'].map(stem => kernel.scalar('int', stem)) as [string, string, string]
  kernel.line('int x = blockIdx.x * blockDim.x + threadIdx.x;')
  kernel.line('int y = blockIdx.y * blockDim.y + threadIdx.y;')
  const inLoop = random.chance(0.6)
  if (!inLoop) kernel.line('int z = blockIdx.z * blockDim.z + threadIdx.z;')
  const inside = `x > 0 && x < ${nx} - 1 && y > 0 && y < ${ny} - 1`
  kernel.open(`if (${inside}${inLoop ? '' : ` && z > 0 && z < ${nz} - 1`})`)
  if (!inLoop) {
    kernel.line(`int c = (z * ${ny} + y) * ${nx} + x;`)
    kernel.line(
      `${o}[c] = ${a}[c - 1] + ${a}[c + 1] + ${a}[c - ${nx}] + ${a}[c + ${nx}] + ${a}[c - ${nx} * ${ny}] + ${a}[c + ${nx} * ${ny}] - 6 * ${a}[c];`,
    )
  } else if (random.chance(0.5)) {
    kernel.within(`for (int z = 1; z < ${nz} - 1; z++)`, () => {
      kernel.line(`int c = x + ${nx} * (y + ${ny} * z);`)
      kernel.line(
        `${o}[c] = ${a}[c - 1] + ${a}[c + 1] + ${a}[c - ${nx}] + ${a}[c + ${nx}] + ${a}[c - ${nx} * ${ny}] + ${a}[c + ${nx} * ${ny}] - 6 * ${a}[c];`,
      )
    })
  } else {
    kernel.line(`int c = y * ${nx} + x, plane = ${nx} * ${ny};`)
    kernel.line(`${type} below = ${a}[c], here = ${a}[c + plane], above;`)
    kernel.within(`for (int z = 1; z < ${nz} - 1; z++)`, () => {
      kernel.line('c += plane;')
      kernel.line(`above = ${a}[c + plane];`)
      kernel.line(`${o}[c] = below + above + ${a}[c - 1] + ${a}[c + 1] + ${a}[c - ${nx}] + ${a}[c + ${nx}] - 6 * here;`)
      kernel.line('below = here;')
      kernel.line('here = above;')
    })
  }
}

export function vectors(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float4', 'float2', 'int4', 'int2', 'double2', 'uchar4', 'float3'])
  const members = ['x', 'y', 'z', 'w'].slice(0, Number(type.at(-1)))
  const scalar = type.slice(0, -1).replace('uchar', 'unsigned char')
  const isVector = random.chance(0.6)
  const source = kernel.input(isVector ? type : scalar, 'a')
  const isCast = !type.startsWith('float3') && random.chance(0.3)
  const o = kernel.output(isCast ? scalar : type, 'o')
  const { index: i } = enterElements(kernel)
  if (isVector) kernel.line(`${type} v = ${source}[${i}];`)
  else if (type === 'float3')
    kernel.line(`${type} v = make_float3(${source}[3 * ${i}], ${source}[3 * ${i} + 1], ${source}[3 * ${i} + 2]);`)
  else
    kernel.line(
      random.pick([
        `${type} v = ((const ${type} *)${source})[${i}];`,
        `${type} v = *reinterpret_cast<const ${type} *>(&${source}[${members.length} * ${i}]);`,
        `${type} v = *(const ${type} *)(${source} + ${members.length} * ${i});`,
      ]),
    )
  const target = isCast ? `((${type} *)${o})[${i}]` : `${o}[${i}]`
  switch (random.below(5)) {
    case 0:
      for (const m of members) if (random.chance(0.8)) kernel.line(`v.${m} = v.${m} * 2 + 1;`)
      kernel.line(`${target} = v;`)
      break
    case 1:
      kernel.line(`${type} r;`)
      for (const m of members) kernel.line(`r.${m} = v.${random.pick(members)} + v.${m};`)
      kernel.line(`${target} = r;`)
      break
    case 2:
      if (isCast) kernel.line(`${o}[${i}] = v.${random.pick(members)};`)
      else for (const m of members) kernel.line(`${o}[${i}].${m} ${random.pick(['=', '+='])} v.${m};`)
      break
    case 3:
      kernel.line(`if (v.${random.pick(members)} > ${number(kernel, 'int')}) ${target} = v;`)
      if (random.chance(0.5))
        kernel.line(`else ${target} = make_${type}(${members.map(m => `v.${m} + 1`).join(', ')});`)
      break
    default:
      kernel.line(`${scalar} sum = ${members.map(m => `v.${m}`).join(' + ')};`)
      if (isCast) kernel.line(`${o}[${i}] = sum;`)
      else kernel.line(`${o}[${i}].x = sum;`)
  }
}
