import type { Context } from 'hono';
import { clientCredential, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import type { Bearer } from '../../data/identity/bearer.ts';
import type { PartnerOrganization } from '../../data/partner/organizations.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { RateState } from '../../domain/limits/rate-state.ts';
import type { SessionView } from '../../durable-objects/browser-session/api.ts';
import type { VerifiedToken } from '../../durable-objects/credentials/access-token.ts';

/** A browser that somebody is signed in with at the console. */
export interface BrowserOfConsole {
  readonly name: string;
  readonly accessToken: string;
  readonly session: SessionView;
}

/** What a request carries through Hono, in every profile. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Name of the profile that answers. */
    profile?: string;
    /** How the profile spells its fields. */
    fieldNames: 'camelCase' | 'snake_case';
    /** Pattern of the matched route; absent when none matched. */
    route?: string;
    principal?: Principal;
    /** The organization that the caller acts for, on a route of partners. */
    partner?: PartnerOrganization;
    /** Claims of the access token, where one was sent. */
    accessToken?: VerifiedToken;
    /** The session of the console that the browser has, with the name of its object. */
    browser?: BrowserOfConsole;
    /** What the Gate counted; absent until it has. */
    rate?: RateState;
    /** Seconds, on a request that was refused for its rate. */
    retryAfter?: number;
    resourceId?: string;
    /** Whether an earlier request with this Idempotency-Key ran, or may have, and its answer is not known. */
    isRepetition?: boolean;
    /** Something in a 2xx answer is still open: it is not the answer to a repeated Idempotency-Key. */
    outcomeOpen?: boolean;
    /** The answer is not the same for everybody, or not for as long as others: nobody else may be given it. */
    isUnshared?: boolean;
    /** Why a credential was refused, for the log alone. */
    refusal?: string;
    /** Origin whose pages may read the answer: `*` on public routes, null for nobody's. */
    readableBy?: string | null;
    /** Headers that such a page may read, beyond those of every answer. */
    readableHeaders?: readonly string[];
  };
}

export type AppContext = Context<AppEnv>;

/** Who is calling. A route that declares a credential always has one; asking on a public route without one is a bug. */
export function principalOf(c: AppContext): Principal {
  const principal = c.get('principal');
  if (principal === undefined) throw new Error('principalOf on a request without a credential');
  return principal;
}

/** What the caller came by, as the audit trail names it: `client:<id>` or `key:<id>`; undefined where a token names no client. */
export function credentialOf(c: AppContext): string | undefined {
  const { keyId } = principalOf(c);
  if (keyId !== null) return `key:${keyId}`;
  const clientId = c.get('accessToken')?.clientId ?? '';
  return clientId === '' ? undefined : clientCredential(clientId);
}

/** When the access token of the caller was issued, Unix seconds; undefined where they sent none. */
export function tokenIssuedAtOf(c: AppContext): number | undefined {
  return c.get('accessToken')?.issuedAt;
}

/** By whose token something is made (`tokenStands`). */
export function bearerOf(c: AppContext): Bearer {
  return { userId: principalOf(c).userId, issuedAt: tokenIssuedAtOf(c) ?? null };
}

/** Who does this, as the audit trail names them. */
export function whoActs(c: AppContext): Pick<OperatorAction, 'actor' | 'credential' | 'tokenIssuedAt' | 'requestId'> {
  const credential = credentialOf(c);
  const tokenIssuedAt = tokenIssuedAtOf(c);
  return {
    actor: principalOf(c).userId,
    requestId: c.get('requestId'),
    ...(credential === undefined ? {} : { credential }),
    ...(tokenIssuedAt === undefined ? {} : { tokenIssuedAt }),
  };
}

/** The active partner that is calling. A route that declares the credential `partner` always has one. */
export function partnerOf(c: AppContext): PartnerOrganization {
  const partner = c.get('partner');
  if (partner === undefined) throw new Error('partnerOf on a route that serves no partners');
  return partner;
}

/** Who is calling a public route, or null for anyone. */
export function optionalPrincipalOf(c: AppContext): Principal | null {
  return c.get('principal') ?? null;
}

/**
 * UUIDv7 for what this request creates: that of the Idempotency-Key record, so that a repeated request carries the same one, else a
 * fresh one. Available on routes registered with `idempotent: true`.
 */
export function resourceIdOf(c: AppContext): string {
  const id = c.get('resourceId');
  if (id === undefined) throw new Error('resourceIdOf on a route that is not registered as idempotent');
  return id;
}

/**
 * Whether this request repeats one whose answer was lost: what it asks for may be done already, and is then answered as done. False
 * without an Idempotency-Key.
 */
export function isRepetition(c: AppContext): boolean {
  return c.get('isRepetition') === true;
}
