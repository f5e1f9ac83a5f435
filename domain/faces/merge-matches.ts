import { BestMatches } from './best-matches.ts';
import type { VectorMatch } from './vector-match.ts';

/**
 * One answer from those of the shards of a gallery, best first: the best face of each subject wherever its faces lie, and no more than
 * `topK` of them. Exact when each shard gave its own best `topK`.
 */
export function mergeMatches(shards: readonly (readonly VectorMatch[])[], topK: number): VectorMatch[] {
  const best = new BestMatches(topK);
  for (const matches of shards) for (const match of matches) best.offer(match);
  return best.sorted();
}
