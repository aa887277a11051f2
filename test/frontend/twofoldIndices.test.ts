/** Variables without sign that choose elements, and others with one: where the first are (test/cases/machine_signs.cu was read). */
import { expect, test } from 'vitest'
import { twofoldIndices } from '../../src/frontend/passes/twofoldIndices.ts'

const callee = `define internal double @at(ptr %p, i32 %i) {
entry:
  store i32 %i, ptr %i.addr, align 4
  %0 = load i32, ptr %i.addr, align 4, !dbg !1
  %sub = sub nsw i32 %0, 1, !dbg !1
  %a = getelementptr inbounds double, ptr %p, i32 %sub, !dbg !2`
const caller = (index: string, rest: string) => `define dso_local ptx_kernel void @k(ptr %c) {
entry:
  %call = call i32 @tid()
  ${index}
  store i32 %t, ptr %i, align 4
  %0 = load i32, ptr %i, align 4, !dbg !3
  %b = getelementptr inbounds nuw double, ptr %c, i32 %0, !dbg !4
  %1 = load i32, ptr %i, align 4, !dbg !5
  ${rest}`
const PLAIN = '%t = add i32 %call, 1'
const CALL = '%r = call double @at(ptr %c, i32 noundef %1) #4, !dbg !6'

test('handed to a function that takes one with a sign', () => {
  expect(twofoldIndices([callee, caller(PLAIN, CALL)])).toEqual(new Set(['4']))
})

test('copied to a variable with one', () => {
  const copy = `store i32 %1, ptr %j, align 4
  %2 = load i32, ptr %j, align 4, !dbg !7
  %d = getelementptr inbounds double, ptr %c, i32 %2, !dbg !8`
  expect(twofoldIndices([caller(PLAIN, copy)])).toEqual(new Set(['4']))
})

test('not what is never negative, nor what goes elsewhere', () => {
  expect(twofoldIndices([callee, caller('%t = and i32 %call, 63', CALL)])).toEqual(new Set())
  expect(twofoldIndices([callee, caller(PLAIN, 'call void @other(i32 %1)')])).toEqual(new Set())
})
