import { type ChildProcess, spawn } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SECRET = `whsec_${Buffer.from('a-secret-of-this-test-alone-0001').toString('base64')}`;
let listener: ChildProcess;
let printed: string;
let url: string;

beforeEach(async () => {
  listener = spawn(process.execPath, ['scripts/webhook-listener.ts', '--secret', SECRET, '--port', '0']);
  printed = '';
  listener.stdout?.on('data', (part) => {
    printed += String(part);
  });
  await expect.poll(() => printed).toMatch(/http:\S+/);
  url = /http:\S+/.exec(printed)?.[0] ?? '';
});

afterEach(() => {
  listener.kill();
});

async function send(body: string, { signedWith = SECRET, sent = body } = {}): Promise<number> {
  const at = new Date();
  const headers = {
    'webhook-id': 'event-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(signedWith).sign('event-1', at, body),
    'webhook-sequence': '7',
  };
  return (await fetch(url, { method: 'POST', headers, body: sent })).status;
}

test('prints what is signed with its secret, and marks what comes again', async () => {
  expect(await send('{"webhook_event":{"event_type":"trade.executed"}}')).toBe(200);
  await expect.poll(() => printed).toContain('"event_type": "trade.executed"');
  expect(printed).toContain('verified event-1, sequence 7\n');
  expect(await send('{"webhook_event":{"event_type":"trade.executed"}}')).toBe(200);
  await expect.poll(() => printed).toContain('sequence 7, again');
});

test('refuses what is not', async () => {
  const stranger = `whsec_${Buffer.from('a-secret-of-somebody-else-000001').toString('base64')}`;
  expect(await send('{"a":1}', { signedWith: stranger })).toBe(401);
  expect(await send('{"a":1}', { sent: '{"a":2}' })).toBe(401);
  await expect.poll(() => printed).toContain('refused event-1: No matching signature found');
  expect(printed).not.toContain('verified');
});
