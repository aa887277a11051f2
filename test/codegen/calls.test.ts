/** Calls that cannot be inlined: through pointers, and recursive ones. */
import { describe, expect, test } from 'vitest'
import { compareExecutors, type Launched } from './compare.ts'

const TID = 'declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n'

function run(body: string, threads = 32, words = threads): Launched {
  return compareExecutors({
    ir: TID + body,
    grid: { x: 2, y: 1, z: 1 },
    block: { x: threads, y: 1, z: 1 },
    buffers: [new Uint32Array(words)],
  })
}

describe('through pointers', () => {
  const functions = `define i32 @double(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}
define i32 @square(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define i64 @other(i64 %x) {
  ret i64 %x
}
@table = internal addrspace(1) constant [3 x ptr] [ptr @double, ptr @square, ptr @other]
`

  test('different functions in one warp', () => {
    const { buffers } = run(`${functions}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %tid, 1
  %c = icmp eq i32 %odd, 0
  %f = select i1 %c, ptr @double, ptr @square
  %v = call i32 %f(i32 %tid)
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`)
    expect([...buffers[0]!.slice(0, 6)]).toEqual([0, 1, 4, 9, 8, 25])
  })

  test('a pointer to nothing, or to a function of another type, is an illegal instruction', () => {
    // The functions are numbered from 1, the thread's index first.
    for (const number of [0, 4, 77]) {
      const { outcome } = run(`${functions}
define ptx_kernel void @k(ptr %out) {
  %p = inttoptr i32 ${number} to ptr
  %v = call i32 %p(i32 1)
  store i32 %v, ptr %out, align 4
  ret void
}`)
      expect(outcome.fault).toMatchObject({ kind: 'illegal-instruction' })
    }
  })
})

describe('recursion', () => {
  test('two calls, with variables of its own in each activation, at different depths in one warp', () => {
    const { buffers, outcome } = run(`
define i32 @fib(i32 %n) noinline {
entry:
  %slot = alloca i32, align 4
  store i32 %n, ptr %slot, align 4
  %small = icmp ult i32 %n, 2
  br i1 %small, label %leaf, label %branch
leaf:
  ret i32 %n
branch:
  %n1 = sub i32 %n, 1
  %a = call i32 @fib(i32 %n1)
  %kept = load i32, ptr %slot, align 4
  %n2 = sub i32 %kept, 2
  %b = call i32 @fib(i32 %n2)
  %sum = add i32 %a, %b
  ret i32 %sum
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %tid, 7
  %v = call i32 @fib(i32 %n)
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`)
    expect([...buffers[0]!.slice(0, 8)]).toEqual([0, 1, 1, 2, 3, 5, 8, 13])
    // Behind the calls all lanes are together again.
    expect(outcome.sites.at(-1)).toMatchObject({ executed: 2, threads: 64 })
  })

  test('in a loop, of two functions that call each other, with doubles, structures and nothing returned', () => {
    const { buffers } = run(
      `
%pair = type { double, i32 }
define %pair @even(i32 %n, double %x) noinline {
entry:
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %done, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %acc = phi double [ %x, %entry ], [ %sum, %loop ]
  %less = sub i32 %n, 1
  %p = call %pair @odd(i32 %less, double %acc)
  %d = extractvalue %pair %p, 0
  %k = extractvalue %pair %p, 1
  %w = uitofp i32 %k to double
  %part = fadd double %d, %w
  %sum = fadd double %part, %x
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 2
  br i1 %more, label %loop, label %done
done:
  %r = phi double [ %x, %entry ], [ %sum, %loop ]
  %a = insertvalue %pair undef, double %r, 0
  %b = insertvalue %pair %a, i32 %n, 1
  ret %pair %b
}
define %pair @odd(i32 %n, double %x) noinline {
entry:
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %done, label %go
go:
  %less = sub i32 %n, 1
  %twice = fmul double %x, 2.0
  %p = call %pair @even(i32 %less, double %twice)
  ret %pair %p
done:
  %a = insertvalue %pair undef, double %x, 0
  %b = insertvalue %pair %a, i32 7, 1
  ret %pair %b
}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = urem i32 %tid, 6
  %from = uitofp i32 %tid to double
  br label %again
again:
  %t = phi i32 [ 0, %entry ], [ %t1, %again ]
  %x = phi double [ %from, %entry ], [ %y, %again ]
  %p = call %pair @even(i32 %n, double %x)
  %d = extractvalue %pair %p, 0
  %y = fmul double %d, 0.5
  %t1 = add i32 %t, 1
  %c = icmp ult i32 %t1, 3
  br i1 %c, label %again, label %done
done:
  %r = fptoui double %y to i64
  %to = getelementptr i64, ptr %out, i32 %tid
  store i64 %r, ptr %to, align 8
  ret void
}`,
      40,
      80,
    )
    // n = 0: three halvings.
    expect(buffers[0]![12]).toBe(0)
    expect(buffers[0]![2 * 24]).toBe(3)
  })

  test('without end it overflows the stack', () => {
    const { outcome } = run(`
define i32 @f(i32 %n) noinline {
entry:
  %slot = alloca [64 x i32], align 4
  %to = getelementptr i32, ptr %slot, i32 3
  store i32 %n, ptr %to, align 4
  %m = add i32 %n, 1
  %stop = icmp eq i32 %n, -1
  br i1 %stop, label %end, label %go
go:
  %v = call i32 @f(i32 %m)
  %u = load i32, ptr %to, align 4
  %w = add i32 %v, %u
  ret i32 %w
end:
  ret i32 0
}
define ptx_kernel void @k(ptr %out) {
  %v = call i32 @f(i32 0)
  store i32 %v, ptr %out, align 4
  ret void
}`)
    expect(outcome.fault).toMatchObject({ kind: 'illegal-address' })
    expect(outcome.fault?.message).toContain('stack')
  })

  test("a structure by value is the callee's own", () => {
    const { buffers } = run(`
%box = type { i32, i32 }
define i32 @sum(ptr byval(%box) align 4 %b, i32 %n) noinline {
entry:
  %v = load i32, ptr %b, align 4
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %end, label %go
go:
  %w = add i32 %v, 1
  store i32 %w, ptr %b, align 4
  %m = sub i32 %n, 1
  %below = call i32 @sum(ptr byval(%box) align 4 %b, i32 %m)
  %mine = load i32, ptr %b, align 4
  %s = add i32 %below, %mine
  ret i32 %s
end:
  ret i32 %v
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = alloca %box, align 4
  store i32 10, ptr %b, align 4
  %n = and i32 %tid, 3
  %v = call i32 @sum(ptr byval(%box) align 4 %b, i32 %n)
  %still = load i32, ptr %b, align 4
  %all = mul i32 %still, %v
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %all, ptr %to, align 4
  ret void
}`)
    expect([...buffers[0]!.slice(0, 4)]).toEqual([100, 10 * (11 + 11), 10 * (11 + 12 + 12), 10 * (11 + 12 + 13 + 13)])
  })
})
