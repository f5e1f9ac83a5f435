/** Ids looked up and not revoked are looked up again after this (the table is what counts; `clear()` comes with each revocation). */
const AGE_MS_MAX = 60_000;
const IDS_MAX = 1_000;

/** Which tokens of one subject are revoked: each id is looked up once, then remembered. */
export class RevocationMemory {
  readonly #find: (ids: readonly string[]) => Promise<Set<string>>;
  #known = new Map<string, { readonly revoked: boolean; readonly readAt: number }>();

  constructor(find: (ids: readonly string[]) => Promise<Set<string>>) {
    this.#find = find;
  }

  async isRevoked(ids: readonly string[], now: number): Promise<boolean> {
    if (!ids.every((id) => this.#isFresh(id, now))) {
      try {
        await this.#learn(ids, now);
      } catch (error) {
        // What is known outlives a database that cannot be read.
        if (!ids.every((id) => this.#known.has(id))) throw error;
      }
    }
    return ids.some((id) => this.#known.get(id)?.revoked !== false);
  }

  clear(): void {
    this.#known = new Map();
  }

  #isFresh(id: string, now: number): boolean {
    const known = this.#known.get(id);
    return known !== undefined && (known.revoked || now - known.readAt < AGE_MS_MAX);
  }

  async #learn(ids: readonly string[], now: number): Promise<void> {
    for (;;) {
      const into = this.#known;
      const revoked = await this.#find(ids);
      if (into !== this.#known) continue; // Cleared meanwhile: what was read may be of before.
      for (const id of ids) {
        // To the end: the oldest are forgotten below, and these are asked about now.
        into.delete(id);
        into.set(id, { revoked: revoked.has(id), readAt: now });
      }
      for (const oldest of into.keys()) {
        if (into.size <= IDS_MAX) return;
        into.delete(oldest);
      }
      return;
    }
  }
}
