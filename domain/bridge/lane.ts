import { createHash } from 'node:crypto';
import type { ChainName } from './chains/chain-name.ts';

/** What the guard lets through a lane. */
export interface LaneRules {
  /** What may go in 24 hours, scaled integer of the ledger; 0 for a lane that nobody has set. */
  readonly limit: number;
  /** From which amount on, scaled integer of the ledger, a transfer waits for so long; null where none that the limit has room for does. */
  readonly challenge: { readonly from: number; readonly seconds: number } | null;
}

/** Under which name the guard counts what leaves and comes of an asset by an external chain: 32 bytes, in hexadecimal without `0x`. */
export function laneOf(origin: ChainName, asset: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['edge.bridge.lane.v1', origin, asset]))
    .digest('hex');
}
