import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compiledCluster } from '../../src/clusters.ts'
import { UserError } from '../../src/diagnostic.ts'
import { checkModule } from '../../src/ir/check.ts'
import type { Func, Instruction, Module } from '../../src/ir/ir.ts'
import { printFunction, printInstruction, printModule } from '../../src/ir/print.ts'
import { readModule } from '../../src/ir/read.ts'
import { inFunction, LOOP } from './samples.ts'

function read(text: string): Module {
  const module = readModule(text, 'k.cu')
  checkModule(module)
  return module
}

function functionNamed(module: Module, name: string): Func {
  const func = module.functions.find(candidate => candidate.name === name)
  if (!func) throw new Error(`no function ${name}`)
  return func
}

/** Reads instructions inside a function and prints them, the final `ret void` left out. */
function lines(body: string, rest = ''): string[] {
  const func = functionNamed(read(inFunction(body, rest)), 'f')
  const printed = func.blocks.flatMap(block =>
    block.instructions.map(instruction => printInstruction(instruction, func)),
  )
  return printed.slice(0, -1)
}

function refusal(text: string): UserError {
  try {
    readModule(text, 'k.cu')
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('a module', () => {
  const module = read(LOOP)
  const kernel = functionNamed(module, '_Z1kPfi')
  const find = (name: string): Instruction => {
    const found = kernel.blocks.flatMap(block => block.instructions).find(instruction => instruction.name === name)
    if (!found) throw new Error(`no %${name}`)
    return found
  }

  test('has its globals, with types, spaces and linkage', () => {
    const [tile, dynamic] = module.globals
    expect(tile).toMatchObject({ name: '_ZZ1kPfE4tile', space: 3, align: 4, external: false, linkage: 'weak' })
    expect(tile?.initializer?.kind).toBe('undef')
    expect(dynamic).toMatchObject({
      name: 'dyn',
      space: 3,
      align: 16,
      external: true,
      type: { kind: 'array', length: 0 },
    })
  })

  test('knows kernels, their attributes and where they are defined', () => {
    expect(kernel.isKernel).toBe(true)
    expect([...kernel.attributes].sort()).toEqual(['convergent', 'noinline', 'nvvm.maxntid=256'])
    expect(kernel.location).toEqual({ file: 'k.cu', line: 3, column: 0, scope: 'k' })
    expect([...functionNamed(module, 'llvm.nvvm.read.ptx.sreg.tid.x').attributes]).toEqual(['readnone'])
  })

  test('keeps inlined-at chains and escapes in names', () => {
    expect(find('0').location).toEqual({
      ...{ file: 'vars.h', line: 53, column: 27, scope: 'fetch<int, "x">' },
      inlinedAt: { file: 'k.cu', line: 4, column: 9, scope: 'k' },
    })
  })

  test('gives a store the place of its address computation on the same line', () => {
    const store = kernel.blocks.flatMap(block => block.instructions).find(instruction => instruction.op === 'store')
    expect(store?.location).toMatchObject({ line: 7, column: 5 })
  })

  test('shares location objects', () => {
    expect(find('1').location).toBe(find('arrayidx').location)
  })

  test('resolves phis that read what is defined later', () => {
    const phi = find('i')
    expect(phi.op === 'phi' && phi.incoming.map(incoming => incoming.value)).toEqual([
      find('next'),
      expect.objectContaining({ kind: 'int', value: 0n }),
    ])
  })

  test('turns getelementptr into bytes', () => {
    expect(printInstruction(find('arrayidx'), kernel)).toContain(
      'ptradd ptr addrspace(3) @_ZZ1kPfE4tile, 0 + i32 %i * 132 + i32 %0 * 4',
    )
  })
})

describe('types and constants', () => {
  test.each([
    ['i32 -1', 'i32 -1'],
    ['i1 true', 'i1 true'],
    ['i64 -9223372036854775808', 'i64 -9223372036854775808'],
    ['i128 340282366920938463463374607431768211455', 'i128 -1'],
    ['float 0x3FB99999A0000000', 'float 0.10000000149011612'],
    ['float 0x7FF8000000000000', 'float nan(0x7fc00000)'],
    ['float 0xFFF0000020000000', 'float nan(0xff800001)'],
    ['float 0xFFF0000000000000', 'float -inf(0xff800000)'],
    ['double 1.000000e-300', 'double 1e-300'],
    ['double -0.000000e+00', 'double -0.0'],
    ['half 0xH3C00', 'half 1.0'],
    ['half 0xHFC00', 'half -inf(0xfc00)'],
    ['bfloat 0xR4049', 'bfloat 3.140625'],
    ['[4 x i8] c"a\\22\\5C\\00"', '[4 x i8] c"a\\22\\5C\\00"'],
    ['{ i8, [2 x i32] } { i8 1, [2 x i32] [i32 2, i32 3] }', '{ i8, [2 x i32] } { i8 1, [2 x i32] [i32 2, i32 3] }'],
    ['<{ i8, i32 }> <{ i8 1, i32 2 }>', '<{ i8, i32 }> <{ i8 1, i32 2 }>'],
    ['<2 x i32> splat (i32 7)', '<2 x i32> <i32 7, i32 7>'],
    ['ptr null', 'ptr null'],
    ['[3 x i32] zeroinitializer', '[3 x i32] zeroinitializer'],
    ['ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(1) @x to ptr), i32 4)', 'ptr (@x + 4)'],
    ['ptr getelementptr inbounds nuw inrange(-4, 8) ([4 x i32], ptr @y, i32 0, i64 -1)', 'ptr (@y - 4)'],
    [
      'ptr addrspace(1) addrspacecast (ptr addrspacecast (ptr addrspace(1) @x to ptr) to ptr addrspace(1))',
      'ptr addrspace(1) @x',
    ],
    ['i32 ptrtoint (ptr @y to i32)', 'i32 ptrtoint (ptr @y to i32)'],
    ['ptr inttoptr (i32 64 to ptr)', 'ptr inttoptr (i32 64 to ptr)'],
    ['ptr getelementptr (i8, ptr null, i32 8)', 'ptr inttoptr (i32 8 to ptr)'],
    ['ptr @g', 'ptr @g'],
    ['i32 poison', 'i32 undef'],
  ])('%s', (text, printed) => {
    const rest = '@x = addrspace(1) global i32 0, align 4\n@y = global [4 x i32] zeroinitializer\ndeclare void @g()\n'
    const module = read(`@v = constant ${text}, align 8\n${rest}`)
    expect(printModule(module)).toContain(`@v = constant ${printed}, align 8`)
  })

  test('alignment of a global without one is its type’s', () => {
    expect(read('@d = global { i8, double } undef\n').globals[0]?.align).toBe(8)
  })

  test('the section of reserved shared memory is kept, others are not', () => {
    const text = 'addrspace(3) global i32 undef, section'
    const module = read(`@own = ${text} "mine", align 4\n@theirs = ${text} "warplens.reserved", align 4\n`)
    expect(module.globals.map(({ reserved }) => reserved)).toEqual([undefined, true])
    expect(printModule(module)).toContain(`@theirs = ${text} "warplens.reserved", align 4`)
  })

  test('an alias stands for its target', () => {
    expect(lines('  call void @h()', 'declare void @g()\n@h = alias void (), ptr @g\n')).toEqual(['call void @g()'])
  })
})

describe('instructions', () => {
  test.each<[string, string[]]>([
    ['%r = add nuw nsw i32 %a, %b', ['%r = add nuw nsw i32 %a, %b']],
    ['%r = or disjoint i32 %a, 4', ['%r = or disjoint i32 %a, 4']],
    ['%r = udiv exact i32 %a, %b', ['%r = udiv i32 %a, %b']],
    ['%r = fmul fast float %x, %y', ['%r = fmul contract float %x, %y']],
    ['%r = fadd nnan ninf float %x, 1.500000e+00', ['%r = fadd float %x, 1.5']],
    ['%r = fneg contract float %x', ['%r = fneg float %x']],
    ['%r = fcmp nnan une float %x, %y', ['%r = fcmp une float %x, %y']],
    ['%r = zext nneg i32 %a to i64', ['%r = zext i32 %a to i64']],
    ['%r = select fast i1 %c, float %x, float %y', ['%r = select i1 %c, float %x, float %y']],
    ['%r = freeze i32 %a', ['%r = freeze i32 %a']],
    ['%r = alloca [20 x double], align 16', ['%r = alloca [160 x i8], align 16']],
    ['%r = alloca i32, i32 3, align 4', ['%r = alloca [12 x i8], align 4']],
    ['%r = load volatile i32, ptr %p, align 2', ['%r = load volatile i32, ptr %p, align 2']],
    [
      '%r = load atomic volatile i32, ptr %p syncscope("block") monotonic, align 4',
      ['%r = load atomic volatile i32, ptr %p, align 4'],
    ],
    ['store double 1.0, ptr %p', ['store double 1.0, ptr %p, align 8']],
    [
      '%r = atomicrmw volatile umax ptr %p, i32 %a syncscope("device") seq_cst, align 4',
      ['%r = atomicrmw volatile umax ptr %p, i32 %a, align 4'],
    ],
    [
      '%r = cmpxchg weak ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4\n  %s = extractvalue { i32, i1 } %r, 1',
      ['%r = cmpxchg ptr %p, i32 %a, i32 %b, align 4', '%s = extractvalue { i32, i1 } %r, 1'],
    ],
    ['fence syncscope("device") seq_cst', ['fence']],
    [
      '%r = getelementptr { i8, [4 x { i16, i64 }] }, ptr %p, i32 %a, i32 1, i32 %b, i32 1',
      ['%r = ptradd ptr %p, 16 + i32 %a * 72 + i32 %b * 16'],
    ],
    [
      '%r = insertvalue { i32, [2 x float] } undef, float %x, 1, 1',
      ['%r = insertvalue { i32, [2 x float] } undef, float %x, 1, 1'],
    ],
    [
      '%r = insertelement <4 x float> poison, float %x, i32 2\n  %s = shufflevector <4 x float> %r, <4 x float> poison, <2 x i32> <i32 2, i32 poison>',
      [
        '%r = insertelement <4 x float> undef, float %x, i32 2',
        '%s = shufflevector <4 x float> %r, <4 x float> undef, <2, -1>',
      ],
    ],
    [
      '%r = tail call contract noundef float @llvm.fma.f32(float %x, float %y, float 1.0)',
      ['%r = fma float %x, %y, 1.0'],
    ],
    [
      'call void @llvm.assume(i1 true) [ "align"(ptr %p, i32 16) ]\n  call void @llvm.lifetime.start.p0(ptr nonnull %p) #1',
      [],
    ],
    ['call void @llvm.experimental.noalias.scope.decl(metadata !5)', []],
    [
      'call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 16 dereferenceable(20) %p, ptr align 4 %p, i32 20, i1 false), !tbaa.struct !7',
      ['call void @llvm.memcpy.p0.p0.i32(ptr align 16 %p, ptr align 4 %p, i32 20, i1 false)'],
    ],
    [
      '%r = call i32 (ptr, ...) @printf(ptr %p, i32 %a, double 1.0)',
      ['%r = call i32 @printf(ptr %p, i32 %a, double 1.0)'],
    ],
    ['%r = call range(i32 0, 9) i32 %p(i32 %a)', ['%r = call i32 %p(i32 %a)']],
    [
      'call fastcc void @callee(ptr noundef byval({ i64, i32 }) align 8 %p)',
      ['call void @callee(ptr byval({ i64, i32 }) align 8 %p)'],
    ],
    [
      '%r = tail call { i32, i32 } asm sideeffect "mad $0, $1;\\0A", "=r,=r,r"(i32 %a) #8, !srcloc !72',
      ['%r = call { i32, i32 } @asm:mad $0, $1;\n|=r,=r,r(i32 %a)'],
    ],
  ])('%s', (text, printed) => {
    const rest = [
      ...['declare float @llvm.fma.f32(float, float, float)', 'declare void @llvm.assume(i1 noundef)'],
      ...['declare void @llvm.lifetime.start.p0(ptr captures(none))', 'declare i32 @printf(ptr, ...)'],
      ...[
        'declare void @llvm.experimental.noalias.scope.decl(metadata)',
        'declare void @callee(ptr byval({ i64, i32 }) align 8)',
      ],
      'declare void @llvm.memcpy.p0.p0.i32(ptr noalias writeonly captures(none), ptr noalias readonly, i32, i1 immarg)',
    ]
    const attributes = '\nattributes #1 = { nounwind }\nattributes #8 = { nounwind }\n'
    expect(lines(`  ${text}`, rest.join('\n') + attributes)).toEqual(printed)
  })

  test('a switch has its cases, and a phi one entry for each predecessor', () => {
    const func = functionNamed(
      read(
        `define i32 @f(i8 %v) {
  switch i8 %v, label %other [
    i8 1, label %same
    i8 -4, label %same
  ], !dbg !1

same:
  %r = phi i32 [ 1, %0 ], [ 1, %0 ]
  ret i32 %r

other:
  unreachable
}
`
          .replaceAll('%0', '%1')
          .replace('(i8 %v)', '(i8 %v, i8)'),
      ),
      'f',
    )
    const printed = printFunction(func)
    expect(printed).toContain('switch i8 %v, label %other [1: label %same, -4: label %same]')
    expect(printed).toContain('%r = phi i32 [ 1, %1 ]\n')
  })

  test('quoted names and named types', () => {
    const module = read(`%"struct.a<int>" = type { %b, ptr }
%b = type <{ i8, i32 }>
@"weird \\22name" = global %"struct.a<int>" { %b <{ i8 1, i32 2 }>, ptr @"weird \\22name" }
define void @g() {
"first block":
  br label %"second block"

"second block":
  ret void
}
`)
    expect(module.globals[0]).toMatchObject({
      name: 'weird "name',
      type: { kind: 'struct', fields: [{ packed: true }, {}] },
    })
    expect(functionNamed(module, 'g').blocks.map(block => block.name)).toEqual(['first block', 'second block'])
  })
})

test('kernels know the clusters that they were compiled for', () => {
  const text = `
@name = private constant [17 x i8] c"warplens.cluster\\00"
@dims = private constant { i32, i32 } { i32 4, i32 2 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @name, ptr @name, i32 1, ptr @dims }], section "llvm.metadata"
define ptx_kernel void @k() {
  ret void
}
`
  const [kernel] = readModule(text, 'k.cu').functions
  expect(compiledCluster(kernel!)).toEqual({ x: 4, y: 2, z: 1 })
  expect(compiledCluster({ ...kernel!, attributes: new Set() })).toBeUndefined()
})

describe('what is not understood', () => {
  test('is named with the line of IR and the source line', () => {
    const text = LOOP.replace('%add = fadd contract float', '%add = fzzz contract float')
    const [diagnostic] = refusal(text).diagnostics
    expect(diagnostic).toMatchObject({ code: 'unsupported-ir', range: { file: 'k.cu', line: 6, column: 9 } })
    expect(diagnostic?.message).toContain("unsupported instruction 'fzzz'")
    expect(diagnostic?.notes?.[0]).toContain('%add = fzzz contract float %sum')
  })

  test.each([
    ['alloca of variable size', '  %r = alloca i32, i32 %a', 'variable size'],
    ['an unknown value', '  %r = add i32 %a, %zzz', 'unknown value %zzz'],
    ['an unknown block', '  br label %zzz\nnext:', 'unknown block %zzz'],
    ['a value of another type', '  %r = add i64 %a, 1', 'another type'],
    ['an unknown function', '  call void @zzz()', 'unknown function @zzz'],
    ['rest of a line', '  %r = add i32 %a, %b what', 'end of the instruction'],
    ['a type', '  %r = fadd x86_fp80 %x, %x', "unsupported type 'x86_fp80'"],
    ['a second definition', '  %a = add i32 %b, 1', 'a second value %a'],
    ['an operand bundle', '  call void %p() [ "deopt"(i32 1) ]', 'operand bundle'],
  ])('%s', (_, body, message) => {
    expect(refusal(inFunction(body)).message).toContain(message)
  })

  test('a struct that contains itself', () => {
    expect(refusal('%a = type { %a }\n@g = global %a undef\n').message).toContain('unknown type %a')
  })

  test('reading truncated or damaged text ends in a module or a diagnostic', { timeout: 60_000 }, () => {
    const readable = (text: string): void => {
      try {
        readModule(text, 'k.cu')
      } catch (error) {
        if (!(error instanceof UserError)) throw error
      }
    }
    fc.assert(
      fc.property(fc.nat(LOOP.length), fc.nat(30), fc.string({ maxLength: 3 }), (at, cut, inserted) => {
        readable(LOOP.slice(0, at))
        readable(LOOP.slice(0, at) + inserted + LOOP.slice(at + cut))
      }),
      { numRuns: 300, seed: 7 },
    )
  })
})
