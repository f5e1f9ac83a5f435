import { describe, expect, it } from 'vitest';
import { askerOf, isCodeVerifier, mustSignInAgain, signedInQuery, termsOf } from './authorization-request.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const GOOD = {
  response_type: 'code',
  client_id: 'shop',
  redirect_uri: 'https://shop.example/cb',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

function queryWith(change: Readonly<Record<string, string | null>>, more = ''): URLSearchParams {
  const entries = Object.entries({ ...GOOD, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return new URLSearchParams(`${new URLSearchParams(entries)}${more}`);
}

describe('who asks', () => {
  it('is named by one client id and one redirect URI, with the state', () => {
    expect(askerOf(queryWith({ state: 'xyz' }))).toEqual({
      clientId: 'shop',
      redirectUri: 'https://shop.example/cb',
      state: 'xyz',
    });
  });

  it.each([
    ['no client', { client_id: null }, ''],
    ['no redirect URI', { redirect_uri: null }, ''],
    ['two redirect URIs', {}, '&redirect_uri=https%3A%2F%2Fevil.example'],
    ['two clients', {}, '&client_id=evil'],
    ['a client id with a line end', { client_id: 'a\nb' }, ''],
    ['a client id that is too long', { client_id: 'a'.repeat(513) }, ''],
  ])('cannot be told: %s', (_, change, more) => {
    expect(askerOf(queryWith(change, more))).toBeNull();
  });

  it('a state that is repeated or too long is not carried on', () => {
    expect(askerOf(queryWith({ state: 'a' }, '&state=b'))?.state).toBeNull();
    expect(askerOf(queryWith({ state: 'a'.repeat(1_025) }))?.state).toBeNull();
  });
});

describe('what is asked for', () => {
  it('is a code under a challenge, for openid where no scope is named', () => {
    expect(
      termsOf(queryWith({ nonce: 'n', resource: 'https://a.example/mcp', max_age: '60', prompt: 'login consent' })),
    ).toEqual({
      ok: true,
      value: {
        scope: ['openid'],
        nonce: 'n',
        challenge: CHALLENGE,
        resource: 'https://a.example/mcp',
        prompts: new Set(['login', 'consent']),
        maxAge: 60,
        asksForMore: false,
      },
    });
  });

  it.each([
    ['no challenge', { code_challenge: null }, '', 'invalid_request'],
    ['a challenge without its method, which would be plain', { code_challenge_method: null }, '', 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, '', 'invalid_request'],
    ['a challenge that is no SHA-256', { code_challenge: 'abc' }, '', 'invalid_request'],
    ['a token in the address', { response_type: 'token' }, '', 'unsupported_response_type'],
    ['a code and a token', { response_type: 'code id_token' }, '', 'unsupported_response_type'],
    ['an answer in the fragment', { response_mode: 'fragment' }, '', 'invalid_request'],
    ['a parameter twice', {}, `&code_challenge=${CHALLENGE}`, 'invalid_request'],
    ['two resources', { resource: 'https://a.example' }, '&resource=https%3A%2F%2Fb.example', 'invalid_target'],
    ['an unknown scope', { scope: 'openid admin' }, '', 'invalid_scope'],
    ['no scope at all', { scope: ' ' }, '', 'invalid_scope'],
    ['a request object', { request: 'e30.e30.' }, '', 'request_not_supported'],
    ['the address of one', { request_uri: 'https://evil.example' }, '', 'request_uri_not_supported'],
    ['no page and a page', { prompt: 'none login' }, '', 'invalid_request'],
    ['an unknown prompt', { prompt: 'create' }, '', 'invalid_request'],
    ['an age below zero', { max_age: '-1' }, '', 'invalid_request'],
    ['a state that is too long', { state: 'a'.repeat(1_025) }, '', 'invalid_request'],
  ])('is refused: %s', (_, change, more, error) => {
    const terms = termsOf(queryWith(change, more));
    expect(terms).toMatchObject({ ok: false, error: { error } });
  });
});

describe('signing in again', () => {
  const terms = { prompts: new Set<never>(), maxAge: null, asksForMore: false };
  it.each([
    ['nothing asks for it', terms, 10_000_000, false],
    ['prompt=login', { ...terms, prompts: new Set(['login'] as const) }, 1_000, true],
    ['prompt=select_account', { ...terms, prompts: new Set(['select_account'] as const) }, 1_000, true],
    ['within max_age', { ...terms, maxAge: 60 }, 60_000, false],
    ['beyond max_age', { ...terms, maxAge: 60 }, 60_001, true],
    ['more than a code by SMS', { ...terms, asksForMore: true }, 1, true],
  ])('%s', (_, asked, now, expected) => {
    expect(mustSignInAgain(asked, { authTime: 0, method: 'code' }, now)).toBe(expected);
  });

  it.each([
    ['mfa phr', true],
    ['phr', true],
    ['phr 1fa', false],
    ['urn:example:gold', false],
    ['', false],
  ])('by acr_values %j', (values, expected) => {
    expect(termsOf(queryWith({ acr_values: values }))).toMatchObject({ value: { asksForMore: expected } });
    const asked = { ...terms, asksForMore: true };
    expect(mustSignInAgain(asked, { authTime: 0, method: 'code_and_totp' }, 1)).toBe(false);
  });

  it('is asked for once: what is left of the request asks for consent alone', () => {
    expect(signedInQuery(new URLSearchParams('client_id=a&prompt=login+consent')).toString()).toBe(
      'client_id=a&prompt=consent',
    );
    expect(signedInQuery(new URLSearchParams('client_id=a&prompt=login')).toString()).toBe('client_id=a');
    expect(signedInQuery(new URLSearchParams('client_id=a&max_age=0')).toString()).toBe('client_id=a');
    expect(signedInQuery(new URLSearchParams('client_id=a&acr_values=mfa')).toString()).toBe('client_id=a');
    expect(signedInQuery(new URLSearchParams('client_id=a&max_age=60')).toString()).toBe('client_id=a&max_age=60');
  });
});

it.each([
  ['43 characters', 'a'.repeat(43), true],
  ['128 of all that may be', `${'-._~'.repeat(31)}abcd`, true],
  ['too short to be hard to guess', 'a'.repeat(42), false],
  ['too long', 'a'.repeat(129), false],
  ['another character', `${'a'.repeat(43)}+`, false],
])('a verifier: %s', (_, verifier, expected) => {
  expect(isCodeVerifier(verifier)).toBe(expected);
});
