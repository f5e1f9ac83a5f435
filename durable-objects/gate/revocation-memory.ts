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
    if (!ids.every((id) => this.#isKnown(id, now))) await this.#learn(ids, now);
    return ids.some((id) => this.#known.get(id)?.revoked !== false);
  }

  clear(): void {
    this.#known = new Map();
  }

  #isKnown(id: string, now: number): boolean {
    const known = this.#known.get(id);
    return known !== undefined && (known.revoked || now - known.readAt < AGE_MS_MAX);
  }

  async #learn(ids: readonly string[], now: number): Promise<void> {
    let into: Map<string, unknown>;
    do {
      into = this.#known;
      const revoked = await this.#find(ids);
      if (this.#known.size >= IDS_MAX) this.#known.clear();
      for (const id of ids) this.#known.set(id, { revoked: revoked.has(id), readAt: now });
    } while (into !== this.#known); // Cleared meanwhile: what was read may be of before.
  }
}
