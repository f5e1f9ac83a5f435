const METHODS = { info: 'log', warn: 'warn', error: 'error' } as const;

/**
 * The log of the Worker and its objects: one JSON object a line, `level`, `event` and what belongs to the event. The platform adds the time.
 * Never pass it secrets, tokens, names or bound parameters of queries.
 */
export function log(level: keyof typeof METHODS, event: string, fields: Readonly<Record<string, unknown>> = {}): void {
  console[METHODS[level]](JSON.stringify({ level, event, ...fields }));
}
