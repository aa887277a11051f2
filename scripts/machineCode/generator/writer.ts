/** What one generated kernel is made of while it is written: parameters, what stands before it in the file, and lines. */
import type { Random } from '../../../test/fuzz/random.ts'

export type Element = 'float' | 'int' | 'double' | 'unsigned' | 'short' | 'char' | 'unsigned char'

export class KernelWriter {
  readonly random: Random
  readonly name: string
  /** Functions, structures and constants of its own. */
  readonly before: string[] = []
  private readonly parameters: string[] = []
  private readonly lines: string[] = []
  private depth = 1
  private names = 0
  /** Whether arrays that are only read say so and that nothing else is there. */
  private readonly promises: boolean

  constructor(random: Random, name: string) {
    this.random = random
    this.name = name
    this.promises = random.chance(0.4)
  }

  fresh(stem: string): string {
    return `${stem}${this.names++ || ''}`
  }

  /** An array that is only read. */
  input(type: string, stem = 'in'): string {
    const name = this.fresh(stem)
    const isConst = this.promises || this.random.chance(0.7)
    this.parameters.push(`${isConst ? 'const ' : ''}${type} *${this.promises ? '__restrict__ ' : ''}${name}`)
    return name
  }

  output(type: string, stem = 'out'): string {
    const name = this.fresh(stem)
    this.parameters.push(`${type} *${this.promises ? '__restrict__ ' : ''}${name}`)
    return name
  }

  scalar(type: string, stem: string): string {
    const name = this.fresh(stem)
    this.parameters.push(`${type} ${name}`)
    return name
  }

  line(text: string): void {
    this.lines.push(`${'  '.repeat(this.depth)}${text}`)
  }

  open(text: string): void {
    this.line(`${text} {`)
    this.depth++
  }

  close(text = '}'): void {
    this.depth--
    this.line(text)
  }

  /** A block of its own lines. */
  within(text: string, write: () => void): void {
    this.open(text)
    write()
    this.close()
  }

  text(qualifiers = ''): string {
    while (this.depth > 1) this.close()
    return [
      ...this.before,
      `__global__ void ${qualifiers}${this.name}(${this.parameters.join(', ')}) {`,
      ...this.lines,
      '}',
    ].join('\n')
  }
}
