/** Kernels whose blocks work together: tiles, sums, prefix sums, histograms, exchanges between lanes. */
import { number, value } from './expressions.ts'
import type { KernelWriter } from './writer.ts'

export function reductions(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'int', 'double', 'unsigned'])
  const size = random.pick([64, 128, 256, 512])
  const a = kernel.input(type, 'g')
  const o = kernel.output(type, 'o')
  const n = kernel.scalar('int', 'n')
  const join = random.pick([
    (x: string, y: string) => `${x} += ${y};`,
    (x: string, y: string) => `${x} = ${x} + ${y};`,
    (x: string, y: string) => `if (${y} > ${x}) ${x} = ${y};`,
    (x: string, y: string) => `${x} = max(${x}, ${y});`,
  ])
  kernel.line(
    random.chance(0.7)
      ? `__shared__ ${type} s[${size}];`
      : `extern __shared__ ${type} s_${type}[]; ${type} *s = s_${type};`,
  )
  kernel.line('unsigned int t = threadIdx.x;'.replace('unsigned int', random.pick(['unsigned int', 'int'])))
  switch (random.below(4)) {
    case 0:
      kernel.line('int i = blockIdx.x * blockDim.x + threadIdx.x;')
      kernel.line(`s[t] = ${random.pick([`i < ${n} ? ${a}[i] : 0`, `(i < ${n}) ? ${a}[i] * ${a}[i] : 0`])};`)
      break
    case 1:
      kernel.line('int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;')
      kernel.line(`s[t] = (i < ${n} ? ${a}[i] : 0) + (i + blockDim.x < ${n} ? ${a}[i + blockDim.x] : 0);`)
      break
    case 2:
      kernel.line(`${type} sum = 0;`)
      kernel.line(
        `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ${n}; i += blockDim.x * gridDim.x) sum += ${a}[i];`,
      )
      kernel.line('s[t] = sum;')
      break
    default:
      kernel.line('int i = blockIdx.x * blockDim.x + threadIdx.x;')
      kernel.line('s[t] = 0;')
      kernel.line(`if (i < ${n}) s[t] = ${a}[i];`)
  }
  kernel.line('__syncthreads();')
  switch (random.below(5)) {
    case 0:
      kernel.within(
        `for (${random.pick(['int', 'unsigned int'])} d = blockDim.x / 2; d > 0; d ${random.pick(['>>= 1', '/= 2'])})`,
        () => {
          kernel.line(`if (t < d) { ${join('s[t]', 's[t + d]')} }`)
          kernel.line('__syncthreads();')
        },
      )
      break
    case 1:
      kernel.within('for (unsigned int d = 1; d < blockDim.x; d *= 2)', () => {
        kernel.line(
          random.pick([
            `if (t % (2 * d) == 0) { ${join('s[t]', 's[t + d]')} }`,
            `int at = 2 * d * t; if (at < blockDim.x) { ${join('s[at]', 's[at + d]')} }`,
          ]),
        )
        kernel.line('__syncthreads();')
      })
      break
    case 2: {
      const last = random.pick([32, 64])
      kernel.within(`for (unsigned int d = blockDim.x / 2; d > ${last >> 1}; d >>= 1)`, () => {
        kernel.line(`if (t < d) { ${join('s[t]', 's[t + d]')} }`)
        kernel.line('__syncthreads();')
      })
      kernel.within('if (t < 32)', () => {
        kernel.line(`volatile ${type} *v = s;`)
        for (let d = last >> 1; d > 0; d >>= 1) kernel.line(`v[t] += v[t + ${d}];`)
      })
      break
    }
    case 3:
      for (let d = size >> 1; d > 16; d >>= 1)
        kernel.line(`if (t < ${d}) { ${join('s[t]', `s[t + ${d}]`)} } __syncthreads();`)
      kernel.within('if (t < 32)', () => {
        kernel.line(`${type} v = s[t];`)
        kernel.line('for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);')
        kernel.line('if (t == 0) s[0] = v;')
      })
      break
    default:
      kernel.within('if (t == 0)', () => {
        kernel.line(`${type} sum = ${random.pick(['0', 's[0]'])};`)
        kernel.line(
          `for (int k = ${random.pick(['0', '1'])}; k < ${random.pick([String(size), 'blockDim.x', '32'])}; k++) sum += s[k];`,
        )
        kernel.line('s[0] = sum;')
      })
  }
  kernel.line(
    random.pick([
      `if (t == 0) ${o}[blockIdx.x] = s[0];`,
      ...(type === 'double' ? [] : [`if (t == 0) atomicAdd(${o}, s[0]);`]),
      `if (threadIdx.x == 0) ${o}[blockIdx.x] += s[0];`,
    ]),
  )
}

export function lanes(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'double'])
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const n = kernel.scalar('int', 'n')
  kernel.before.push(
    `__inline__ __device__ ${type} sum_${kernel.name}(${type} v) {\n${random.pick(['', '#pragma unroll\n'])}  for (int d = ${random.pick(['16', 'warpSize / 2'])}; d > 0; d ${random.pick(['/= 2', '>>= 1'])}) v += ${random.pick(['__shfl_down_sync(0xffffffff, v, d)', '__shfl_xor_sync(0xffffffffu, v, d)'])};\n  return v;\n}`,
  )
  kernel.line(`__shared__ ${type} parts[32];`)
  kernel.line('int lane = threadIdx.x % 32, warp = threadIdx.x / 32;')
  kernel.line(`${type} v = 0;`)
  kernel.line(
    random.pick([
      `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ${n}; i += gridDim.x * blockDim.x) v += ${a}[i];`,
      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < ${n}) v = ${a}[i];`,
    ]),
  )
  kernel.line(`v = sum_${kernel.name}(v);`)
  kernel.line('if (lane == 0) parts[warp] = v;')
  kernel.line('__syncthreads();')
  switch (random.below(3)) {
    case 0:
      kernel.line('v = threadIdx.x < blockDim.x / 32 ? parts[lane] : 0;')
      kernel.line(`if (warp == 0) v = sum_${kernel.name}(v);`)
      kernel.line(`if (threadIdx.x == 0) ${o}[blockIdx.x] = v;`)
      break
    case 1:
      kernel.within('if (warp == 0)', () => {
        kernel.line('v = (lane < (blockDim.x + 31) / 32) ? parts[lane] : 0;')
        kernel.line(`v = sum_${kernel.name}(v);`)
        kernel.line(`if (lane == 0) atomicAdd(${o}, v);`)
      })
      break
    default:
      kernel.line(
        `if (threadIdx.x == 0) { ${type} total = 0; for (int k = 0; k < ${random.pick(['8', 'blockDim.x / 32'])}; k++) total += parts[k]; ${o}[blockIdx.x] = total; }`,
      )
  }
}

export function tiles(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double', 'int'])
  const size = random.pick([8, 16, 32])
  const [a, b] = [kernel.input(type, 'A'), kernel.input(type, 'B')]
  const c = kernel.output(type, 'C')
  const [m, n, k] = random.chance(0.4)
    ? Array<string>(3).fill(kernel.scalar('int', 'N'))
    : ['M', 'N', 'K'].map(stem => kernel.scalar('int', stem))
  const pad = random.chance(0.3) ? ' + 1' : ''
  const tile = random.pick(['TILE', String(size)])
  if (tile === 'TILE') kernel.line(`const int TILE = ${size};`)
  kernel.line(`__shared__ ${type} As[${tile}][${tile}${pad}];`)
  kernel.line(`__shared__ ${type} Bs[${tile}][${tile}${pad}];`)
  kernel.line('int tx = threadIdx.x, ty = threadIdx.y;')
  kernel.line(`int row = blockIdx.y * ${tile} + ty, col = blockIdx.x * ${tile} + tx;`)
  kernel.line(`${type} sum = 0;`)
  const checks = random.chance(0.5)
  kernel.within(
    random.pick([
      `for (int p = 0; p < ${k} / ${tile}; p++)`,
      `for (int p = 0; p < (${k} + ${tile} - 1) / ${tile}; ++p)`,
    ]),
    () => {
      const fromA = `${a}[row * ${k} + p * ${tile} + tx]`
      const fromB = `${b}[(p * ${tile} + ty) * ${n} + col]`
      if (checks && random.chance(0.5)) {
        kernel.line(`As[ty][tx] = (row < ${m} && p * ${tile} + tx < ${k}) ? ${fromA} : 0;`)
        kernel.line(`Bs[ty][tx] = (col < ${n} && p * ${tile} + ty < ${k}) ? ${fromB} : 0;`)
      } else if (checks) {
        kernel.line(`if (row < ${m} && p * ${tile} + tx < ${k}) As[ty][tx] = ${fromA};`)
        kernel.line('else As[ty][tx] = 0;')
        kernel.line(`if (col < ${n} && p * ${tile} + ty < ${k}) Bs[ty][tx] = ${fromB};`)
        kernel.line('else Bs[ty][tx] = 0;')
      } else {
        kernel.line(`As[ty][tx] = ${fromA};`)
        kernel.line(`Bs[ty][tx] = ${fromB};`)
      }
      kernel.line('__syncthreads();')
      if (random.chance(0.3)) kernel.line('#pragma unroll')
      kernel.line(
        `for (int e = 0; e < ${tile}; e++) sum += As[ty][e] * ${random.pick(['Bs[e][tx]', 'Bs[e][tx]', 'Bs[tx][e]'])};`,
      )
      kernel.line('__syncthreads();')
    },
  )
  const store = `${c}[row * ${n} + col] = ${random.pick(['sum', `sum + ${c}[row * ${n} + col]`])};`
  kernel.line(checks ? `if (row < ${m} && col < ${n}) ${store}` : store)
}

/** Several results a thread. */
export function wideTiles(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'int', 'double'])
  const [bm, bk, tm] = random.pick([
    [64, 8, 8],
    [32, 8, 4],
    [64, 16, 4],
  ]) as [number, number, number]
  const [a, b] = [kernel.input(type, 'A'), kernel.input(type, 'B')]
  const c = kernel.output(type, 'C')
  const [n, k] = [kernel.scalar('int', 'N'), kernel.scalar('int', 'K')]
  const isPlane = random.chance(0.5)
  kernel.line(`__shared__ ${type} As[${bm} * ${bk}];`)
  kernel.line(`__shared__ ${type} Bs[${bk} * ${bm}];`)
  const perRow = isPlane ? bm / tm : bm
  kernel.line(
    `const ${random.pick(['int', 'unsigned int'])} tc = threadIdx.x % ${perRow}, tr = threadIdx.x / ${perRow};`,
  )
  kernel.line(
    `const int ac = threadIdx.x % ${bk}, ar = threadIdx.x / ${bk}, bc = threadIdx.x % ${bm}, br = threadIdx.x / ${bm};`,
  )
  kernel.line(`${a} += blockIdx.y * ${bm} * ${k};`)
  kernel.line(`${b} += blockIdx.x * ${bm};`)
  kernel.line(`${type} sums[${isPlane ? tm * tm : tm}] = {0};`)
  if (isPlane) kernel.line(`${type} ra[${tm}], rb[${tm}];`)
  kernel.within(`for (int p = 0; p < ${k}; p += ${bk})`, () => {
    kernel.line(`As[ar * ${bk} + ac] = ${a}[ar * ${k} + ac];`)
    kernel.line(`Bs[br * ${bm} + bc] = ${b}[br * ${n} + bc];`)
    kernel.line('__syncthreads();')
    kernel.line(`${a} += ${bk};`)
    kernel.line(`${b} += ${bk} * ${n};`)
    kernel.within(`for (int e = 0; e < ${bk}; ++e)`, () => {
      if (isPlane) {
        kernel.line(`for (int i = 0; i < ${tm}; ++i) ra[i] = As[(tr * ${tm} + i) * ${bk} + e];`)
        kernel.line(`for (int i = 0; i < ${tm}; ++i) rb[i] = Bs[e * ${bm} + tc * ${tm} + i];`)
        kernel.line(
          `for (int i = 0; i < ${tm}; ++i) for (int j = 0; j < ${tm}; ++j) sums[i * ${tm} + j] += ra[i] * rb[j];`,
        )
      } else {
        kernel.line(`${type} v = Bs[e * ${bm} + tc];`)
        kernel.line(`for (int i = 0; i < ${tm}; ++i) sums[i] += As[(tr * ${tm} + i) * ${bk} + e] * v;`)
      }
    })
    kernel.line('__syncthreads();')
  })
  if (isPlane)
    kernel.line(
      `for (int i = 0; i < ${tm}; ++i) for (int j = 0; j < ${tm}; ++j) ${c}[(tr * ${tm} + i) * ${n} + tc * ${tm} + j] = sums[i * ${tm} + j];`,
    )
  else kernel.line(`for (int i = 0; i < ${tm}; ++i) ${c}[(tr * ${tm} + i) * ${n} + tc] = sums[i];`)
}

export function transposes(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'double', 'char', 'float2'])
  const [size, rows] = random.pick([
    [32, 8],
    [16, 16],
    [32, 32],
    [32, 4],
  ]) as [number, number]
  const a = kernel.input(type, 'in')
  const o = kernel.output(type, 'out')
  const [w, h] = [kernel.scalar('int', 'w'), kernel.scalar('int', 'h')]
  kernel.line(`__shared__ ${type} tile[${size}][${size}${random.chance(0.6) ? ' + 1' : ''}];`)
  kernel.line(`int x = blockIdx.x * ${size} + threadIdx.x, y = blockIdx.y * ${size} + threadIdx.y;`)
  const guard = random.chance(0.5)
  const loop = (body: (j: string) => string) => {
    if (rows === size) kernel.line(body(''))
    else kernel.line(`for (int j = 0; j < ${size}; j += ${rows}) ${body(' + j')}`)
  }
  loop(
    j =>
      `${guard ? `if (x < ${w} && y${j} < ${h}) ` : ''}tile[threadIdx.y${j}][threadIdx.x] = ${a}[(y${j}) * ${w} + x];`,
  )
  kernel.line('__syncthreads();')
  kernel.line(`x = blockIdx.y * ${size} + threadIdx.x;`)
  kernel.line(`y = blockIdx.x * ${size} + threadIdx.y;`)
  loop(
    j =>
      `${guard ? `if (x < ${h} && y${j} < ${w}) ` : ''}${o}[(y${j}) * ${h} + x] = tile[threadIdx.x][threadIdx.y${j}];`,
  )
}

export function scans(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'unsigned', 'double'])
  const size = random.pick([128, 256, 512])
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const n = kernel.scalar('int', 'n')
  const t = random.pick(['t', 'threadIdx.x'])
  switch (random.below(3)) {
    case 0:
      kernel.line(`__shared__ ${type} s[${size}];`)
      kernel.line('int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;')
      kernel.line(
        random.pick([`s[${t}] = i < ${n} ? ${a}[i] : 0;`, `if (i < ${n}) s[${t}] = ${a}[i]; else s[${t}] = 0;`]),
      )
      kernel.line('__syncthreads();')
      kernel.within(
        `for (int d = 1; d < ${random.pick(['blockDim.x', String(size)])}; d ${random.pick(['*= 2', '<<= 1'])})`,
        () => {
          if (random.chance(0.5)) {
            kernel.line(`${type} v = 0;`)
            kernel.line(`if (${t} >= d) v = s[${t} - d];`)
            kernel.line('__syncthreads();')
            kernel.line(random.pick([`s[${t}] += v;`, `if (${t} >= d) s[${t}] += v;`]))
            kernel.line('__syncthreads();')
          } else {
            kernel.line(`${type} v;`)
            kernel.line(`if (${t} >= d) v = s[${t}] + s[${t} - d];`)
            kernel.line('__syncthreads();')
            kernel.line(`if (${t} >= d) s[${t}] = v;`)
            kernel.line('__syncthreads();')
          }
        },
      )
      kernel.line(
        random.pick([`if (i < ${n}) ${o}[i] = s[${t}];`, `if (i < ${n}) ${o}[i] = ${t} > 0 ? s[${t} - 1] : 0;`]),
      )
      break
    case 1:
      kernel.line(`__shared__ ${type} s[2 * ${size}];`)
      kernel.line('int t = threadIdx.x, offset = 1;')
      kernel.line(`s[2 * t] = ${a}[2 * t];`)
      kernel.line(`s[2 * t + 1] = ${a}[2 * t + 1];`)
      kernel.within(`for (int d = ${n} >> 1; d > 0; d >>= 1)`, () => {
        kernel.line('__syncthreads();')
        kernel.within('if (t < d)', () => {
          kernel.line('int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;')
          kernel.line('s[bi] += s[ai];')
        })
        kernel.line('offset *= 2;')
      })
      kernel.line(`if (t == 0) s[${n} - 1] = 0;`)
      kernel.within(`for (int d = 1; d < ${n}; d *= 2)`, () => {
        kernel.line('offset >>= 1;')
        kernel.line('__syncthreads();')
        kernel.within('if (t < d)', () => {
          kernel.line('int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;')
          kernel.line(`${type} v = s[ai]; s[ai] = s[bi]; s[bi] += v;`)
        })
      })
      kernel.line('__syncthreads();')
      kernel.line(`${o}[2 * t] = s[2 * t];`)
      kernel.line(`${o}[2 * t + 1] = s[2 * t + 1];`)
      break
    default:
      kernel.line(`__shared__ ${type} s[2][${size}];`)
      kernel.line('int t = threadIdx.x, from = 0, to = 1;')
      kernel.line(`s[from][t] = t > 0 && t < ${n} ? ${a}[t - 1] : 0;`)
      kernel.line('__syncthreads();')
      kernel.within(`for (int d = 1; d < ${n}; d <<= 1)`, () => {
        kernel.line('if (t >= d) s[to][t] = s[from][t] + s[from][t - d];')
        kernel.line('else s[to][t] = s[from][t];')
        kernel.line('__syncthreads();')
        kernel.line('from = 1 - from; to = 1 - to;')
      })
      kernel.line(`${o}[t] = s[from][t];`)
  }
}

export function histograms(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['unsigned char', 'int', 'unsigned', 'uchar4'])
  const bins = random.pick([64, 256])
  const a = kernel.input(type, 'data')
  const o = kernel.output(random.pick(['int', 'unsigned']), 'bins')
  const n = kernel.scalar('int', 'n')
  kernel.line(`__shared__ unsigned h[${bins}];`)
  kernel.line(
    random.pick([
      `for (int b = threadIdx.x; b < ${bins}; b += blockDim.x) h[b] = 0;`,
      `if (threadIdx.x < ${bins}) h[threadIdx.x] = 0;`,
      'h[threadIdx.x] = 0;',
    ]),
  )
  kernel.line('__syncthreads();')
  const add =
    type === 'uchar4'
      ? `uchar4 v = ${a}[i]; atomicAdd(&h[v.x], 1); atomicAdd(&h[v.y], 1); atomicAdd(&h[v.z], 1); atomicAdd(&h[v.w], 1);`
      : `atomicAdd(&h[${a}[i]${random.pick(['', ` % ${bins}`, ' & 63'])}], 1);`
  kernel.line(
    random.pick([
      `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ${n}; i += blockDim.x * gridDim.x) { ${add} }`,
      `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < ${n}) { ${add} }`,
    ]),
  )
  kernel.line('__syncthreads();')
  kernel.line(
    random.pick([
      `for (int b = threadIdx.x; b < ${bins}; b += blockDim.x) atomicAdd(&${o}[b], h[b]);`,
      `if (threadIdx.x < ${bins}) atomicAdd(&${o}[threadIdx.x], h[threadIdx.x]);`,
      `for (int b = threadIdx.x; b < ${bins}; b += blockDim.x) if (h[b] > 0) atomicAdd(&${o}[b], h[b]);`,
    ]),
  )
}

/** A part of an array with what is left and right of it in shared memory. */
export function halos(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'double'] as const)
  const [size, radius] = [random.pick([128, 256]), random.between(1, 4)]
  const a = kernel.input(type, 'in')
  const o = kernel.output(type, 'out')
  const n = kernel.scalar('int', 'n')
  kernel.line(`__shared__ ${type} s[${size} + 2 * ${radius}];`)
  kernel.line('int g = blockIdx.x * blockDim.x + threadIdx.x;')
  kernel.line(`int l = threadIdx.x + ${radius};`)
  kernel.line(`s[l] = ${random.pick([`${a}[g]`, `g < ${n} ? ${a}[g] : 0`])};`)
  kernel.within(`if (threadIdx.x < ${radius})`, () => {
    if (random.chance(0.5)) {
      kernel.line(`s[l - ${radius}] = ${a}[g - ${radius}];`)
      kernel.line(`s[l + ${size}] = ${a}[g + ${size}];`)
    } else {
      kernel.line(`s[l - ${radius}] = g >= ${radius} ? ${a}[g - ${radius}] : 0;`)
      kernel.line(`s[l + blockDim.x] = g + blockDim.x < ${n} ? ${a}[g + blockDim.x] : 0;`)
    }
  })
  kernel.line('__syncthreads();')
  if (random.chance(0.5)) {
    kernel.line(`${type} sum = 0;`)
    if (random.chance(0.3)) kernel.line('#pragma unroll')
    kernel.line(`for (int k = -${radius}; k <= ${radius}; k++) sum += s[l + k];`)
    kernel.line(random.pick([`${o}[g] = sum;`, `if (g < ${n}) ${o}[g] = sum;`]))
  } else kernel.line(`if (g < ${n}) ${o}[g] = ${value(kernel, type, ['s[l]', 's[l - 1]', 's[l + 1]'])};`)
}

/** Tiles in two dimensions with padding and several uses of each element. */
export function planes(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'float', 'unsigned char'] as const)
  const size = random.pick([8, 16, 32])
  const a = kernel.input(type, 'in')
  const o = kernel.output(type === 'unsigned char' ? 'float' : type, 'out')
  const [w, h] = [kernel.scalar('int', 'w'), kernel.scalar('int', 'h')]
  kernel.line(`__shared__ ${type} s[${size} + 2][${size} + 2];`)
  kernel.line('int tx = threadIdx.x, ty = threadIdx.y;')
  kernel.line(`int x = blockIdx.x * ${size} + tx, y = blockIdx.y * ${size} + ty;`)
  kernel.line(
    `s[ty + 1][tx + 1] = ${random.pick([`${a}[y * ${w} + x]`, `x < ${w} && y < ${h} ? ${a}[y * ${w} + x] : 0`])};`,
  )
  kernel.line(
    `if (tx == 0) s[ty + 1][0] = ${random.pick([`x > 0 ? ${a}[y * ${w} + x - 1] : 0`, `${a}[y * ${w} + x - 1]`])};`,
  )
  kernel.line(`if (tx == ${size} - 1) s[ty + 1][${size} + 1] = x + 1 < ${w} ? ${a}[y * ${w} + x + 1] : 0;`)
  kernel.line(`if (ty == 0) s[0][tx + 1] = y > 0 ? ${a}[(y - 1) * ${w} + x] : 0;`)
  kernel.line(`if (ty == ${size} - 1) s[${size} + 1][tx + 1] = y + 1 < ${h} ? ${a}[(y + 1) * ${w} + x] : 0;`)
  kernel.line('__syncthreads();')
  kernel.line(
    random.pick([
      `if (x < ${w} && y < ${h}) ${o}[y * ${w} + x] = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - 4 * s[ty + 1][tx + 1];`,
      `float sum = 0; for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) sum += s[ty + j][tx + i]; ${o}[y * ${w} + x] = sum / 9;`,
      `if (x >= ${w} || y >= ${h}) return; int c = 0; for (int j = -1; j <= 1; j++) for (int i = -1; i <= 1; i++) if (i != 0 || j != 0) c += s[ty + 1 + j][tx + 1 + i]; ${o}[y * ${w} + x] = c == 3 || (c == 2 && s[ty + 1][tx + 1]) ? 1 : 0;`,
    ]),
  )
  if (random.chance(0.1)) kernel.line(`${o}[0] = ${number(kernel, 'int')};`)
}
