const WAITING_PER_KEY_MAX = 32;
const WAITING_MAX = 1_000;

/** Claims that wait for the request that holds their key. */
export class WaitingClaims {
  readonly #byKey = new Map<string, Set<() => void>>();
  #count = 0;

  /** True once `wake` is called for the key; false when the time is over, and at once when too many wait already. */
  wait(key: string, timeout_ms: number): Promise<boolean> {
    const waiting = this.#byKey.get(key) ?? new Set();
    if (waiting.size >= WAITING_PER_KEY_MAX || this.#count >= WAITING_MAX) return Promise.resolve(false);
    this.#byKey.set(key, waiting);
    this.#count++;
    return new Promise((resolve) => {
      const leave = (woken: boolean): void => {
        clearTimeout(timer);
        this.#count--;
        waiting.delete(wake);
        if (waiting.size === 0 && this.#byKey.get(key) === waiting) this.#byKey.delete(key);
        resolve(woken);
      };
      const wake = (): void => leave(true);
      const timer = setTimeout(() => leave(false), timeout_ms);
      waiting.add(wake);
    });
  }

  /** In the order in which they came. */
  wake(key: string): void {
    for (const wake of [...(this.#byKey.get(key) ?? [])]) wake();
  }
}
