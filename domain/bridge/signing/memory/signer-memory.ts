/**
 * What a signer must never forget, and must show nobody.
 *
 * - `identity`: the secret of its own key.
 * - `roster`: who the five are.
 * - `key`: shares, by scheme, group key and generation.
 * - `ceremony`: key ceremonies that it takes part in.
 * - `session`: nonces that it has offered, or the shares that they became.
 * - `transfer`: what it has seen and signed, by commitment. Never taken away.
 * - `day`: what took a place of the day, by vault (`hasPlace`).
 * - `message`: what it has signed, by the hash of the bytes, and for which transfer. Never taken away.
 * - `paid`: transfers whose payout it has seen, deep enough. Never taken away.
 * - `rule`: since when it keeps a rule that counts once all five keep it.
 * - `place`: where it knows vaults, guard and stake to be, and since when. Of signers that are told by D1.
 */
export type RecordKind =
  | 'identity'
  | 'roster'
  | 'key'
  | 'ceremony'
  | 'session'
  | 'transfer'
  | 'day'
  | 'message'
  | 'paid'
  | 'rule'
  | 'place';

export interface RecordChange {
  readonly kind: RecordKind;
  readonly id: string;
  /** Null takes the record away. */
  readonly text: string | null;
}

/** Records by kind and id. */
export interface SignerMemory {
  read(kind: RecordKind, id: string): string | null;
  ids(kind: RecordKind): readonly string[];
  /** On disk before it returns. In this order: what a failure in between leaves is a beginning of the list. */
  write(changes: readonly RecordChange[]): void;
}
