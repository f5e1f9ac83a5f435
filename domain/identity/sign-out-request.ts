import { CLIENT_ID_LENGTH_MAX, isVisible, QUERY_LENGTH_MAX, STATE_LENGTH_MAX } from './authorization-request.ts';

/** What an application asks for when somebody signs out through it (OpenID Connect RP-Initiated Logout 1.0, 2). Nothing of it is proved. */
export interface SignOutRequest {
  /** An ID token that it was given for the person; null for none. */
  readonly hint: string | null;
  readonly clientId: string | null;
  /** Where it wants the person to be sent afterwards; null for nowhere. */
  readonly redirectUri: string | null;
  readonly state: string | null;
}

/** Parameters of the request. Others are passed over. */
export const SIGN_OUT_PARAMETERS = [
  'id_token_hint',
  'logout_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'ui_locales',
] as const;

/** Reads what is asked for; null for a request that is too long, or has a parameter of ours twice. */
export function signOutRequestOf(query: string): SignOutRequest | null {
  if (query.length > QUERY_LENGTH_MAX) return null;
  const asked = new URLSearchParams(query);
  if (SIGN_OUT_PARAMETERS.some((name) => asked.getAll(name).length > 1)) return null;
  // What is empty counts as left out (RFC 6749, 3.1).
  const get = (name: (typeof SIGN_OUT_PARAMETERS)[number]) => asked.get(name) || null;
  const [hint, clientId, redirectUri, state] = [
    get('id_token_hint'),
    get('client_id'),
    get('post_logout_redirect_uri'),
    get('state'),
  ];
  if (clientId !== null && (clientId.length > CLIENT_ID_LENGTH_MAX || !isVisible(clientId))) return null;
  if (state !== null && state.length > STATE_LENGTH_MAX) return null;
  return { hint, clientId, redirectUri, state };
}

/** What an ID token of ours says, as far as signing out asks for it. */
export interface IdTokenHint {
  readonly subject: string;
  readonly clientId: string;
  /** The grant that it came of; null for one of before ID tokens named it. */
  readonly grant: string | null;
}

/**
 * Reads the claims of an ID token whose signature holds; null for what is none of this issuer. Its end does not count: it says who signed in, and opens nothing
 * (OpenID Connect RP-Initiated Logout 1.0, 4).
 *
 * @param now Unix milliseconds
 */
export function idTokenHintOf(
  { iss, sub, aud, iat, sid }: Readonly<Record<string, unknown>>,
  { issuer, now }: { readonly issuer: string; readonly now: number },
): IdTokenHint | null {
  if (iss !== issuer || typeof sub !== 'string' || typeof aud !== 'string') return null;
  if (typeof iat !== 'number' || iat * 1_000 > now + AHEAD_MS_MAX) return null;
  return { subject: sub, clientId: aud, grant: typeof sid === 'string' ? sid : null };
}

/** How far the clocks of two machines of ours may be apart. */
const AHEAD_MS_MAX = 60_000;
