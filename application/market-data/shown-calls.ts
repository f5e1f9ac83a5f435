import { type ShownPrices, shownCallsMax } from '../../domain/broker/source-budget.ts';
import type { VenueRoute } from '../../domain/markets/market.ts';
import { err } from '../../domain/result.ts';
import { sourceGateName } from '../../protocol/object-names/gate-name.ts';
import { askGate } from '../identity/ask-gate.ts';
import type { AskSource, NoRoom } from './latest-known.ts';

/** How long what is shown goes without its source where nobody counts its calls. */
const UNCOUNTED_MS = 1_000;

/** Asks as long as the source's calls a minute have room for what anybody may have it asked for (docs/design/broker.md#calls-to-a-source). */
export function withinBudget<T>(
  env: Env,
  of: { readonly route: VenueRoute; readonly shown: ShownPrices; readonly callsPerMinute: number | null },
  ask: AskSource<T>,
): AskSource<T> {
  const { callsPerMinute } = of;
  if (callsPerMinute === null) return ask;
  return async (keys) => {
    const refused = await drawCall(env, { ...of, callsPerMinute });
    return refused === null ? ask(keys) : err(refused);
  };
}

async function drawCall(
  env: Env,
  {
    route,
    shown,
    callsPerMinute,
  }: { readonly route: VenueRoute; readonly shown: ShownPrices; readonly callsPerMinute: number },
): Promise<NoRoom | null> {
  const callsMax = shownCallsMax(shown, callsPerMinute);
  const drawn = await askGate(env, sourceGateName(route), async (gate) => ({
    wait_ms: await gate.drawSourceCall(shown, callsMax),
  }));
  const { wait_ms } = drawn ?? { wait_ms: UNCOUNTED_MS };
  return wait_ms === null ? null : { reason: 'no_room', retryAfter_ms: wait_ms };
}
