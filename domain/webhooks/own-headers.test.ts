import { describe, expect, it } from 'vitest';
import { isOtherPlace, OWN_HEADER_LENGTH_MAX, ownHeaderFault } from './own-headers.ts';

describe('a header of the owner’s own', () => {
  it.each([
    ['authorization', 'Bearer abc.def'],
    ['x-api-key', 'a b'],
    ['x-tenant', '!'],
    ['x', 'v'.repeat(OWN_HEADER_LENGTH_MAX)],
  ])('may be %s', (name, value) => {
    expect(ownHeaderFault(name, value)).toBeNull();
  });

  it.each([
    'webhook-id',
    'webhook-signature',
    'content-type',
    'content-length',
    'host',
    'connection',
    'transfer-encoding',
    'user-agent',
    'cookie',
    'cf-connecting-ip',
    'x-forwarded-for',
    'sec-fetch-site',
    'proxy-authorization',
    'access-control-allow-origin',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
    'date',
    'via',
    'forwarded',
    'cookie2',
    'origin',
    'referer',
    'accept-encoding',
    'x-real-ip',
    'true-client-ip',
  ])('is not %s, which we or the platform say', (name) => {
    expect(ownHeaderFault(name, 'v')).toBe('reserved');
  });

  it.each(['', 'X-Key', 'x key', 'x:y', 'x\r\ny', 'é', 'x'.repeat(65)])('has no name such as %j', (name) => {
    expect(ownHeaderFault(name, 'v')).toBe('not_a_name');
  });

  it.each(['', ' v', 'v ', 'a\r\nwebhook-id: 1', 'a\tb', 'é', 'a\u0000', 'v'.repeat(OWN_HEADER_LENGTH_MAX + 1)])(
    'has no value such as %j',
    (value) => {
      expect(ownHeaderFault('x-key', value)).toBe('not_a_value');
    },
  );
});

it.each([
  ['https://a.example/x', 'https://a.example/y?z=1', false],
  ['https://a.example/x', 'https://A.example:443/x', false],
  ['https://a.example/x', 'https://b.example/x', true],
  ['https://a.example/x', 'https://a.example:8443/x', true],
  ['https://a.example/x', 'http://a.example/x', true],
])('%s and %s are another place: %s', (before, after, isOther) => {
  expect(isOtherPlace(before, after)).toBe(isOther);
});
