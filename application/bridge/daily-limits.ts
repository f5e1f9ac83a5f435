import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { laneOf } from '../../domain/bridge/lane.ts';
import { chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';

/** How long what the guard says of a limit is taken for true: operators change it behind a delay. */
const HELD_MS = 60_000;
/** Limits that one call reads anew; the others are unknown to it. */
const READ_MAX = 20;
/** Limits that an isolate remembers. */
const HELD_MAX = 2_000;

interface Lane {
  readonly origin: ChainName;
  /** Symbol of the asset. */
  readonly symbol: string;
}

const held = new Map<string, { readonly at: number; readonly limit: number }>();

/** What may go each way in a day, of each lane of a guard, scaled integers of the ledger; null where its chain does not say now. */
export async function dailyLimits(
  env: { readonly CHAINS: unknown },
  guard: string,
  lanes: readonly Lane[],
): Promise<(number | null)[]> {
  let reads = 0;
  return Promise.all(
    lanes.map(async ({ origin, symbol }) => {
      const lane = laneOf(origin, symbol);
      const key = `${guard} ${lane}`;
      const now = Date.now();
      const known = held.get(key);
      if (known !== undefined && now - known.at < HELD_MS) return known.limit;
      reads += 1;
      if (reads > READ_MAX) return known?.limit ?? null;
      try {
        const limit = await chainsOf(env).laneLimit({ address: guard, lane });
        if (held.size >= HELD_MAX) held.clear();
        held.set(key, { at: now, limit });
        return limit;
      } catch {
        return known?.limit ?? null;
      }
    }),
  );
}
