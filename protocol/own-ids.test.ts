import { expect, it } from 'vitest';
import { ownId } from '../domain/identity/own-id.ts';
import { withOwnIds, withOwnIdsOfBody } from './own-ids.ts';

const KEPT = '01a224cf-8986-7559-8032-78d047c908d8';
const WRITTEN = KEPT.toUpperCase();
const PATH = '/v1/orders/{id}';

it('X-12: an id of ours is read in any case, and no other text is changed', () => {
  expect(ownId(WRITTEN)).toBe(KEPT);
  expect(ownId(KEPT.replace('c908d8', 'C908d8'))).toBe(KEPT);
  for (const text of ['ACME-USD', `{${WRITTEN}}`, WRITTEN.replaceAll('-', ''), `${WRITTEN} `, 'Alice-Key'])
    expect(ownId(text)).toBe(text);
});

it('X-12: every field of a path and a query is an id of ours, but what clients name', () => {
  expect(withOwnIds({ id: WRITTEN, cursor: WRITTEN, security: WRITTEN, symbol: 'ACME-USD', limit: 5 }, PATH)).toEqual({
    id: KEPT,
    cursor: KEPT,
    security: KEPT,
    symbol: 'ACME-USD',
    limit: 5,
  });
  for (const name of ['client_order_id', 'clientOrderId', 'name', 'q'])
    expect(withOwnIds({ [name]: WRITTEN }, PATH)).toEqual({ [name]: WRITTEN });
});

it('X-12: a user is known as their identity provider writes them', () => {
  for (const name of ['user_id', 'userId']) {
    expect(withOwnIds({ [name]: WRITTEN }, PATH)).toEqual({ [name]: WRITTEN });
    expect(withOwnIdsOfBody({ [name]: WRITTEN })).toEqual({ [name]: WRITTEN });
  }
  expect(withOwnIds({ id: WRITTEN }, '/v1/users/{id}/kill-switch')).toEqual({ id: WRITTEN });
});

it('X-12: of a body the fields that are named as ids are ours, and their lists, but nothing within', () => {
  const item = { security_id: WRITTEN };
  expect(
    withOwnIdsOfBody({
      order_ids: [WRITTEN, 'x'],
      assetId: WRITTEN,
      investor_id: WRITTEN,
      account_id: null,
      into: WRITTEN,
      submission: WRITTEN,
    }),
  ).toEqual({
    order_ids: [KEPT, 'x'],
    assetId: KEPT,
    investor_id: KEPT,
    account_id: null,
    into: KEPT,
    submission: KEPT,
  });
  const others = {
    id: WRITTEN,
    client_order_id: WRITTEN,
    clientOrderId: WRITTEN,
    issuer_id: WRITTEN,
    memo: WRITTEN,
    items: [item],
  };
  expect(withOwnIdsOfBody(others)).toEqual(others);
  expect(withOwnIdsOfBody([item])).toEqual([item]);
});
