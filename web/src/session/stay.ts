/** So long before its end a session says so. */
const WARNED_MS = 120_000;

interface Term {
  readonly idle_until: string;
  readonly ends_at: string;
}

export type Ending =
  | { readonly is: 'far'; readonly in_ms: number }
  | { readonly is: 'idle' | 'absolute'; readonly at: string };

/** Whether a session is about to end, and whether using it again would keep it: the absolute end moves for nobody. */
export function endingOf({ idle_until, ends_at }: Term, now: number): Ending {
  const idle = Date.parse(idle_until);
  const end = Date.parse(ends_at);
  const first = Math.min(idle, end);
  if (first - now > WARNED_MS) return { is: 'far', in_ms: first - now - WARNED_MS };
  return idle < end ? { is: 'idle', at: idle_until } : { is: 'absolute', at: ends_at };
}
