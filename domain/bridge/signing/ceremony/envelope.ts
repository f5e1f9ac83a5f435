import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const POINT_BYTES = 33;
const INFO = 'edge.bridge.envelope.v1';

/**
 * Encrypts for one signer: a fresh secp256k1 key, its Diffie-Hellman with the recipient's, HKDF-SHA-256 and AES-256-GCM. The key serves once.
 *
 * @param context what it is for; it opens in no other
 * @returns hexadecimal: the fresh public key, the text encrypted, and the tag
 */
export function sealEnvelope(recipientKey: string, context: string, plain: string): string {
  const { secretKey, publicKey } = secp256k1.keygen();
  const shared = secp256k1.getSharedSecret(secretKey, Buffer.from(recipientKey, 'hex'));
  const { key, iv } = envelopeKey(shared, publicKey, context);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(plain, 'hex'), cipher.final()]);
  return Buffer.concat([publicKey, sealed, cipher.getAuthTag()]).toString('hex');
}

/** @throws Error where it is not for this key and context */
export function openEnvelope(secret: string, context: string, envelope: string): string {
  const bytes = Buffer.from(envelope, 'hex');
  const publicKey = bytes.subarray(0, POINT_BYTES);
  const shared = secp256k1.getSharedSecret(Buffer.from(secret, 'hex'), publicKey);
  const { key, iv } = envelopeKey(shared, publicKey, context);
  const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const open = cipher.update(bytes.subarray(POINT_BYTES, -TAG_BYTES));
  return Buffer.concat([open, cipher.final()]).toString('hex');
}

function envelopeKey(shared: Uint8Array, publicKey: Uint8Array, context: string) {
  const info = Buffer.from(JSON.stringify([INFO, context]));
  const derived = new Uint8Array(hkdfSync('sha256', shared, publicKey, info, KEY_BYTES + IV_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), iv: derived.subarray(KEY_BYTES) };
}
