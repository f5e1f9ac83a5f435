import { createRemoteJWKSet, errors, importJWK, type JWTVerifyGetKey } from 'jose';
import { database } from '../../data/database.ts';
import { listSigningKeys } from '../../data/identity/signing-keys.ts';

/**
 * Key resolution for `jwtVerify`: the JWKS address, or, where the embedded provider is the issuer, its table
 * (docs/design/identity.md#provider).
 */
export function verificationKey(env: Env): JWTVerifyGetKey {
  if (env.IAM_JWKS_URL === '' || env.IAM_JWKS_URL === `${env.IAM_ISSUER}/.well-known/jwks`) return embeddedKey(env);
  return remoteKeys(env.IAM_JWKS_URL);
}

/** Which key signed a token, as its header says. */
export interface SigningKeyName {
  readonly alg: string;
  readonly kid: string | null;
}

/**
 * Whether the provider still publishes a key: the tokens of one that was retired have ended with it.
 *
 * @throws while its keys cannot be read
 */
export async function isPublished({ alg, kid }: SigningKeyName, env: Env): Promise<boolean> {
  try {
    await verificationKey(env)(kid === null ? { alg } : { alg, kid }, { payload: '', signature: '' });
    return true;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return false;
    throw error;
  }
}

/** A withdrawn key is forgotten after this, of whichever provider. */
const KEPT_MS_MAX = 60_000;

let remote: { readonly url: string; readonly keys: JWTVerifyGetKey } | null = null;

function remoteKeys(url: string): JWTVerifyGetKey {
  if (remote?.url !== url) remote = { url, keys: createRemoteJWKSet(new URL(url), { cacheMaxAge: KEPT_MS_MAX }) };
  const { keys } = remote;
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      // All else says nothing of the token: the address is away, answers another status or no keys.
      if (OF_THE_TOKEN.some((type) => error instanceof type)) throw error;
      throw new KeysUnavailable(error);
    }
  };
}

const OF_THE_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** The provider's keys cannot be read: whether a token holds is not known. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('the keys of the identity provider cannot be read', { cause });
    this.name = 'KeysUnavailable';
  }
}

type Key = Awaited<ReturnType<typeof importJWK>>;

/** The embedded provider's keys, as this isolate last read them. */
let embedded: { readonly keys: ReadonlyMap<string, Key>; readonly readAt: number } = { keys: new Map(), readAt: 0 };
/** An unknown key id reads the table again at most this often: a rotated key is published long before it signs. */
const REREAD_MS_MIN = 1_000;

function embeddedKey(env: Env): JWTVerifyGetKey {
  return async ({ kid }) => {
    const known = embedded.keys.has(kid ?? '');
    if (Date.now() - embedded.readAt >= (known ? KEPT_MS_MAX : REREAD_MS_MIN)) {
      try {
        await reread(env);
      } catch (error) {
        if (!known) throw error;
      }
    }
    const key = embedded.keys.get(kid ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

async function reread(env: Env): Promise<void> {
  const readAt = Date.now();
  const rows = await listSigningKeys(database(env.DB));
  const keys = rows.map(async (row) => [row.kid, await importJWK(JSON.parse(row.publicJwk), 'ES256')] as const);
  embedded = { keys: new Map(await Promise.all(keys)), readAt };
}
