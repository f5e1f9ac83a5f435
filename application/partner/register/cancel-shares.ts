import { database } from '../../../data/database.ts';
import { hasOwnIssuesAlone } from '../../../data/partner/register/cancellations.ts';
import { findHolder } from '../../../data/partner/register/cap-table.ts';
import type { RegisterEventRow, RegisterLine, StagedEvent } from '../../../data/partner/register/register-events.ts';
import type { RegisteredSecurity } from '../../../data/partner/register/registered-security.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import { err, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { changeRegister, type RegisterChangeError } from './change-register.ts';
import { isUnderWay, type RegisterAction } from './issue-shares.ts';

/** How long an agent may take back what it has issued to an account by mistake. */
const MENDED_WITHIN_MS = DAY_MS;

type TakeError = RegisterChangeError | { readonly reason: 'holder_not_found' };

export type CancelError =
  | TakeError
  /** The shares are those of an account: a corporate action takes them, after the venue's notice and with the lister's consent. */
  | { readonly reason: 'needs_corporate_action' };

interface Shares {
  /** Id of the holder. */
  readonly holder: string;
  readonly shares: number;
}

/**
 * Takes shares from a holder without an account that the issuer has bought back, or that were never issued. From one with an account an agent takes at once what it has issued
 * to it by mistake, and nothing else.
 */
export async function cancelShares(
  env: LedgerEnv,
  security: RegisteredSecurity,
  asked: Shares,
  action: RegisterAction,
): Promise<Result<RegisterEventRow, CancelError>> {
  const db = database(env.DB);
  const holder = await findHolder(db, security.id, asked.holder);
  if (holder === null) return err({ reason: 'holder_not_found' });
  // What is under way goes to its end.
  if (holder.account !== null && !(await isUnderWay(env, action.id))) {
    if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
    const own = { security: security.id, holder: asked.holder, agent: action.agent };
    if (!(await hasOwnIssuesAlone(db, own, action.now - MENDED_WITHIN_MS)))
      return err({ reason: 'needs_corporate_action' });
  }
  return takeShares(env, security.id, asked, action);
}

interface TakeAction extends Omit<RegisterAction, 'agent'> {
  /** None where a corporate action asks, whatever agent keeps the register by now. */
  readonly agent?: string;
  readonly action?: NonNullable<StagedEvent['action']>;
}

/** Takes shares from a holder, as an event of the register. */
export async function takeShares(
  env: LedgerEnv,
  security: string,
  { holder: holderId, shares }: Shares,
  { id, actor, recordDate, notes, now, ...by }: TakeAction,
): Promise<Result<RegisterEventRow, TakeError>> {
  const holder = await findHolder(database(env.DB), security, holderId);
  if (holder === null) return err({ reason: 'holder_not_found' });
  const hash = sha256('cancellation', security, holderId, String(shares), recordDate ?? '', notes ?? '');
  const { account, reference, kind, name, country } = holder;
  const line: RegisterLine = {
    holder: { id: holderId, account, reference, kind, name, country },
    shares: -shares,
    cost: 0,
    acquiredAt: null,
    restrictionEndsAt: null,
    offeringType: null,
    certificate: null,
    legend: false,
  };
  const event = { id, security, type: 'cancellation', hash, recordDate, notes, actor, createdAt: now } as const;
  return changeRegister(env, { ...event, ...by }, [line]);
}
