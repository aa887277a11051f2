/** Lookups of textures and accesses of surfaces (textureUnit.ts). Readings: scripts/fidelity/cases/textures. */
import { countedFidelity, type MetricDefinition, modelled } from '../definition.ts'
import type { LaunchCounters, TextureAccesses, TextureWork } from '../launchCounters.ts'

const ncu = { vocabulary: 'ncu' } as const
const NONE: TextureAccesses = { instructions: 0, requests: 0 }

const kinds = ['texture', 'surfaceLoad', 'surfaceStore'] as const
type Kind = (typeof kinds)[number] & keyof TextureWork

const sum = ({ textures }: LaunchCounters, ofKinds: readonly Kind[], what: keyof TextureAccesses): number =>
  ofKinds.reduce((total, kind) => total + (textures?.[kind] ?? NONE)[what], 0)

const executed = (name: string, ofKinds: readonly Kind[], what: string, counterpart?: string): MetricDefinition => ({
  ...ncu,
  name,
  unit: 'inst',
  definition: `Warp-level ${what} executed.`,
  ...(counterpart && { counterpart }),
  fidelity: countedFidelity,
  value: ({ launch }) => sum(launch, ofKinds, 'instructions'),
})

/** Of warps with fewer lanes there are fewer. */
const requests = (name: string, ofKinds: readonly Kind[], what: string): MetricDefinition => ({
  ...ncu,
  name,
  unit: 'request',
  definition: `Requests of ${what}, all lanes taking part: of an array four lanes are one, of linear memory and of a surface eight.`,
  fidelity: modelled,
  value: ({ launch }) => sum(launch, ofKinds, 'requests'),
})

export const textureMetrics: readonly MetricDefinition[] = [
  executed('smsp__inst_executed_pipe_tex.sum', kinds, 'lookups of textures and accesses of surfaces'),
  executed('smsp__inst_executed_op_texture.sum', ['texture'], 'lookups of textures', 'inst_executed_tex_ops'),
  executed('smsp__sass_inst_executed_op_texture.sum', ['texture'], 'lookups of textures'),
  executed(
    'smsp__inst_executed_op_surface_ld.sum',
    ['surfaceLoad'],
    'reads of surfaces',
    'inst_executed_surface_loads',
  ),
  executed(
    'smsp__inst_executed_op_surface_st.sum',
    ['surfaceStore'],
    'writes of surfaces',
    'inst_executed_surface_stores',
  ),
  requests('l1tex__t_requests_pipe_tex_mem_texture.sum', ['texture'], 'lookups of textures'),
  requests('l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum', ['surfaceLoad'], 'reads of surfaces'),
  requests('l1tex__t_requests_pipe_tex_mem_surface_op_st.sum', ['surfaceStore'], 'writes of surfaces'),
]
