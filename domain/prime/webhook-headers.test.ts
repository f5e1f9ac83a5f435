import { expect, test } from 'vitest';
import { signedWebhookOf } from './webhook-headers.ts';

const NOW = 1_800_000_000_000;
const headers = { id: 'e1', timestamp: String(NOW / 1_000), signature: 'v1,AAA v2,BBB v1,CCC' };

test('the signatures of a webhook are those of version 1, over id, time and body', () => {
  expect(signedWebhookOf(headers, NOW)).toEqual({
    ok: true,
    value: { id: 'e1', prefix: `e1.${NOW / 1_000}.`, signatures: ['AAA', 'CCC'] },
  });
});

test.each([
  [300_000, true],
  [-300_000, true],
  [300_001, false],
  [-300_001, false],
])('the time of a webhook lies within five minutes of ours, either way: %i ms', (late_ms, isTaken) => {
  expect(signedWebhookOf(headers, NOW + late_ms).ok).toBe(isTaken);
});

test.each([
  ['no_id', { id: null }],
  ['no_id', { id: 'x'.repeat(201) }],
  ['no_timestamp', { timestamp: '2026-11-22' }],
  ['no_timestamp', { timestamp: null }],
  ['no_signature', { signature: null }],
  ['no_signature', { signature: 'v2,AAA' }],
])('a webhook without what is asked of its headers is refused as %s: %j', (error, wrong) => {
  expect(signedWebhookOf({ ...headers, ...wrong }, NOW)).toEqual({ ok: false, error });
});

test('of many signatures eight are looked at', () => {
  const many = signedWebhookOf({ ...headers, signature: 'v1,A '.repeat(100) }, NOW);
  expect(many.ok && many.value.signatures.length).toBe(8);
});
