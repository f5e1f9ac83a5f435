import { webhookEndpointOf } from '../webhook-endpoint/api.ts';

/** How long an endpoint's object may take to say so. */
const ASKED_MS_MAX = 1_000;

/** When organizations first took events, Unix milliseconds: by the event's id, then by organization. */
export type TakenEvents = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Asks endpoints which of these events their receivers have taken by now, each once for all that its organization was told of. What one does not say in time counts as not taken: others'
 * objects hold up nobody.
 *
 * @param told ids of events by organization
 */
export async function takenEvents(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  endpoints: readonly { readonly id: string; readonly organization: string }[],
  told: ReadonlyMap<string, readonly string[]>,
): Promise<TakenEvents> {
  const taken = new Map<string, Map<string, number>>();
  await Promise.all(
    endpoints.map(async ({ id, organization }) => {
      for (const [event, at] of await deliveredAt(env, id, told.get(organization) ?? [])) {
        const times = taken.get(event) ?? new Map<string, number>();
        taken.set(event, times.set(organization, Math.min(at, times.get(organization) ?? at)));
      }
    }),
  );
  return taken;
}

async function deliveredAt(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  id: string,
  events: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const none: ReadonlyMap<string, number> = new Map();
  if (events.length === 0) return none;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof none>((resolve) => {
    timer = setTimeout(() => resolve(none), ASKED_MS_MAX);
  });
  const ask = () => webhookEndpointOf(env, id).deliveredAt(events);
  try {
    // A second time at once: what a deployment restarts is there again.
    return await Promise.race([ask().catch(ask), late]);
  } catch {
    return none;
  } finally {
    clearTimeout(timer);
  }
}
