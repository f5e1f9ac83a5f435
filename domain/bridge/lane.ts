import { createHash } from 'node:crypto';
import type { ChainName } from './chains/chain-name.ts';

/** Under which name the guard counts what leaves and comes of an asset by an external chain: 32 bytes, in hexadecimal without `0x`. */
export function laneOf(origin: ChainName, asset: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['edge.bridge.lane.v1', origin, asset]))
    .digest('hex');
}
