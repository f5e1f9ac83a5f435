import { describe, expect, test } from 'vitest';
import type { Found } from '../desk-queries.ts';
import { placeOf } from './found-words.ts';

const found = (kind: Found['kind'], more: Partial<Found> = {}): Found => ({
  kind,
  id: 'the-id',
  name: null,
  state: null,
  organization: null,
  accountId: null,
  otherAccountId: null,
  userId: null,
  symbol: null,
  assetId: null,
  side: null,
  quantity: null,
  filled: null,
  price: null,
  timestamp: null,
  ...more,
});

describe('what was found', () => {
  test('leads to its own page', () => {
    expect(placeOf(found('account'))).toEqual({
      to: '/operator/accounts/$accountId',
      params: { accountId: 'the-id' },
    });
    expect(placeOf(found('listing_event', { assetId: 'orbit' }))).toEqual({
      to: '/operator/assets/$assetId/listings/$eventId',
      params: { assetId: 'orbit', eventId: 'the-id' },
    });
  });

  test('leads from a key to its person, and from a transfer of the bridge to its organization’s', () => {
    expect(placeOf(found('api_key', { userId: 'alice' }))?.params).toEqual({ userId: 'alice' });
    expect(placeOf(found('bridge_transfer', { organization: 'acme' }))?.params).toEqual({
      organization: 'acme',
      transferId: 'the-id',
    });
  });

  test('leads nowhere where the answer is all there is', () => {
    expect(placeOf(found('order'))).toBeNull();
    expect(placeOf(found('bridge_transfer'))).toBeNull();
  });
});
