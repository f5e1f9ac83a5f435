import { clientOf, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import type { Database } from '../../../data/database.ts';
import { listShownTo } from '../../../data/identity/oauth-clients.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../../domain/identity/token-lifetime.ts';

/** Since when a secret must have ended, so that no token that it bought is good. */
export function tokensEndedBefore(now: number): number {
  return now - ACCESS_TOKEN_LIFETIME_S * 1_000;
}

/**
 * Which people may be acting: the actor, and everybody who was shown a secret of the client that they came by. Rules that want another
 * person go by them.
 */
export async function peopleBehind(
  db: Database,
  action: Pick<OperatorAction, 'actor' | 'credential'>,
): Promise<ReadonlySet<string>> {
  const client = clientOf(action);
  const shownTo = client === null ? [] : await listShownTo(db, client, tokensEndedBefore(Date.now()));
  return new Set([action.actor, ...shownTo]);
}
