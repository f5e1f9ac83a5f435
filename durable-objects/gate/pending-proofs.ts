/** A credential that has not been found to hold by then does not. */
const PROOF_MS_MAX = 5_000;

/** Draws for credentials that are being checked: one that holds is given back. */
export class PendingProofs {
  #count = 0;
  #begunAt = 0;

  begin(now: number): void {
    this.#count = this.areSome(now) ? this.#count + 1 : 1;
    this.#begunAt = now;
  }

  end(): void {
    this.#count = Math.max(0, this.#count - 1);
  }

  /** Whether what was drawn last may be given back. */
  areSome(now: number): boolean {
    return this.#count > 0 && now - this.#begunAt < PROOF_MS_MAX;
  }
}
