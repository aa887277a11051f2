/**
 * Host code that clang's vectorisers fail over (assertions about their own models of cost: it is a development version) compiles without
 * them. In: a clang. Out: one that runs such a command once more; the program means the same, its host loops are slower.
 */
import { type Clang, CRASHED } from '../clang/clang.ts'
import { VECTORIZERS } from './commands.ts'

export function withScalarHost(clang: Clang): Clang {
  return {
    async run(args, files) {
      const result = await clang.run(args, files)
      const scalar = args.filter(arg => !VECTORIZERS.includes(arg))
      const isVectorizers = result.exitCode === CRASHED && /\/Transforms\/Vectorize\//.test(result.stderr)
      return isVectorizers && scalar.length < args.length ? await clang.run(scalar, files) : result
    },
  }
}
