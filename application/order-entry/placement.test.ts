import { describe, expect, test } from 'vitest';
import type { Market } from '../../domain/markets/market.ts';
import { err, ok } from '../../domain/result.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import type { CheckedOrder } from './checks/checked-order.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { OrderRequest } from './order-request.ts';
import {
  afterChecks,
  afterInquiry,
  afterKeeping,
  afterRoute,
  asked,
  type Checked,
  type Failed,
  hasRound,
  nextRound,
  type Unexplained,
} from './placement.ts';

const request = { orderId: 'one' } as OrderRequest;
const order = { request, terms: { quantity: 5 }, instrument: { asset: { id: 'acme' } } } as CheckedOrder;
const market = { symbol: 'ACME-USD' } as Market;
const report = { orderId: 'one', status: 'open' } as OrderReport;
const short: OrderEntryFailure = { reason: 'insufficient_balance', asset: 'USD', required: 2, available: 1 };
const nothingDone = err({ failure: { reason: 'unavailable' }, orderId: null });

const checked = afterChecks(asked(request), ok(order)) as Checked;
const failed = afterChecks(asked(request), err({ failure: short, asked: order })) as Failed;
const unexplained = afterRoute(checked, { type: 'unavailable' }) as Unexplained;

describe('an order that is asked for', () => {
  test('goes to its route once it has passed the checks', () => {
    expect(checked).toEqual({ state: 'checked', order, outcome: nothingDone });
  });

  test('is to be stored as rejected where a check refuses it', () => {
    expect(failed).toEqual({ state: 'failed', order, failure: short, outcome: nothingDone });
  });

  test('ends without a trace where there is no order to speak of', () => {
    const failure: OrderEntryFailure = { reason: 'no_account' };
    expect(afterChecks(asked(request), err({ failure, asked: null }))).toEqual({
      state: 'ended',
      outcome: err({ failure, orderId: null }),
    });
  });
});

describe('what the route says', () => {
  test('placed: the order has ended its way, with its terms and market', () => {
    expect(afterRoute(checked, { type: 'placed', report, market })).toEqual({
      state: 'ended',
      outcome: ok({ report, terms: order.terms, market, asset: order.instrument.asset }),
    });
  });

  test('refused and stored: the answer names the stored order', () => {
    expect(afterRoute(checked, { type: 'refused', failure: short, stored: true })).toEqual({
      state: 'ended',
      outcome: err({ failure: short, orderId: 'one' }),
    });
  });

  test('refused and not stored: it is to be stored, unless the failure leaves no trace', () => {
    const failure: OrderEntryFailure = { reason: 'backlog' };
    expect(afterRoute(checked, { type: 'refused', failure: short, stored: false })).toMatchObject({ state: 'failed' });
    expect(afterRoute(checked, { type: 'refused', failure, stored: false })).toEqual({
      state: 'ended',
      outcome: err({ failure, orderId: null }),
    });
  });

  test('stale: the next round checks it again under its id', () => {
    expect(afterRoute(checked, { type: 'stale' })).toEqual({
      state: 'postponed',
      request,
      isIdSpent: false,
      outcome: nothingDone,
    });
  });

  test('nothing: the ledger is asked', () => {
    expect(unexplained).toEqual({ state: 'unexplained', order, outcome: nothingDone });
  });
});

describe('storing a failed order', () => {
  test('ends it with its failure, and is not tried twice', () => {
    expect(afterKeeping(failed, { type: 'refused', failure: short, stored: false })).toEqual({
      state: 'ended',
      outcome: err({ failure: short, orderId: null }),
    });
  });

  test('meets the order that stands under its id, or one of which nobody knows', () => {
    expect(afterKeeping(failed, { type: 'placed', report, market })).toMatchObject({ outcome: { ok: true } });
    expect(afterKeeping(failed, { type: 'unavailable' })).toMatchObject({ state: 'unexplained' });
  });
});

describe('an order of which its route says nothing', () => {
  const unknown = err({ failure: { reason: 'outcome_unknown' }, orderId: 'one' });

  test('whose id is spent is tried under the id that follows; until then nothing was done', () => {
    const postponed = afterInquiry(unexplained, 'spent', 5);
    expect(postponed).toEqual({ state: 'postponed', request, isIdSpent: true, outcome: nothingDone });
    if (postponed.state === 'postponed') expect(nextRound(postponed, 'two').request.orderId).toBe('two');
  });

  test('that was never placed and is too old ends', () => {
    expect(afterInquiry(unexplained, 'never_placed', 0)).toEqual({
      state: 'ended',
      outcome: err({ failure: { reason: 'request_too_old' }, orderId: null }),
    });
  });

  test('is tried once more under its id, and never under another one', () => {
    expect(afterInquiry(unexplained, 'unknown', 0)).toEqual({
      state: 'postponed',
      request,
      isIdSpent: false,
      outcome: unknown,
    });
    expect(afterInquiry(unexplained, 'unknown', 1)).toEqual({ state: 'ended', outcome: unknown });
  });

  test('keeps that answer where a later check refuses it: its route may have done it', () => {
    const postponed = afterInquiry(unexplained, 'unknown', 0);
    if (postponed.state !== 'postponed') throw new Error(`the order is ${postponed.state}`);
    const refusal = err({ failure: { reason: 'unavailable' as const }, asked: null });
    expect(afterChecks(nextRound(postponed, 'one'), refusal)).toEqual({ state: 'ended', outcome: unknown });
  });

  test('keeps that answer through a round that learns nothing', () => {
    const postponed = afterInquiry(unexplained, 'unknown', 0);
    if (postponed.state !== 'postponed') throw new Error(`the order is ${postponed.state}`);
    const again = afterChecks(nextRound(postponed, 'one'), ok(order)) as Checked;
    expect(afterRoute(again, { type: 'stale' }).outcome).toEqual(unknown);
  });
});

test('there are always two rounds, further ones only while they go quickly, and never more than 16', () => {
  const rounds = (elapsed_ms: number) =>
    Array.from({ length: 20 }, (_, round) => hasRound(round, elapsed_ms)).indexOf(false);
  expect([rounds(0), rounds(3_000), rounds(3_001), rounds(60_000)]).toEqual([16, 16, 2, 2]);
});
