import { createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { custodyProviders } from '../../../../protocol/bridge/custody-providers.ts';
import { custodyTransportOf } from '../../../../protocol/bridge/custody-transport.ts';
import { CustodyServer } from '../../../../scripts/local/custody-simulator/custody-server.ts';
import { type SignedRequest, tokenFault } from '../../../../scripts/local/custody-simulator/request-token.ts';
import { openWorkspace } from '../../fixtures/custody-provider.ts';

const server = await CustodyServer.start();
afterAll(() => server.stop());

const newKeys = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [KEYS, OTHER] = [newKeys(), newKeys()];

/** What the transport sends, as a server hears it. */
async function heard(body?: unknown): Promise<SignedRequest> {
  const requests: SignedRequest[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    const { pathname, search } = new URL(String(url));
    requests.push({
      uri: `${pathname}${search}`,
      apiKey: headers.get('x-api-key') ?? '',
      authorization: headers.get('authorization') ?? '',
      body: String(init?.body ?? ''),
    });
    return Response.json({});
  };
  try {
    const own = { url: 'https://provider.example', apiKey: 'key', privateKey: KEYS.privateKey };
    const transport = custodyTransportOf({ own }, 'own');
    const path = '/v1/transactions?limit=5&destId=7';
    await (body === undefined ? transport.get(path) : transport.post(path, body));
  } finally {
    globalThis.fetch = real;
  }
  return requests[0] as SignedRequest;
}

it('signs each request for its path, its body and once, as OpenSSL checks it', async () => {
  for (const body of [undefined, { amount: '0.5', note: 'näher' }]) {
    const request = await heard(body);
    const nonces = new Set<string>();
    expect(tokenFault(request, KEYS.publicKey, nonces, Date.now())).toBeNull();
    expect(tokenFault(request, KEYS.publicKey, nonces, Date.now())).toBe('the nonce was used before');
  }
});

it.each([
  ['another key signed', (request: SignedRequest) => request, OTHER.publicKey, 0, 'the signature is wrong'],
  [
    'another path',
    (request: SignedRequest) => ({ ...request, uri: '/v1/transactions' }),
    KEYS.publicKey,
    0,
    'another path',
  ],
  [
    'another body',
    (request: SignedRequest) => ({ ...request, body: `${request.body} ` }),
    KEYS.publicKey,
    0,
    'another body',
  ],
  ['another user', (request: SignedRequest) => ({ ...request, apiKey: 'other' }), KEYS.publicKey, 0, 'another key'],
  ['half a minute later', (request: SignedRequest) => request, KEYS.publicKey, 30_000, 'it is not of now'],
  ['a minute before', (request: SignedRequest) => request, KEYS.publicKey, -60_000, 'it is not of now'],
])('is refused where %s', async (_, change, key, later_ms, reason) => {
  const request = change(await heard({ amount: '1' }));
  expect(tokenFault(request, key, new Set(), Date.now() + later_ms)).toBe(reason);
});

it('is refused where its token has no signature, or lasts longer than the provider lets it', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const request = { uri: '/', apiKey: 'key', body: '' };
  const bare = `${part({ alg: 'none' })}.${part({ sub: 'key' })}.`;
  expect(tokenFault({ ...request, authorization: `Bearer ${bare}` }, KEYS.publicKey, new Set(), 0)).toBe(
    'another algorithm',
  );
  const iat = Math.floor(Date.now() / 1_000);
  const bodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const long = `${part({ alg: 'RS256' })}.${part({ sub: 'key', uri: '/', nonce: '1', iat, exp: iat + 30, bodyHash })}`;
  const signature = createSign('RSA-SHA256').update(long).sign(KEYS.privateKey, 'base64url');
  const authorization = `Bearer ${long}.${signature}`;
  expect(tokenFault({ ...request, authorization }, KEYS.publicKey, new Set(), Date.now())).toBe('it lasts too long');
});

it('reaches a provider by its name among those that are known, and no other', async () => {
  const { opening } = openWorkspace(server, { signerKeys: [] });
  const known = custodyProviders(JSON.stringify({ fireblocks: opening }));
  const path = '/v1/vault/accounts/7/BTC_TEST';
  expect(await custodyTransportOf(known, 'fireblocks').get(path)).toMatchObject({ available: '0.00000000' });
  for (const name of ['other', 'toString', '']) expect(() => custodyTransportOf(known, name)).toThrow('is known here');
  const wrong = custodyTransportOf({ own: { ...opening, privateKey: OTHER.privateKey } }, 'own');
  await expect(wrong.get(path)).rejects.toThrow(RpcRefusal);
});

it('says of providers in another form where they are wrong, and nothing of their keys', () => {
  const right = { url: 'https://provider.example', apiKey: 'key', privateKey: KEYS.privateKey };
  expect(custodyProviders('')).toEqual({});
  expect(() => custodyProviders('{')).toThrow('is no JSON');
  for (const [change, wrong] of [
    [{ privateKey: 'SECRET' }, 'privateKey'],
    [{ url: 'ftp://SECRET' }, 'url'],
    [{ apiKey: 'SEC RET' }, 'apiKey'],
  ] as const) {
    const stated = JSON.stringify({ fireblocks: { ...right, ...change } });
    expect(() => custodyProviders(stated)).toThrow(`BRIDGE_CUSTODY_PROVIDERS: ${wrong} has another form`);
  }
});
