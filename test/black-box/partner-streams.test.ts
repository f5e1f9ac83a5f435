import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import type { PartnerMessage } from '../../protocol/feeds/partner-message.ts';
import { type Session, signIn } from '../../scripts/local/session.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const OPERATOR_PHONE = '+15550100001';
const SELLER = demoKeyOf('alice');
const BUYER = demoKeyOf('carol');
const CROSS_LIST = {
  asset_name: 'Orbital Freight Series B',
  asset_type: 'private_security',
  security_class: 'preferred_stock',
  share_class: 'Series B',
  issuer_id: 'orbital-freight',
  issuer_name: 'Orbital Freight, Inc.',
  issuer_type: 'private_corporation',
  currency: 'USD',
  last_valuation_price: 42.5,
  last_valuation_date: '2026-06-30',
  restrictions: {
    legend_required: true,
    rule_144_holding_period_met: false,
    transfer_restrictions: 'none',
    lock_up_expiry_date: null,
  },
};

let system: LocalSystem;
let operator: Session;
let authorization: string;
let security: string;

beforeAll(async () => {
  system = await localSystem();
  await system.start();
  operator = await signIn(system.origin, OPERATOR_PHONE, 'demo-app');
  authorization = await newLister();
  ({ security_id: security } = await call<{ security_id: string }>('/partner/v1/securities', CROSS_LIST, {
    authorization,
  }));
  const listing = { symbol: 'ORBF', regulation: 'retail', reason: 'the committee agrees' };
  await operator.call(`POST /v1/operator/securities/${security}/list`, listing);
  await operator.call('POST /v1/operator/deposits', {
    accountId: 'alice-account',
    assetId: security,
    amount: 100,
    lots: [{ quantity: 100, cost: 100, restrictionEndDate: null }],
  });
});

afterAll(() => system.stop('SIGTERM'));

async function call<Data>(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Data> {
  const response = await fetch(`${system.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Data;
}

/** Applies as a cross-lister, has the operator approve it, and signs in as its machine client. */
async function newLister(): Promise<string> {
  const applied = await call<{ organization_id: string; client_id: string; client_secret: string }>(
    '/iam/v1/organizations',
    { role: 'cross_lister', name: 'Northwind ATS', contact_email: 'desk@northwind.example', crd_number: '123456' },
  );
  await operator.call(`POST /v1/operator/partners/${applied.organization_id}/approve`, { reason: 'looked at' });
  const { client_id, client_secret } = applied;
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'openid' };
  const answer = await fetch(`${system.origin}/iam/api/login/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
}

const place = ({ id, secret }: typeof SELLER, side: string, size: number, price: number) =>
  call(
    '/book/v1/orders',
    { symbol: 'ORBF-USD', side, type: 'limit', size, price, time_in_force: 'GTC' },
    { 'x-api-key': id, 'x-api-secret': secret },
  );

function open(path: string, headers: Readonly<Record<string, string>>) {
  const socket = new WebSocket(`${system.origin.replace('http', 'ws')}/partner${path}`, { headers });
  const received: PartnerMessage[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as PartnerMessage));
  return { socket, received };
}

test('a partner follows book and trades of its security with a plain WebSocket client', async () => {
  const refused = open(`/v1/ws/book/${security}`, {}).socket;
  const [error] = (await once(refused, 'error')) as [Error];
  expect(error.message).toContain('401');

  const book = open(`/v1/ws/book/${security}`, { authorization });
  const trades = open(`/v1/ws/trades/${security}`, { authorization });
  const types = ({ received }: typeof book) => received.map(({ type }) => type);
  await expect.poll(() => types(book)).toEqual(['subscribed', 'book_snapshot']);
  await expect.poll(() => types(trades)).toEqual(['subscribed']);
  await place(SELLER, 'sell', 5, 42);
  await place(BUYER, 'buy', 2, 42);
  await expect.poll(() => types(trades)).toContain('trade');
  expect(trades.received.find(({ type }) => type === 'trade')).toMatchObject({
    security_id: security,
    sequence: 1,
    price: 42,
    quantity: 2,
    side: 'buy',
  });
  await expect
    .poll(() => book.received.at(-1))
    .toMatchObject({ type: 'book_update', asks: [{ price: 42, quantity: 3 }] });
  for (const { socket } of [book, trades]) socket.close();
});
