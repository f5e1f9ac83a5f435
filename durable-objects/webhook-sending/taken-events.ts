import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { webhookEndpointOf } from '../webhook-endpoint/api.ts';

/** How long an endpoint's object may take to say so. */
const ASKED_MS_MAX = 1_000;
/** How long one that did not is not asked again. */
const SILENT_MS = MINUTE_MS;

/** When organizations first took events, Unix milliseconds: by the event's id, then by organization. */
export type TakenEvents = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Endpoints whose objects did not answer lately, with until when they are not asked. They are forgotten then, so there are as many as were asked within a minute. */
export type SilentEndpoints = Map<string, number>;

/**
 * Asks endpoints which of these events their receivers have taken by now, each once for all that its organization was told of. What one does not say in time counts as not taken: others'
 * objects hold up nobody.
 *
 * @param told ids of events by organization
 * @param silent of those who ask often, who are held up by each once in a minute
 */
export async function takenEvents(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  endpoints: readonly { readonly id: string; readonly organization: string }[],
  told: ReadonlyMap<string, readonly string[]>,
  silent: SilentEndpoints = new Map(),
): Promise<TakenEvents> {
  const now = Date.now();
  for (const [id, until] of silent) if (until <= now) silent.delete(id);
  const taken = new Map<string, Map<string, number>>();
  await Promise.all(
    endpoints.map(async ({ id, organization }) => {
      if (silent.has(id)) return;
      const answer = await deliveredAt(env, id, told.get(organization) ?? []);
      if (answer === null) silent.set(id, Date.now() + SILENT_MS);
      for (const [event, at] of answer ?? []) {
        const times = taken.get(event) ?? new Map<string, number>();
        taken.set(event, times.set(organization, Math.min(at, times.get(organization) ?? at)));
      }
    }),
  );
  return taken;
}

/** Null where it does not answer. */
async function deliveredAt(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  id: string,
  events: readonly string[],
): Promise<ReadonlyMap<string, number> | null> {
  if (events.length === 0) return new Map();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ASKED_MS_MAX);
  });
  const ask = () => webhookEndpointOf(env, id).deliveredAt(events);
  try {
    // A second time at once: what a deployment restarts is there again.
    return await Promise.race([ask().catch(ask), late]);
  } catch {
    return new Map();
  } finally {
    clearTimeout(timer);
  }
}
