const LENGTH_MAX = 512;
/** Printable ASCII but the backslash, which browsers read as a slash. */
const PRINTABLE = /^[\x21-\x5b\x5d-\x7e]+$/;
/** A host of no name: only what a path means is asked of it. */
const ANYWHERE = 'https://console.invalid';

/**
 * Whether a browser may be sent to a text after signing in: a path of our own pages. Not `//host`, which is another host, and not what becomes one
 * once a browser has read it.
 */
export function isReturnPath(text: string): boolean {
  if (text.length > LENGTH_MAX || !PRINTABLE.test(text) || !text.startsWith('/') || text.startsWith('//')) return false;
  const url = URL.parse(text, ANYWHERE);
  return url !== null && url.origin === ANYWHERE && !url.pathname.startsWith('//');
}
