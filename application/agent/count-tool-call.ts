import { takeToolCall } from '../../data/audit/trail/tool-calls.ts';
import type { Database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { CANCEL_TOOL } from '../../protocol/agent/tools/cancel-order.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** Calls of a user's agents in a day, one every four seconds: each is a row of some hundred bytes that is kept for 30 days. */
const CALLS_PER_DAY_MAX = 20_000;
/** So many more may be cancels: whoever has read too much has orders. */
const CANCELS_BEYOND_MAX = 2_000;

/** Counts a call of a tool before it is made, or logged; why it is not taken, or null. */
export async function countToolCall(
  db: Database,
  { userId, tool }: { readonly userId: string; readonly tool: string },
  now = Date.now(),
): Promise<ApiError | null> {
  const day = Math.floor(now / DAY_MS);
  const callsMax = CALLS_PER_DAY_MAX + (tool === CANCEL_TOOL ? CANCELS_BEYOND_MAX : 0);
  if (await takeToolCall(db, { userId, day, callsMax })) return null;
  return apiError('RATE_LIMIT_EXCEEDED', 'your agents have called as many tools as they may in a day (UTC)', {
    reason: 'tool_calls_of_a_day',
    retry_after: Math.ceil(((day + 1) * DAY_MS - now) / 1_000),
  });
}
