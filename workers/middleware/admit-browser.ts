import { askGate } from '../../application/identity/ask-gate.ts';
import { sha256Hex } from '../../application/identity/sha256-hex.ts';
import type { PresentedCredential } from '../../application/identity/verify-credential.ts';
import { describeBug } from '../../application/log/describe-bug.ts';
import { askAgain } from '../../application/objects/ask-again.ts';
import type { SessionEnd } from '../../domain/console/session-term.ts';
import { deviceWords } from '../../domain/identity/device-words.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { browserSessionOf, type UsedSession } from '../../durable-objects/browser-session/api.ts';
import { countFirst } from '../../durable-objects/credentials/count-first.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { Access } from './access.ts';
import type { AppContext, BrowserOfConsole } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';
import { consoleCookie } from './console-cookies.ts';
import { countAddress, rateExceeded } from './count-address.ts';
import { isRead } from './query-failure.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** A route of the console. */
type ConsoleRoute = Pick<RegisteredRoute, 'method' | 'fromElsewhere'> & {
  readonly access: Extract<Access, { credential: 'console' }>;
};

/**
 * Lets a browser in at the console (docs/design/console.md#who-may-call): at its own host, from its own pages, with a session that goes on. Whose token
 * it is then proved as any caller's.
 */
export async function admitBrowser(
  c: AppContext,
  route: ConsoleRoute,
  admitCredential: (credential: PresentedCredential) => Promise<ApiError | null>,
): Promise<ApiError | null> {
  const foreign = foreignFailure(c, route);
  if (foreign !== null) return (await countAddress(c)) ?? foreign;
  if (route.access.session === 'none') return countAddress(c);
  const browser = await openBrowser(c, null);
  if (!browser.ok) return browser.error;
  if (route.access.session === 'passed_on') return null;
  const refusal = await admitCredential(bearerOf(browser.value));
  if (refusal?.code !== 'UNAUTHORIZED') return refusal;
  const renewed = await openBrowser(c, browser.value.accessToken);
  return renewed.ok ? admitCredential(bearerOf(renewed.value)) : renewed.error;
}

function bearerOf({ accessToken }: BrowserOfConsole): PresentedCredential {
  return { type: 'bearer', accessToken, tenantToken: null, keyId: null };
}

/**
 * Why a request is not one of the console's own pages. What changes something says so by a header that no form can send, and by its Origin; browsers
 * that tell where a request comes from (Fetch Metadata) are believed besides.
 */
function foreignFailure(c: AppContext, { method, fromElsewhere }: ConsoleRoute): ApiError | null {
  const { CONSOLE_ORIGIN: ours } = c.env;
  if (ours === '' || new URL(c.req.url).host !== new URL(ours).host)
    return apiError('NOT_FOUND', ours === '' ? 'there is no console here' : `the console is at ${ours}`);
  if (fromElsewhere === true) return null;
  const site = c.req.header('sec-fetch-site');
  const isOurs = site === undefined || site === 'same-origin' || (site === 'none' && isRead(method));
  if (!isOurs) return foreign('site');
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== ours) return foreign('origin');
  if (isRead(method)) return null;
  if (origin === undefined) return foreign('origin');
  return c.req.header('x-console') === '1' ? null : foreign('header');
}

function foreign(reason: 'site' | 'origin' | 'header'): ApiError {
  return apiError('FORBIDDEN', 'the console answers its own pages alone', { reason });
}

/**
 * The session that the browser has, with a token that is good by its time.
 *
 * @param refused a token that was refused somewhere: it is renewed, or the session ends
 */
export async function openBrowser(c: AppContext, refused: string | null): Promise<Result<BrowserOfConsole, ApiError>> {
  const token = consoleCookie(c, 'session');
  if (token === undefined) return err((await countAddress(c)) ?? ended('none'));
  const name = await sha256Hex(token);
  const clientAddress = clientAddressOf(c);
  const use = {
    refused,
    byPerson: isByPerson(c),
    clientAddress,
    device: deviceWords(c.req.header('user-agent')),
  };
  const counted = await countFirst(
    (gate, ask) => askGate(c.env, gate, ask),
    { knownBy: `console ${name}`, keyId: null, clientAddress },
    async () => {
      const value = await used(c.env, name, use);
      return { outcome: value.type === 'open' ? 'holds' : value.type === 'ended' ? 'fails' : 'open', value };
    },
    async (work) => c.executionCtx.waitUntil(work),
  );
  if (counted === null) return err(gateUnavailable());
  if (counted.rate !== null) c.set('rate', counted.rate);
  if (counted.type === 'limited') return err(rateExceeded(c, counted.retryAfter));
  const { value } = counted;
  switch (value.type) {
    case 'open': {
      const browser = { name, accessToken: value.accessToken, session: value.session };
      c.set('browser', browser);
      return ok(browser);
    }
    case 'ended':
      // The cookie stays, and opens nothing: by now the browser may have that of the next session, which is called the same.
      return err(ended(value.reason));
    case 'unavailable':
      return err(
        apiError('SERVICE_UNAVAILABLE', 'who is signed in cannot be asked; please repeat', {
          reason: 'session_unavailable',
        }),
      );
  }
}

/** A page says what it asks by itself; a socket and a picture, which it also opens by itself, cannot say so. */
function isByPerson(c: AppContext): boolean {
  const isPageAlone = c.req.header('upgrade') !== undefined || c.req.header('sec-fetch-dest') === 'image';
  return !isPageAlone && c.req.header('x-console') !== 'background';
}

async function used(
  env: Env,
  name: string,
  use: Parameters<ReturnType<typeof browserSessionOf>['use']>[0],
): Promise<UsedSession> {
  try {
    return await askAgain(() => browserSessionOf(env, name).use(use));
  } catch (error) {
    log('error', 'a session of the console is out of reach', describeBug(error));
    return { type: 'unavailable' };
  }
}

/** `details.reason` says why somebody has to sign in. */
function ended(reason: SessionEnd | 'none'): ApiError {
  return apiError('UNAUTHORIZED', WORDS[reason], { reason: `session_${reason}` });
}

const WORDS: Readonly<Record<SessionEnd | 'none', string>> = {
  none: 'nobody is signed in with this browser',
  idle: 'the session was not used for 30 minutes',
  too_old: 'the session has lasted 12 hours',
  signed_out: 'the session was signed out',
  revoked: 'the session was ended at the identity provider',
};

/** The browser of a route that asks for a session. */
export function browserOf(c: AppContext): BrowserOfConsole {
  const browser = c.get('browser');
  if (browser === undefined) throw new Error('browserOf on a route that asks for no session of the console');
  return browser;
}
