import { base64url } from 'jose';
import { z } from 'zod';
import { openSecret, sealSecret } from '../../data/identity/sealed-secret.ts';
import { SIGN_IN_MS_MAX } from '../../domain/console/session-term.ts';
import { isEqual } from '../identity/is-equal.ts';
import { randomSecret } from '../identity/random-secret.ts';
import { CONSOLE_CLIENT_ID, CONSOLE_SCOPE, consoleCallback, isEmbedded } from './console-client.ts';
import { endpointsOf } from './outside-provider.ts';

const AUTHORIZE_PATH = '/api/login/oauth/authorize';
const CONTEXT = 'console sign-in';

/** A sign-in under way: what its browser keeps, sealed, until the provider sends it back. Nothing of it is stored here. */
const SignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  startedAt: z.number(),
  /** Session that this browser had until now, if it had one: it ends with the next. */
  before: z.string().nullable(),
});

export type SignIn = Readonly<z.infer<typeof SignIn>>;

/** Begins a sign-in. @returns where the browser goes, and what it keeps; null while the provider cannot be asked */
export async function beginSignIn(
  env: Env,
  { returnTo, before }: Pick<SignIn, 'returnTo' | 'before'>,
): Promise<{ readonly location: string; readonly kept: string } | null> {
  const authorization = isEmbedded(env)
    ? `${env.IAM_ISSUER}${AUTHORIZE_PATH}`
    : (await endpointsOf(env))?.authorization;
  if (authorization === undefined) return null;
  const [state, nonce, verifier] = [randomSecret(), randomSecret(), randomSecret()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const location = new URL(authorization);
  const parameters = {
    response_type: 'code',
    client_id: isEmbedded(env) ? CONSOLE_CLIENT_ID : env.CONSOLE_CLIENT_ID,
    redirect_uri: consoleCallback(env),
    scope: CONSOLE_SCOPE,
    state,
    nonce,
    code_challenge: base64url.encode(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    // Who signs out at a shared machine is not signed in again by whoever sits down next. A browser may leave these out: `buyTokens` looks at the answer.
    prompt: 'login',
    // Another provider says when somebody signed in only where it is asked to (OpenID Connect Core, 2).
    ...(isEmbedded(env) ? {} : { max_age: '0' }),
  };
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
  const signIn: SignIn = { state, nonce, verifier, returnTo, startedAt: Date.now(), before };
  return {
    location: location.href,
    kept: await sealSecret(JSON.stringify(signIn), env.IAM_KEY_ENCRYPTION_KEY, CONTEXT),
  };
}

/** The sign-in that an answer of the provider belongs to: that of this browser, by its state; null for none. */
export async function signInOf(env: Env, kept: string, state: string): Promise<SignIn | null> {
  try {
    const text = await openSecret(kept, env.IAM_KEY_ENCRYPTION_KEY, CONTEXT);
    const signIn = SignIn.parse(JSON.parse(text));
    return signIn.startedAt + SIGN_IN_MS_MAX > Date.now() && isEqual(signIn.state, state) ? signIn : null;
  } catch {
    return null;
  }
}
