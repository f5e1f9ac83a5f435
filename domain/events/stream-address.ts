/** What streams come by. Any other word before a colon may be somebody's name. */
const SCHEMES = new Set(['rtsp', 'rtsps', 'rtmp', 'rtmps', 'http', 'https', 'ws', 'wss', 'srt', 'udp', 'rtp', 'file']);
const PARTS = /^([a-z]+):\/\/([^/?#\\]*)(.*)$/is;
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i;
const PORT_MAX = 65_535;
const HIDDEN = '***';

/**
 * A camera's address for those who may not see its credentials: scheme, host and port, where each is surely that. Makers put users, passwords and
 * tokens into every other part, and into the path without a mark. An `@` behind the first `/` may end a password that has a `/` in it: then nobody
 * can tell which part is the host.
 */
export function withoutCredentials(source: string): string {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(source) ?? [];
  if (!SCHEMES.has(scheme.toLowerCase())) return HIDDEN;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isSure = !/@|%40/i.test(rest) && isHost(host, host.length < authority.length);
  return isSure ? `${scheme}://${host}/${HIDDEN}` : `${scheme}://${HIDDEN}`;
}

/**
 * Whether it is surely a host, perhaps with a port. A bare word and a number may be a user and a password of an address without a host, unless
 * credentials stand before them.
 */
function isHost(text: string, isBehindCredentials: boolean): boolean {
  const [whole, port] = HOST.exec(text) ?? [];
  if (whole === undefined) return false;
  if (port === undefined) return true;
  const isName = isBehindCredentials || /[.[]/.test(text) || text.toLowerCase().startsWith('localhost:');
  return isName && Number(port) <= PORT_MAX;
}
