import { uuidv7 } from 'uuidv7';
import { oldRequests } from '../../data/accounts/transfer-requests.ts';
import { database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { decideTransferRequest } from '../ledger/transfer-requests.ts';
import { eachAlone, failFor } from '../log/each-alone.ts';

/** A payment that is asked for and not made by then does not come. */
const UNDECIDED_MAX_MS = 30 * DAY_MS;
/** Requests of one run; the next one goes on. */
const REQUESTS_PER_RUN = 200;
/** So many without an answer of the ledger, and it is away: each further one would cost the wait for it. */
const UNANSWERED_MAX = 3;

/**
 * Requests to pay in and out that nobody has decided for so long are cancelled, and what they held is available again. One whose step throws, or that the ledger does not answer, keeps back none of
 * the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function lapseTransferRequests(env: LedgerEnv, now: number): Promise<void> {
  const old = await oldRequests(database(env.DB), now - UNDECIDED_MAX_MS, REQUESTS_PER_RUN);
  const failure = 'a request to pay in or out did not lapse';
  let unanswered = 0;
  const failed = await eachAlone(old, { idOf: ({ id }) => id, failure }, async ({ id, account }) => {
    if (unanswered === UNANSWERED_MAX) return;
    const decision = { id: uuidv7(), request: id, account, decision: 'cancel', cost: 0, reason: 'lapsed' } as const;
    // Where somebody has decided it meanwhile, that stands.
    const lapsed = await decideTransferRequest(env, { ...decision, now, action: null });
    if (!lapsed.ok && lapsed.error.type === 'outcome_unknown') unanswered++;
  });
  failFor(failure, failed);
}
