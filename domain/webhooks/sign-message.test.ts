import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signMessage } from './sign-message.ts';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;

test('the library of Standard Webhooks verifies what is signed, and nothing that differs from it', () => {
  const at = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ text: 'déjà vu', amount: '12.50' });
  const headersOf = (signature: string, id = 'e1') => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  });
  const signature = signMessage(SECRET, 'e1', at, body);
  expect(new Webhook(SECRET).verify(body, headersOf(signature))).toEqual(JSON.parse(body));
  expect(signature).toBe(new Webhook(SECRET).sign('e1', new Date(at * 1_000), body));
  expect(() => new Webhook(SECRET).verify(`${body} `, headersOf(signature))).toThrow();
  expect(() => new Webhook(SECRET).verify(body, headersOf(signature, 'e2'))).toThrow();
});

test('a secret of another form signs nothing', () => {
  expect(() => signMessage('secret', 'e1', 1, '{}')).toThrow(RangeError);
});
