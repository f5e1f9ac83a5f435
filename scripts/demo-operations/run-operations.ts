import type { AuditRow } from '../../data/audit/audit-check.ts';
import { type Session, signIn } from '../local/session.ts';

/** The operator that `npm run operator:create` has made. */
export interface OperatorSignIn {
  readonly phone: string;
  readonly client: string;
}

interface Created {
  readonly data: { readonly id: string; readonly accountId: string };
}

/** A PNG of one grey pixel. */
const PIXEL = Uint8Array.from(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB4iG8MwAAAABJRU5ErkJggg==', 'base64'),
);

const APP = 'lakeside-app';
const SELLER = { name: 'Sara Lind', email: 'sara@lakeside.example', phone: '+15550101001' };
const BUYER = { name: 'Ben Okafor', email: 'ben@lakeside.example', phone: '+15550101002' };

/** Plays the life of a venue over HTTP, from an empty database on, and ends with the audit. @throws Error at the first answer that is not right */
export async function runOperations(
  origin: string,
  { phone, client }: OperatorSignIn,
  say: (text: string) => void,
): Promise<readonly AuditRow[]> {
  const operator = await signIn(origin, phone, client);
  say('the operator signs in');

  await operator.call('POST /v1/operator/organizations', { id: 'lakeside', name: 'Lakeside Trust' });
  const sellerId = await makeUser(operator, SELLER);
  const buyerId = await makeUser(operator, BUYER);
  say('makes an organization and two users');
  await operator.call('POST /v1/operator/oauth-clients', {
    id: APP,
    owner: 'lakeside',
    name: 'Lakeside application',
    kind: 'application',
  });
  say('makes the OAuth client that they sign in through');

  await operator.call('POST /v1/operator/currencies', { id: 'usd', symbol: 'USD', name: 'US dollar', scale: 4 });
  await operator.call('POST /v1/operator/assets', {
    id: 'fern',
    symbol: 'FERN',
    name: 'Fern Labs',
    category: 'privates',
    status: 'PENDING',
    scale: 0,
    regulation: 'retail',
    issuerName: 'Fern Labs Inc.',
  });
  await operator.upload('PUT /v1/operator/assets/fern/image', PIXEL, 'image/png');
  await operator.call('POST /v1/operator/markets', {
    baseAssetId: 'fern',
    quoteAssetId: 'usd',
    priceScale: 2,
    tickSize: 0.01,
    lotSize: 1,
    minSize: 1,
    maxSize: 10_000,
    takerFeeBps: 10,
    referencePrice: 20,
  });
  await setStatus(operator, 'APPROVED', 'the listing committee agrees');
  say('makes the US dollar, an asset with an image and its market, and approves the asset');

  await operator.call('POST /v1/operator/deposits', { accountId: buyerId, assetId: 'usd', amount: 10_000 });
  await operator.call('POST /v1/operator/deposits', {
    accountId: sellerId,
    assetId: 'fern',
    amount: 100,
    lots: [{ quantity: 100, cost: 1_500, restrictionEndDate: null }],
  });
  say('deposits money and shares');

  const seller = await signIn(origin, SELLER.phone, APP);
  const buyer = await signIn(origin, BUYER.phone, APP);
  await place(seller, 'SELL', 10);
  await place(buyer, 'BUY', 10);
  const [trade] = (await buyer.call<{ data: { id: string }[] }>('GET /v1/core-transactions?type=trade')).data;
  if (trade === undefined) throw new Error('the two orders did not trade');
  say('the users trade ten shares');

  await operator.call('POST /v1/operator/markets/FERN-USD/halt');
  await place(buyer, 'BUY', 1, 400);
  await operator.call('POST /v1/operator/markets/FERN-USD/resume');
  await place(buyer, 'BUY', 1);
  say('the operator halts the market, which then refuses orders, and resumes it');

  await setStatus(operator, 'SUSPENDED', 'news are pending');
  await place(buyer, 'BUY', 1, 400);
  await setStatus(operator, 'APPROVED', 'the news are out');
  await operator.call('POST /v1/operator/markets/FERN-USD/resume');
  await place(buyer, 'BUY', 1);
  say('suspends the asset, which cancels its open orders, approves it again and resumes its market');

  await operator.call(`POST /v1/operator/trades/${trade.id}/bust`, { reason: 'a price ten times too high was typed' });
  await operator.call(`POST /v1/operator/trades/${trade.id}/bust`, { reason: 'again' }, 409);
  const { data: held } = await buyer.call<{ data: unknown[] }>('GET /v1/portfolio');
  if (held.length > 0) throw new Error('the buyer still holds the shares of the trade that was busted');
  say('busts the trade, once: shares and money go back');

  const cash = { assetId: 'usd', amount: 500, reference: 'account at the bank' };
  const { data: withdrawal } = await buyer.call<Created>('POST /v1/account/withdrawals', cash);
  const decided = `POST /v1/operator/transfer-requests/${withdrawal.id}`;
  await buyer.call('POST /v1/account/withdrawals', { ...cash, amount: 9_900 }, 400);
  await operator.call(`${decided}/approve`, { reason: 'the bank account is theirs' });
  await operator.call(`${decided}/execute`, { reason: 'wired' });
  const { data: deposit } = await buyer.call<Created>('POST /v1/account/deposits', cash);
  await operator.call(`POST /v1/operator/transfer-requests/${deposit.id}/reject`, { reason: 'nothing came' });
  say(
    'a user asks for a withdrawal, which holds the money, and a deposit; the operator executes the one and rejects the other',
  );

  const { data: spare } = await operator.call<Created>('POST /v1/operator/users', {
    owner: 'lakeside',
    name: 'Temp Worker',
    email: 'temp@lakeside.example',
  });
  await operator.call(`PATCH /v1/operator/users/${spare.accountId}`, { roles: ['event_viewer'], reason: 'door duty' });
  await operator.call(`POST /v1/operator/users/${spare.accountId}/deactivate`, { reason: 'left' });
  const active = await operator.call<{ data: unknown[] }>('GET /v1/operator/users?owner=lakeside&active=true');
  if (active.data.length !== 2) throw new Error(`two users are active, the list says ${active.data.length}`);
  say('gives a user another role, then deactivates them');

  const audit = await operator.call<{ data: { unsettledBooks: string[]; checks: AuditRow[] } }>(
    'GET /v1/operator/audit',
  );
  if (audit.data.unsettledBooks.length > 0) throw new Error(`not settled: ${audit.data.unsettledBooks.join(', ')}`);
  return audit.data.checks;
}

function setStatus(operator: Session, status: string, reason: string): Promise<unknown> {
  return operator.call('POST /v1/operator/assets/fern/status', { status, reason });
}

async function makeUser(operator: Session, person: typeof SELLER): Promise<string> {
  const user = { owner: 'lakeside', ...person, facts: { kycStatus: 'completed' } };
  return (await operator.call<Created>('POST /v1/operator/users', user)).data.accountId;
}

function place(session: Session, side: 'BUY' | 'SELL', quantity: number, expected = 200): Promise<unknown> {
  const order = { assetId: 'fern', side, orderType: 'limit', quantity, limitPrice: 20 };
  return session.call('POST /v1/orders', order, expected);
}
