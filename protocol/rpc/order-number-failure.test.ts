import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { orderNumberFailure } from './order-number-failure.ts';
import { RPC_CODE } from './rpc-code.ts';
import { OrderRequestSchema } from './trading_pb.ts';

const order = (terms: object) =>
  orderNumberFailure(create(OrderRequestSchema, { symbol: 'A-B', side: 'buy', type: 'market', size: 1, ...terms }));

describe('a number of an order', () => {
  test.each([
    ['price', Number.NaN],
    ['price', -1],
    ['size', Number.POSITIVE_INFINITY],
    ['size', Number.NEGATIVE_INFINITY],
    ['stopPrice', Number.NaN],
    ['expiresAt', -1n],
  ])('%s of %s is refused, of a market order too', (field, value) => {
    expect(order({ [field]: value })).toMatchObject({ rpcCode: RPC_CODE.INVALID_ARGUMENT, code: 'VALIDATION_ERROR' });
  });

  test('that is one, or is not set, is left to the exchange', () => {
    expect(order({})).toBeNull();
    expect(order({ price: 0, size: 0.5, stopPrice: 1e300, expiresAt: 2n ** 62n })).toBeNull();
  });
});
