/** First segments of the profiles that a page may call, and where their calls lead. */
const CALLED = ['exchange', 'book', 'iam', 'partner', 'bridge', 'events-service'] as const;

export type CalledSegment = (typeof CALLED)[number];

interface Rules {
  /** Beginnings of what may be called, each a path or a segment of one. */
  readonly open: readonly string[];
  /** What may not, though it begins so: of machines, of other people's webhooks, or a socket. */
  readonly closed: readonly string[];
}

/**
 * What pages may call (docs/design/console.md#what-may-be-called). Whatever is not open is closed: endpoints of tokens, where a page would be given what
 * the browser must not hold, the pages of sign-in, and what machines call.
 */
const RULES: Readonly<Record<CalledSegment, Rules>> = {
  exchange: { open: ['/v1', '/.well-known/committee'], closed: ['/v1/auth', '/v1/webhooks'] },
  book: { open: ['/v1'], closed: ['/v1/agent', '/v1/key-sessions', '/v1/stream', '/v1/ws'] },
  iam: { open: ['/v1', '/api/userinfo'], closed: [] },
  partner: { open: ['/v1', '/schemas'], closed: ['/v1/ws'] },
  bridge: { open: ['/api/tenant', '/api/v1'], closed: [] },
  'events-service': {
    open: [
      '/attendees',
      '/cameras',
      '/events',
      '/health',
      '/permissions',
      '/register-attendee',
      '/reviews',
      '/roles',
      '/rooms',
      '/schemas',
      '/tenant',
      '/timeline',
      '/trail',
      '/v1',
    ],
    closed: [],
  },
};

/** Machines send frames of cameras; a door sends the pictures that it takes by `/v1/faces`. */
const FRAMES = /^\/cameras\/[^/]+\/frames(\/|$)/;
/** Read by everybody at each profile. */
const READ_BY_ALL = ['/healthz', '/openapi.json'];

export function isCalledSegment(text: string): text is CalledSegment {
  return (CALLED as readonly string[]).includes(text);
}

/**
 * Whether a page may call it.
 *
 * @param path within the profile, as its routes are chosen by: decoded, without a query
 */
export function isCallable(segment: CalledSegment, path: string): boolean {
  if (READ_BY_ALL.includes(path)) return true;
  if (segment === 'events-service' && FRAMES.test(path)) return false;
  const { open, closed } = RULES[segment];
  return open.some((start) => isWithin(path, start)) && !closed.some((start) => isWithin(path, start));
}

function isWithin(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start}/`);
}
