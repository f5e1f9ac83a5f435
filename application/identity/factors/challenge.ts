import { base64url } from 'jose';
import { database } from '../../../data/database.ts';
import { spendChallenge } from '../../../data/identity/factors.ts';
import { CEREMONY_MS_MAX } from '../../../domain/identity/factors.ts';
import { derivedMac, isDerivedMac } from '../authorization/derived-mac.ts';
import { sha256Hex } from '../sha256-hex.ts';

/** What a challenge belongs to: what it is for, the browser that it was given to, and the request that stands in its address. */
export interface Ceremony {
  readonly purpose: 'sign_in' | 'enrol';
  /** Value of the cookie that the browser has. */
  readonly browser: string;
  readonly query: string;
}

const NONCE_BYTES = 18;
const CHALLENGE = /^([A-Za-z0-9_-]{24})\.(\d{13})\.([A-Za-z0-9_-]{43})$/;

/** Another challenge. Nothing is stored before it is answered rightly: who asks for pages writes nothing. */
export async function newChallenge(env: Env, ceremony: Ceremony): Promise<string> {
  const nonce = base64url.encode(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const body = `${nonce}.${Date.now() + CEREMONY_MS_MAX}`;
  return `${body}.${await derivedMac(env, PURPOSE, textToProve(ceremony, body))}`;
}

/** Whether a challenge, as the authenticator has signed it, was given for this, and is in date. */
export async function isChallenge(env: Env, ceremony: Ceremony, signed: string): Promise<boolean> {
  const [, nonce, expiresAt, mac = ''] = CHALLENGE.exec(textOf(signed)) ?? [];
  if (expiresAt === undefined || Number(expiresAt) <= Date.now() || ceremony.browser === '') return false;
  return isDerivedMac(env, PURPOSE, textToProve(ceremony, `${nonce}.${expiresAt}`), mac);
}

/** Uses up a challenge that was answered rightly; false where it was answered before. */
export async function takeChallenge(env: Env, signed: string): Promise<boolean> {
  return spendChallenge(database(env.DB), await sha256Hex(textOf(signed)), Date.now() + CEREMONY_MS_MAX);
}

const PURPOSE = 'challenge of a passkey';

function textToProve({ purpose, browser, query }: Ceremony, body: string): string {
  return [purpose, browser, query, body].join('\n');
}

/** Clients say the challenge in base64url. */
function textOf(signed: string): string {
  try {
    return new TextDecoder().decode(base64url.decode(signed));
  } catch {
    return '';
  }
}
