/**
 * One launch under all checks that are wanted: deals out accesses and meetings to those who look at them, and turns what they find into
 * findings with the threads' places. One object a launch; blocks may be under way at the same time.
 */
import { WARP_LANES } from '../addressSpace.ts'
import { sharedBytes } from '../analysis/facts/layout.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { indexIn } from '../clusters.ts'
import { ordersMemory, syncPointsOf } from '../codegen/checking/syncPoints.ts'
import { unitLog2Of } from '../codegen/checking/tagCode.ts'
import type { CallInstruction } from '../ir/ir.ts'
import type {
  AddressRow,
  CheckedAccess,
  Dim3,
  KeptKinds,
  LaunchChecker,
  RefusedFree,
  SyncPoints,
  TagPlace,
  WarpLanes,
} from '../launch.ts'
import { triple } from '../runtime/launches/faults.ts'
import type { Site, Space } from '../trace.ts'
import type { DeviceRanges } from './deviceRanges.ts'
import { type CheckTool, type FindingExample, type FindingSeverity, type Findings, ownPlace } from './findings.ts'
import { GlobalChecks } from './globalChecks.ts'
import { HappensBefore } from './happensBefore.ts'
import { KEEPS_NOTHING, SharedChecks, type SharedRows } from './sharedChecks.ts'
import type { Hazard, SharedSetting } from './sharedSetting.ts'
import type { TagMemory } from './sharedTags.ts'
import { type SiteFacts, siteFactsOf } from './siteFacts.ts'
import { SyncChecks, type SyncFindings } from './syncChecks.ts'

export interface CheckedGrid {
  /** Number of the launch. */
  readonly index: number
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
  /** Nothing is there any more. */
  readonly isFreed: (address: number) => boolean
}

interface BlockChecks {
  readonly order: HappensBefore
  readonly shared: SharedChecks | undefined
  readonly sync: SyncChecks
  /** Of whose findings are told. */
  number: number
}

export class LaunchChecks implements LaunchChecker {
  readonly points: SyncPoints
  private readonly launch: CheckedGrid
  private readonly tools: ReadonlySet<CheckTool>
  private readonly findings: Findings
  /** Where an address lies, in words. */
  private readonly describe: (address: number) => string
  private readonly facts: readonly SiteFacts[]
  private readonly global: GlobalChecks
  private readonly shared: SharedSetting | undefined
  private readonly memory: TagMemory
  private sharedTags: SharedRows | undefined
  private readonly warps: number
  private readonly orders: readonly boolean[]
  private readonly blocks = new Map<number, BlockChecks>()
  private readonly unused: BlockChecks[] = []
  private at: BlockChecks | undefined
  private atBlock = -1
  /** An access outside of all memory was found: the fault that may come of it is no other finding. */
  hasOutside = false

  constructor(
    launch: CheckedGrid,
    tools: ReadonlySet<CheckTool>,
    ranges: DeviceRanges,
    findings: Findings,
    describe: (address: number) => string,
    memory: TagMemory,
  ) {
    const { program, block } = launch
    this.launch = launch
    this.tools = tools
    this.findings = findings
    this.describe = describe
    this.memory = memory
    this.points = syncPointsOf(program)
    this.orders = this.points.calls.map(ordersMemory)
    this.facts = siteFactsOf(program)
    const threads = block.x * block.y * block.z
    this.warps = Math.ceil(threads / WARP_LANES)
    this.global = new GlobalChecks(ranges, this.facts, {
      outside: tools.has('memcheck') ? (access, lane) => this.tellOutside(access, lane) : undefined,
      unwritten: tools.has('initcheck') ? (access, lane) => this.tellUnwritten(access, lane) : undefined,
    })
    this.shared = this.sharedSetting()
  }

  private sharedSetting(): SharedSetting | undefined {
    const { program, dynamicSharedBytes } = this.launch
    const sites = program.sites.filter(({ space }) => space === 'shared')
    const unitLog2 = unitLog2Of(program)
    if (unitLog2 === undefined) return undefined
    // What other blocks of a cluster do there is not seen.
    const isAlone = program.sites.every(({ space }) => space !== 'cluster')
    const has = (tool: CheckTool): boolean => isAlone && this.tools.has(tool)
    return {
      bytes: sharedBytes(program.shared, dynamicSharedBytes),
      unitLog2,
      memory: this.memory,
      facts: this.facts,
      sites: program.sites,
      hasLocks: sites.some(({ id }) => this.facts[id]!.acquires),
      findings: {
        outside: this.tools.has('memcheck') ? (access, lane) => this.tellOutside(access, lane) : undefined,
        hazard: has('racecheck') ? (access, lane, hazard) => this.tellHazard(access, lane, hazard) : undefined,
        unwritten: has('initcheck') ? (access, lane) => this.tellUnwritten(access, lane) : undefined,
      },
    }
  }

  // ---------------------------------------------------------------- blocks

  begin(block: number): void {
    const reused = this.unused.pop()
    if (reused && !reused.shared?.isUsedUp) {
      reused.order.begin()
      reused.shared?.begin()
      reused.sync.begin()
      reused.number = block
      this.blocks.set(block, reused)
    } else {
      reused?.shared?.giveBack()
      const order = new HappensBefore(this.warps)
      const shared = this.shared && new SharedChecks(this.shared, order, this.sharedTags)
      this.blocks.set(block, this.newBlock(block, order, shared))
    }
    this.atBlock = -1
  }

  end(block: number): void {
    const checks = this.checksOf(block)
    checks.sync.end()
    this.blocks.delete(block)
    this.unused.push(checks)
    this.atBlock = -1
  }

  /** The launch has ended. */
  giveBack(): void {
    for (const { shared } of [...this.unused, ...this.blocks.values()]) shared?.giveBack()
  }

  private checksOf(block: number): BlockChecks {
    if (block !== this.atBlock) {
      this.at = this.blocks.get(block)!
      this.atBlock = block
    }
    return this.at!
  }

  // ---------------------------------------------------------------- what threads do

  access(access: CheckedAccess): void {
    if (this.facts[access.site.id]!.align > 0 && this.tools.has('memcheck')) this.checkAlignment(access)
    switch (access.site.space) {
      case 'global':
      case 'constant':
        return this.global.check(access)
      case 'shared':
        return this.checksOf(access.block).shared?.check(access)
      case 'local':
        return this.checkLocal(access)
    }
  }

  accessRow(access: CheckedAccess, address: number, row: AddressRow): boolean {
    const { site, block } = access
    const { align } = this.facts[site.id]!
    if (align > 0 && !isRowAligned(address, row, align)) return false
    if (site.space === 'shared') return this.checksOf(block).shared!.checkRow(access, address, row)
    return this.global.checkRow(site, access.lanes, address, row)
  }

  quietRange(site: Site): { readonly start: number; readonly end: number } | undefined {
    return this.global.quietRange(site)
  }

  shareTags(place: TagPlace, rows: readonly AddressRow[]): void {
    this.sharedTags = { place, rows }
  }

  keeps(block: number): KeptKinds {
    return this.checksOf(block).shared?.keeps ?? KEEPS_NOTHING
  }

  free({ reason, block, warp, lane, address, location }: RefusedFree): void {
    if (!this.tools.has('memcheck')) return
    const [kind, what] = REFUSED_FREES[reason]
    this.add('memcheck', kind, 'error', `Malloc/Free error: ${what}`, location, () =>
      this.example(block, warp, lane, [this.describe(address)], address),
    )
  }

  private checkAlignment(access: CheckedAccess): void {
    const { site, lanes, addresses, block, warp } = access
    const { space, location, array } = site
    const { align } = this.facts[site.id]!
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1) || (addresses[lane]! & (align - 1)) === 0) continue
      const address = space === 'shared' || space === 'local' ? addresses[lane]! : addresses[lane]! >>> 0
      const message = `misaligned __${space}__ ${this.verbOf(site.id)} of a type that is aligned to ${bytesText(align)}`
      this.add('memcheck', 'misaligned-address', 'error', message, location, () => {
        const named = array === undefined ? [] : [`through ${array}`]
        const place =
          space === 'shared' ? `byte ${address} of the block's shared memory` : `address ${maskText(address)}`
        return this.example(block, warp, lane, [...named, `${place} is not a multiple of ${align}`], address)
      })
    }
  }

  private checkLocal(access: CheckedAccess): void {
    if (!this.tools.has('memcheck')) return
    const { lanes, addresses, site } = access
    const limit = this.launch.program.localBytes - site.width
    for (let lane = 0; lane < WARP_LANES; lane++)
      if ((lanes >>> lane) & 1 && (addresses[lane]! < 0 || addresses[lane]! > limit)) this.tellOutside(access, lane)
  }

  synchronize(block: number, warp: number, lanes: number, others: number, members: Int32Array, point: number): void {
    const { order, sync } = this.checksOf(block)
    sync.synchronize(warp, lanes, others, members, point)
    if (!this.orders[point]) return
    if (lanes === -1 && members.every(named => named === -1)) return order.meetWarp(warp)
    const groups = new Set<number>()
    for (let lane = 0; lane < WARP_LANES; lane++) if ((lanes >>> lane) & 1) groups.add(members[lane]! & lanes)
    const [only] = groups
    if (groups.size === 1 && only === (lanes | others)) order.meetWarp(warp)
    else order.meetLanes(warp, groups)
  }

  arrive(block: number, warp: number, lanes: number, point: number): void {
    this.checksOf(block).sync.arrive(warp, lanes, point)
  }

  pass(block: number, warp: number, lanes: number, skip: number): void {
    this.checksOf(block).sync.pass(warp, lanes, skip)
  }

  meet(block: number, waiting?: readonly WarpLanes[], announced: readonly WarpLanes[] = []): boolean {
    const { order, sync } = this.checksOf(block)
    if (waiting) {
      order.meet(waiting, announced)
      sync.forget()
      return false
    }
    if (!sync.hasArrivals) return false
    order.meetAll()
    sync.meetAll()
    return true
  }

  // ---------------------------------------------------------------- findings

  private example(
    block: number,
    warp: number,
    lane: number,
    notes: readonly string[],
    address?: number,
  ): FindingExample {
    const { index, grid, block: size } = this.launch
    return {
      launch: index,
      block: indexIn(grid, block),
      thread: indexIn(size, warp * WARP_LANES + lane),
      ...(address !== undefined && { address }),
      notes,
    }
  }

  private add(
    tool: CheckTool,
    kind: string,
    severity: FindingSeverity,
    message: string,
    location: CallInstruction['location'],
    example: () => FindingExample,
  ): void {
    const kernel = this.launch.program.kernel.name
    const at = ownPlace(location)
    this.findings.add({ tool, kind, severity, message, kernel, ...(at && { location: at }) }, example)
  }

  private tellOutside(access: CheckedAccess, lane: number): void {
    const { site, block, warp, addresses } = access
    const { space, width, location, array } = site
    // That stops the kernel, and is told then.
    if (isMisaligned(addresses[lane]!, width)) return
    this.hasOutside = true
    const isOfWindow = space === 'shared' || space === 'local'
    const address = isOfWindow ? addresses[lane]! : addresses[lane]! >>> 0
    const isFreed = !isOfWindow && this.launch.isFreed(address)
    const message = `invalid __${space}__ ${this.verbOf(site.id)} of size ${bytesText(width)}${isFreed ? ', of freed memory' : ''}`
    this.add('memcheck', isFreed ? 'use-after-free' : `invalid-${space}-access`, 'error', message, location, () => {
      const named = array === undefined ? [] : [`through ${array}`]
      return this.example(block, warp, lane, [...named, this.placeOf(space, address)], address)
    })
  }

  private placeOf(space: Space, address: number): string {
    if (space !== 'shared' && space !== 'local') return this.describe(address)
    const [what, size] =
      space === 'shared'
        ? ['the shared memory of the block', this.shared!.bytes]
        : ['the local memory of the thread', this.launch.program.localBytes]
    const offset = address
    if (offset < 0) return `${bytesText(-offset)} before ${what}, which has ${bytesText(size)}`
    const past = offset - size
    return past < 0
      ? `from byte ${offset} on, the last of ${what}, which has ${bytesText(size)}`
      : `${past === 0 ? 'just' : bytesText(past)} past the end of ${what}, which has ${bytesText(size)}`
  }

  private tellUnwritten(access: CheckedAccess, lane: number): void {
    const { site, block, warp, addresses } = access
    const { space, width, location, array } = site
    const message = `uninitialized __${space}__ memory read of size ${bytesText(width)}`
    this.add('initcheck', `uninitialized-${space}-read`, 'error', message, location, () => {
      const named = array === undefined ? [] : [`of ${array}`]
      const address = space === 'shared' ? addresses[lane]! : addresses[lane]! >>> 0
      const place = space === 'shared' ? `byte ${address} of the block's shared memory` : this.describe(address)
      return this.example(block, warp, lane, [...named, place], address)
    })
  }

  private tellHazard(access: CheckedAccess, lane: number, hazard: Hazard): void {
    const { site, block, warp, addresses } = access
    const { kind, earlierSite, earlierWarp, earlierLane, isSame, isAtOnce } = hazard
    const earlier = this.launch.program.sites[earlierSite]!
    const isInWarp = earlierWarp === warp && !isAtOnce
    const severity = isSame ? 'info' : isInWarp ? 'warning' : 'error'
    const [name, first, second] = HAZARDS[kind]
    const kernel = this.launch.program.kernel.name
    const [at, before] = [ownPlace(site.location), ownPlace(earlier.location)]
    const places = { ...(at && { location: at }), ...(before && { earlier: before }) }
    this.findings.addHazard({ severity, kernel, ...places }, `${name} (${kind})`, kind === 'RAW', () => {
      const { block: size } = this.launch
      const other = indexIn(size, earlierWarp * WARP_LANES + earlierLane)
      const address = addresses[lane]!
      const array = site.array ?? earlier.array
      const where = `byte ${address} of the block's shared memory${array === undefined ? '' : `, in ${array}`}`
      const notes = [
        `${where}: ${first} by thread ${triple(other)}, then ${second} by thread ${triple(indexIn(size, warp * WARP_LANES + lane))}`,
        ...(isInWarp ? ['both are lanes of one warp: a __syncwarp() orders them'] : []),
        ...(isAtOnce && !isSame ? ['two threads of one instruction store different values there'] : []),
        ...(isSame ? ['what is stored is there already'] : []),
      ]
      return this.example(block, warp, lane, notes, address)
    })
  }

  private verbOf(site: number): string {
    const { reads, writes } = this.facts[site]!
    return reads && writes ? 'atomic' : writes ? 'write' : 'read'
  }

  private newBlock(block: number, order: HappensBefore, shared: SharedChecks | undefined): BlockChecks {
    const findings = this.tools.has('synccheck') ? this.syncFindings(() => checks.number) : IGNORED
    const sync = new SyncChecks(this.points, this.warps, findings)
    const checks: BlockChecks = { order, shared, sync, number: block }
    return checks
  }

  private syncFindings(block: () => number): SyncFindings {
    const add = (kind: string, message: string, point: number, at: WarpLanes, notes: () => readonly string[]): void =>
      this.add('synccheck', kind, 'error', message, this.points.calls[point]!.location, () =>
        this.example(block(), at.warp, firstLane(at.lanes), notes()),
      )
    const thread = ({ warp, lanes }: WarpLanes): string =>
      triple(indexIn(this.launch.block, warp * WARP_LANES + firstLane(lanes)))
    const name = (point: number): string => callText(this.points.calls[point]!)
    return {
      wentAround: (point, there, elsewhere) => {
        const isOfWarp = there.warp === elsewhere.warp
        const message = `divergent thread(s) in ${isOfWarp ? 'warp' : 'block'}: not all of them come to this barrier`
        add('divergent-barrier', message, point, there, () => [`thread ${thread(elsewhere)} went around it`])
      },
      apart: (point, there, other, elsewhere) => {
        const message = 'divergent thread(s) in block: they wait at different barriers'
        const { location } = this.points.calls[other]!
        const where = location ? ` in line ${location.line}` : ''
        add('divergent-barrier', message, point, there, () => [`thread ${thread(elsewhere)} waits at the one${where}`])
      },
      notNamed: (point, at, members) =>
        add('invalid-mask', `${name(point)} by a thread that its mask does not name`, point, at, () => [
          `the mask is ${maskText(members)}, the lane ${firstLane(at.lanes)}`,
        ]),
      missing: (point, at, missing, members) =>
        add('missing-lanes', `${name(point)}: lanes that its mask names do not come to it`, point, at, () => [
          `the mask is ${maskText(members)}; lanes ${maskText(missing)} of the warp are elsewhere`,
        ]),
    }
  }
}

const IGNORED: SyncFindings = { wentAround() {}, apart() {}, notNamed() {}, missing() {} }

const HAZARDS = {
  RAW: ['read-after-write', 'written', 'read'],
  WAR: ['write-after-read', 'read', 'written'],
  WAW: ['write-after-write', 'written', 'written'],
} as const

/** In compute-sanitizer's words. */
const REFUSED_FREES = {
  'freed-already': ['double-free', 'double free'],
  'not-allocated': ['invalid-free', 'invalid pointer to free'],
} as const

const VOTES = [
  ['ballot', '__ballot_sync'],
  ['any', '__any_sync'],
  ['all', '__all_sync'],
  ['uni', '__uni_sync'],
] as const

function callText({ callee }: CallInstruction): string {
  const name = callee.kind === 'function' ? callee.name : ''
  if (name.includes('bar.warp')) return '__syncwarp'
  if (name.includes('shfl')) return '__shfl_sync'
  if (name.includes('match')) return '__match_sync'
  if (name.includes('redux')) return '__reduce_sync'
  return VOTES.find(([part]) => name.includes(part))?.[1] ?? name
}

const isRowAligned = (address: number, { distances }: AddressRow, align: number): boolean =>
  distances.every(distance => ((address + distance) & (align - 1)) === 0)

/** Accesses are aligned to their width, those of three words or so to a word. */
const isMisaligned = (address: number, width: number): boolean => (address & ((width & -width) - 1)) !== 0
export const bytesText = (bytes: number): string => `${bytes} byte${bytes === 1 ? '' : 's'}`
const maskText = (mask: number): string => `0x${(mask >>> 0).toString(16).padStart(8, '0')}`
const firstLane = (lanes: number): number => 31 - Math.clz32(lanes & -lanes)
