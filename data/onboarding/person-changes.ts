import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import {
  CHANGES_OF_DAY_MAX,
  RENEWAL_MS,
  RENEWED_AGAIN_MS,
  STATES_OF_PERSON,
} from '../../domain/onboarding/identity-state.ts';

/** The same as `isOpenToPerson`, of a row of `identities`. */
export const openToPerson = (
  now: number,
): SQL => sql`(state IN (SELECT value FROM json_each(${JSON.stringify(STATES_OF_PERSON)}))
  OR (state = 'APPROVED' AND expires_at > CAST(${now} AS INTEGER) AND expires_at <= CAST(${now + RENEWAL_MS} AS INTEGER)
      AND coalesce(submitted_at, 0) <= CAST(${now - RENEWED_AGAIN_MS} AS INTEGER)))`;

/** Whether something more may be stated or shown under the identity within its day. */
export const hasChangesLeft = (now: number): SQL =>
  sql`(changes_since <= CAST(${now - DAY_MS} AS INTEGER) OR changes < CAST(${CHANGES_OF_DAY_MAX} AS INTEGER))`;

export const countsChange = (now: number): SQL =>
  sql`changes = CASE WHEN changes_since <= CAST(${now - DAY_MS} AS INTEGER) THEN 1 ELSE changes + 1 END,
      changes_since = CASE WHEN changes_since <= CAST(${now - DAY_MS} AS INTEGER) THEN ${now} ELSE changes_since END`;
