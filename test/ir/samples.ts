/**
 * Small modules of LLVM IR in the form that clang emits, written by hand: each shows what reading, printing or linking must get right.
 */

/** Control flow with a loop, an early exit and shared memory; locations with a call that was inlined. */
export const LOOP = `; ModuleID = 'k.cu'
source_filename = "k.cu"
target triple = "nvptx-nvidia-cuda"

%struct.Pair = type { i8, %struct.Inner, [3 x i16] }
%struct.Inner = type { double, i32 }

$_ZZ1kPfE4tile = comdat any

@_ZZ1kPfE4tile = linkonce_odr local_unnamed_addr addrspace(3) global [16 x [33 x float]] undef, comdat, align 4
@dyn = external local_unnamed_addr addrspace(3) global [0 x float], align 16

; Function Attrs: convergent mustprogress
define dso_local ptx_kernel void @_Z1kPfi(ptr noundef writeonly captures(none) %out, i32 noundef %n) local_unnamed_addr #0 !dbg !12 {
entry:
  %0 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !16
  %cmp = icmp samesign ult i32 %0, %n, !dbg !20
  br i1 %cmp, label %for.body, label %exit, !dbg !20

for.body:                                         ; preds = %for.inc, %entry
  %i = phi i32 [ %next, %for.inc ], [ 0, %entry ]
  %sum = phi float [ %add, %for.inc ], [ 0.000000e+00, %entry ]
  %arrayidx = getelementptr inbounds nuw [33 x float], ptr addrspace(3) @_ZZ1kPfE4tile, i32 %i, i32 %0, !dbg !21
  %1 = load float, ptr addrspace(3) %arrayidx, align 4, !dbg !21, !tbaa !43
    #dbg_value(float %1, !99, !DIExpression(), !21)
  %add = fadd contract float %sum, %1, !dbg !22
  %odd = trunc nuw i32 %i to i1
  br i1 %odd, label %store, label %for.inc

store:
  %slot = getelementptr inbounds float, ptr %out, i32 %i, !dbg !23
  store float %add, ptr %slot, align 4, !dbg !24
  br label %for.inc

for.inc:
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, 16
  br i1 %again, label %for.body, label %exit, !llvm.loop !50

exit:
  ret void, !dbg !25
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { convergent mustprogress noinline norecurse nounwind "nvvm.maxntid"="256" "target-cpu"="sm_75" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
!12 = distinct !DISubprogram(name: "k", scope: !13, file: !13, line: 3, type: !14, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !5)
!13 = !DIFile(filename: "k.cu", directory: "")
!14 = !DISubroutineType(types: !15)
!15 = !{}
!16 = !DILocation(line: 53, column: 27, scope: !17, inlinedAt: !19)
!17 = distinct !DISubprogram(name: "fetch<int, \\22x\\22>", scope: !18, file: !18, line: 50)
!18 = !DIFile(filename: "vars.h", directory: "")
!19 = distinct !DILocation(line: 4, column: 9, scope: !26)
!20 = !DILocation(line: 5, column: 7, scope: !12)
!21 = !DILocation(line: 6, column: 12, scope: !26)
!22 = !DILocation(line: 6, column: 9, scope: !26)
!23 = !DILocation(line: 7, column: 5, scope: !26)
!24 = !DILocation(line: 7, column: 12, scope: !12)
!25 = !DILocation(line: 8, column: 1, scope: !12)
!26 = distinct !DILexicalBlock(scope: !12, file: !13, line: 5, column: 3)
!43 = !{!44, !44, i64 0}
!50 = distinct !{!50, !51}
`

/** One function around the given instructions. Parameters: `%p` (ptr), `%a`, `%b` (i32), `%x`, `%y` (float), `%c` (i1). */
export function inFunction(body: string, rest = ''): string {
  return `define void @f(ptr %p, i32 %a, i32 %b, float %x, float %y, i1 %c) {\nentry:\n${body}\n  ret void\n}\n${rest}\n`
}

/** Metadata !0 to !3 for a kernel `@k(…) !dbg !3` of k.cu; places of one's own (`!DILocation(…, scope: !3)`) go from !4. */
export const DEBUG_INFO_OF_K = `!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "k.cu", directory: ".")
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, unit: !2)`
