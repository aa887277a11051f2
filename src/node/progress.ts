/**
 * What is being done right now, on one line of a terminal that the next output replaces; nothing in a pipe. And, for
 * `--verbose`, how long each stage took.
 */
import type { Stream } from './terminal.ts'

const clearLine = '\r\x1b[2K'

export class Progress {
  private shown = false
  private lastUpdate = 0
  private readonly spent = new Map<string, number>()
  private current: { name: string; since: number } | undefined
  private readonly began = performance.now()

  constructor(
    private readonly stream: Stream,
    /** Whether to show the line: a terminal, and not `--quiet`. */
    private readonly enabled: boolean,
  ) {}

  /** A stage begins, the one before it ends. */
  stage(name: string): void {
    this.finishStage()
    this.current = { name, since: performance.now() }
    this.add(name, 0)
    this.show(`${name} ...`)
  }

  /** A step inside the present stage; shown at most ten times a second. */
  step(text: string): void {
    const now = performance.now()
    if (now - this.lastUpdate >= 100) this.show(text)
  }

  /** Takes the line away: something else is about to be printed. */
  clear(): void {
    if (this.shown) this.stream.write(clearLine)
    this.shown = false
  }

  /** Adds to a stage's time what was measured elsewhere, in ms. */
  add(name: string, ms: number): void {
    this.spent.set(name, (this.spent.get(name) ?? 0) + ms)
  }

  finish(): void {
    this.finishStage()
    this.clear()
  }

  /** One line a stage and the total, for people; call after {@link finish}. */
  summary(): string {
    const rows = [...this.spent, ['total', performance.now() - this.began] as const]
    const width = Math.max(...rows.map(([name]) => name.length))
    return rows.map(([name, ms]) => `${name.padEnd(width)} ${ms.toFixed(0).padStart(7)} ms\n`).join('')
  }

  private finishStage(): void {
    if (this.current) this.add(this.current.name, performance.now() - this.current.since)
    this.current = undefined
  }

  private show(text: string): void {
    if (!this.enabled) return
    this.lastUpdate = performance.now()
    const width = (this.stream.columns ?? 80) - 1
    this.stream.write(clearLine + text.slice(0, width))
    this.shown = true
  }
}
