import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import { type LaneRules, laneOf } from '../../domain/bridge/lane.ts';
import { chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';

/** How long what the guard says of a lane is taken for true: operators change it behind a delay. */
const HELD_MS = 60_000;
/** A chain that says nothing for so long says nothing to this call, nor to those of the next seconds: a tenant's page does not wait for it. */
const ANSWER_MS_MAX = 1_500;
const SILENT_MS = 10_000;
/** Lanes that one call reads anew; the others are unknown to it. */
const READ_MAX = 20;
/** Lanes that an isolate remembers. */
const HELD_MAX = 2_000;

interface Lane {
  readonly origin: ChainName;
  /** Symbol of the asset. */
  readonly symbol: string;
}

const held = new Map<string, { readonly until: number; readonly rules: LaneRules | null }>();

/** What a guard lets through each lane; null where its chain does not say now. */
export async function laneRules(
  env: { readonly CHAINS: unknown },
  guard: string,
  lanes: readonly Lane[],
): Promise<(LaneRules | null)[]> {
  let reads = 0;
  return Promise.all(
    lanes.map(async ({ origin, symbol }) => {
      const lane = laneOf(origin, symbol);
      const key = `${guard} ${lane}`;
      const now = Date.now();
      const known = held.get(key);
      if (known !== undefined && now < known.until) return known.rules;
      reads += 1;
      if (reads > READ_MAX) return known?.rules ?? null;
      const read = await inTime(chainsOf(env).lane({ address: guard, lane }));
      const rules = read ?? known?.rules ?? null;
      if (held.size >= HELD_MAX) held.clear();
      held.set(key, { until: now + (read === null ? SILENT_MS : HELD_MS), rules });
      return rules;
    }),
  );
}

/** Null where it fails, or takes too long. */
async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ANSWER_MS_MAX);
  });
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}
