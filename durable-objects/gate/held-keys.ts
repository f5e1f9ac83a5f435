import { RateWindows } from '../../domain/limits/rate-windows.ts';
import { Loaded } from './loaded.ts';
import type { LoadedKey } from './loaded-key.ts';

/** A user has at most 50 active keys; the rest is room for those that have just been revoked. */
const KEYS_MAX = 100;

/** An API key of the user, and what it has drawn. */
interface HeldKey {
  readonly facts: Loaded<LoadedKey | null>;
  readonly windows: RateWindows;
}

/** The API keys of one user, as far as they are in use. */
export class HeldKeys {
  readonly #load: (keyId: string) => Promise<LoadedKey | null>;
  /** The least recently used first. */
  readonly #held = new Map<string, HeldKey>();

  constructor(load: (keyId: string) => Promise<LoadedKey | null>) {
    this.#load = load;
  }

  /** The key with its windows, at once where it is held; null for one that does not exist, of which nothing is kept. */
  async get(keyId: string, now: number): Promise<(LoadedKey & Pick<HeldKey, 'windows'>) | null> {
    const held = this.#held.get(keyId) ?? { facts: new Loaded(() => this.#load(keyId)), windows: new RateWindows() };
    this.#held.delete(keyId);
    this.#held.set(keyId, held);
    if (this.#held.size > KEYS_MAX) this.#held.delete(this.#held.keys().next().value as string);
    const key = await held.facts.get(now);
    if (key !== null) return { ...key, windows: held.windows };
    this.#held.delete(keyId);
    return null;
  }

  /** Makes every key be read again; what they have drawn stays. */
  drop(): void {
    for (const { facts } of this.#held.values()) facts.drop();
  }
}
