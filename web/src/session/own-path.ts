/** A path of our own pages, or the first of them: a link may not lead anybody elsewhere after signing in. */
export function ownPath(wanted: string | undefined): string {
  if (wanted === undefined || !/^\/(?![/\\])/.test(wanted)) return '/';
  const url = new URL(wanted, 'https://console.invalid');
  if (url.origin !== 'https://console.invalid') return '/';
  return url.pathname.startsWith('/sign-in') || url.pathname.startsWith('/signed-out')
    ? '/'
    : url.pathname + url.search;
}
