import { SECOND_MS } from '../calendar/durations.ts';

/** A receiver that takes longer keeps a place that others need. */
const SLOW_MS = SECOND_MS;

/** Whether an endpoint answers slowly, by its last try: it has few places beside others then. */
export function isSlowAnswer({ durationMs }: { readonly durationMs: number }): boolean {
  return durationMs >= SLOW_MS;
}
