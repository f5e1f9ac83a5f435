import { describe, expect, it } from 'vitest';
import { idTokenHintOf, signOutRequestOf } from './sign-out-request.ts';

describe('a request to sign out', () => {
  it('states what it states, and nothing else', () => {
    const query = new URLSearchParams({
      id_token_hint: 'a.b.c',
      client_id: 'shop',
      post_logout_redirect_uri: 'https://shop.example/out',
      state: 's',
      other: 'x',
    });
    expect(signOutRequestOf(`${query}`)).toEqual({
      hint: 'a.b.c',
      clientId: 'shop',
      redirectUri: 'https://shop.example/out',
      state: 's',
    });
    const nothing = { hint: null, clientId: null, redirectUri: null, state: null };
    expect(signOutRequestOf('')).toEqual(nothing);
    expect(signOutRequestOf('client_id=&state=&post_logout_redirect_uri=')).toEqual(nothing);
  });

  it.each([
    [
      'a place that is named twice',
      'post_logout_redirect_uri=https://a.example/&post_logout_redirect_uri=https://b.example/',
    ],
    ['a client that is named twice', 'client_id=a&client_id=b'],
    ['a hint that is named twice', 'id_token_hint=a&id_token_hint=b'],
    ['a client of more than text', 'client_id=a%0Ab'],
    ['a state that is too long', `state=${'a'.repeat(1_025)}`],
    ['more than an address holds', `id_token_hint=${'a'.repeat(9_000)}`],
  ])('is none with %s', (_, query) => {
    expect(signOutRequestOf(query)).toBeNull();
  });
});

describe('an ID token as a hint', () => {
  const at = { issuer: 'https://id.example', now: 1_000_000_000_000 };
  const claims = { iss: 'https://id.example', sub: 'u', aud: 'shop', iat: 1_000_000_000, exp: 1, sid: 'g' };

  it('is good after its end', () => {
    expect(idTokenHintOf(claims, at)).toEqual({ subject: 'u', clientId: 'shop', grant: 'g' });
    expect(idTokenHintOf({ ...claims, sid: undefined }, at)).toMatchObject({ grant: null });
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['several audiences', { aud: ['shop', 'other'] }],
    ['no subject', { sub: undefined }],
    ['a time to come', { iat: 1_000_000_061 }],
    ['no time', { iat: undefined }],
  ])('is none with %s', (_, change) => {
    expect(idTokenHintOf({ ...claims, ...change }, at)).toBeNull();
  });
});
