import { base64url } from 'jose';

/** 256 random bits as 43 characters of base64url. */
export function randomSecret(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}
