import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/diagnostic.ts'
import { checkModule } from '../../src/ir/check.ts'
import type { Module } from '../../src/ir/ir.ts'
import { type LinkedModule, linkModules } from '../../src/ir/link.ts'
import { printModule } from '../../src/ir/print.ts'
import { readModule } from '../../src/ir/read.ts'

const MAIN = `@table = external addrspace(1) global [0 x i32], align 4
@.str = private unnamed_addr constant [2 x i8] c"a\\00", align 1
@shared = external addrspace(3) global [0 x float], align 4
define ptx_kernel void @kernel(ptr %p) {
  %r = call i32 @helper(ptr addrspacecast (ptr addrspace(1) @table to ptr))
  %s = call i32 @inline(ptr @.str)
  %t = call i32 asm "mov $0", "=r"()
  ret void
}
declare i32 @helper(ptr)
define linkonce_odr i32 @inline(ptr %p) {
  ret i32 1
}
`
const OTHER = `@table = addrspace(1) global [4 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [2 x i8] c"b\\00", align 1
@list = internal global [2 x ptr] [ptr @.str, ptr @helper], align 4
@shared = external addrspace(3) global [0 x float], align 4
define i32 @helper(ptr %p) {
  %q = call i32 @inline(ptr @.str)
  %t = call i32 asm "mov $0", "=r"()
  ret i32 %q
}
define linkonce_odr i32 @inline(ptr %p) {
  ret i32 1
}
`

function link(...texts: string[]): LinkedModule {
  const modules = texts.map((text, i) => readModule(text, `${i}.cu`))
  const before = modules.map(printModule)
  const linked = linkModules(
    modules,
    texts.map((_, i) => `${i}.cu`),
  )
  checkModule(linked)
  expect(modules.map(printModule)).toEqual(before)
  return linked
}

function names(module: Module): string[] {
  return [...module.globals, ...module.functions].map(symbol => symbol.name)
}

function failure(...texts: string[]): UserError {
  try {
    link(...texts)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('it linked')
}

describe('two files', () => {
  const linked = link(MAIN, OTHER)

  test('have each external symbol once, defined where one defines it', () => {
    expect(names(linked).sort()).toEqual(
      ['.str', '.str.1', 'asm:mov $0|=r', 'helper', 'inline', 'kernel', 'list', 'shared', 'table'].sort(),
    )
    expect(linked.globals.find(global => global.name === 'table')).toMatchObject({ external: false, align: 16 })
    expect(linked.functions.find(func => func.name === 'helper')?.blocks).toHaveLength(1)
  })

  test('keep their internal symbols apart', () => {
    const text = printModule(linked)
    expect(text).toContain('call i32 @inline(ptr @.str)')
    expect(text).toContain('call i32 @inline(ptr @.str.1)')
    expect(text).toContain('@list = internal global [2 x ptr] [ptr @.str.1, ptr @helper]')
    expect([...linked.renamed].map(([file, renames]) => [file, ...renames])).toEqual([
      ['0.cu'],
      ['1.cu', ['.str', '.str.1']],
    ])
  })

  test('in the other order give the same symbols', () => {
    expect(names(link(OTHER, MAIN)).sort()).toEqual(names(linked).sort())
  })
})

test('one file stays as it is', () => {
  expect(printModule(link(OTHER))).toBe(printModule(readModule(OTHER, 'k.cu')))
})

test('what several files define and none only declares is each file’s own, as without relocatable code', () => {
  const file = (value: number) => `
@table = addrspace(4) externally_initialized global [1 x i32] [i32 ${value}], align 4
define i32 @get() {
  %x = load i32, ptr addrspace(4) @table
  ret i32 %x
}
define ptx_kernel void @kernel${value}() {
  %x = call i32 @get()
  ret void
}
`
  const linked = link(file(1), file(2))
  expect(names(linked).sort()).toEqual(['get', 'get.1', 'kernel1', 'kernel2', 'table', 'table.1'])
  expect(printModule(linked)).toMatch(/@kernel2\(\) \{[^}]*call i32 @get\.1\(\)/)
  expect([...linked.renamed.values()].map(renames => Object.fromEntries(renames))).toEqual([
    {},
    { table: 'table.1', get: 'get.1' },
  ])
})

test('two strong definitions of what another file declares are the user’s mistake', () => {
  const error = failure(OTHER, 'define i32 @helper(ptr %p) {\n  ret i32 0\n}\n', MAIN)
  expect(error.diagnostics[0]).toMatchObject({ code: 'duplicate-symbol', message: "'helper' is defined in two files" })
})

test('a template’s kernel that several files use is one, a plain one is the user’s mistake', () => {
  const kernel = (name: string) => `define ptx_kernel void @${name}() {\n  ret void\n}\n`
  const both = (name: string) => link(kernel(name), kernel(name))
  expect(names(both('_ZN8warplens4axpyIfEEvi'))).toEqual(['_ZN8warplens4axpyIfEEvi'])
  expect(() => both('_Z4axpyi')).toThrow("'_Z4axpyi' is defined in two files")
})

test('static kernels and variables of namespaces are each file’s own, by their names', () => {
  for (const name of [
    '_ZL1kPi',
    '_ZN3libL1kEPi',
    '_ZN3lib5innerL5tableE',
    '_ZN12_GLOBAL__N_11kEv',
    '_ZN3lib12_GLOBAL__N_11kEv',
  ]) {
    const text = `define ptx_kernel void @${name}() {\n  ret void\n}\n`
    expect(names(link(text, text))).toEqual([name, `${name}.1`])
  }
  for (const name of ['_ZN3lib1kEPi', '_ZN3lib5Large1LEv']) {
    const text = `define ptx_kernel void @${name}() {\n  ret void\n}\n`
    expect(failure(text, text).diagnostics[0]?.code).toBe('duplicate-symbol')
  }
})

test('declarations that disagree are the user’s mistake', () => {
  expect(failure(OTHER, 'declare float @helper(ptr)\n').diagnostics[0]?.code).toBe('symbol-mismatch')
  expect(failure(OTHER, '@table = external addrspace(4) global i32\n').diagnostics[0]?.code).toBe('symbol-mismatch')
})
