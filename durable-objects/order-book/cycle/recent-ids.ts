/** The last so many ids, to know one that comes again. */
export class RecentIds {
  readonly #capacity: number;
  readonly #ids: Set<string>;

  /** @param ids oldest first, as `toArray` gives them */
  constructor(capacity: number, ids: readonly string[] = []) {
    this.#capacity = capacity;
    this.#ids = new Set(ids.slice(-capacity));
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= this.#capacity) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }

  toArray(): string[] {
    return [...this.#ids];
  }
}
