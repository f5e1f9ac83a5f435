import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_INVESTORS, DEMO_LISTER, DEMO_SECURITY } from '../../application/seed/demo-partners.ts';
import { FixClient, type Received, timestamp } from '../../clients/fix/fix-client.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const MARKET = 'LSRB-USD';
const [SELLER, BUYER] = DEMO_INVESTORS;

let system: LocalSystem;
let fixPort: number;
let token: string;
const clients: FixClient[] = [];

beforeAll(async () => {
  system = await localSystem();
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

/** Logs on for an account of one of the lister's investors, by a key that the lister makes. */
async function session({ id, account }: (typeof DEMO_INVESTORS)[number], name: string): Promise<FixClient> {
  const answer = await fetch(`${system.origin}/partner/v1/investors/${id}/accounts/${account}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, security_ids: [DEMO_SECURITY.id] }),
  });
  expect(answer.status).toBe(201);
  const { key_id: username, secret: password } = (await answer.json()) as { key_id: string; secret: string };
  const options = { host: '127.0.0.1', port: fixPort, senderCompId: name, targetCompId: 'EXCHANGE' };
  const client = new FixClient({ ...options, username, password, logon: [[141, 'Y']] });
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
  const answer = await fetch(`${system.origin}/partner/v1/settlements?security_id=${DEMO_SECURITY.id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
});
