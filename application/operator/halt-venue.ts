import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { listMarkets } from '../../data/markets/markets.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { setVenueHalted } from '../ledger/halt-venue.ts';
import { reconfigureBook } from '../order-book/reconfigure-book.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** Halts every market, or lifts that halt, and has every book know of it. Answers the markets. */
export async function haltVenue(
  env: Env,
  halted: boolean,
  action: OperatorAction,
): Promise<Result<readonly string[], ApiError>> {
  if (!(await setVenueHalted(env, { halted, action, now: Date.now() }))) return err(outcomeUnknown());
  const markets = (await listMarkets(database(env.DB))).map(({ symbol }) => symbol);
  const reached = await Promise.all(markets.map((symbol) => reconfigureBook(env, symbol)));
  const missing = markets.filter((_, index) => !reached[index]);
  if (missing.length > 0) {
    const message =
      'the halt stands in the ledger, but some books did not answer; repeat with the same Idempotency-Key';
    return err(apiError('SERVICE_UNAVAILABLE', message, { markets: missing }));
  }
  return ok(markets);
}
