import { describe, expect, it } from 'vitest';
import {
  isTransferFinal,
  mayBeRejected,
  TRANSFER_STATES,
  type TransferAct,
  transferStateAfter,
} from './transfer-state.ts';

describe('a transfer instruction', () => {
  it.each<[TransferAct, Record<string, string>]>([
    ['acknowledge', { pending: 'acknowledged' }],
    ['reject', { pending: 'rejecting', acknowledged: 'rejecting', rejecting: 'rejecting' }],
    ['complete', { acknowledged: 'completed' }],
  ])('%s: leads from these states and from no other', (act, expected) => {
    for (const state of TRANSFER_STATES) expect(transferStateAfter(state, act), state).toBe(expected[state] ?? null);
  });

  it('that is final stays as it is', () => {
    const final = TRANSFER_STATES.filter(isTransferFinal);
    expect(final).toEqual(['rejected', 'completed', 'reversed']);
    for (const state of final)
      for (const act of ['acknowledge', 'reject', 'complete'] as const)
        expect(transferStateAfter(state, act)).toBe(null);
  });

  it('M-20: is rejected within seven days, and not later', () => {
    const week_ms = 7 * 24 * 60 * 60 * 1_000;
    expect(mayBeRejected(1_000, 1_000 + week_ms - 1)).toBe(true);
    expect(mayBeRejected(1_000, 1_000 + week_ms)).toBe(false);
  });
});
