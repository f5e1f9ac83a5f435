import { noise } from '../sandbox-broker/noise.ts';

/** What goes wrong on request, in parts of a thousand (docs/design/prime.md#faults). Everything follows from the seed. */
export interface PrimeFaults {
  readonly seed: number;
  /** Webhooks that are sent twice. */
  readonly duplicate_pm: number;
  /** Webhooks that come late, up to so much: later ones overtake them. */
  readonly delay_pm: number;
  readonly delay_ms_max: number;
  /** Webhooks that are never sent: only who asks for transfers learns of them. */
  readonly drop_pm: number;
  /** Webhooks whose first sending is signed with another secret. */
  readonly missign_pm: number;
  /** Calls that are carried out and whose answer is lost. */
  readonly lostAnswer_pm: number;
  /** Until when nothing is answered or done; 0 for never. */
  readonly awayUntil_ms: number;
  /** The market stands still as that of a coin was at a moment; null lets it move. */
  readonly prices: { readonly symbol: string; readonly at_ms: number } | null;
}

/** A sending of an event. */
export interface Sending {
  readonly at_ms: number;
  readonly isMissigned: boolean;
}

/** When an event is sent: once, later, twice or never. */
export function sendingsOf(faults: PrimeFaults | null, event: number, at_ms: number): readonly Sending[] {
  if (faults === null) return [{ at_ms, isMissigned: false }];
  const { seed, delay_pm, delay_ms_max, drop_pm, duplicate_pm, missign_pm } = faults;
  if (noise(seed, event, 4) % 1_000 < drop_pm) return [];
  const delayOf = (sending: number) => 1 + (noise(seed, event, sending, 3) % Math.max(1, delay_ms_max));
  const isDelayed = noise(seed, event, 5) % 1_000 < delay_pm;
  const isDoubled = noise(seed, event, 6) % 1_000 < duplicate_pm;
  const first = {
    at_ms: at_ms + (isDelayed ? delayOf(0) : 0),
    isMissigned: noise(seed, event, 8) % 1_000 < missign_pm,
  };
  return isDoubled ? [first, { at_ms: first.at_ms + delayOf(1), isMissigned: false }] : [first];
}

/** Whether the answer of a call is lost after it was carried out. */
export function isPrimeAnswerLost(faults: PrimeFaults | null, call: number): boolean {
  return faults !== null && noise(faults.seed, call, 7) % 1_000 < faults.lostAnswer_pm;
}
