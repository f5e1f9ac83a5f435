import { expect, test } from 'vitest';
import { isSignedWebhook, signWebhook } from './webhook-hmac.ts';

// By OpenSSL: printf 'msg_1.1731705121.{"event_type":"ping"}' | openssl dgst -sha256 -hmac 'edge-exchange-webhook-key-0123' -binary | base64
const SECRET = 'whsec_ZWRnZS1leGNoYW5nZS13ZWJob29rLWtleS0wMTIz';
const PREFIX = 'msg_1.1731705121.';
const SIGNATURE = 'Fwo9DqOoCrumQzIgoPpeVLSCigrldEdVC6TKyhTNnW4=';

const signed = { id: 'msg_1', prefix: PREFIX, signatures: [SIGNATURE] };
const bytes = (text: string) => new TextEncoder().encode(text);
const BODY = bytes('{"event_type":"ping"}');

test('a webhook is signed over its prefix and its body', async () => {
  expect(await signWebhook(SECRET, PREFIX, BODY)).toBe(SIGNATURE);
  expect(await isSignedWebhook([SECRET], signed, BODY)).toBe(true);
});

test('a signature is that of no other body of the same length, and of no other prefix', async () => {
  const other = bytes('{"event_type":"pong"}');
  expect(await isSignedWebhook([SECRET], signed, other)).toBe(false);
  expect(await isSignedWebhook([SECRET], { ...signed, prefix: 'msg_2.1731705121.' }, BODY)).toBe(false);
});
