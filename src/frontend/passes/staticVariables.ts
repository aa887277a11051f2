/**
 * Static variables of code that is compiled at run time, and those of unnamed namespaces. Its host is another program, which finds them by name (cuModuleGetGlobal);
 * clang, which sees no use of theirs by a host, would take `static __constant__ float table[4];` for zeros that never change.
 */

const STATIC_VARIABLE = /^(@_Z(?!Z)[\w$.]+ = )internal (addrspace\(4\) (?:constant|global)|addrspace\(1\) global) /gm

/** In: LLVM IR before any pass. Out: the same with those variables for everybody. */
export const showStaticVariables = (ir: string): string =>
  ir.replace(STATIC_VARIABLE, (_, name: string, kind: string) => {
    const [space, ...rest] = kind.split(' ')
    return `${name}${space} externally_initialized ${rest.join(' ')} `
  })
