import { derivedMac, isDerivedMac } from './derived-mac.ts';

/** What a form of the sign-in pages belongs to: the browser that it was shown to, and the request that it answers. */
interface FormOf {
  /** Value of the cookie that the browser has. */
  readonly browser: string;
  /** The authorization request, as it stands in the address. */
  readonly query: string;
}

const PURPOSE = 'form of a sign-in page';

/** Another page can neither read it nor make it, so it cannot send the form in the person's name. Nothing is stored. */
export function formTokenOf(env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>, of: FormOf): Promise<string> {
  return derivedMac(env, PURPOSE, textOf(of));
}

/** Also one from before another key took the first place. */
export async function isFormToken(
  env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>,
  of: FormOf,
  token: string,
): Promise<boolean> {
  return of.browser !== '' && (await isDerivedMac(env, PURPOSE, textOf(of), token));
}

function textOf({ browser, query }: FormOf): string {
  return `${browser}\n${query}`;
}
