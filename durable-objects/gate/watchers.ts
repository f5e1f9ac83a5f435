import type { Watcher } from './api.ts';

/** A watcher looks again every 20 s; one that has not is gone. */
export const WATCH_MS = 60_000;

/** The objects whose connections live by one credential. */
export class Watchers {
  readonly #known = new Map<string, { readonly watcher: Watcher; readonly endsAt: number }>();

  add(watcher: Watcher, now_ms: number): void {
    this.#known.set(`${watcher.kind} ${watcher.name}`, { watcher, endsAt: now_ms + WATCH_MS });
  }

  list(now_ms: number): Watcher[] {
    for (const [key, { endsAt }] of this.#known) if (endsAt <= now_ms) this.#known.delete(key);
    return Array.from(this.#known.values(), ({ watcher }) => watcher);
  }
}
