import { base64url } from 'jose';

/** What a link to a result lets its bearer read, and until when in Unix milliseconds. */
export interface ResultLink {
  readonly tenant: string;
  readonly jobId: string;
  readonly expires: number;
}

const PURPOSE = 'enhancement-result-link';

export async function signLink(env: Env, link: ResultLink): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', await linkKey(env), contentOf(link));
  return base64url.encode(new Uint8Array(signature));
}

/** In a time that tells nothing of how much of it was right. */
export async function isSigned(env: Env, link: ResultLink, signature: string): Promise<boolean> {
  return crypto.subtle.verify('HMAC', await linkKey(env), decoded(signature), contentOf(link));
}

/** For this purpose alone: nothing that it signs is good elsewhere, nor does it open anything. */
async function linkKey(env: Env): Promise<CryptoKey> {
  const master = new Uint8Array(base64url.decode(env.EVENTS_MASTER_KEY));
  const root = await crypto.subtle.importKey('raw', master, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(PURPOSE) },
    root,
    // The runtime wants the hash, its types do not know of it.
    { name: 'HMAC', length: 256, ...{ hash: 'SHA-256' } },
    false,
    ['sign', 'verify'],
  );
}

function contentOf({ tenant, jobId, expires }: ResultLink): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify([tenant, jobId, expires])));
}

function decoded(signature: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(base64url.decode(signature));
  } catch {
    return new Uint8Array(0);
  }
}
