import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { isWatchOver, nextLook, nextRefund } from './next-look.ts';
import { newTransfer, type Transfer, type TransferState } from './transfer.ts';

const BEGAN = 1_800_000_000_000;

function transferIn(state: TransferState, changes: Partial<Transfer> = {}): Transfer {
  const fresh = newTransfer({
    id: 't',
    organization: 'acme',
    asset: 'USDC',
    source: { kind: 'chain', chain: 'ethereum', address: 'from' },
    destination: { kind: 'account', account: 'to' },
    amountIn: '10',
    amountOut: '10',
    amount: 10,
    fee: 0,
    expiresAt: BEGAN + HOUR_MS,
  });
  return { ...fresh, state, ...changes };
}

const restAfter = (transfer: Transfer, waited: number): number | null => {
  const now = BEGAN + waited;
  const at = nextLook(transfer, { createdAt: BEGAN, now });
  return at === null ? null : at - now;
};

describe('a transfer that waits', () => {
  test('is looked at after a second at first, and less often the longer it waits, every hour at least', () => {
    const refundable = transferIn('refundable');
    const rests = [0, 10_000, 100_000, HOUR_MS, 2 * HOUR_MS, DAY_MS, 6 * DAY_MS].map((waited) =>
      restAfter(refundable, waited),
    );
    expect(rests).toEqual([1_000, 1_000, 10_000, MINUTE_MS, 2 * MINUTE_MS, 24 * MINUTE_MS, HOUR_MS]);
  });

  test('whose refund nothing begins is looked at less often after a week, every day at the least', () => {
    const refundable = transferIn('refundable');
    const rests = [7 * DAY_MS - 1, 7 * DAY_MS, 60 * DAY_MS, 900 * DAY_MS].map((waited) =>
      restAfter(refundable, waited),
    );
    expect(rests).toEqual([HOUR_MS, (7 * DAY_MS) / 60, DAY_MS, DAY_MS]);
    expect(restAfter(transferIn('refund_signing'), 900 * DAY_MS)).toBe(HOUR_MS);
  });

  test('for its payer is looked at every minute', () => {
    for (const state of ['awaiting_funds', 'confirming'] as const)
      expect(restAfter(transferIn(state), 6 * DAY_MS)).toBe(MINUTE_MS);
  });

  test('begins to be looked at often again with each change', () => {
    const change = { at: BEGAN + DAY_MS, from: 'signing', to: 'refundable', cause: 'clock' } as const;
    expect(restAfter(transferIn('refundable', { history: [change] }), DAY_MS + 1_000)).toBe(1_000);
  });

  test('for signers to know its reference is looked at every quarter of a minute as long as that is kept', () => {
    const of = { createdAt: BEGAN, now: BEGAN + DAY_MS };
    const restUntil = (unknownUntil: number) =>
      (nextLook(transferIn('refundable'), { ...of, unknownUntil }) ?? 0) - of.now;
    expect([of.now + MINUTE_MS, of.now, of.now - 1].map(restUntil)).toEqual([15_000, 15_000, 24 * MINUTE_MS]);
    expect(nextLook(transferIn('refundable'), { ...of, now: BEGAN, unknownUntil: of.now })).toBe(BEGAN + 1_000);
  });

  test('is looked at when its state ends by itself, and afterwards as any', () => {
    const queued = transferIn('queued', { until: BEGAN + DAY_MS + 5_000 });
    expect(restAfter(queued, DAY_MS)).toBe(5_000);
    expect(restAfter(queued, DAY_MS + 5_000)).toBe(Math.ceil((DAY_MS + 5_000) / 60));
  });

  test('and has ended, is looked at every hour for a day', () => {
    for (const state of ['confirmed', 'refunded', 'expired'] as const) {
      expect(restAfter(transferIn(state), DAY_MS - 1)).toBe(HOUR_MS);
      expect(restAfter(transferIn(state), DAY_MS)).toBeNull();
    }
  });

  test('and has ended, is looked at every day for ninety as long as signers are to be told', () => {
    const restUntold = (waited: number) => {
      const now = BEGAN + waited;
      const next = nextLook(transferIn('confirmed'), { createdAt: BEGAN, now, isUntold: true });
      return next === null ? null : next - now;
    };
    expect(restUntold(DAY_MS - 1)).toBe(HOUR_MS);
    expect(restUntold(DAY_MS)).toBe(DAY_MS);
    expect(restUntold(90 * DAY_MS - 1)).toBe(DAY_MS);
    expect(restUntold(90 * DAY_MS)).toBeNull();
  });

  test('and has ended, is looked at for its fee every hour on the day after, then every day, for ninety', () => {
    const restOwed = (waited: number, state: TransferState = 'confirmed') => {
      const now = BEGAN + waited;
      const next = nextLook(transferIn(state), { createdAt: BEGAN, now, isFeeOwed: true });
      return next === null ? null : next - now;
    };
    expect([DAY_MS - 1, DAY_MS, 2 * DAY_MS - 1].map((waited) => restOwed(waited))).toEqual([HOUR_MS, HOUR_MS, HOUR_MS]);
    expect([2 * DAY_MS, 90 * DAY_MS - 1].map((waited) => restOwed(waited))).toEqual([DAY_MS, DAY_MS]);
    expect(restOwed(90 * DAY_MS)).toBeNull();
  });
});

test('a transfer whose deposit is to come into the vault is looked at every quarter of a minute for an hour, and as for its fee then', () => {
  const restUnswept = (waited: number, isSweepOwed = true) => {
    const now = BEGAN + waited;
    const next = nextLook(transferIn('confirmed'), { createdAt: BEGAN, now, isSweepOwed });
    return next === null ? null : next - now;
  };
  const rests = [0, HOUR_MS - 1, HOUR_MS, DAY_MS, 2 * DAY_MS, 90 * DAY_MS].map((waited) => restUnswept(waited));
  expect(rests).toEqual([15_000, 15_000, HOUR_MS, HOUR_MS, DAY_MS, null]);
  expect([restUnswept(0, false), restUnswept(DAY_MS, false)]).toEqual([HOUR_MS, null]);
});

test('what a transfer has earned is due a day after its end', () => {
  const change = { at: BEGAN + HOUR_MS, from: 'signing', to: 'confirmed', cause: 'payment_confirmed' } as const;
  const isOver = (state: TransferState, now: number) =>
    isWatchOver(transferIn(state, { history: [change] }), { createdAt: BEGAN, now });
  const end = change.at + DAY_MS;
  expect([isOver('confirmed', end - 1), isOver('confirmed', end), isOver('broadcast', end)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('refunds that come to nothing lie further apart each time, a day at the most', () => {
  const change = { at: BEGAN + 5_000, from: 'refund_signing', to: 'refundable', cause: 'payment_cancelled' } as const;
  const refundable = transferIn('refundable', { history: [change] });
  const rests = [0, 1, 2, 3, 6, 7].map((tried) => nextRefund(refundable, tried, BEGAN) - change.at);
  expect(rests).toEqual([0, MINUTE_MS, 4 * MINUTE_MS, 16 * MINUTE_MS, 1_024 * MINUTE_MS, DAY_MS]);
});
