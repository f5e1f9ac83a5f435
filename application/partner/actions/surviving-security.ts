import { scalesOfAssets } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import type { StockTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';

/** Why holders get no shares of a security. Its agent alone issues them: `agent` announces the merger, and keeps both registers. */
export type SurvivorFault =
  /** It is none of the agent's. */
  | 'survivor_not_found'
  | 'survivor_not_accepted'
  | 'survivor_not_listed'
  /** It is the one that ends. */
  | 'survivor_is_same'
  /** It counts other parts of a share. */
  | 'survivor_scale_differs';

export async function survivorFault(
  env: Pick<LedgerEnv, 'DB'>,
  { security, agent }: { readonly security: string; readonly agent: string },
  { survivor: id }: Pick<StockTerms, 'survivor'>,
): Promise<SurvivorFault | null> {
  const db = database(env.DB);
  if (id === security) return 'survivor_is_same';
  const survivor = await findSecurity(db, id);
  if (survivor?.transferAgent !== agent) return 'survivor_not_found';
  if (survivor.agentState !== 'accepted') return 'survivor_not_accepted';
  if (survivor.state !== 'listed' && survivor.state !== 'halted') return 'survivor_not_listed';
  const scales = await scalesOfAssets(db, [security, id]);
  return scales.get(security) === scales.get(id) ? null : 'survivor_scale_differs';
}
