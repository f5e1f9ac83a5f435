import { importJWK } from 'jose';
import { database } from '../../../data/database.ts';
import { openSecret } from '../../../data/identity/sealed-secret.ts';
import { addSigningKey, listSigningKeys, type SigningKeyRow } from '../../../data/identity/signing-keys.ts';
import { chooseSigningKey } from './choose-signing-key.ts';
import { createSigningKey, SIGNING_ALGORITHM } from './create-signing-key.ts';

interface SigningKey {
  readonly kid: string;
  readonly key: Awaited<ReturnType<typeof importJWK>>;
}

let held: { readonly signing: SigningKey; readonly readAt: number } | null = null;
const HELD_MS_MAX = 60_000;

/** The key that signs tokens now; made on first use. */
export async function signingKeyOf(env: Env): Promise<SigningKey> {
  const now = Date.now();
  if (held !== null && now - held.readAt < HELD_MS_MAX) return held.signing;
  const row = chooseSigningKey(await publishedKeys(env), now)!;
  const jwk = JSON.parse(await openSecret(row.privateJwkCiphertext, env.IAM_KEY_ENCRYPTION_KEY, row.kid));
  held = { signing: { kid: row.kid, key: await importJWK(jwk, SIGNING_ALGORITHM) }, readAt: now };
  return held.signing;
}

/** Keys that verify, oldest first, at least one. Two isolates that start at once may make one each; both verify, the older signs. */
export async function publishedKeys(env: Env): Promise<SigningKeyRow[]> {
  const db = database(env.DB);
  const keys = await listSigningKeys(db);
  if (keys.length > 0) return keys;
  await addSigningKey(db, await createSigningKey(env, Date.now()), []);
  return listSigningKeys(db);
}

/** Makes this isolate choose again. */
export function forgetSigningKey(): void {
  held = null;
}
