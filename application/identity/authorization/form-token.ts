import { isEqual } from '../is-equal.ts';
import { derivedMac } from './derived-mac.ts';

/** What a form of the sign-in pages belongs to: the browser that it was shown to, and the request that it answers. */
interface FormOf {
  /** Value of the cookie that the browser has. */
  readonly browser: string;
  /** The authorization request, as it stands in the address. */
  readonly query: string;
}

/** Another page can neither read it nor make it, so it cannot send the form in the person's name. Nothing is stored. */
export function formTokenOf(env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>, { browser, query }: FormOf): Promise<string> {
  return derivedMac(env, 'form of a sign-in page', `${browser}\n${query}`);
}

export async function isFormToken(
  env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>,
  of: FormOf,
  token: string,
): Promise<boolean> {
  return of.browser !== '' && isEqual(await formTokenOf(env, of), token);
}
