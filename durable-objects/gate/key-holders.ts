import type { KeyHolder } from '../../data/identity/gate-facts.ts';

const HOLDERS_MAX = 1_000;

/** Whose the API keys are that an address shows. That never changes; of ids that are no key's nothing is kept. */
export class KeyHolders {
  readonly #read: (keyId: string) => Promise<KeyHolder | null>;
  /** The least recently used first. */
  readonly #known = new Map<string, KeyHolder>();

  constructor(read: (keyId: string) => Promise<KeyHolder | null>) {
    this.#read = read;
  }

  async find(keyId: string): Promise<KeyHolder | null> {
    const holder = this.#known.get(keyId) ?? (await this.#read(keyId));
    if (holder === null) return null;
    this.#known.delete(keyId);
    this.#known.set(keyId, holder);
    if (this.#known.size > HOLDERS_MAX) this.#known.delete(this.#known.keys().next().value as string);
    return holder;
  }
}
