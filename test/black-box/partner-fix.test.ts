import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_INVESTORS, DEMO_LISTER, DEMO_SECURITY } from '../../application/seed/demo-partners.ts';
import { FixClient, type FixClientOptions, type Received, timestamp } from '../../clients/fix/fix-client.ts';
import { signIn } from '../../scripts/local/session.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const MARKET = 'LSRB-USD';
const [SELLER, BUYER] = DEMO_INVESTORS;
const OPERATOR_PHONE = '+15550100001';

let system: LocalSystem;
let fixPort: number;
let token: string;
const clients: FixClient[] = [];

beforeAll(async () => {
  system = await localSystem({ SERVICES: 'fix' });
  const printed = await system.start();
  fixPort = Number(/FIX 4\.4\s+localhost:(\d+)/.exec(printed)?.[1]);
  const form = { grant_type: 'client_credentials', client_id: DEMO_LISTER.id, client_secret: DEMO_LISTER.secret };
  const answer = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  ({ access_token: token } = (await answer.json()) as { access_token: string });
});

afterAll(async () => {
  for (const client of clients) client.drop();
  await system.stop('SIGTERM');
});

/** How to log on for an account of one of the lister's investors: by a key that the lister makes. */
async function optionsOf({ id, account }: (typeof DEMO_INVESTORS)[number], name: string): Promise<FixClientOptions> {
  const answer = await fetch(`${system.origin}/partner/v1/investors/${id}/accounts/${account}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, security_ids: [DEMO_SECURITY.id] }),
  });
  expect(answer.status).toBe(201);
  const { key_id: username, secret: password } = (await answer.json()) as { key_id: string; secret: string };
  return { host: '127.0.0.1', port: fixPort, senderCompId: name, targetCompId: 'EXCHANGE', username, password };
}

async function session(investor: (typeof DEMO_INVESTORS)[number], name: string): Promise<FixClient> {
  return logOn({ ...(await optionsOf(investor, name)), logon: [[141, 'Y']] });
}

async function logOn(options: FixClientOptions): Promise<FixClient> {
  const client = new FixClient(options);
  clients.push(client);
  await client.next(({ type }) => type === 'A');
  return client;
}

function place(client: FixClient, id: string, side: 1 | 2): void {
  client.send('D', [
    [11, id],
    [55, MARKET],
    [54, side],
    [60, timestamp(Date.now())],
    [38, 10],
    [40, 2],
    [44, 43.25],
  ]);
}

const report = (id: string, execType: string) => (message: Received) =>
  message.type === '8' && message.get(11) === id && message.get(150) === execType;

test('a lister routes orders of two investors over FIX 4.4: they trade its security, and each session has its fill', async () => {
  const seller = await session(SELLER, 'DESK-S');
  const buyer = await session(BUYER, 'DESK-B');
  place(seller, 'sell-1', 2);
  expect((await seller.next(report('sell-1', '0'))).get(39)).toBe('0');
  place(buyer, 'buy-1', 1);
  const bought = await buyer.next(report('buy-1', 'F'));
  expect([bought.get(39), bought.get(32), bought.get(31)]).toEqual(['2', '10', '43.25']);
  expect((await seller.next(report('sell-1', 'F'))).get(14)).toBe('10');
  const settled = async () => {
    const answer = await fetch(`${system.origin}/partner/v1/settlements?security_id=${DEMO_SECURITY.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) return `${answer.status} ${await answer.text()}`;
    const { settlements } = (await answer.json()) as { settlements: Record<string, unknown>[] };
    return settlements.map(({ number_of_shares, price_per_share }) => [number_of_shares, price_per_share]);
  };
  await expect.poll(settled, { timeout: 90_000, interval: 200 }).toEqual([[10, 43.25]]);
});

test('a session of a partner is told after it comes back what was filled meanwhile, once', async () => {
  const options = await optionsOf(SELLER, 'DESK-S2');
  const before = await logOn({ ...options, logon: [[141, 'Y']] });
  place(before, 'sell-2', 2);
  await before.next(report('sell-2', '0'));
  before.drop();
  const buyer = await session(BUYER, 'DESK-B2');
  place(buyer, 'buy-2', 1);
  await buyer.next(report('buy-2', 'F'));
  const after = await logOn({ ...options, sequences: before.sequences });
  const sold = await after.next(report('sell-2', 'F'));
  expect([sold.get(39), sold.get(32), sold.get(151)]).toEqual(['2', '10', '0']);
  await expect(after.next(report('sell-2', 'F'), 1_000)).rejects.toThrow('no such message');
});

test('a session knows no order of another investor of its partner', async () => {
  const seller = await session(SELLER, 'DESK-S3');
  place(seller, 'sell-3', 2);
  await seller.next(report('sell-3', '0'));
  const buyer = await session(BUYER, 'DESK-B3');
  buyer.send('F', [
    [41, 'sell-3'],
    [11, 'cancel-3'],
    [55, MARKET],
    [54, 2],
    [60, timestamp(Date.now())],
  ]);
  const refused = await buyer.next(({ type, get }) => type === '9' && get(11) === 'cancel-3');
  expect([refused.get(102), refused.get(434)]).toEqual(['1', '1']);
  seller.send('H', [
    [11, 'sell-3'],
    [55, MARKET],
    [54, 2],
  ]);
  expect((await seller.next(report('sell-3', 'I'))).get(39)).toBe('0');
  seller.send('F', [
    [41, 'sell-3'],
    [11, 'end-3'],
    [55, MARKET],
    [54, 2],
    [60, timestamp(Date.now())],
  ]);
  await seller.next(report('end-3', '4'));
});

test('a session of a suspended partner places nothing and none is opened, until it is reinstated', async () => {
  const options = await optionsOf(BUYER, 'DESK-B4');
  const standing = await logOn({ ...options, logon: [[141, 'Y']] });
  const operator = await signIn(system.origin, OPERATOR_PHONE, 'demo-app');
  const decide = (decision: string) =>
    operator.call(`POST /v1/operator/partners/${DEMO_LISTER.id}/${decision}`, { reason: 'test' });
  await decide('suspend');
  place(standing, 'buy-4', 1);
  const refused = await standing.next(report('buy-4', '8'));
  expect(refused.get(58)).toContain('UNAUTHORIZED');
  const other = new FixClient({ ...options, senderCompId: 'DESK-B5', logon: [[141, 'Y']] });
  clients.push(other);
  expect((await other.next(({ type }) => type === '5')).get(58)).toContain('UNAUTHORIZED');
  await decide('reinstate');
  place(standing, 'buy-5', 1);
  await standing.next(report('buy-5', '0'));
  const seller = await session(SELLER, 'DESK-S5');
  place(seller, 'sell-5', 2);
  expect((await standing.next(report('buy-5', 'F'), 30_000)).get(39)).toBe('2');
});
