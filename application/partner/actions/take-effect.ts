import { database } from '../../../data/database.ts';
import { applyNames, type CorporateAction, moveAction } from '../../../data/partner/actions/corporate-actions.ts';
import {
  type ActionTerms,
  type DividendTerms,
  endsShares,
} from '../../../domain/corporate-actions/corporate-action.ts';
import { cancelByAction } from './cancel-by-action.ts';
import { mergeSecurity } from './merge-security.ts';
import { splitSecurity } from './split-security.ts';

/**
 * What is no dividend takes effect: the security has its other name, its shares are split, or end for cash or shares of another one, or those of one holder do; a merger that names neither
 * agent and lister carry out by themselves.
 *
 * @returns whether it went on, so that the next step may
 */
export async function takeEffect(
  env: Env,
  action: CorporateAction,
  terms: Exclude<ActionTerms, DividendTerms>,
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  if (terms.type === 'stock_split') return splitSecurity(env, action, terms, now);
  if (endsShares(terms)) return mergeSecurity(env, action, terms, now);
  if (terms.type === 'share_cancellation') return cancelByAction(env, action, terms, now);
  if (action.state !== 'announced' || now < action.dueAt) return false;
  switch (terms.type) {
    case 'name_change':
      await applyNames(db, action, terms, now);
      return true;
    case 'merger':
      return moveAction(db, action, { state: 'completed', endedAt: now });
  }
}
