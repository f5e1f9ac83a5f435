import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { KeySession } from './api.ts';

const encoder = new TextEncoder();

/** The secret of an API key in memory, in the two forms that its proofs are checked with. */
export interface KeySecret {
  readonly bytes: Uint8Array;
  readonly hmac: CryptoKey;
  /** Tells secrets of a key apart, and nothing about them. */
  readonly version: string;
}

export async function keySecretOf(secret: string): Promise<KeySecret> {
  const bytes = encoder.encode(secret);
  const hmac = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  const mac = await crypto.subtle.sign('HMAC', hmac, encoder.encode('version'));
  return { bytes, hmac, version: hexOf(new Uint8Array(mac).subarray(0, 8)) };
}

/** In constant time; all secrets have one length, so telling lengths apart gives nothing away. */
export function isSecret(secret: KeySecret, presented: string): boolean {
  const bytes = encoder.encode(presented);
  return bytes.byteLength === secret.bytes.byteLength && crypto.subtle.timingSafeEqual(bytes, secret.bytes);
}

/** HMAC-SHA256, compared in constant time by the runtime. */
export function isSignature(secret: KeySecret, signature: string, signed: string): Promise<boolean> {
  return crypto.subtle.verify('HMAC', secret.hmac, bytesOfHex(signature), encoder.encode(signed));
}

const SESSION_MS = DAY_MS;

/** The token of a session that begins now: its end, and an HMAC over it that no request's signature can be taken for. */
export async function sessionToken(secret: KeySecret, keyId: string, now_ms: number): Promise<KeySession> {
  const expiresAt = now_ms + SESSION_MS;
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', secret.hmac, sessionText(keyId, expiresAt)));
  return { token: `${expiresAt}.${hexOf(mac)}`, expiresAt };
}

export async function isSessionToken(
  secret: KeySecret,
  keyId: string,
  token: string,
  now_ms: number,
): Promise<boolean> {
  const [, end = '', mac = ''] = SESSION_TOKEN.exec(token) ?? [];
  if (mac === '' || Number(end) <= now_ms) return false;
  return crypto.subtle.verify('HMAC', secret.hmac, bytesOfHex(mac), sessionText(keyId, Number(end)));
}

const SESSION_TOKEN = /^(\d{13})\.([0-9a-f]{64})$/;

/** What a request's signature covers begins with a timestamp of 13 digits. */
function sessionText(keyId: string, expiresAt: number): Uint8Array {
  return encoder.encode(`session of ${keyId} until ${expiresAt}`);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}
