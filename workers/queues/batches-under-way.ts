import { SECOND_MS } from '../../domain/calendar/durations.ts';

/** After so long the runtime has ended what an invocation left to `waitUntil`, and nothing of it says so. */
const LIFE_MS_MAX = 30 * SECOND_MS;

/** What an isolate has begun and not ended. One is believed to be under way no longer than it can live. */
export class BatchesUnderWay {
  readonly #batches = new Set<{ readonly until: number }>();

  /** @returns ends it */
  begin(now: number): () => void {
    for (const batch of this.#batches) if (batch.until <= now) this.#batches.delete(batch);
    const batch = { until: now + LIFE_MS_MAX };
    this.#batches.add(batch);
    return () => this.#batches.delete(batch);
  }

  get count(): number {
    return this.#batches.size;
  }
}
