/**
 * Work that several threads share and that may end early. In: jobs in their order. Out: their results in that order; where one is the last
 * that counts, those up to it. Which one that is does not depend on how long each takes.
 */

/**
 * Runs jobs, at most `width` at the same time. Behind one whose result `ends` none is begun any more, and nobody waits for those
 * behind it that are under way. @throws what the first job in order throws that does.
 */
export async function inOrder<Job, Result>(
  jobs: readonly Job[],
  width: number,
  run: (job: Job) => Promise<Result>,
  ends: (result: Result) => boolean,
): Promise<Result[]> {
  const begun: Promise<Result>[] = []
  let running = 0
  let isOver = false
  const track = async (job: Job): Promise<Result> => {
    running++
    try {
      const result = await run(job)
      isOver ||= ends(result)
      return result
    } catch (error) {
      isOver = true
      throw error
    } finally {
      running--
      begin()
    }
  }
  const begin = (): void => {
    while (!isOver && running < width && begun.length < jobs.length) {
      const result = track(jobs[begun.length]!)
      result.catch(() => {}) // whoever waits for it is told
      begun.push(result)
    }
  }
  begin()
  const results: Result[] = []
  // Grows while it is walked through.
  for (const each of begun) {
    const result = await each
    results.push(result)
    if (ends(result)) break
  }
  return results
}
