// tsx dump.ts FILE.cu... : JSON lines of accesses per kernel after all passes
import { createClangPool } from '/tmp/h/a/src/node/clangPool.ts'
import { buildFiles } from '/tmp/h/a/src/node/program.ts'
import { prepareKernel } from '/tmp/h/a/src/analysis/prepare.ts'
import { doubtsOf } from '/tmp/h/a/src/metrics/doubts.ts'
import { writeFileSync } from 'node:fs'
import { dirname, basename } from 'node:path'
const pool = createClangPool()
for (const file of process.argv.slice(2)) {
  const out: unknown[] = []
  try {
    const built = await buildFiles([basename(file)], { includeDirs: [], defines: [], includes: [], standard: 'c++17', optimize: 2, architecture: 90, cache: true, clang: pool, workingDirectory: dirname(file), environment: process.env } as never, { stage: () => {} })
    for (const func of built.deviceModule.functions) {
      if (!func.blocks.length || !func.isKernel) continue
      try {
        const p = prepareKernel(built.deviceModule, func.name)
        const accs: unknown[] = []
        p.kernel.blocks.forEach((block, index) => {
          const inLoops = p.loops.map((l, i) => [l, i] as const).filter(([l]) => l.first <= index && index <= l.last).map(([, i]) => i)
          for (const ins of block.instructions) {
            const ids = p.siteIds.get(ins)
            if (!ids) continue
            const spaces = Object.keys(ids)
            const site = p.sites[Object.values(ids)[0] as number]!
            accs.push({ space: spaces.length > 1 ? 'generic' : spaces[0], op: site.op, width: site.width, form: site.form, mw: site.matrixWords, line: site.location?.line, block: block.name, loops: inLoops })
          }
        })
        const doubts = doubtsOf(p)
        const names = { GL: 'smsp__sass_inst_executed_op_global_ld.sum', GS: 'smsp__sass_inst_executed_op_global_st.sum', SL: 'smsp__sass_inst_executed_op_shared_ld.sum', SS: 'smsp__sass_inst_executed_op_shared_st.sum' }
        const doubtful = Object.entries(names).filter(([, n]) => doubts.some(d => d.counters.test(n))).map(([k]) => k)
        out.push({ name: func.name, accs, doubtful, causes: [...new Set(doubts.map(d => d.cause))], loops: p.loops.map(l => [l.first, l.last]) })
      } catch (e) { out.push({ name: func.name, error: String(e).slice(0, 300) }) }
    }
  } catch (e) { out.push({ error: String((e as any).stack ?? e).slice(0, 1500) }) }
  writeFileSync(file.replace(/\.cu$/, '.ours.json'), JSON.stringify(out))
}
await pool.close()
