import { getPath } from 'hono/utils/url';

/** Every profile, with the first path segment that leads to it on a host of no profile's own. */
export const PROFILE_SEGMENTS = {
  exchange: 'exchange',
  book: 'book',
  agent: 'agent',
  iam: 'iam',
  events: 'events-service',
  partner: 'partner',
  bridge: 'bridge',
  console: 'console',
} as const;

export type ProfileName = keyof typeof PROFILE_SEGMENTS;

const PROFILE_NAMES = Object.keys(PROFILE_SEGMENTS) as ProfileName[];

/** Of the venue and no profile's. */
const VENUE_DOCUMENT = '/.well-known/committee';

/** First path segment of the bridge's own paths: on a hostname of a white-label tenant they stand without the profile's segment. */
const TENANT_SEGMENT = 'api';

/** Where a request goes: its profile and its path within it, or null for an unknown host and prefix. */
export interface Destination {
  readonly profile: ProfileName;
  readonly path: string;
}

/**
 * Chooses the profile by the hostname of the request's URL (var PROFILE_HOSTS, a JSON map hostname → profile), on any other host by
 * the first path segment (docs/design/shape.md#hosts). The metadata of a resource stands before its path (RFC 8615, RFC 9728 section
 * 3.1): there the profile's segment comes after `/.well-known/<name>`. What the whole venue publishes is the same on every host.
 * On the console's own host its segment stays before the path.
 * A tenant of the bridge brings hostnames of its own, which no deployment has to name: `/api/…` is the bridge's on every host that is
 * no profile's.
 */
export function destinationOf(request: Request, env: Env): Destination | null {
  const path = getPath(request);
  if (path === VENUE_DOCUMENT) return { profile: 'exchange', path };
  const mapped = profileOfHost(hostnameOf(request.url), env);
  if (mapped === 'console') return { profile: mapped, path: withinConsole(path) };
  if (mapped !== null) return { profile: mapped, path };
  const wellKnown = /^(\/\.well-known\/[^/]+)\/([^/]+)(.*)$/.exec(path);
  if (wellKnown !== null) {
    const [, document = '', name = '', rest = ''] = wellKnown;
    const profile = profileAt(name);
    return profile === null ? null : { profile, path: `${document}${rest}` };
  }
  const end = path.indexOf('/', 1);
  const segment = end === -1 ? path.slice(1) : path.slice(1, end);
  if (segment === TENANT_SEGMENT) return { profile: 'bridge', path };
  const profile = profileAt(segment);
  if (profile === null) return null;
  return { profile, path: end === -1 ? '/' : path.slice(end) };
}

/** The console's own host has pages at its root, so that what they call stands under the segment there as well. */
function withinConsole(path: string): string {
  const segment = `/${PROFILE_SEGMENTS.console}`;
  if (path === segment) return '/';
  return path.startsWith(`${segment}/`) ? path.slice(segment.length) : NOWHERE;
}

/** No route of any profile. */
const NOWHERE = '/.';

/** The profile that has this hostname to itself, or null. */
export function profileOfHost(hostname: string, env: Env): ProfileName | null {
  return hostsOf(env.PROFILE_HOSTS).get(hostname) ?? null;
}

function profileAt(segment: string): ProfileName | null {
  return PROFILE_NAMES.find((name) => PROFILE_SEGMENTS[name] === segment) ?? null;
}

function profileNamed(name: string): ProfileName | null {
  return PROFILE_NAMES.find((known) => known === name) ?? null;
}

/** Hono parses a URL's path by hand for speed; so does this for the hostname. */
function hostnameOf(url: string): string {
  const start = url.indexOf('//') + 2;
  const authority = url.slice(start, url.indexOf('/', start));
  return authority.startsWith('[') ? authority.slice(0, authority.indexOf(']') + 1) : authority.replace(/:\d+$/, '');
}

let parsed: { readonly json: string; readonly hosts: ReadonlyMap<string, ProfileName> } | null = null;

function hostsOf(json: string): ReadonlyMap<string, ProfileName> {
  if (parsed?.json === json) return parsed.hosts;
  const hosts = new Map<string, ProfileName>();
  for (const [hostname, name] of Object.entries(JSON.parse(json) as Record<string, string>)) {
    const profile = profileNamed(name);
    if (profile === null) throw new Error(`PROFILE_HOSTS names an unknown profile: ${name}`);
    hosts.set(hostname.toLowerCase(), profile);
  }
  parsed = { json, hosts };
  return hosts;
}
