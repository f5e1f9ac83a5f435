/** What may happen to a register (docs/design/register.md#events). */
export const REGISTER_EVENT_TYPES = [
  'issuance',
  'cancellation',
  'import',
  'transfer',
  'reversal',
  'split',
  'merger',
  'conversion',
] as const;

export type RegisterEventType = (typeof REGISTER_EVENT_TYPES)[number];

/** `staged`: its lines are being written. `announced`: the ledger is asked. `recorded` and `refused` are final. */
export const REGISTER_EVENT_STATES = ['staged', 'announced', 'recorded', 'refused'] as const;

export const HOLDER_KINDS = ['individual', 'entity'] as const;

export type HolderKind = (typeof HOLDER_KINDS)[number];

/** Of what a conversion is. */
export interface ConversionOrigin {
  /** Id of the corporate action. */
  readonly action: string;
  /** Id of the event by which the other shares end. */
  readonly of: string;
}

/** What an event changes of one holder; scaled units. */
export interface RegisterChange {
  /** Id of the holder. */
  readonly holder: string;
  /** Null for a holder without an account. */
  readonly account: string | null;
  /** Never 0; negative for what leaves. */
  readonly shares: number;
  /** Dollars paid for them; 0 of what leaves. */
  readonly cost: number;
  /** Unix ms, of what is received. */
  readonly acquiredAt: number | null;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}
