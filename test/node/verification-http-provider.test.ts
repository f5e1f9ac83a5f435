import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpProvider } from '../../application/accreditation/http-provider.ts';

let server: Server;
let asked: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let answer: { status: number; body: unknown };

const order = { id: 'ours-1', account: 'account-1', evidenceKind: 'income' } as const;
const provider = () =>
  httpProvider({ url: `http://localhost:${(server.address() as AddressInfo).port}`, token: 'a token' });

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/json', location: 'http://localhost:1/' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

test('asks once for its id, and learns the provider’s', async () => {
  answer = { status: 201, body: { id: 'theirs-1', status: 'pending' } };
  expect(await provider().request(order)).toEqual({ ok: true, value: 'theirs-1' });
  expect(asked).toMatchObject([
    {
      method: 'POST',
      url: '/verifications',
      headers: { authorization: 'Bearer a token', 'idempotency-key': 'ours-1' },
    },
  ]);
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    externalId: 'ours-1',
    subject: 'account-1',
    evidenceKind: 'income',
  });
});

test.each([
  [{ status: 'pending' }, { type: 'pending' }],
  [
    { status: 'refused', reason: 'papers_missing' },
    { type: 'refused', reason: 'papers_missing' },
  ],
  [
    { status: 'verified', verifier: 'a firm', evidence: 'a vault', verifiedAt: '2026-06-01T00:00:00Z' },
    { type: 'verified', verifier: 'a firm', evidence: 'a vault', verifiedAt: Date.UTC(2026, 5, 1), expiresAt: null },
  ],
])('reads %o', async (told, finding) => {
  answer = { status: 200, body: { id: 'theirs-1', ...told } };
  expect(await provider().status(order, 'theirs/1')).toEqual({ ok: true, value: finding });
  expect(asked).toMatchObject([{ method: 'GET', url: '/verifications/theirs%2F1' }]);
});

test.each([
  [500, { id: 'theirs-1', status: 'pending' }],
  [302, { id: 'theirs-1', status: 'pending' }],
  [200, { status: 'pending' }],
  [200, { id: 'theirs-1', status: 'verified', verifier: 'a firm' }],
  [200, { id: 'theirs-1', status: 'perhaps' }],
])('what answers %i %o is asked again later', async (status, body) => {
  answer = { status, body };
  expect(await provider().status(order, 'theirs-1')).toMatchObject({ ok: false, error: { reason: 'unavailable' } });
});
