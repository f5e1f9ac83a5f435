import type { KeyScope, ScopeKey, ScopeKeys } from '../../data/events/keys/scope-key.ts';

/** After this long the next call looks in the background whether the key is still there. */
const KEY_CHECK_MS = 15_000;
/** No call is answered from memory when the key was last seen longer ago than this: so long at most does a gallery outlive its key. */
const KEY_UNSEEN_MS_MAX = 60_000;

/** Whether the key that a gallery holds in memory still exists; its destruction may have been told to nobody. */
export class KeyWatch {
  readonly #keys: ScopeKeys;
  readonly #scope: KeyScope;
  readonly #probe: Uint8Array;
  readonly #onGone: () => void;
  #seenAt: number;
  #look: Promise<boolean> | null = null;

  private constructor(keys: ScopeKeys, scope: KeyScope, probe: Uint8Array, onGone: () => void) {
    this.#keys = keys;
    this.#scope = scope;
    this.#probe = probe;
    this.#onGone = onGone;
    this.#seenAt = Date.now();
  }

  /** @param key just opened. `onGone` is called when it is found destroyed. */
  static async start(keys: ScopeKeys, scope: KeyScope, key: ScopeKey, onGone: () => void): Promise<KeyWatch> {
    return new KeyWatch(keys, scope, await key.seal(new Uint8Array(), PROBE), onGone);
  }

  /** Throws when the key was not seen for too long and cannot be looked for. */
  async isThere(): Promise<boolean> {
    const unseen_ms = Date.now() - this.#seenAt;
    if (unseen_ms < KEY_CHECK_MS) return true;
    const look = this.#lookOnce();
    if (unseen_ms >= KEY_UNSEEN_MS_MAX) return look;
    // It goes on by itself; when the bucket does not answer, a later call looks again.
    look.catch(() => undefined);
    return true;
  }

  #lookOnce(): Promise<boolean> {
    this.#look ??= this.#lookNow().finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  async #lookNow(): Promise<boolean> {
    const lookedAt = Date.now();
    const key = await this.#keys.open(this.#scope);
    // A key made again in the place of a destroyed one opens nothing of the old one's.
    const isThere = key !== null && (await key.open(this.#probe, PROBE)) !== null;
    if (isThere) this.#seenAt = lookedAt;
    else this.#onGone();
    return isThere;
  }
}

const PROBE = ['key-watch'];
