import { base64url } from 'jose';
import { derivedMacKey, masterKeysOf } from '../../../data/keys/master-keys.ts';

/** What a link to a result lets its bearer read, and until when in Unix milliseconds. */
export interface ResultLink {
  readonly tenant: string;
  readonly jobId: string;
  readonly expires: number;
}

const PURPOSE = 'enhancement-result-link';

export async function signLink(env: Pick<Env, 'EVENTS_MASTER_KEY'>, link: ResultLink): Promise<string> {
  const [key] = await masterKeysOf(env.EVENTS_MASTER_KEY);
  const signature = await crypto.subtle.sign('HMAC', await derivedMacKey(key, PURPOSE), contentOf(link));
  return base64url.encode(new Uint8Array(signature));
}

/** In a time that tells nothing of how much of it was right. Also one from before another key took the first place. */
export async function isSigned(
  env: Pick<Env, 'EVENTS_MASTER_KEY'>,
  link: ResultLink,
  signature: string,
): Promise<boolean> {
  const keys = await masterKeysOf(env.EVENTS_MASTER_KEY);
  const bytes = decoded(signature);
  const fits = keys.map(async (key) =>
    crypto.subtle.verify('HMAC', await derivedMacKey(key, PURPOSE), bytes, contentOf(link)),
  );
  return (await Promise.all(fits)).includes(true);
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
