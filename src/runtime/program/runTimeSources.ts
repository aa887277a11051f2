/**
 * The sources that a program compiles while it runs, by the names that reports show. A name that another text has already, of the
 * program's own files or of an earlier source, gets a number behind it.
 */
export class RunTimeSources {
  readonly #known: Map<string, string>
  /** Those that were loaded: what reports have lines of. */
  readonly loaded = new Map<string, string>()

  constructor(own: ReadonlyMap<string, string>) {
    this.#known = new Map(own)
  }

  /** The name by which a source is compiled. */
  nameFor(name: string, text: string): string {
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}#${number}`
      if ((this.#known.get(numbered) ?? text) !== text) continue
      this.#known.set(numbered, text)
      return numbered
    }
  }
}
