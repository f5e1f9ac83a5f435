import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { handedOverEventId, tradeEventId } from '../../domain/partner/trade-event-id.ts';
import { webhookEndpointOf } from '../webhook-endpoint/api.ts';

/** How long an endpoint's object may take to say so. */
const ASKED_MS_MAX = 1_000;
/** How long one that did not is not asked again. */
const SILENT_MS = MINUTE_MS;

/** When organizations first took what tells them of trades, Unix milliseconds: by the trade's id, then by organization. */
export type TakenTrades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Endpoints whose objects did not answer lately, with until when they are not asked. They are forgotten then, so there are as many as were asked within a minute. */
export type SilentEndpoints = Map<string, number>;

/**
 * Asks endpoints which of these trades their receivers have taken by now, each once for all that its organization was told of: by `trade.executed`, or as an agent by `transfer.initiated`. What
 * one does not say in time counts as not taken: others' objects hold up nobody.
 *
 * @param told ids of trades by organization
 * @param silent of those who ask often, who are held up by each once in a minute
 */
export async function takenTrades(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  endpoints: readonly { readonly id: string; readonly organization: string }[],
  told: ReadonlyMap<string, readonly string[]>,
  silent: SilentEndpoints = new Map(),
): Promise<TakenTrades> {
  const now = Date.now();
  for (const [id, until] of silent) if (until <= now) silent.delete(id);
  const taken = new Map<string, Map<string, number>>();
  await Promise.all(
    endpoints.map(async ({ id, organization }) => {
      if (silent.has(id)) return;
      const answer = await deliveredAt(env, { id, organization }, told.get(organization) ?? []);
      if (answer === null) silent.set(id, Date.now() + SILENT_MS);
      for (const [trade, at] of answer ?? []) {
        const times = taken.get(trade) ?? new Map<string, number>();
        taken.set(trade, times.set(organization, Math.min(at, times.get(organization) ?? at)));
      }
    }),
  );
  return taken;
}

/** Null where it does not answer. */
async function deliveredAt(
  env: Pick<Env, 'WEBHOOK_ENDPOINT'>,
  { id, organization }: { readonly id: string; readonly organization: string },
  trades: readonly string[],
): Promise<readonly (readonly [trade: string, at: number])[] | null> {
  if (trades.length === 0) return [];
  const tradeOf = new Map(
    trades.flatMap((trade) =>
      [trade, tradeEventId(trade, 'transfer.initiated'), handedOverEventId(trade, organization)].map(
        (id) => [id, trade] as const,
      ),
    ),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ASKED_MS_MAX);
  });
  const ask = () => webhookEndpointOf(env, id).deliveredAt([...tradeOf.keys()]);
  try {
    // A second time at once: what a deployment restarts is there again.
    const taken = await Promise.race([ask().catch(ask), late]);
    return taken && [...taken].map(([event, at]) => [tradeOf.get(event) ?? event, at]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
