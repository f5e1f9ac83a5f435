import { derivedMac } from '../identity/authorization/derived-mac.ts';

/** Name of the console at the embedded provider. No operator's client is called so: a star is in no id of theirs. */
export const CONSOLE_CLIENT_ID = '*console';

/** What the console asks for: who somebody is, and tokens that are renewed while their session goes on. */
export const CONSOLE_SCOPE = 'openid profile offline_access';

const CALLBACK_PATH = '/console/v1/session/callback';

type ConsolePlace = Pick<Env, 'CONSOLE_ORIGIN'>;

/** Where the provider sends a browser back to. */
export function consoleCallback({ CONSOLE_ORIGIN }: ConsolePlace): string {
  return `${CONSOLE_ORIGIN}${CALLBACK_PATH}`;
}

/** Whether the provider is our own, which knows the console without being told. */
export function isEmbedded({ IAM_JWKS_URL, IAM_ISSUER }: Pick<Env, 'IAM_JWKS_URL' | 'IAM_ISSUER'>): boolean {
  return IAM_JWKS_URL === '' || IAM_JWKS_URL === `${IAM_ISSUER}/.well-known/jwks`;
}

/** The console as the embedded provider knows it; null for any other id, and where there is no console. */
export function ownConsole(env: ConsolePlace, clientId: string) {
  if (clientId !== CONSOLE_CLIENT_ID || env.CONSOLE_ORIGIN === '') return null;
  return {
    id: CONSOLE_CLIENT_ID,
    name: 'Console',
    redirectUris: [consoleCallback(env)],
    postLogoutRedirectUris: [],
    kind: 'venue',
    hasSecret: true,
    isOurs: true,
  } as const;
}

/** What the console shows of itself at the embedded provider: nobody is given it, and it is stored nowhere. */
export function consoleSecret(env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>): Promise<string> {
  return derivedMac(env, 'secret of the console', CONSOLE_CLIENT_ID);
}
