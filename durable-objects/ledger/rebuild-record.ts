/** A rebuild as it is kept across instances. */
export interface RebuildRecord {
  /** Of the action that asked for it: repeated under this id, it is the same rebuild. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** The journal's last row when it began; D1 is whole again once it has it. */
  readonly to: number;
  /** `marking`: the journal is proved, and D1 is told to empty itself. */
  readonly step: 'verifying' | 'marking' | 'writing' | 'failed';
  /** Why it failed; D1 is as it was. */
  readonly reason: string | null;
}
