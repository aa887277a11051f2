/** From a folder and its manifest to the list of programs: which files, which flags, which arguments. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { defaultProgram, type Manifest, type ProgramSettings } from './manifest.ts'

export interface CorpusProgram {
  /** Relative to the suite's root: a file or a folder. */
  readonly name: string
  /** Absolute; the program runs in it. */
  readonly folder: string
  /** Relative to `folder`. */
  readonly sources: readonly string[]
  readonly includeDirs: readonly string[]
  readonly defines: readonly string[]
  readonly flags: readonly string[]
  readonly args: readonly string[]
  readonly settings: ProgramSettings
  /** Why it does not count; undefined for a program that does. */
  readonly excluded: string | undefined
}

/** Every program of the suite in alphabetical order; `filter` compares with the name. */
export function discoverPrograms(root: string, manifest: Manifest, filter: RegExp | undefined): CorpusProgram[] {
  const units = manifest.within.flatMap(within => {
    const folder = join(root, within)
    return manifest.unit === 'file'
      ? filesBelow(folder).filter(path => path.endsWith('.cu'))
      : programFolders(folder, manifest.sample)
  })
  const programs = units.map(path => describe(path, root, manifest))
  return programs
    .filter(({ name, sources }) => sources.length > 0 && (!filter || filter.test(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function describe(path: string, root: string, manifest: Manifest): CorpusProgram {
  const name = relative(root, path)
  const settings = manifest.programs[name] ?? defaultProgram
  const folder = manifest.unit === 'file' ? dirname(path) : path
  const sources =
    settings.sources ??
    (manifest.unit === 'file' ? [basename(path)] : sourcesOf(folder).map(file => relative(folder, file)))
  const includeDirs = [...manifest.includeDirs, ...settings.includeDirs]
    .map(directory => join(root, directory.replace('{program}', relative(root, folder))))
    .filter(directory => existsSync(directory))
  const excluded = Object.entries(manifest.exclude).find(([, paths]) =>
    paths.some(excludedPath => name === excludedPath || name.startsWith(`${excludedPath}/`)),
  )
  return {
    name,
    folder,
    sources,
    includeDirs,
    defines: [...manifest.defines, ...settings.defines],
    flags: [...manifest.flags, ...settings.flags],
    args: settings.args.length > 0 ? settings.args : manifest.args,
    settings,
    excluded: excluded?.[0],
  }
}

/** Folders directly below that have a .cu file somewhere in them, or the sample of them. */
function programFolders(folder: string, sample: Manifest['sample']): string[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name.endsWith(sample?.ending ?? ''))
    .map(({ name }) => name)
    .sort()
  return names
    .filter((_, index) => !sample || sample.numbers.includes((index + 1) % sample.every))
    .map(name => join(folder, name))
    .filter(path => filesBelow(path).some(file => file.endsWith('.cu')))
}

/** Source files that are compiled by themselves: those that no other file of the folder includes. */
function sourcesOf(folder: string): string[] {
  const files = filesBelow(folder).filter(file => /\.(?:cu|cuh|cpp|cc|cxx|c|h|hpp|inl)$/.test(file))
  const included = new Set<string>()
  for (const file of files)
    for (const match of readFileSync(file, 'latin1').matchAll(/^\s*#\s*include\s*["<]([^">]+)[">]/gm))
      included.add(basename(match[1] ?? ''))
  return files.filter(file => /\.(?:cu|cpp|cc|cxx|c)$/.test(file) && !included.has(basename(file)))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(entry => join(folder, String(entry)))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort()
}
