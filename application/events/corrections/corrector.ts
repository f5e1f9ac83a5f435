/** Who corrects, and why. */
export interface Corrector {
  readonly tenant: string;
  /** User id. */
  readonly actor: string;
  readonly reason: string;
  /** Of the correction, the same on every repetition. */
  readonly id: string;
}
