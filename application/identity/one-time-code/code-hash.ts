import { base64url } from 'jose';
import { rateSubjectOf, widestSubjectOf } from '../../../domain/limits/address.ts';

/**
 * What is stored of a one-time code: HMAC-SHA256 over phone, client and code, under a key derived from IAM_KEY_ENCRYPTION_KEY, because the
 * million codes there are could all be tried against a plain hash.
 */
export function codeHashOf(phone: string, code: string, env: Env, clientId = ''): Promise<string> {
  return keyedHash(`${phone}\n${code}${clientId === '' ? '' : `\nfor ${clientId}`}`, env);
}

/** What is stored of an address that asks for a phone's code or tries one: a keyed hash of both, of an IPv6 address that of its /64. */
export function addressHashOf(phone: string, clientAddress: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\naddress ${rateSubjectOf(clientAddress)}`, env);
}

/** The same of all lines that one subscriber may command together. */
export function siteHashOf(phone: string, clientAddress: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\nsite ${widestSubjectOf(clientAddress)}`, env);
}

/** What is stored of a number that is nobody's. */
export function numberHashOf(phone: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\nnumber`, env);
}

/** @param use each has a key of its own */
export async function keyedHash(text: string, env: Env, use = 'one-time-code'): Promise<string> {
  const master = await crypto.subtle.importKey('raw', base64url.decode(env.IAM_KEY_ENCRYPTION_KEY), 'HKDF', false, [
    'deriveKey',
  ]);
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode(use),
  };
  const key = await crypto.subtle.deriveKey(derivation, master, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, [
    'sign',
  ]);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(mac));
}
