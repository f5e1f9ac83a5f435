import { DAY_MS } from '../../../calendar/durations.ts';
import { createdAtOf } from '../../../ids/created-at-of.ts';
import type { TransferTerms } from '../../transfer-terms.ts';
import type { SignerMemory } from './signer-memory.ts';

/** Within which all five signers are brought to a release: one of an earlier one has signed what no guard was shown. */
export const ROLLOUT_MS = 30 * DAY_MS;

const SINCE = 'guard shows transactions';

/** Writes down, once, that this signer signs what names no transfer by the guard alone. */
export function keepGuardRule(memory: SignerMemory, now: number): void {
  if (memory.read('rule', SINCE) === null) memory.write([{ kind: 'rule', id: SINCE, text: String(now) }]);
}

/**
 * Whether a transfer began once all five kept that rule: nobody has signed what the guard shows for another. By its id (UUIDv7), and by none of a time to come.
 */
export function isUnderGuardRule(memory: SignerMemory, { id }: TransferTerms, now: number): boolean {
  const since = memory.read('rule', SINCE);
  const begunAt = createdAtOf(id);
  return since !== null && begunAt > Number(since) + ROLLOUT_MS && begunAt <= now;
}
