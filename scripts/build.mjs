/**
 * Builds dist/: declarations by tsc, code by esbuild. Bundled, because Node takes half a millisecond for each of some 300
 * modules, on every start and in every worker thread (measured: `--version` 0.28 s in files, 0.13 s bundled).
 *
 * What runs in Node lies in dist/node with all its chunks: the modules there find `include/` and their workers by
 * `import.meta.url`. The core, which runs anywhere, is one file, dist/index.js. Packages stay packages, but in the command
 * line, which is one script (program.cjs) so that V8's code for it can be kept (src/node/start.ts).
 *
 * Then the headers that most programs begin with are precompiled (src/node/shipHeaders.ts, 60 MB), and an example is profiled,
 * for V8's code of what that takes.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
run('npx', ['tsc', '-p', 'tsconfig.build.json'])
await build({ ...common, entryPoints: ['src/index.ts'], outdir: 'dist', platform: 'neutral' })
const inNode = { ...common, outdir: 'dist/node', platform: 'node' }
await build({
  ...inNode,
  entryPoints: { program: 'src/node/main.ts' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  packages: 'bundle',
  external: ['@yowasp/clang'],
  define: { 'import.meta.url': 'bundleUrl' },
})
const entries = ['index', 'kernelWorker', 'clangWorker', 'runTimeCompilerWorker', 'shipHeaders']
await build({
  ...inNode,
  entryPoints: {
    main: 'src/node/start.ts',
    ...Object.fromEntries(entries.map(name => [name, `src/node/${name}.ts`])),
  },
  splitting: true,
  define: { PROGRAM_HASH: JSON.stringify(sha256(readFileSync(`${root}dist/node/program.cjs`))) },
})
run(process.execPath, ['dist/node/shipHeaders.js'])
shipCode()

/**
 * The command keeps V8's code in its cache folder, with a checksum of 32 bytes before it. Run twice: the second time keeps it again
 * where the flags that clang is compiled with are not taken back to this engine's own.
 */
function shipCode() {
  const folder = mkdtempSync(join(tmpdir(), 'warplens-build-'))
  const profile = ['dist/node/main.js', 'profile', '--quiet', 'examples/transpose.cu']
  const options = { env: { ...process.env, WARPLENS_CACHE_DIR: folder }, stdio: ['ignore', 'ignore', 'inherit'] }
  run(process.execPath, profile, options)
  run(process.execPath, profile, options)
  const kept = readdirSync(folder).find(name => name.endsWith('.code'))
  const { version, platform, arch } = process
  const shipped = `${root}dist/node/program-${version}-${platform}-${arch}.code`
  writeFileSync(shipped, readFileSync(join(folder, kept)).subarray(32))
  rmSync(folder, { recursive: true })
}

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (status !== 0) process.exit(status ?? 1)
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
