import { RateWindows } from '../../domain/limits/rate-windows.ts';
import { Loaded } from './loaded.ts';
import type { LoadedKey } from './loaded-key.ts';

/** A user has at most 50 active keys; beyond so many, those that have drawn nothing for a while are forgotten. */
const KEYS_MAX = 100;
/** No longer than this does a request take from asking for a key to drawing on its windows. */
const IN_USE_MS = 60_000;

/** An API key of the user, and what it has drawn. */
interface HeldKey {
  readonly facts: Loaded<LoadedKey | null>;
  readonly windows: RateWindows;
  usedAt: number;
}

/**
 * The API keys of one user, as far as they are in use. Ids that are no key's take no place here, and what a key has drawn is kept until its
 * windows have passed over it: whoever asks for other keys forgets nobody's limit.
 */
export class HeldKeys {
  readonly #load: (keyId: string) => Promise<LoadedKey | null>;
  /** Keys that there are, the least recently used first. */
  readonly #held = new Map<string, HeldKey>();
  /** Ids that are being looked up. */
  readonly #sought = new Map<string, Loaded<LoadedKey | null>>();

  constructor(load: (keyId: string) => Promise<LoadedKey | null>) {
    this.#load = load;
  }

  /** The key with its windows, at once where it is held; null for one that does not exist, of which nothing is kept. */
  async get(keyId: string, now: number): Promise<(LoadedKey & Pick<HeldKey, 'windows'>) | null> {
    const facts = this.#held.get(keyId)?.facts ?? this.#seek(keyId);
    let key: LoadedKey | null;
    try {
      key = await facts.get(now);
    } finally {
      this.#sought.delete(keyId);
    }
    if (key === null) return null;
    const held = this.#held.get(keyId) ?? { facts, windows: new RateWindows(), usedAt: now };
    held.usedAt = now;
    this.#held.delete(keyId);
    this.#held.set(keyId, held);
    if (this.#held.size > KEYS_MAX) this.#forget(now);
    return { ...key, windows: held.windows };
  }

  /** Makes every key be read again; what they have drawn stays. */
  drop(): void {
    for (const { facts } of this.#held.values()) facts.drop();
    for (const facts of this.#sought.values()) facts.drop();
  }

  #seek(keyId: string): Loaded<LoadedKey | null> {
    const sought = this.#sought.get(keyId) ?? new Loaded(() => this.#load(keyId));
    this.#sought.set(keyId, sought);
    return sought;
  }

  #forget(now: number): void {
    for (const [keyId, { windows, usedAt }] of this.#held) {
      if (this.#held.size <= KEYS_MAX || now - usedAt < IN_USE_MS) return;
      if (windows.isEmpty(now)) this.#held.delete(keyId);
    }
  }
}
