import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { FeedSocket } from '../../fixtures/feed-socket.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, type SignedIn, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

const SYMBOL = 'HELD-USD';
const RESTRICTED = 'CLUB-USD';
const ENDED = { code: 1008, reason: 'the credential holds no longer' };
const CHANGED = { code: 1008, reason: 'what the credential may see has changed: connect again' };

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createCurrency(db);
  await createPair(db, 'HELD');
  await createPair(db, 'CLUB', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
});

afterEach(() => {
  vi.useRealTimers();
});

interface Key {
  readonly id: string;
  readonly secret: string;
}

interface Person {
  readonly trader: Trader;
  readonly session: SignedIn;
  readonly key: Key;
}

async function person(terms: TraderTerms = {}): Promise<Person> {
  const trader = await createTrader(db, terms);
  const session = await signIn(trader.phone);
  return { trader, session, key: await makeKey(session) };
}

async function makeKey({ bearer }: SignedIn): Promise<Key> {
  const { body } = await call('POST /iam/v1/keys', { headers: bearer, json: { name: 'bot', scopes: ['read'] } });
  return (body as { data: Key }).data;
}

const PATHS = { book: `/v1/ws?symbol=${SYMBOL}`, 'feed object': '/v1/ws' } as const;
type Path = keyof typeof PATHS;

async function following(feed: FeedSocket, symbol = SYMBOL): Promise<FeedSocket> {
  feed.subscribe('orders', symbol);
  await feed.next('subscribed');
  return feed;
}

const byKey = async (path: Path, { id, secret }: Key): Promise<FeedSocket> =>
  following(await FeedSocket.open(PATHS[path], { 'x-api-key': id, 'x-api-secret': secret }));

const byToken = async (path: Path, { bearer }: SignedIn, key?: Key): Promise<FeedSocket> =>
  following(await FeedSocket.open(PATHS[path], { ...bearer, ...(key === undefined ? {} : { 'x-api-key': key.id }) }));

async function byMessage(path: Path, credential: object): Promise<FeedSocket> {
  const feed = await FeedSocket.open(PATHS[path]);
  feed.say({ type: 'auth', ...credential });
  await feed.next('authenticated');
  return following(feed);
}

const QUESTION = { type: 'unsubscribe', channel: 'ticker', symbol: SYMBOL };

/** It was closed before its holder could say another word: not at its next beat only, some seconds from now. */
async function expectClosed(feed: FeedSocket, as: { code: number; reason: string }): Promise<void> {
  if (feed.closed === null) feed.say(QUESTION);
  expect(await feed.untilClosed()).toMatchObject(as);
  expect(feed.received.filter(({ type }) => type === 'unsubscribed')).toEqual([]);
}

async function expectOpen(feed: FeedSocket): Promise<void> {
  feed.say(QUESTION);
  await feed.next('unsubscribed');
  expect(feed.closed).toBeNull();
  feed.close();
}

describe.each(Object.keys(PATHS) as Path[])('a connection at the %s', (path) => {
  it('ends with the key that it was opened with, in whichever form, and those of other keys and tokens stay', async () => {
    const { session, key } = await person();
    const other = await makeKey(session);
    const stranger = await person();
    const ending = [
      await byKey(path, key),
      await byMessage(path, { api_key: key.id, api_secret: key.secret }),
      await byToken(path, session, key),
    ];
    const staying = [await byKey(path, other), await byToken(path, session), await byKey(path, stranger.key)];
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: session.bearer })).status).toBe(200);
    for (const feed of ending) await expectClosed(feed, ENDED);
    for (const feed of staying) await expectOpen(feed);
  });

  it('ends with its token when that is revoked', async () => {
    const { session } = await person();
    const feeds = [await byToken(path, session), await byMessage(path, { token: session.accessToken })];
    const form = { token: session.accessToken, client_id: 'test-app' };
    expect((await call('POST /iam/api/login/oauth/revoke', { form })).status).toBe(200);
    for (const feed of feeds) await expectClosed(feed, ENDED);
  });

  it('ends when the kill switch of its user is pulled', async () => {
    const { trader, session, key } = await person();
    const feeds = [await byToken(path, session), await byKey(path, key)];
    expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: session.bearer })).status).toBe(
      200,
    );
    for (const feed of feeds) await expectClosed(feed, ENDED);
  });

  it('ends with the secret that opened it, and goes on when only another token was asked for', async () => {
    const { session, key } = await person();
    const ending = [await byKey(path, key), await byMessage(path, { api_key: key.id, api_secret: key.secret })];
    const staying = await byToken(path, session);
    const renewal = { grant_type: 'refresh_token', client_id: 'test-app', refresh_token: session.refreshToken };
    expect((await tokenRequest(renewal)).status).toBe(200);
    const rotated = await call(`POST /iam/v1/keys/${key.id}/rotate`, { headers: session.bearer });
    expect(rotated.status).toBe(200);
    for (const feed of ending) await expectClosed(feed, ENDED);
    await expectOpen(staying);
    const { secret } = (rotated.body as { data: Key }).data;
    await expectOpen(await byKey(path, { id: key.id, secret }));
  });
});

describe('a signing key that is retired at once', () => {
  it('ends the connections of its tokens at their next beat, once verifiers have read the keys again, and those of API keys stay', async () => {
    const operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    const { session, key } = await person();
    const ending = [
      await byToken('book', session),
      await byToken('feed object', session),
      await byToken('feed object', session, key),
      await byMessage('book', { token: session.accessToken }),
      await byMessage('feed object', { token: session.accessToken }),
    ];
    const staying = [await byKey('book', key), await byKey('feed object', key)];
    const rotated = await call('POST /iam/v1/signing-keys/rotate?retire=at_once', { headers: operator.bearer });
    expect(rotated.status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await runDurableObjectAlarm(env.ORDER_BOOK.getByName(SYMBOL));
    for (let i = 0; i < 16; i++) await runDurableObjectAlarm(env.FEED.getByName(`feed-${i}`));
    vi.useRealTimers();
    for (const feed of ending) expect(await feed.untilClosed()).toMatchObject(ENDED);
    for (const feed of staying) await expectOpen(feed);
  });
});

describe('a second credential on a connection', () => {
  it('may be another one of the same account, and from then on it is the one that counts', async () => {
    const { session, key } = await person();
    const feed = await byKey('book', key);
    feed.say({ type: 'auth', token: session.accessToken });
    await feed.next('authenticated');
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: session.bearer })).status).toBe(200);
    await expectOpen(feed);
  });

  it('is refused when it is of another account: what the connection follows is the first one’s', async () => {
    const [{ key, session }, { key: other }] = [await person(), await person()];
    const feed = await byKey('book', key);
    feed.say({ type: 'auth', api_key: other.id, api_secret: other.secret });
    expect(await feed.next('error')).toMatchObject({ code: 'FORBIDDEN' });
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: session.bearer })).status).toBe(200);
    await expectClosed(feed, ENDED);
  });
});

describe('a connection that follows an offering under 506(b)', () => {
  it('is closed when its user loses the accreditation that lets them see it', async () => {
    const { trader, key } = await person({ accreditationStatus: 'completed', accreditationType: '506b' });
    const operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
    const headers = { 'x-api-key': key.id, 'x-api-secret': key.secret };
    const feed = await following(await FeedSocket.open(`/v1/ws?symbol=${RESTRICTED}`, headers), RESTRICTED);
    const changed = await call(`POST /exchange/v1/operator/accounts/${trader.accountId}/accreditation/end`, {
      headers: operator.tenant,
      json: { reason: 'the statement was wrong' },
    });
    expect(changed.status).toBe(200);
    await expectClosed(feed, CHANGED);
    // As any unknown symbol is answered.
    expect((await FeedSocket.handshake(`/v1/ws?symbol=${RESTRICTED}`, headers)).status).toBe(400);
  });
});
