/** The REST call of profile B that a tool wraps. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query, `/v1/…`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Sent as Idempotency-Key: the same call again gives the first answer. */
  readonly idempotencyKey: string | null;
}

/** A GET, its query made of what is there. */
export function get(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): RestCall {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const suffix = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  return { method: 'GET', path: `${path}${suffix}`, body: null, idempotencyKey: null };
}
