import { dayOf } from '../../domain/identity/key-end.ts';

/** A day that could not be written down is tried again after this. */
const AGAIN_MS = 60_000;
/** More than a user has keys in use. */
const KEYS_MAX = 200;

/** On which day each key of a user was used last: written once a day and key, however often it is used. */
export class KeyUses {
  readonly #write: (keyId: string, day: number) => Promise<void>;
  readonly #noted = new Map<string, { readonly day: number; readonly at: number; isWritten: boolean }>();

  constructor(write: (keyId: string, day: number) => Promise<void>) {
    this.#write = write;
  }

  /**
   * Notes a use.
   *
   * @param usedOn the day that was written down when the key was loaded; null for none
   * @returns the writing, which nobody has to wait for; null where there is none
   */
  note(keyId: string, usedOn: number | null, now: number): Promise<void> | null {
    const day = dayOf(now);
    if (usedOn !== null && usedOn >= day) return null;
    const last = this.#noted.get(keyId);
    if (last?.day === day && (last.isWritten || now - last.at < AGAIN_MS)) return null;
    if (this.#noted.size >= KEYS_MAX) this.#noted.clear();
    const use = { day, at: now, isWritten: true };
    this.#noted.set(keyId, use);
    return this.#write(keyId, day).catch(() => {
      use.isWritten = false;
    });
  }
}
