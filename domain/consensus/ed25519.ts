import { fromHex, toHex } from './bytes.ts';
import type { VerifySignature } from './vote.ts';

/** PKCS #8 of an Ed25519 private key without its last 32 bytes, which are the key (RFC 8410 section 7). */
const PKCS8_HEAD = fromHex('302e020100300506032b657004220420');

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const publicKeys = new Map<string, Promise<ImportedKey>>();
/** Keys that are remembered: those of some committees. */
const KEYS_MAX = 256;

/** Verifies by WebCrypto. What is no key or no signature is not valid. */
export const verifyEd25519: VerifySignature = async (key, message, signature) => {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    const bytes = fromHex(signature) as Uint8Array<ArrayBuffer>;
    return await crypto.subtle.verify('Ed25519', await publicKeyOf(key), bytes, message);
  } catch {
    return false;
  }
};

function publicKeyOf(key: string): Promise<ImportedKey> {
  const known = publicKeys.get(key);
  if (known !== undefined) return known;
  if (publicKeys.size >= KEYS_MAX) publicKeys.clear();
  const bytes = fromHex(key) as Uint8Array<ArrayBuffer>;
  const imported = crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
  publicKeys.set(key, imported);
  return imported;
}

/** A member's key pair. */
export interface MemberKey {
  /** Hexadecimal. */
  readonly publicKey: string;
  sign(message: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** The key pair of these 32 bytes (RFC 8032 section 5.1.5). */
export async function memberKey(secret: Uint8Array): Promise<MemberKey> {
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...secret]);
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x } = (await crypto.subtle.exportKey('jwk', key)) as { readonly x?: string };
  if (x === undefined) throw new Error('an Ed25519 key without its public part');
  return {
    publicKey: toHex(base64urlBytes(x)),
    sign: async (message) => toHex(new Uint8Array(await crypto.subtle.sign('Ed25519', key, message))),
  };
}

function base64urlBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}
