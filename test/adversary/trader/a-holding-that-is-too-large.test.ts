import { expect, it } from 'vitest';
import { failureCode } from '../../../application/order-entry/failure-code.ts';
import { rulesOfFailure } from '../../../application/order-entry/refusals/rules-of-failure.ts';
import { failureOfRefusal } from '../../../application/order-entry/routes/failure-of-refusal.ts';
import { ordRejReason } from '../../../containers/fix-gateway/application/reject-reasons.ts';
import { refusalCode } from '../../../data/ledger/projection/refusal-code.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { REFUSAL_RULES } from '../../../domain/order-entry/refusal-rules.ts';
import { codeOfRefusal } from '../../../durable-objects/order-book/admission/refusal.ts';
import type { BookRefusal } from '../../../durable-objects/order-book/rpc/commands.ts';
import { RPC_CODE } from '../../../protocol/rpc/rpc-code.ts';
import { rpcCodeOf } from '../../../protocol/rpc/rpc-code-of.ts';
import { orderEntryError } from '../../../workers/responses/order-entry-error.ts';

const COIN_MARKET: Market = {
  symbol: 'BTC-USD',
  route: 'prime',
  baseAsset: 'btc',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 8,
  quoteScale: 4,
  tickSize: 1,
  lotSize: 1_000_000,
  quantityMin: 1_000_000,
  quantityMax: Number.MAX_SAFE_INTEGER,
  makerFeeBps: 0,
  takerFeeBps: 0,
  bandBps: 0,
  bandHaltSeconds: 0,
  referencePrice: null,
  status: 'open',
  tracksLots: false,
  rulesVersion: 1,
};

it('tells every door what an order would bring, how much it may, and what helps', () => {
  const refusal = { reason: 'holding_too_large', asset: 'btc', required: 2_000_000, available: 1_685_248 } as const;
  const failure = failureOfRefusal(refusal, { market: COIN_MARKET, dollars: null });
  expect(orderEntryError(failure)).toMatchObject({
    code: 'RISK_LIMIT_EXCEEDED',
    message: expect.stringContaining('place a smaller order, cancel open orders, or withdraw'),
    details: { limit: 'holding', asset: 'BTC', required: 0.02, available: 0.01685248 },
  });
  const cash = failureOfRefusal({ ...refusal, asset: 'usd' }, { market: COIN_MARKET, dollars: null });
  expect(orderEntryError(cash).details).toMatchObject({ asset: 'USD', required: 200, available: 168.5248 });
  const [rule] = rulesOfFailure(failure);
  expect(rule === undefined ? null : REFUSAL_RULES[rule].remedy).toContain('withdraw');

  // The order that was refused is kept under the code that its door has told, and gateways go by that code.
  const codes = [failureCode(failure), refusalCode('holding'), codeOfRefusal(refusal satisfies BookRefusal)];
  expect(new Set(codes)).toEqual(new Set(['RISK_LIMIT_EXCEEDED']));
  expect(rpcCodeOf('RISK_LIMIT_EXCEEDED')).toBe(RPC_CODE.FAILED_PRECONDITION);
  expect(ordRejReason('RISK_LIMIT_EXCEEDED')).toBe('3');
});
