import type { SQL } from 'drizzle-orm';
import { findAccount } from '../../data/accounts/accounts.ts';
import { type DecidedState, isDecidedNow } from '../../data/accounts/decide-verification.ts';
import { database } from '../../data/database.ts';
import { mailIdOf } from '../../data/mail/mail-sources.ts';
import { mailRow } from './post-mail.ts';

interface Decision {
  readonly id: string;
  readonly account: string;
  readonly state: DecidedState;
  readonly reason: string | null;
  readonly until: number | null;
  readonly now: number;
}

/** The statements that tell the person of an account how a request was decided, for the batch that decides it. None where nobody has the account. */
export async function decisionMail(env: Env, decision: Decision): Promise<SQL[]> {
  const { id, account, state, reason, until, now } = decision;
  const userId = (await findAccount(database(env.DB), account))?.userId ?? null;
  if (userId === null) return [];
  const facts = {
    decision: state.toLowerCase(),
    reason: reason ?? '',
    until: until === null ? '' : new Date(until).toISOString(),
  };
  const kind = 'accreditation_decided';
  const mail = { id: mailIdOf(kind, `${id}.${state}`, userId), userId, to: null, kind, language: 'en', facts } as const;
  return [await mailRow(env, mail, isDecidedNow(id, state, now))];
}
