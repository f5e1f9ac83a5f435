import { rateSubjectOf, widestSubjectOf } from '../../../domain/limits/address.ts';
import { derivedMac, derivedMacs } from '../authorization/derived-mac.ts';

const USE = 'one-time-code';

/**
 * What is stored of a one-time code: HMAC-SHA256 over phone, client and code, under a key derived from IAM_KEY_ENCRYPTION_KEY, because the
 * million codes there are could all be tried against a plain hash.
 */
export function codeHashOf(phone: string, code: string, env: Env, clientId = ''): Promise<string> {
  return keyedHash(codeText(phone, code, clientId), env);
}

/** The same under each key that may have been the newest when the code was sent. */
export function codeHashesOf(phone: string, code: string, env: Env, clientId = ''): Promise<string[]> {
  return derivedMacs(env, USE, codeText(phone, code, clientId));
}

function codeText(phone: string, code: string, clientId: string): string {
  return `${phone}\n${code}${clientId === '' ? '' : `\nfor ${clientId}`}`;
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
export function keyedHash(text: string, env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>, use = USE): Promise<string> {
  return derivedMac(env, use, text);
}
