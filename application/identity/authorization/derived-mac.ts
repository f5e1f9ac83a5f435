import { derivedMac as macUnder, masterKeysOf } from '../../../data/keys/master-keys.ts';
import { isEqual } from '../is-equal.ts';

type DerivedEnv = Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>;

/**
 * HMAC-SHA256 as base64url, under a key that is derived from the newest of IAM_KEY_ENCRYPTION_KEY for one purpose. A count that goes by one begins anew once a key takes another's
 * place; what has to be found again is looked for under each (`derivedMacs`).
 */
export async function derivedMac(env: DerivedEnv, purpose: string, text: string): Promise<string> {
  const [key] = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  return macUnder(key, purpose, text);
}

/** The same under each key that is stated, the newest first. */
export async function derivedMacs(env: DerivedEnv, purpose: string, text: string): Promise<string[]> {
  const keys = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  return Promise.all(keys.map((key) => macUnder(key, purpose, text)));
}

/** Whether this is the one of a stated key. All are compared, whichever fits. */
export async function isDerivedMac(
  env: DerivedEnv,
  purpose: string,
  text: string,
  presented: string,
): Promise<boolean> {
  const good = await derivedMacs(env, purpose, text);
  return good.filter((each) => isEqual(each, presented)).length > 0;
}
