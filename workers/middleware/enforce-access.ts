import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { authorize, type Needs } from '../../application/identity/authorize.ts';
import { type PresentedCredential, verifyCredential } from '../../application/identity/verify-credential.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { failure } from '../responses/failure.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { Access } from './access.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';
import { countAddress, rateExceeded } from './count-address.ts';
import { type Credential, readCredential } from './credential.ts';
import { openToOrigins } from './cross-origin.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** docs/design/identity.md#other-limits-of-callers */
const BODY_BYTES_MAX = 64 * 1_024;

type Step = MiddlewareHandler<AppEnv>;

/** Lets a request through to its route's validation and handler, or answers 401, 403, 413 or 429. */
export function enforceAccess(route: RegisteredRoute): [Step, Step, Step] {
  const answer: NonNullable<RegisteredRoute['refused']> = route.refused ?? failure;
  return [
    async (c, next) => {
      c.set('route', route.path);
      openToOrigins(c, route);
      await next();
    },
    limitBody(route.bodyBytesMax ?? BODY_BYTES_MAX, answer),
    async (c, next) => {
      const refusal = await admit(c, route);
      if (refusal?.code === 'UNAUTHORIZED' && route.challenge !== undefined)
        c.header('www-authenticate', route.challenge(c));
      if (refusal !== null) return answer(c, refusal);
      await next();
    },
  ];
}

/** The caller's address pays for a body that is too large. */
function limitBody(bytesMax: number, answer: NonNullable<RegisteredRoute['refused']>): Step {
  const tooLarge = apiError('PAYLOAD_TOO_LARGE', 'the body is too large', { bytesMax });
  return bodyLimit({ maxSize: bytesMax, onError: async (c) => answer(c, (await countAddress(c)) ?? tooLarge) });
}

async function admit(c: AppContext, route: RegisteredRoute): Promise<ApiError | null> {
  if (route.access.credential === 'oauth') return countAddress(c);
  const credential = await readCredential(c.req.raw.headers, () => signedRequestOf(c));
  if (credential.type === 'none' && route.access.credential === 'public') return countAddress(c);
  if (!accepts(route.access, credential))
    return refuse(c, credential.type === 'none' ? 'no_credential' : `${credential.type}_not_accepted`);

  const draw = { bucket: route.bucket, cost: await costOf(c, route), clientAddress: clientAddressOf(c) };
  const takesKey = route.access.credential !== 'agent';
  const { answer, claims } = await verifyCredential(c.env, credential, draw, takesKey);
  if (claims !== null) c.set('accessToken', claims);
  if (answer === null) return gateUnavailable();
  if (answer.type === 'refused') return refuse(c, answer.reason);
  c.set('rate', answer.rate);
  if (answer.type === 'limited') return rateExceeded(c, answer.retryAfter);
  c.set('principal', answer.principal);
  return authorize(c.env, answer.principal, needsOf(route.access));
}

function accepts(access: Access, credential: Credential): credential is PresentedCredential {
  switch (credential.type) {
    case 'none':
    case 'malformed':
      return false;
    case 'key':
      return access.credential === 'key' || access.credential === 'public';
    case 'bearer':
      if (credential.keyId !== null) return ['key', 'public', 'agent'].includes(access.credential);
      return access.credential !== 'tenant' || credential.tenantToken !== null;
  }
}

function needsOf(access: Access): Needs {
  return {
    scope: 'scope' in access ? access.scope : undefined,
    role: 'role' in access ? access.role : undefined,
    permission: 'permission' in access ? access.permission : undefined,
  };
}

/** The caller's address pays for what does not hold, never the principal that it names. */
async function refuse(c: AppContext, reason: string): Promise<ApiError> {
  c.set('refusal', reason);
  return (await countAddress(c)) ?? apiError('UNAUTHORIZED', 'missing or invalid authentication');
}

async function costOf(c: AppContext, route: RegisteredRoute): Promise<number> {
  if (route.cost === undefined) return 1;
  try {
    const cost = route.cost(await c.req.json());
    return Number.isSafeInteger(cost) && cost > 1 ? cost : 1;
  } catch {
    return 1; // Not JSON, or not the shape: validation will say so.
  }
}

/** Method ‖ path-with-query ‖ body, the path as the client sent it (docs/design/identity.md#signatures). */
async function signedRequestOf(c: AppContext): Promise<string> {
  const url = new URL(c.req.url);
  return c.req.method + url.pathname + url.search + (await c.req.text());
}
