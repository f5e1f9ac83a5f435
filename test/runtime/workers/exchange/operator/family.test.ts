import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../../../application/ledger/transact.ts';
import { endFamilyOfUser, recordFamilyOfUser } from '../../../../../application/operator/family.ts';
import type { Database } from '../../../../../data/database.ts';
import { FAMILY_MAX } from '../../../../../domain/accreditation/family.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createKeyHolder, type KeyHolder } from '../../../fixtures/book-client.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { giveHolding } from '../../../fixtures/give-balance.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

const later = Date.now() + 200 * 86_400_000;

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CROWD', { asset: { regulation: 'reg_cf' } });
  await createPair(db, 'FREE');
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

/** With lots of a Reg CF offering of less than twelve months ago. */
const holder = () =>
  tradingClient(db, { cash: 10_000_00 }, { asset: 'crowd', lots: [{ quantity: 20, restrictionEndsAt: later }] });
const retail = () => tradingClient(db, { cash: 10_000_00 });

interface Relation {
  readonly id: string;
  readonly endedAt: string | null;
}

const record = (user: Trader, relative: Trader, stated: object = {}, headers?: Record<string, string>) =>
  operator.post<{ data: Relation }>(
    `/v1/operator/users/${user.userId}/family`,
    { relativeId: relative.userId, relationship: 'sibling', evidence: 'vault/2026/4711', ...stated },
    headers,
  );

async function related(user: Trader, relative: Trader): Promise<string> {
  const { status, body } = await record(user, relative);
  expect(status).toBe(200);
  return body.data.id;
}

const end = (user: Trader, relationId: string, headers: Record<string, string> = {}) =>
  operator.delete<{ data: { relation: Relation; cancelledOrders: string[] } }>(
    `/v1/operator/users/${user.userId}/family/${relationId}`,
    { reason: 'the register was wrong' },
    headers,
  );

const buy = (quantity = 10) => limitOrder('crowd', 'BUY', quantity, 5);
const sell = (quantity = 10) => limitOrder('crowd', 'SELL', quantity, 5);
const stateOf = async (client: TradingClient, orderId: string) => (await orderOf(client, orderId)).status;

describe('restricted Reg CF lots', () => {
  test('are bought by a brother of the seller, and pass over a stranger who is not accredited', async () => {
    const [sister, brother, stranger] = [await holder(), await retail(), await retail()];
    await related(sister, brother);
    const first = await placed(stranger, buy());
    const ask = await placed(sister, sell());
    expect(await orderOf(sister, ask)).toMatchObject({ status: 'PENDING', isRestrictedOrder: true });
    const bid = await placed(brother, buy());
    expect(await stateOf(brother, bid)).toBe('EXECUTED');
    expect(await stateOf(sister, ask)).toBe('EXECUTED');
    expect(await orderOf(stranger, first)).toMatchObject({ status: 'PENDING', filledQuantity: 0 });
    const { body } = await brother.get<{ data: { lots: unknown[] }[] }>('/v1/exchange-portfolio');
    expect(body.data[0]?.lots).toMatchObject([
      { quantity: 10, isRestricted: true, restrictionEndDate: new Date(later).toISOString() },
    ]);
    // What he has bought stays restricted: his own sale passes the stranger over, too.
    const onward = await placed(brother, sell());
    expect(await orderOf(brother, onward)).toMatchObject({ status: 'PENDING', isRestrictedOrder: true });
    expect(await stateOf(stranger, first)).toBe('PENDING');
    await expectRightLedger();
  });

  test('meet family whoever comes second, and from either side of the record', async () => {
    const [father, daughter] = [await holder(), await retail()];
    await record(daughter, father, { relationship: 'parent' });
    const bid = await placed(daughter, buy());
    await placed(father, sell());
    expect(await stateOf(daughter, bid)).toBe('EXECUTED');
  });

  test('that were offered before the relation was recorded meet the next order of family', async () => {
    const [sister, brother] = [await holder(), await retail()];
    const [ask, early] = [await placed(sister, sell(4)), await placed(brother, buy(4))];
    expect(await stateOf(brother, early)).toBe('PENDING');
    await related(sister, brother);
    expect(await stateOf(brother, early)).toBe('PENDING');
    const next = await placed(brother, buy(4));
    expect([await stateOf(brother, next), await stateOf(sister, ask)]).toEqual(['EXECUTED', 'EXECUTED']);
  });

  test('are bought by an API key in profile B, also by an amendment', async () => {
    const [sister, brother] = [await holder(), await createKeyHolder(db, { cash: 10_000_00 })];
    await related(sister, brother);
    const terms = { symbol: 'CROWD-USD', side: 'buy', type: 'limit', size: 10 };
    const { body } = await brother.client.post('/v1/orders', { ...terms, price: 4 });
    const ask = await placed(sister, sell(20));
    const amended = await brother.client.patch(`/v1/orders/${body.order_id}`, { price: 5 });
    expect(amended.body).toMatchObject({ status: 'filled' });
    expect((await brother.client.post('/v1/orders', { ...terms, price: 5 })).body).toMatchObject({ status: 'filled' });
    expect(await stateOf(sister, ask)).toBe('EXECUTED');
  });

  test('are offered to family by an amendment that comes after the relation', async () => {
    const [sister, brother] = [await holder(), await retail()];
    const [ask, bid] = [await placed(sister, limitOrder('crowd', 'SELL', 10, 6)), await placed(brother, buy())];
    await related(sister, brother);
    expect(await sister.put(`/v1/orders/${ask}`, { limitPrice: 5 })).toMatchObject({ status: 200 });
    expect([await stateOf(sister, ask), await stateOf(brother, bid)]).toEqual(['EXECUTED', 'EXECUTED']);
  });

  test('are previewed as they are sold and bought', async () => {
    const [sister, brother] = [await createKeyHolder(db), await createKeyHolder(db, { cash: 10_000_00 })];
    const lots = [{ quantity: 10, restrictionEndsAt: later }];
    await giveHolding({ accountId: sister.accountId, asset: 'crowd', lots });
    await related(sister, brother);
    const order = (side: string) => ({ symbol: 'CROWD-USD', side, type: 'limit', size: 10, price: 4 });
    expect(await sister.client.post('/v1/orders/preview', order('sell'))).toMatchObject({ status: 200 });
    const { body } = await sister.client.post('/v1/orders', order('sell'));
    const stranger = await createKeyHolder(db, { cash: 10_000_00 });
    const estimate = async ({ client }: KeyHolder) => (await client.post('/v1/orders/preview', order('buy'))).body;
    expect(await estimate(brother)).toMatchObject({ estimated_filled_size: 10 });
    expect(await estimate(stranger)).toMatchObject({ estimated_filled_size: 0 });
    expect(await stranger.client.post('/v1/orders/preview', { ...order('buy'), time_in_force: 'FOK' })).toMatchObject({
      body: { error: { code: 'FOK_NOT_FILLABLE' } },
    });
    expect((await brother.client.post('/v1/orders', order('buy'))).body).toMatchObject({ status: 'filled' });
    expect((await sister.client.get(`/v1/orders/${body.order_id}`)).body).toMatchObject({ status: 'filled' });
  });
});

describe('a relation that ends', () => {
  test('cancels open orders of both that carry the other, and no others', async () => {
    const [sister, brother] = [await holder(), await retail()];
    const relation = await related(sister, brother);
    const bid = await placed(brother, limitOrder('crowd', 'BUY', 10, 3));
    const other = await placed(brother, limitOrder('free', 'BUY', 1, 1));
    const ask = await placed(sister, limitOrder('crowd', 'SELL', 10, 900));
    const unrestricted = await placed(sister, limitOrder('free', 'BUY', 1, 1));
    const ended = await end(brother, relation);
    expect(ended.status).toBe(200);
    expect([...ended.body.data.cancelledOrders].sort()).toEqual([bid, ask].sort());
    expect(await stateOf(brother, bid)).toBe('CANCELLED');
    expect(await stateOf(sister, ask)).toBe('CANCELLED');
    expect([await stateOf(brother, other), await stateOf(sister, unrestricted)]).toEqual(['PENDING', 'PENDING']);
    const again = await placed(brother, buy());
    await placed(sister, sell());
    expect(await stateOf(brother, again)).toBe('PENDING');
    await expectRightLedger();
  });

  test('is kept with its end, and can be recorded anew', async () => {
    const [sister, brother] = [await retail(), await retail()];
    const relation = await related(sister, brother);
    const key = { 'idempotency-key': uuidv7() };
    const first = await end(sister, relation, key);
    expect(first.body.data.relation).toMatchObject({ id: relation, endedReason: 'the register was wrong' });
    expect((await end(sister, relation, key)).body).toEqual(first.body);
    expect(await end(sister, relation)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    const second = await related(brother, sister);
    const shown = await operator.get<{ data: { relations: Relation[] } }>(`/v1/operator/users/${sister.userId}/family`);
    expect(shown.body.data.relations.map(({ id, endedAt }) => [id, endedAt === null])).toEqual([
      [second, true],
      [relation, false],
    ]);
  });
});

describe('an action that is repeated', () => {
  const actionOf = () => ({ id: uuidv7(), actor: 'operator', requestId: uuidv7() });

  test('records one relation', async () => {
    const [sister, brother] = [await retail(), await retail()];
    const stated = {
      userId: sister.userId,
      relativeId: brother.userId,
      relationship: 'sibling',
      evidence: 'a',
    } as const;
    const action = actionOf();
    const first = await recordFamilyOfUser(env, stated, action);
    expect(await recordFamilyOfUser(env, stated, action)).toEqual(first);
    const { body } = await operator.get<{ data: { relations: Relation[] } }>(
      `/v1/operator/users/${brother.userId}/family`,
    );
    expect(body.data.relations.map(({ id }) => id)).toEqual([action.id]);
  });

  test('cancels what the first left open when it ended after the ledger had it', async () => {
    const [sister, brother] = [await retail(), await retail()];
    const relation = await related(sister, brother);
    const bid = await placed(brother, limitOrder('crowd', 'BUY', 10, 2));
    const action = actionOf();
    const ended = await transact(env, {
      kind: 'family',
      id: action.id,
      relation,
      account: sister.accountId,
      relative: brother.accountId,
      expectedVersion: 2,
      expectedRelativeVersion: 2,
      change: { type: 'ended', reason: 'a divorce', by: action.actor },
      createdAt: Date.now(),
      event: { id: action.id, type: 'operator.family_ended', subject: sister.accountId, payload: {}, createdAt: 1 },
    });
    expect(ended).toMatchObject({ type: 'done', cancelIn: ['CROWD-USD'] });
    const end = { userId: sister.userId, relationId: relation, reason: 'a divorce' };
    expect(await endFamilyOfUser(env, end, action)).toMatchObject({
      ok: true,
      value: { cancelled: { orderIds: [bid] } },
    });
    expect(await stateOf(brother, bid)).toBe('CANCELLED');
  });
});

describe('POST /v1/operator/users/{id}/family', () => {
  test('by two operators at once records one relation', async () => {
    const [sister, brother] = [await retail(), await retail()];
    const answers = await Promise.all([record(sister, brother), record(brother, sister), record(sister, brother)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('records what the relative is, the evidence, who recorded it and when; once an Idempotency-Key', async () => {
    const [mother, son] = [await retail(), await retail()];
    const key = { 'idempotency-key': uuidv7() };
    const { status, body } = await record(mother, son, { relationship: 'stepchild' }, key);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      userId: mother.userId,
      relativeId: son.userId,
      relationship: 'stepchild',
      evidence: 'vault/2026/4711',
      endedAt: null,
    });
    expect((await record(mother, son, { relationship: 'stepchild' }, key)).body).toEqual(body);
    const trail = await operator.get<{ data: object[] }>(`/v1/operator/audit-trail?subject=${mother.accountId}`);
    expect(JSON.stringify(trail.body)).toContain('operator.family_recorded');
  });

  test.each([
    ['a cousin', { relationship: 'cousin' }],
    ['no evidence', { evidence: ' ' }],
    ['evidence without end', { evidence: 'x'.repeat(501) }],
    ['an unknown field', { since: '2020' }],
  ])('%s is refused', async (_, stated) => {
    expect(await record(await retail(), await retail(), stated)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });

  test('nobody is family of their own, of nobody, or twice of the same person', async () => {
    const [sister, brother] = [await retail(), await retail()];
    expect(await record(sister, sister)).toMatchObject({ status: 400 });
    expect(await record(sister, { ...brother, userId: 'nobody' })).toMatchObject({ status: 404 });
    expect(await record({ ...sister, userId: 'nobody' }, brother)).toMatchObject({ status: 404 });
    const relation = await related(sister, brother);
    expect(await record(brother, sister)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { relationId: relation } } },
    });
    expect(await end(await retail(), relation)).toMatchObject({ status: 404 });
  });

  test(`an account has ${FAMILY_MAX} relatives at most`, async () => {
    const patriarch = await retail();
    for (let child = 0; child < FAMILY_MAX; child++) await related(patriarch, await createTrader(db));
    expect(await record(await retail(), patriarch)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { accountId: patriarch.accountId } } },
    });
  });

  test('operators elsewhere read the family of their own people, and change none', async () => {
    const [sister, brother] = [await retail(), await tradingClient(db, { owner: 'org-elsewhere' })];
    const relation = await related(sister, brother);
    const elsewhere = await signedIn(await createTrader(db, { owner: 'org-elsewhere', roles: ['operator'] }));
    const path = (user: Trader) => `/v1/operator/users/${user.userId}/family`;
    expect(await elsewhere.get(path(brother))).toMatchObject({ body: { data: { relations: [{ id: relation }] } } });
    expect(await elsewhere.get(path(sister))).toMatchObject({ status: 404 });
    const stated = { relativeId: sister.userId, relationship: 'spouse', evidence: 'mine' };
    expect(await elsewhere.post(path(brother), stated)).toMatchObject({ status: 403 });
    expect(await elsewhere.delete(`${path(brother)}/${relation}`, { reason: 'mine' })).toMatchObject({ status: 403 });
    expect(await brother.get(path(brother))).toMatchObject({ status: 403 });
    const trail = await elsewhere.get('/v1/operator/audit-trail');
    expect(JSON.stringify(trail.body)).toContain('operator.family_recorded');
  });

  test('operators elsewhere see neither who the relative of another organization is nor the evidence', async () => {
    const organization = `org-${uuidv7()}`;
    const own = () => tradingClient(db, { owner: organization });
    const [stranger, brother, sister] = [await retail(), await own(), await own()];
    const [of, by, within] = [
      await related(stranger, brother),
      await related(sister, stranger),
      await related(brother, sister),
    ];
    await end(sister, by);
    const auditor = await signedIn(await createTrader(db, { owner: organization, roles: ['auditor'] }));
    const familyOf = async ({ userId }: Trader) =>
      (await auditor.get<{ data: { relations: Relation[] } }>(`/v1/operator/users/${userId}/family`)).body.data
        .relations;
    const [ofBrother, ofSister] = [await familyOf(brother), await familyOf(sister)];
    const withinRow = { id: within, userId: brother.userId, relativeId: sister.userId, evidence: 'vault/2026/4711' };
    const sibling = { relationship: 'sibling' };
    expect(ofBrother).toMatchObject([
      withinRow,
      { id: of, userId: null, relativeId: brother.userId, evidence: null, ...sibling },
    ]);
    expect(ofSister).toMatchObject([
      withinRow,
      { id: by, userId: sister.userId, relativeId: null, evidence: null, ...sibling },
    ]);
    const trailOf = async (subject = '') =>
      (await auditor.get<{ data: object[] }>(`/v1/operator/audit-trail${subject && `?subject=${subject}`}`)).body.data;
    const trail = await trailOf();
    expect(trail).toMatchObject([
      { type: 'operator.family_ended', subject: sister.accountId, details: { reason: 'the register was wrong' } },
      { subject: brother.accountId, details: { relative: sister.accountId, evidence: 'vault/2026/4711' } },
      { subject: sister.accountId, details: sibling, after: { relation: by } },
      { subject: null, details: { relative: brother.accountId, ...sibling }, after: { relation: of } },
    ]);
    expect(JSON.stringify(trail.slice(2))).not.toContain('vault');
    expect(JSON.stringify([trail, ofBrother, ofSister])).not.toMatch(
      new RegExp(`${stranger.accountId}|${stranger.userId}`),
    );
    expect(await trailOf(stranger.accountId)).toEqual([]);
    expect(await trailOf(sister.accountId)).toHaveLength(2);
  });
});
