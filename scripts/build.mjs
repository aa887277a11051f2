/**
 * Builds dist/: declarations by tsc, code by esbuild. Bundled, because Node takes half a millisecond for each of some 300
 * modules, on every start and in every worker thread (measured: `--version` 0.28 s in files, 0.13 s bundled).
 *
 * Then the headers that most programs begin with are precompiled (src/node/shipHeaders.ts, 39 MB).
 *
 * What runs in Node lies in dist/node with all its chunks: the modules there find `include/` and their workers by
 * `import.meta.url`. The core, which runs anywhere, is one file, dist/index.js. Packages stay packages.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  packages: 'external',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  target: 'es2023',
}

rmSync(`${root}dist`, { recursive: true, force: true })
const declarations = spawnSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (declarations.status !== 0) process.exit(declarations.status ?? 1)
await build({ ...common, entryPoints: ['src/index.ts'], outdir: 'dist', platform: 'neutral' })
await build({
  ...common,
  entryPoints: ['main', 'index', 'kernelWorker', 'clangWorker', 'shipHeaders'].map(name => `src/node/${name}.ts`),
  outdir: 'dist/node',
  platform: 'node',
  splitting: true,
})
const shipping = spawnSync(process.execPath, ['dist/node/shipHeaders.js'], { cwd: root, stdio: 'inherit' })
process.exitCode = shipping.status ?? 1
