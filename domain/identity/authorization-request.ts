import { err, ok, type Result } from '../result.ts';
import { ACR_VALUES, acrOf, type SignInMethod } from './factors.ts';
import { type OidcScope, parseScope } from './oidc-scope.ts';

/** Of the whole query, and of the texts in it that are carried on. */
export const QUERY_LENGTH_MAX = 8_192;
export const CLIENT_ID_LENGTH_MAX = 512;
export const STATE_LENGTH_MAX = 1_024;
const NONCE_LENGTH_MAX = 256;
const RESOURCE_LENGTH_MAX = 512;
/** RFC 6749, appendix A. */
const VISIBLE = /^[\x20-\x7e]*$/;
/** RFC 7636, 4.1 and 4.2: SHA-256 as base64url has 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const SECONDS = /^\d{1,9}$/;

/** Who asks, and where they want to be answered. Nothing of it is proved. */
export interface Asker {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
}

/** What is asked for (OAuth 2.1, 4.1.1; OpenID Connect Core, 3.1.2.1). */
export interface AuthorizationTerms {
  readonly scope: readonly OidcScope[];
  readonly nonce: string | null;
  /** S256 of a verifier that the client alone knows. */
  readonly challenge: string;
  /** RFC 8707; null for none. */
  readonly resource: string | null;
  /** `none`: no page may be shown. `login`: the person signs in again. `consent`: they are asked, whatever they have allowed before. */
  readonly prompts: ReadonlySet<Prompt>;
  /** Seconds since the person has signed in, at most; null for any. */
  readonly maxAge: number | null;
  /** More than one factor, by `acr_values` (OpenID Connect Core, 3.1.2.1); values that are not ours ask for nothing. */
  readonly asksForMore: boolean;
}

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

type Prompt = (typeof PROMPTS)[number];

/** Codes of an authorization answer (RFC 6749, 4.1.2.1; RFC 8707, 2; OpenID Connect Core, 3.1.2.6). */
type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'unauthorized_client'
  | 'invalid_scope'
  | 'invalid_target'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'access_denied'
  | 'temporarily_unavailable';

export interface AuthorizationRefusal {
  readonly error: AuthorizationError;
  readonly description: string;
}

/** Reads who asks; null where that cannot be told, so that nobody is answered but the person. */
export function askerOf(query: URLSearchParams): Asker | null {
  const [clientIds, redirectUris, states] = ['client_id', 'redirect_uri', 'state'].map((name) => query.getAll(name));
  const clientId = onlyOne(clientIds);
  const redirectUri = onlyOne(redirectUris);
  if (!clientId || !redirectUri || clientId.length > CLIENT_ID_LENGTH_MAX || !VISIBLE.test(clientId)) return null;
  const state = onlyOne(states);
  // One that is repeated or too long is told of without it.
  const isCarried = state !== null && state.length <= STATE_LENGTH_MAX;
  return { clientId, redirectUri, state: isCarried ? state : null };
}

/** Reads what is asked for. Whoever asks is known by now, and is told what is wrong. */
export function termsOf(query: URLSearchParams): Result<AuthorizationTerms, AuthorizationRefusal> {
  const repeated = [...new Set(query.keys())].find((name) => query.getAll(name).length > 1);
  if (repeated === 'resource') return refused('invalid_target', 'one resource at a time');
  if (repeated !== undefined) return refused('invalid_request', 'a parameter is repeated');
  const get = (name: string) => query.get(name);
  if (get('request') !== null) return refused('request_not_supported', 'request objects are not taken');
  if (get('request_uri') !== null) return refused('request_uri_not_supported', 'request objects are not taken');
  if (get('response_type') !== 'code') return refused('unsupported_response_type', 'response_type has to be code');
  if ((get('response_mode') ?? 'query') !== 'query') return refused('invalid_request', 'response_mode has to be query');
  if ((get('state') ?? '').length > STATE_LENGTH_MAX) return refused('invalid_request', 'state is too long');
  const challenge = get('code_challenge') ?? '';
  if (get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    return refused('invalid_request', 'code_challenge of the method S256 is required (RFC 7636)');
  const nonce = get('nonce');
  if (nonce !== null && (nonce.length > NONCE_LENGTH_MAX || !VISIBLE.test(nonce)))
    return refused('invalid_request', 'nonce is too long');
  const scope = parseScope(get('scope') ?? 'openid');
  if (scope === null || scope.length === 0) return refused('invalid_scope', 'unknown scope');
  const resource = get('resource');
  if (resource !== null && (resource.length > RESOURCE_LENGTH_MAX || !VISIBLE.test(resource)))
    return refused('invalid_target', 'unknown resource');
  const prompts = promptsOf(get('prompt'));
  if (prompts === null) return refused('invalid_request', 'unknown prompt');
  const maxAge = get('max_age');
  if (maxAge !== null && !SECONDS.test(maxAge)) return refused('invalid_request', 'max_age is no number of seconds');
  const asksForMore = asksForMoreThan('code', get('acr_values'));
  return ok({
    scope,
    nonce,
    challenge,
    resource,
    prompts,
    maxAge: maxAge === null ? null : Number(maxAge),
    asksForMore,
  });
}

/** The same request once the person has signed in for it: asked for that again, nobody would ever come through. */
export function signedInQuery(query: URLSearchParams): URLSearchParams {
  const left = new URLSearchParams(query);
  const prompts = (query.get('prompt') ?? '')
    .split(' ')
    .filter((prompt) => !['', 'login', 'select_account'].includes(prompt));
  if (prompts.length === 0) left.delete('prompt');
  else left.set('prompt', prompts.join(' '));
  if (Number(query.get('max_age') ?? '1') === 0) left.delete('max_age');
  left.delete('acr_values');
  return left;
}

/** Whether the person has to sign in, though their browser is signed in. @param authTime Unix milliseconds */
export function mustSignInAgain(
  { prompts, maxAge, asksForMore }: Pick<AuthorizationTerms, 'prompts' | 'maxAge' | 'asksForMore'>,
  { authTime, method }: { readonly authTime: number; readonly method: SignInMethod },
  now: number,
): boolean {
  if (prompts.has('login') || prompts.has('select_account')) return true;
  if (asksForMore && method === 'code') return true;
  return maxAge !== null && now - authTime > maxAge * 1_000;
}

/** Whether all of a text can be seen (RFC 6749, appendix A). */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether a text may be the verifier of a challenge. */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** Whether all that is asked for of ours is more than a method shows. */
function asksForMoreThan(method: SignInMethod, acrValues: string | null): boolean {
  const ours = (acrValues ?? '').split(' ').filter((value) => ACR_VALUES.includes(value));
  return ours.length > 0 && !ours.includes(acrOf(method));
}

function promptsOf(text: string | null): ReadonlySet<Prompt> | null {
  const asked = (text ?? '').split(' ').filter((prompt) => prompt !== '');
  if (!asked.every((prompt): prompt is Prompt => PROMPTS.some((known) => known === prompt))) return null;
  const prompts = new Set<Prompt>(asked);
  return prompts.has('none') && prompts.size > 1 ? null : prompts;
}

/** Null for none and for several: which of them counts nobody should have to know. */
function onlyOne(values: readonly string[] | undefined): string | null {
  return values?.length === 1 ? (values[0] ?? null) : null;
}

function refused(error: AuthorizationError, description: string): Result<never, AuthorizationRefusal> {
  return err({ error, description });
}
