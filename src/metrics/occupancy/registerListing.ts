/**
 * Registers a thread as the machine compiler prints them: `nvcc -Xptxas -v` ("Used 32 registers") and `cuobjdump
 * --dump-resource-usage` ("REG:32"). In: the text. Out: by mangled kernel name. With several architectures in one listing the
 * last one counts.
 */

const entryLine = /Compiling entry function '([^']+)'|^\s*Function ([^\s:]+):/
const usedLine = /\bUsed (\d+) registers\b|\bREG:(\d+)\b/

export function parseRegisterListing(text: string): Map<string, number> {
  const found = new Map<string, number>()
  let kernel: string | undefined
  for (const line of text.split('\n')) {
    const entry = entryLine.exec(line)
    if (entry) kernel = entry[1] ?? entry[2]
    const used = usedLine.exec(line)
    if (used && kernel !== undefined) found.set(kernel, Number(used[1] ?? used[2]))
  }
  return found
}

/**
 * Looks kernels up by their mangled name. nvcc compiles for 64 bits and we for 32, so that a `size_t` is mangled otherwise
 * (`m`, and `j` here): such names are compared by name and template arguments, without the parameters.
 */
export function registerLookup(
  listing: ReadonlyMap<string, number>,
  nameOf: (mangled: string) => string,
): (kernel: string) => number | undefined {
  const byName = new Map<string, number | undefined>()
  for (const [mangled, registers] of listing) {
    const name = nameOf(mangled)
    // Overloads that differ only in their parameters: not to be told apart.
    byName.set(name, byName.has(name) && byName.get(name) !== registers ? undefined : registers)
  }
  return kernel => listing.get(kernel) ?? byName.get(nameOf(kernel))
}
