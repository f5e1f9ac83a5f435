import { createPublicKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { z } from 'zod';
import type { HardwareModule } from './hardware-module.ts';

const ANSWER_WAIT_MS = 10_000;
const ANSWER_CHARACTERS_MAX = 16_384;
const Signed = z.object({ signature: z.base64() });
const PublicKey = z.object({ pem: z.string(), algorithm: z.literal('EC_SIGN_SECP256K1_SHA256') });

export interface KmsSettings {
  /** Address of a version of a key, as Google Cloud KMS has it: …/v1/projects/…/cryptoKeyVersions/1. */
  readonly key: string;
  /** A bearer token for each call: they are short-lived. */
  readonly tokenOf: () => Promise<string>;
}

/** A key of a cloud's hardware modules, by the interface of Google Cloud KMS (`asymmetricSign`, protection level HSM). Held against its documentation, and never run against the service. */
export function kmsModule({ key, tokenOf }: KmsSettings): HardwareModule {
  async function ask(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${key}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${await tokenOf()}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    const text = await response.text();
    if (!response.ok || text.length > ANSWER_CHARACTERS_MAX)
      throw new Error(`the key service answers ${response.status}`);
    return JSON.parse(text);
  }
  return {
    async publicKey() {
      const { x, y } = createPublicKey(PublicKey.parse(await ask('/publicKey')).pem).export({ format: 'jwk' });
      const [left, right] = [x, y].map((part) => Buffer.from(part ?? '', 'base64url').toString('hex'));
      return secp256k1.Point.fromHex(`04${left}${right}`).toHex(true);
    },
    async sign(digest) {
      const sha256 = Buffer.from(digest, 'hex').toString('base64');
      const { signature } = Signed.parse(await ask(':asymmetricSign', { digest: { sha256 } }));
      const der = Uint8Array.from(Buffer.from(signature, 'base64'));
      return Buffer.from(secp256k1.Signature.fromBytes(der, 'der').toBytes('compact')).toString('hex');
    },
    close: async () => undefined,
  };
}
