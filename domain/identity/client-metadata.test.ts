import { describe, expect, it } from 'vitest';
import { clientDocumentOf, clientMetadataOf, isDocumentAddress, isDocumentId } from './client-metadata.ts';

const URIS = ['https://shop.example/cb'];

describe('what a client says of itself', () => {
  it('is its redirect URIs, each once, and its name', () => {
    const stated = { redirect_uris: [...URIS, ...URIS], client_name: ' Shop ', logo_uri: 'https://evil.example/x.svg' };
    expect(clientMetadataOf(stated, 'nameless')).toEqual({
      ok: true,
      value: { name: 'Shop', redirectUris: URIS, postLogoutRedirectUris: [] },
    });
    expect(clientMetadataOf({ redirect_uris: URIS }, 'nameless')).toMatchObject({ value: { name: 'nameless' } });
    const out = ['https://shop.example/out'];
    const leaving = { redirect_uris: URIS, post_logout_redirect_uris: [...out, ...out] };
    expect(clientMetadataOf(leaving, 'nameless')).toMatchObject({ value: { postLogoutRedirectUris: out } });
  });

  it.each([
    ['no URIs', {}, 'invalid_redirect_uri'],
    ['none of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      'too many',
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://shop.example/${i}`) },
      'invalid_redirect_uri',
    ],
    ['one over plain HTTP', { redirect_uris: [...URIS, 'http://shop.example/cb'] }, 'invalid_redirect_uri'],
    [
      'a place after signing out that is a script',
      { redirect_uris: URIS, post_logout_redirect_uris: ['javascript:alert(1)'] },
      'invalid_redirect_uri',
    ],
    [
      'places after signing out that are no list',
      { redirect_uris: URIS, post_logout_redirect_uris: URIS[0] },
      'invalid_redirect_uri',
    ],
    ['one that is no text', { redirect_uris: [1] }, 'invalid_redirect_uri'],
    [
      'a name that turns the direction of writing',
      { redirect_uris: URIS, client_name: 'a\u202eb' },
      'invalid_client_metadata',
    ],
    ['a name that nobody sees', { redirect_uris: URIS, client_name: '\u3164' }, 'invalid_client_metadata'],
    ['a name with something unseen', { redirect_uris: URIS, client_name: 'Exchange\u3164' }, 'invalid_client_metadata'],
    ['a name of two lines', { redirect_uris: URIS, client_name: 'a\nb' }, 'invalid_client_metadata'],
    ['a name that is too long', { redirect_uris: URIS, client_name: 'a'.repeat(101) }, 'invalid_client_metadata'],
    ['no use of codes', { redirect_uris: URIS, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['tokens in the address', { redirect_uris: URIS, response_types: ['token'] }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['nothing', null, 'invalid_client_metadata'],
  ])('is refused: %s', (_, stated, error) => {
    expect(clientMetadataOf(stated, 'nameless')).toEqual({ ok: false, error });
  });
});

describe('a document of a client', () => {
  const URL_OF_IT = 'https://shop.example/client.json';
  it('states the address under which it was asked for', () => {
    expect(clientDocumentOf({ client_id: URL_OF_IT, redirect_uris: URIS }, URL_OF_IT)).toEqual({
      ok: true,
      value: { name: 'shop.example', redirectUris: URIS, postLogoutRedirectUris: [] },
    });
  });

  it.each([
    ['another address', { client_id: 'https://shop.example/other.json' }],
    ['no address', {}],
    ['a secret, which everybody could read', { client_id: URL_OF_IT, client_secret: 'x' }],
    ['that it has a secret', { client_id: URL_OF_IT, token_endpoint_auth_method: 'client_secret_basic' }],
  ])('is refused with %s', (_, stated) => {
    expect(clientDocumentOf({ ...stated, redirect_uris: URIS }, URL_OF_IT).ok).toBe(false);
  });

  it.each([
    ['https://shop.example/client.json', true],
    ['https://shop.example/a/b?c=d', true],
    ['https://shop.example', false],
    ['https://shop.example/', false],
    ['https://shop.example/a/../b', false],
    ['https://SHOP.example/a', false],
    ['https://shop.example/a#b', false],
    ['http://shop.example/a', false],
    ['shop', false],
  ])('stands at %s: %s', (address, expected) => {
    expect(isDocumentAddress(address, { isLocal: false })).toBe(expected);
  });

  it('is told from any other id by its form', () => {
    expect(['https://a.example/b', 'http://a.example/b', 'app-1', 'httpsclient'].map(isDocumentId)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
