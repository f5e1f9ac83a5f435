import { importPKCS8, SignJWT } from 'jose';
import type { ChainTransport } from '../../domain/bridge/chains/chain-adapter.ts';
import type { CustodyProvider } from './custody-providers.ts';
import { httpTransport } from './http-transport.ts';

/** The provider takes no token that is older than 30 seconds, or says that it lasts longer. */
const TOKEN_SECONDS = 25;

/** A custody provider over HTTP: each request carries a token of its own, which signs for its path and its body. */
function custodyTransport({ url, apiKey, privateKey }: CustodyProvider): ChainTransport {
  return httpTransport(url, async (request) => {
    const { pathname, search } = new URL(request.url);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(request.body));
    const token = await new SignJWT({
      uri: `${pathname}${search}`,
      nonce: crypto.randomUUID(),
      bodyHash: Buffer.from(digest).toString('hex'),
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setSubject(apiKey)
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(await importPKCS8(privateKey, 'RS256'));
    return { 'x-api-key': apiKey, authorization: `Bearer ${token}` };
  });
}

/** @throws Error for a name that none of them has */
export function custodyTransportOf(providers: Readonly<Record<string, CustodyProvider>>, name: string): ChainTransport {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) throw new Error(`no custody provider ${name} is known here`);
  return custodyTransport(provider);
}
