import { afterEach, expect, test, vi } from 'vitest';
import { answerOf, httpMailer } from './http-mailer.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');

test.each([
  [200, 'taken'],
  [202, 'taken'],
  [400, 'refused'],
  [404, 'refused'],
  [422, 'refused'],
  [301, 'later'],
  [401, 'later'],
  [403, 'later'],
  [408, 'later'],
  [409, 'later'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
])('an answer %i is %s', (status, type) => {
  expect(answerOf(status, null, NOW).type).toBe(type);
});

test('Retry-After is taken in seconds and as a date', () => {
  expect(answerOf(429, '120', NOW)).toEqual({ type: 'later', detail: 'status 429', retryAt: NOW + 120_000 });
  expect(answerOf(503, 'Sun, 29 Nov 2026 13:00:00 GMT', NOW)).toMatchObject({ retryAt: NOW + 3_600_000 });
  expect(answerOf(503, 'soon', NOW)).toMatchObject({ retryAt: null });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const MAIL = {
  id: 'mail-1',
  kind: 'key_created',
  to: 'o@example.com',
  subject: 's',
  text: 't',
  html: 'h',
  headers: { a: 'b' },
};
const mailer = httpMailer({
  url: 'https://mail.example/emails',
  token: 'secret',
  from: 'Venue <no-reply@example.com>',
});

test('a mail goes in one POST under its id, and no redirect is given the token', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{"id":"x"}'));
  expect(await mailer.send(MAIL)).toEqual({ type: 'taken' });
  const [url, init] = asked.mock.calls[0] ?? [];
  expect(url).toBe('https://mail.example/emails');
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual' });
  expect(init?.headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer secret',
    'idempotency-key': 'mail-1',
  });
  expect(init?.signal).toBeInstanceOf(AbortSignal);
  const { id: _, kind: __, to, ...said } = MAIL;
  expect(JSON.parse(String(init?.body))).toEqual({ from: 'Venue <no-reply@example.com>', to: [to], ...said });
});

test('a provider that hangs or is away is asked again later: nobody knows whether it took the mail', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new DOMException('late', 'TimeoutError'));
  expect(await mailer.send(MAIL)).toEqual({ type: 'later', detail: 'TimeoutError', retryAt: null });
});
