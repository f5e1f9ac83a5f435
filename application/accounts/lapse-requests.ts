import { uuidv7 } from 'uuidv7';
import { oldRequests } from '../../data/accounts/transfer-requests.ts';
import { database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { decideTransferRequest } from '../ledger/transfer-requests.ts';

/** A payment that is asked for and not made by then does not come. */
const UNDECIDED_MAX_MS = 30 * DAY_MS;
/** Requests of one run; the next one goes on. */
const REQUESTS_PER_RUN = 200;

/** Requests to pay in and out that nobody has decided for so long are cancelled, and what they held is available again. */
export async function lapseTransferRequests(env: LedgerEnv, now: number): Promise<void> {
  const old = await oldRequests(database(env.DB), now - UNDECIDED_MAX_MS, REQUESTS_PER_RUN);
  for (const { id, account } of old) {
    const decision = { id: uuidv7(), request: id, account, decision: 'cancel', cost: 0, reason: 'lapsed' } as const;
    const lapsed = await decideTransferRequest(env, { ...decision, now, action: null });
    // The ledger is out of reach: the next run goes on. Where somebody has decided it meanwhile, that stands.
    if (!lapsed.ok && lapsed.error.type === 'outcome_unknown') return;
  }
}
