import { noise } from './noise.ts';

/**
 * What goes wrong on request, in parts of a thousand (docs/design/broker.md#faults). Everything follows from the seed: the same calls meet the
 * same faults.
 */
export interface SandboxFaults {
  readonly seed: number;
  /** Orders that are taken and then rejected. */
  readonly reject_pm: number;
  /** A cancel or replacement reaches its order up to so much later, so that fills come first. */
  readonly lateRequest_ms_max: number;
  /** Events that are told twice. */
  readonly duplicate_pm: number;
  /** Events that are told late, up to so much: later ones overtake them. */
  readonly delay_pm: number;
  readonly delay_ms_max: number;
  /** Events that are lost, and told once the loss has been noticed. */
  readonly drop_pm: number;
  readonly recovery_ms: number;
  /** Calls that are carried out and whose answer is lost. */
  readonly lostAnswer_pm: number;
  /** Until when nothing is answered or done; 0 for never. */
  readonly awayUntil_ms: number;
}

/** When an event is told: once, later, or more than once. */
export function tellingsOf(faults: SandboxFaults | null, event: number, at_ms: number): readonly number[] {
  if (faults === null) return [at_ms];
  const { seed, delay_pm, delay_ms_max, drop_pm, recovery_ms, duplicate_pm } = faults;
  const delayOf = (telling: number) => 1 + (noise(seed, event, telling, 3) % Math.max(1, delay_ms_max));
  const isDropped = noise(seed, event, 4) % 1_000 < drop_pm;
  const isDelayed = noise(seed, event, 5) % 1_000 < delay_pm;
  const first_ms = at_ms + (isDropped ? recovery_ms : isDelayed ? delayOf(0) : 0);
  const isDoubled = noise(seed, event, 6) % 1_000 < duplicate_pm;
  return isDoubled ? [first_ms, first_ms + delayOf(1)] : [first_ms];
}

/** Whether the answer of a call is lost after it was carried out. */
export function isAnswerLost(faults: SandboxFaults | null, call: number): boolean {
  return faults !== null && noise(faults.seed, call, 7) % 1_000 < faults.lostAnswer_pm;
}
