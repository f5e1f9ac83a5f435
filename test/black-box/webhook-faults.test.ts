import { createServer, type Server } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import type { Ordering } from '../../domain/webhooks/ordering.ts';
import { applyAsPartner, type PartnerSession } from '../../scripts/demo-partner/partner-session.ts';
import { freePort } from '../../scripts/local/port.ts';
import { signIn } from '../../scripts/local/session.ts';
import {
  type ReceivedWebhook,
  type ReceiverBehavior,
  startWebhookReceiver,
} from '../node/fixtures/webhook-receiver.ts';
import { listSecurity } from './list-security.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { PatientClient } from './patient-client.ts';
import { until } from './until.ts';

const OPERATOR_PHONE = '+15550100001';
const SELLER = demoKeyOf('alice');
const BUYER = demoKeyOf('carol');
const TRADES = 24;
/** Trades after which everything that serves is killed, while webhooks are under way. */
const KILLS_AFTER = [8, 16];
/** A hanging receiver costs 10 s, and each kill may cost a try: the fourth is made ten minutes after the first. */
const ARRIVAL_WAIT_MS = 800_000;
/** On a busy machine the late receiver comes before the first kill: its fourth try is made after ten minutes. */
const LATE_MS_MAX = 30_000;

/** In which order each receiver asks to be told, and what it does at first; after that it takes everything. */
const FAULTS: Readonly<Record<string, readonly [Ordering, ReceiverBehavior | null]>> = {
  steady: ['none', null],
  failing: ['none', { kind: 'answer', status: 500, times: 1 }],
  hanging: ['none', { kind: 'hang', times: 1 }],
  limiting: ['security', { kind: 'answer', status: 429, headers: { 'retry-after': '7' }, times: 1 }],
  garbage: ['security', { kind: 'garbage', times: 1 }],
  cut: ['endpoint', { kind: 'cut', times: 1 }],
  redirecting: ['endpoint', { kind: 'redirect', times: 1 }],
};

interface ListedEvent {
  readonly webhook_event: { readonly event_id: string };
}

let system: LocalSystem;
let receivers: { readonly url: string; stop(): Promise<void> };
/** One that is not there at first. */
let late: Server;
const takenLate: ReceivedWebhook[] = [];
let lister: PartnerSession;
const secrets = new Map<string, string>();
const client = new PatientClient();
let security: string;

beforeAll(async () => {
  receivers = await startWebhookReceiver();
  system = await localSystem();
  await system.start();
  const operator = await signIn(system.origin, OPERATOR_PHONE, 'demo-app');
  lister = await applyAsPartner(system.origin, {
    role: 'cross_lister',
    name: 'Northwind ATS',
    contact_email: 'desk@northwind.example',
    crd_number: '123456',
  });
  await operator.call(`POST /v1/operator/partners/${lister.id}/approve`, { reason: 'looked at' });
  security = await listSecurity(lister, operator, { symbol: 'ORBW', holder: 'alice-account', shares: 100 });
  const latePort = await freePort();
  late = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      takenLate.push({ headers, body: Buffer.concat(chunks).toString(), at: Date.now(), answered: 204 });
      response.writeHead(204).end();
    });
  });
  for (const [name, [ordering, fault]] of Object.entries(FAULTS)) {
    const url = `${receivers.url}/hook/${name}`;
    if (fault !== null) await fetch(url, { method: 'PUT', body: JSON.stringify(fault) });
    await register(name, url, ordering);
  }
  await register('late', `http://127.0.0.1:${latePort}/hook`, 'endpoint');
  // It comes while tries still follow soon: the fourth waits for minutes.
  await trade(() => late.listen(latePort, '127.0.0.1'));
}, 1_200_000);

afterAll(async () => {
  await system.stop('SIGTERM');
  await receivers.stop();
  late.close();
});

async function register(name: string, url: string, ordering: Ordering): Promise<void> {
  const webhook = { url, events: ['trade.executed', 'settlement.finalized'], ordering };
  const { secret } = await lister.call<{ secret: string }>('POST /v1/webhooks', webhook);
  secrets.set(name, secret);
}

/** Trades one by one; after some of them everything is killed and started again. */
async function trade(lateComes: () => void): Promise<void> {
  const begunAt = Date.now();
  for (let trades = 1; trades <= TRADES; trades++) {
    await order(SELLER, 'sell');
    await order(BUYER, 'buy');
    const isKilled = KILLS_AFTER.includes(trades);
    if (isKilled) await system.kill();
    if (!late.listening && (isKilled || Date.now() - begunAt > LATE_MS_MAX)) lateComes();
    if (isKilled) await system.start();
  }
}

async function order({ id, secret }: { readonly id: string; readonly secret: string }, side: string): Promise<void> {
  const answer = await client.ask({
    method: 'POST',
    url: `${system.origin}/book/v1/orders`,
    headers: { 'x-api-key': id, 'x-api-secret': secret, 'idempotency-key': uuidv7() },
    body: { symbol: 'ORBW-USD', side, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
}

/** Ids of the trades, once each has its settlement. */
async function settledTrades(): Promise<readonly string[]> {
  const { settlements } = await until(
    `${TRADES} trades have their settlements`,
    () => lister.call<{ settlements: { trade_id: string }[] }>(`GET /v1/settlements?security_id=${security}`),
    (seen) => seen.settlements.length >= TRADES,
    { within_ms: ARRIVAL_WAIT_MS },
  );
  return settlements.map((each) => each.trade_id).sort();
}

async function receivedBy(name: string): Promise<readonly ReceivedWebhook[]> {
  if (name === 'late') return takenLate;
  return (await (await fetch(`${receivers.url}/hook/${name}`)).json()) as ReceivedWebhook[];
}

const isTaken = ({ answered }: ReceivedWebhook) => answered >= 200 && answered < 300;
const idOf = ({ headers }: ReceivedWebhook) => headers['webhook-id'] as string;

const orderings = Object.entries(FAULTS).map(([name, [ordering]]) => [name, ordering] as const);

test.each([...orderings, ['late', 'endpoint'] as const])(
  'the %s receiver, ordering %s, gets each event at least once under one id, in its order, whatever was killed',
  async (name, ordering) => {
    const trades = await settledTrades();
    expect(trades).toHaveLength(TRADES);
    const received = await until(
      `the ${name} receiver has taken ${2 * TRADES} events`,
      () => receivedBy(name),
      (seen) => new Set(seen.filter(isTaken).map(idOf)).size >= 2 * TRADES,
      { within_ms: ARRIVAL_WAIT_MS },
    );
    const bodies = new Map<string, unknown>();
    const taken = new Set(received.filter(isTaken).map(idOf));
    let last = 0;
    const webhook = new Webhook(secrets.get(name) ?? '');
    for (const each of received) {
      const sentAt = new Date(Number(each.headers['webhook-timestamp']) * 1_000);
      expect(each.headers['webhook-signature']?.split(' ')).toContain(webhook.sign(idOf(each), sentAt, each.body));
      const body = JSON.parse(each.body) as Record<string, unknown>;
      const before = bodies.get(idOf(each));
      if (before !== undefined) {
        expect(body).toEqual(before);
        continue;
      }
      bodies.set(idOf(each), body);
      const sequence = Number(each.headers['webhook-sequence']);
      expect(sequence).toBeGreaterThan(ordering === 'none' ? 0 : last);
      last = sequence;
    }
    expect([...bodies.keys()].filter((id) => !taken.has(id))).toEqual([]);
    const told = [...bodies.values()] as {
      readonly webhook_event: { readonly event_type: string };
      readonly transaction?: { readonly transaction_id: string };
      readonly trade_id?: string;
    }[];
    const tradesOf = (type: string) =>
      told
        .filter(({ webhook_event }) => webhook_event.event_type === type)
        .map(({ transaction, trade_id }) => transaction?.transaction_id ?? trade_id)
        .sort();
    expect(tradesOf('trade.executed')).toEqual(trades);
    expect(tradesOf('settlement.finalized')).toEqual(trades);
  },
  2 * ARRIVAL_WAIT_MS + 30_000,
);

test(
  'who asks in place of being told has the same events, once each, with the same bodies',
  async () => {
    const trades = await settledTrades();
    const sent = new Map(
      (await receivedBy('steady')).map((each) => [idOf(each), JSON.parse(each.body) as ListedEvent]),
    );
    const listed: ListedEvent[] = [];
    for (let after = ''; ; ) {
      const query = `types=trade.executed,settlement.finalized&limit=20${after === '' ? '' : `&after=${after}`}`;
      const page = await lister.call<{ events: ListedEvent[]; next_after: string; has_more?: true }>(
        `GET /v1/events?${query}`,
      );
      listed.push(...page.events);
      after = page.next_after;
      if (page.has_more !== true) break;
    }
    expect(listed).toHaveLength(2 * trades.length);
    const withoutAddress = ({ webhook_event, ...rest }: ListedEvent): object => ({
      webhook_event: { ...webhook_event, endpoint: '' },
      ...rest,
    });
    for (const event of listed) {
      const same = sent.get(event.webhook_event.event_id);
      expect(same && withoutAddress(same)).toEqual(withoutAddress(event));
    }
  },
  2 * ARRIVAL_WAIT_MS,
);
