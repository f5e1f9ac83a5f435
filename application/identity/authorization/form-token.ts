import { derivedMac, type MasterKey, masterKeysOf } from '../../../data/keys/master-keys.ts';
import { isEqual } from '../is-equal.ts';

/** What a form of the sign-in pages belongs to: the browser that it was shown to, and the request that it answers. */
interface FormOf {
  /** Value of the cookie that the browser has. */
  readonly browser: string;
  /** The authorization request, as it stands in the address. */
  readonly query: string;
}

const PURPOSE = 'form of a sign-in page';

/** Another page can neither read it nor make it, so it cannot send the form in the person's name. Nothing is stored. */
export async function formTokenOf(env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>, of: FormOf): Promise<string> {
  const [key] = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  return tokenUnder(key, of);
}

/** Also one from before another key took the first place. */
export async function isFormToken(
  env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>,
  of: FormOf,
  token: string,
): Promise<boolean> {
  const keys = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  const good = await Promise.all(keys.map((key) => tokenUnder(key, of)));
  return of.browser !== '' && good.filter((each) => isEqual(each, token)).length > 0;
}

function tokenUnder(key: MasterKey, { browser, query }: FormOf): Promise<string> {
  return derivedMac(key, PURPOSE, `${browser}\n${query}`);
}
