import { describe, expect, it } from 'vitest';
import {
  answeredAt,
  formTargetOf,
  isLoopback,
  isOriginOf,
  isRedirectUri,
  mayLeadOutTo,
  mayRedirectTo,
} from './redirect-uri.ts';

describe('a redirect URI', () => {
  it.each([
    'https://shop.example/cb',
    'https://shop.example/cb?a=b',
    'http://127.0.0.1:8000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:1/cb',
    'http://localhost:33418/',
    'com.example.app:/cb',
  ])('may be %s', (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });

  it.each([
    'http://shop.example/cb',
    'https://shop.example/cb#fragment',
    'https://user@shop.example/cb',
    'https:/shop.example/cb',
    'https:\\\\shop.example\\cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1:8000@evil.example/cb',
    'http://127.0.0.1:123456/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'app:/cb',
    'https://shop.example/\ncb',
    ' https://shop.example/cb',
    '/cb',
    '',
    `https://shop.example/${'a'.repeat(2_048)}`,
  ])('is never %j', (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });
});

describe('where a client is answered', () => {
  const registered = ['https://shop.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb'];
  it.each(['https://shop.example/cb', 'http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb', 'com.example.app:/cb'])(
    '%s',
    (asked) => {
      expect(mayRedirectTo(registered, asked)).toBe(true);
    },
  );

  it.each([
    'https://shop.example/cb/',
    'https://shop.example/CB',
    'https://shop.example/cb?next=https://evil.example',
    'https://shop.example:8443/cb',
    'https://shop.example/cb/../evil',
    'https://shop.example.evil.example/cb',
    'https://evil.example/cb',
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1:49152/cb?x=1',
    'http://localhost:49152/cb',
    'http://[::1]/cb',
    'https://127.0.0.1/cb',
    'com.example.app:/other',
  ])('is not %s', (asked) => {
    expect(mayRedirectTo(registered, asked)).toBe(false);
  });

  it('is nowhere for one that has registered nothing', () => {
    expect(mayRedirectTo([], 'https://shop.example/cb')).toBe(false);
  });
});

it('an answer keeps the parameters of the URI, and leaves out what is not there', () => {
  expect(answeredAt('https://shop.example/cb?a=b', { code: 'x y', state: null, iss: 'https://id.example' })).toBe(
    'https://shop.example/cb?a=b&code=x+y&iss=https%3A%2F%2Fid.example',
  );
  expect(answeredAt('com.example.app:/cb', { code: 'x' })).toBe('com.example.app:/cb?code=x');
});

it.each([
  ['https://shop.example/cb', 'https://shop.example'],
  ['http://127.0.0.1:80/cb', 'http://127.0.0.1'],
  ['http://[::1]:8000/cb', 'http://[::1]:8000'],
  ['com.example.app:/cb', 'com.example.app:'],
  ["https://a;script-src 'unsafe-inline'.example/cb", null],
  ['nothing', null],
])('a policy lets the forms of a page for %s lead to %s', (uri, expected) => {
  expect(formTargetOf(uri)).toBe(expected);
});

it('what is on the own machine is known', () => {
  expect(['http://localhost:1/', 'http://[::1]/', 'https://localhost/'].map(isLoopback)).toEqual([true, true, false]);
});

describe('where somebody may be sent who has signed out', () => {
  const registered = ['https://shop.example/out', 'http://127.0.0.1/out'];
  it('is the very text that was registered, on the own machine as well', () => {
    for (const uri of registered) expect(mayLeadOutTo(registered, uri)).toBe(true);
    for (const uri of [
      'https://shop.example/out?x=1',
      'https://shop.example/out/',
      'https://shop.example/Out',
      'http://127.0.0.1:8000/out',
      'https://evil.example/out',
      '',
    ])
      expect(mayLeadOutTo(registered, uri), uri).toBe(false);
    expect(mayLeadOutTo(['javascript:alert(1)'], 'javascript:alert(1)'), 'whatever is registered').toBe(false);
  });
});

describe('the origin of a page of a client', () => {
  const uris = ['https://shop.example/cb', 'http://localhost/cb', 'com.example.app:/cb'];
  it('is that of one of its redirect URIs, on the own machine at any port', () => {
    for (const origin of ['https://shop.example', 'http://localhost', 'http://localhost:5173'])
      expect(isOriginOf(uris, origin), origin).toBe(true);
    for (const origin of [
      'null',
      '',
      '*',
      'https://shop.example/',
      'https://shop.example:8443',
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example',
      'http://127.0.0.1',
      'http://localhost.evil.example',
      'com.example.app:',
    ])
      expect(isOriginOf(uris, origin), origin).toBe(false);
  });
});
