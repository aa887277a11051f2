/** Copies of structures in LLVM IR as clang writes it, before any pass. */

const OPERAND = '(?:noundef )?(?:nonnull )?align (\\d+) ([%@](?:"[^"]+"|[\\w.$-]+))'

/** A copy with what is known of its members: alignment and name of where it goes, of where it comes from, bytes, `, !dbg !N`, node of `!tbaa.struct`. */
export const COPY = new RegExp(
  `^ {2}(?:tail )?call void @llvm\\.memcpy\\.p0\\.p0\\.i32\\(ptr ${OPERAND}, ptr ${OPERAND}, i32 (\\d+), i1 false\\)[^\\n]*?(, !dbg !\\d+)?, !tbaa\\.struct !(\\d+)$`,
  'gm',
)

/** A local variable's name, where it is made. */
export const ALLOCA = /^ {2}(%(?:"[^"]+"|[\w.$-]+)) = alloca /gm
