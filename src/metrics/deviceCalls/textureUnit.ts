/**
 * What a launch asks of the texture units. In: a prepared kernel and how often each of its blocks ran. Out: lookups of textures and
 * accesses of surfaces, their requests, the cycles that they take, and the texels that they read and write. Which request takes how
 * many cycles is in include/warplens/device_texture.h, by readings of an H200 (scripts/fidelity/cases/textures).
 */
import { lookupOf } from '../../analysis/calls/lookups.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Block, Func, TextureLookup } from '../../ir/ir.ts'
import type { BlockCount, TextureAccesses, TextureWork } from '../launchCounters.ts'

/** Of a block of the kernel that has any. */
interface BlockWork {
  /** In `kernel.blocks`. */
  readonly index: number
  readonly lookups: readonly TextureLookup[]
  readonly texelLoads: number
  readonly texelStores: number
}

const known = new WeakMap<Func, readonly BlockWork[]>()

function workOfBlocks(program: KernelProgram): readonly BlockWork[] {
  let work = known.get(program.kernel)
  if (!work) {
    work = program.kernel.blocks.map((block, index) => workOf(program, block, index)).filter(isUsed)
    known.set(program.kernel, work)
  }
  return work
}

function workOf({ siteIds, sites }: KernelProgram, { instructions }: Block, index: number): BlockWork {
  const ops = instructions.map(one => sites[siteIds.get(one)?.texture ?? -1]?.op)
  return {
    index,
    lookups: instructions.flatMap(one => lookupOf(one) ?? []),
    texelLoads: ops.filter(op => op === 'load').length,
    texelStores: ops.filter(op => op === 'store').length,
  }
}

const isUsed = ({ lookups, texelLoads, texelStores }: BlockWork) => lookups.length + texelLoads + texelStores > 0

/** @returns undefined where the kernel has neither textures nor surfaces */
export function textureWork(program: KernelProgram, blocks: readonly BlockCount[]): TextureWork | undefined {
  const work = workOfBlocks(program)
  if (work.length === 0) return undefined
  const sum = (of: (block: BlockWork) => number) =>
    work.reduce((total, block) => total + of(block) * (blocks[block.index]?.warps ?? 0), 0)
  const accesses = (kind: TextureLookup['kind']): TextureAccesses => {
    const ofKind = ({ lookups }: BlockWork) => lookups.filter(lookup => lookup.kind === kind)
    return {
      instructions: sum(block => ofKind(block).length),
      requests: sum(block => ofKind(block).reduce((all, { requests }) => all + requests, 0)),
    }
  }
  return {
    texture: accesses('texture'),
    surfaceLoad: accesses('surfaceLoad'),
    surfaceStore: accesses('surfaceStore'),
    cycles: sum(({ lookups }) => lookups.reduce((all, { cycles }) => all + cycles, 0)),
    texelLoads: sum(({ texelLoads }) => texelLoads),
    texelStores: sum(({ texelStores }) => texelStores),
  }
}

/** Of several kernels; undefined for none. */
export function sumOfTextures(works: readonly TextureWork[]): TextureWork | undefined {
  if (works.length <= 1) return works[0]
  const sum = (of: (work: TextureWork) => number) => works.reduce((total, work) => total + of(work), 0)
  const accesses = (kind: TextureLookup['kind']): TextureAccesses => ({
    instructions: sum(work => work[kind].instructions),
    requests: sum(work => work[kind].requests),
  })
  return {
    texture: accesses('texture'),
    surfaceLoad: accesses('surfaceLoad'),
    surfaceStore: accesses('surfaceStore'),
    cycles: sum(({ cycles }) => cycles),
    texelLoads: sum(({ texelLoads }) => texelLoads),
    texelStores: sum(({ texelStores }) => texelStores),
  }
}
