import { describe, expect, it } from 'vitest';
import { TRANSFER_STATES } from '../register/transfer-state.ts';
import { SETTLEMENT_STATUSES, settlementStatusAfter } from './settlement-state.ts';

const alone = { isTakenBack: false, transfer: null, hasAgent: false } as const;

describe('a settlement', () => {
  it('is settled at once where no agent keeps the register, and waits for its instruction where one does', () => {
    expect(settlementStatusAfter('pending', alone)).toBe('SETTLED');
    expect(settlementStatusAfter('recorded', alone)).toBe('SETTLED');
    expect(settlementStatusAfter('pending', { ...alone, hasAgent: true })).toBeNull();
  });

  it('is settled by the completion of its transfer alone, whoever keeps the register by then', () => {
    for (const transfer of TRANSFER_STATES)
      for (const hasAgent of [true, false])
        expect(settlementStatusAfter('pending', { ...alone, transfer, hasAgent }), transfer).toBe(
          transfer === 'completed' ? 'SETTLED' : null,
        );
  });

  it('is reversed once its trade was taken back, also after it has settled', () => {
    for (const transfer of [null, ...TRANSFER_STATES])
      for (const status of ['pending', 'recorded', 'SETTLED'] as const)
        expect(settlementStatusAfter(status, { isTakenBack: true, transfer, hasAgent: true })).toBe('REVERSED');
  });

  it('stays what it is once it was reversed or has failed; settled twice it is not', () => {
    for (const status of ['FAILED', 'REVERSED'] as const)
      for (const isTakenBack of [true, false])
        expect(settlementStatusAfter(status, { ...alone, isTakenBack })).toBeNull();
    for (const transfer of [null, ...TRANSFER_STATES])
      expect(settlementStatusAfter('SETTLED', { ...alone, transfer })).toBeNull();
    expect(SETTLEMENT_STATUSES).toHaveLength(5);
  });
});
