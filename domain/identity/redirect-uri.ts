/** Longest redirect URI, and most of one client. */
const LENGTH_MAX = 2_048;
export const REDIRECT_URIS_MAX = 20;

const PRINTABLE = /^[\x21-\x7e]+$/;
/** RFC 8252, 7.3: a native app listens on a port that the system gives it. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/;
/** RFC 8252, 7.1: a scheme of one's own is a domain name turned round, so it has a dot. None of a browser's has one. */
const OWN_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/**
 * Whether a client may be answered at a URI: at https, on the person's own machine, or in an app under a scheme of its own. No fragment, no
 * credentials, nothing that a browser would run.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > LENGTH_MAX || !PRINTABLE.test(text) || text.includes('#') || text.includes('\\')) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return url.hostname !== '' && text.startsWith('https://');
  return url.protocol === 'http:' ? LOOPBACK.test(text) : OWN_SCHEME.test(url.protocol);
}

/**
 * Whether a client that has registered some URIs is answered at this one: the same text. On the person's own machine the port may be another
 * (RFC 8252, 7.3).
 */
export function mayRedirectTo(registered: readonly string[], asked: string): boolean {
  if (!isRedirectUri(asked)) return false;
  return registered.some((uri) => uri === asked || (LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(asked)));
}

/** Whether somebody who has signed out may be sent to a place: the very text that the client has registered for that. */
export function mayLeadOutTo(registered: readonly string[], asked: string): boolean {
  return isRedirectUri(asked) && registered.includes(asked);
}

/** Whether it is on the person's own machine, where any program may listen. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Whether a text is the origin of pages that may be trusted with tokens: at https, or on the person's own machine. */
export function isWebOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && (url.protocol === 'https:' || LOOPBACK.test(origin));
}

/** Whether one of these URIs lies at an origin. On the person's own machine the port may be another. */
export function isOriginOf(uris: readonly string[], origin: string): boolean {
  if (!isWebOrigin(origin)) return false;
  return uris.some((uri) => {
    const own = URL.parse(uri)?.origin ?? '';
    return own === origin || (LOOPBACK.test(own) && withoutPort(own) === withoutPort(origin));
  });
}

/** Null for what is not on the person's own machine, which no other text equals then. */
function withoutPort(uri: string): string | null {
  const parts = LOOPBACK.exec(uri);
  return parts === null ? null : `${parts[1]}${parts[2]}`;
}

/**
 * What a content security policy calls the place where a form may lead (`form-action`), or null where it cannot be said without another
 * meaning.
 */
export function formTargetOf(uri: string): string | null {
  const url = URL.parse(uri);
  if (url === null) return null;
  if (url.protocol === 'https:' || url.protocol === 'http:')
    return /^[a-z]+:\/\/[a-z0-9.:[\]-]+$/.test(url.origin) ? url.origin : null;
  return OWN_SCHEME.test(url.protocol) ? url.protocol : null;
}

/** The URI with parameters of an answer added to those that it has. */
export function answeredAt(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.append(name, value);
  return url.href;
}
