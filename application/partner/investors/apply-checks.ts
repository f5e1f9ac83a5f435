import { uuidv7 } from 'uuidv7';
import {
  addScreenedAccreditation,
  endScreenedAccreditation,
  listAccreditationRecords,
  SCREENED_BY,
} from '../../../data/accounts/accreditation-records.ts';
import { database } from '../../../data/database.ts';
import { type InvestorCheck, listChecks, noteCheckApplied } from '../../../data/partner/investor-checks.ts';
import { type Investor, listInvestorAccounts } from '../../../data/partner/investors.ts';
import { accreditationOf, verificationFailure } from '../../../domain/accreditation/accreditation-record.ts';
import { factsFollowing } from '../../../domain/partner/compliance.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { derivedId } from '../../identity/derived-id.ts';
import { applyFacts } from '../../operator/apply-facts.ts';

/**
 * Lets the facts of all accounts of an investor follow from its compliance record (docs/design/partner.md#compliance), with what that does to open orders. What
 * cannot be done now stays to be applied, and a scheduled run does it.
 */
export async function applyChecks(env: Env, investor: Investor, now: number): Promise<void> {
  const db = database(env.DB);
  const waiting = (await listChecks(db, investor.id)).filter(({ applied }) => !applied);
  if (waiting.length === 0) return;
  const accreditation = waiting.find(({ kind }) => kind === 'accreditation');
  const accounts = await listInvestorAccounts(db, [investor.id]);
  for (const { id } of accounts) {
    if (accreditation !== undefined) await recordAccreditation(env, id, accreditation, now);
    if (!(await applyTo(env, investor, id, now))) return;
  }
  for (const check of waiting) await noteCheckApplied(db, check, accounts.length);
}

/** Who acts when nobody does. */
const SCREENING_ACTOR = 'venue:screening';

/** Records are read after the version that the change asserts, so that the last one to write has seen all of them. */
async function applyTo(env: Env, investor: Investor, account: string, now: number): Promise<boolean> {
  const db = database(env.DB);
  const facts = async () => {
    const [checks, records] = await Promise.all([listChecks(db, investor.id), listAccreditationRecords(db, account)]);
    return { ...factsFollowing(investor.accountType, checks, now), ...accreditationOf(records, now) };
  };
  const id = uuidv7();
  const applied = await applyFacts(env, account, facts, { id, actor: SCREENING_ACTOR, requestId: id });
  if (!applied.ok)
    log('warn', 'facts do not follow from checks yet', { investor: investor.id, code: applied.error.code });
  return applied.ok;
}

/**
 * What an account's accreditation rests on: each check that has passed makes one record, and one that has failed ends what earlier ones have made. One that is
 * too old for an account opened since makes none.
 */
async function recordAccreditation(env: Env, account: string, check: InvestorCheck, now: number): Promise<void> {
  const { status, provider, reference, decidedRequest, checkedAt, expiresAt, reason } = check;
  if (provider === null || reference === null || decidedRequest === null || checkedAt === null) return;
  const db = database(env.DB);
  const actor = `${SCREENED_BY}${provider}`;
  if (status === 'failed') {
    const ended = { endedAt: now, endedBy: actor, endedReason: reason ?? 'the check has failed' };
    return endScreenedAccreditation(db, account, ended);
  }
  if (status !== 'passed' || expiresAt === null) return;
  const terms = { verifiedAt: checkedAt, expiresAt, evidenceKind: null };
  if (verificationFailure(terms, now) !== null) return;
  await addScreenedAccreditation(db, {
    id: await derivedId(decidedRequest, account),
    account,
    verifier: provider,
    evidence: reference,
    at: checkedAt,
    expiresAt,
    actor,
    createdAt: now,
  });
}
