import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TERMS } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { ExchangeLedger } from '../../../protocol/bridge/exchange-ledger.ts';

const commitment = termsCommitment(TERMS);

/** What the exchange is asked, and what it answers: the routes themselves are tested where they are. */
const exchange = { asked: [] as string[], tokens: 0, answers: {} as Record<string, [number, object]> };
const server = createServer((request, response) => {
  const asked = `${request.method} ${request.url}`;
  exchange.asked.push(`${asked} ${request.headers.authorization ?? ''}`.trim());
  void bodyOf(request).then((body) => {
    const isToken = request.url === '/iam/token' && body.get('client_secret') === 'secret';
    if (isToken) exchange.tokens += 1;
    const token = { access_token: `token-${exchange.tokens}`, expires_in: 3_600 };
    const [status, answer] = isToken ? [200, token] : (exchange.answers[asked] ?? [404, {}]);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

const DEBIT = `GET /bridge/api/v1/transfer/${TERMS.id}/debit`;
const VOID = `POST /bridge/api/v1/transfer/${TERMS.id}/payout/void`;
const PAYOUT = `GET /bridge/api/v1/transfer/${TERMS.id}/payout`;
let ledger: ExchangeLedger;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(exchange, { asked: [], tokens: 0, answers: {} });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { tokenUrl: `${origin}/iam/token`, clientId: 'client', clientSecret: 'secret' };
  ledger = new ExchangeLedger({ url: `${origin}/bridge/`, ...client });
});

it('a signer in a process asks the exchange’s ledger for a debit, and to void a payout, as its organization’s client', async () => {
  exchange.answers[DEBIT] = [200, { commitment, debit: { reference: TERMS.id, amount: '12' } }];
  exchange.answers[VOID] = [200, { commitment, is_void: true }];
  expect(await ledger.debit(TERMS)).toEqual([{ reference: TERMS.id, amount: '12', confirmations: 1 }]);
  expect(await ledger.voidPayout(TERMS)).toBe(true);
  expect(exchange.asked).toEqual(['POST /iam/token', `${DEBIT} Bearer token-1`, `${VOID} Bearer token-1`]);
  exchange.answers[DEBIT] = [200, { commitment, debit: null }];
  exchange.answers[VOID] = [200, { commitment, is_void: false }];
  expect([await ledger.debit(TERMS), await ledger.voidPayout(TERMS)]).toEqual([[], false]);
});

it('B-01: a signer in a process asks whether the ledger has made a payout, and believes no other answer', async () => {
  for (const is_paid of [true, false]) {
    exchange.answers[PAYOUT] = [200, { commitment, is_paid }];
    expect(await ledger.hasPaidOut(TERMS)).toBe(is_paid);
  }
  for (const answer of [{ commitment: '00', is_paid: true }, { commitment }, { commitment, is_paid: 1 }]) {
    exchange.answers[PAYOUT] = [200, answer];
    await expect(ledger.hasPaidOut(TERMS)).rejects.toThrow();
  }
});

it('a signer in a process believes no answer of other terms, of another form, or that is none, and renews a token that is not taken', async () => {
  exchange.answers[DEBIT] = [200, { commitment: '00', debit: { reference: TERMS.id, amount: '12' } }];
  await expect(ledger.debit(TERMS)).rejects.toThrow('other terms');
  exchange.answers[DEBIT] = [200, { commitment, debit: { reference: TERMS.id, amount: '-12' } }];
  await expect(ledger.debit(TERMS)).rejects.toThrow();
  exchange.answers[VOID] = [200, { commitment, is_void: 'yes' }];
  await expect(ledger.voidPayout(TERMS)).rejects.toThrow();
  exchange.answers[VOID] = [503, {}];
  await expect(ledger.voidPayout(TERMS)).rejects.toThrow('503');
  exchange.answers[DEBIT] = [401, {}];
  await expect(ledger.debit(TERMS)).rejects.toThrow('401');
  exchange.answers[DEBIT] = [200, { commitment, debit: null }];
  expect(await ledger.debit(TERMS)).toEqual([]);
  expect(exchange.tokens).toBe(2);
});
