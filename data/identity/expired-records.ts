import { sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../domain/calendar/durations.ts';
import { CONSENT_MS_MAX, SESSION_MS_MAX } from '../../domain/identity/browser-session.ts';
import { KNOWN_MS, TRIES_OF_DAY, TRIES_OF_SITE } from '../../domain/identity/one-time-code.ts';
import { SIGN_INS_KEPT_MS } from '../../domain/identity/sign-in-entry.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';
import { SITE } from './one-time-codes.ts';
import { firstId } from './sign-ins.ts';

/** Rows per table and call, so that no statement runs long in front of the ledger. */
const EXPIRED_ROWS_MAX = 5_000;

const OUTBOX_KEPT_MS = DAY_MS;

/**
 * Deletes records of the identity tables that nobody can use any more, oldest tables' rows in parts.
 *
 * @returns whether some table has more than this call deleted
 */
export async function deleteExpiredRecords(db: Database, now: number): Promise<boolean> {
  const deleted = await sqlBatch(db, [
    sql`DELETE FROM revoked_tokens WHERE rowid IN
        (SELECT rowid FROM revoked_tokens WHERE expires_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM refresh_tokens WHERE rowid IN
        (SELECT rowid FROM refresh_tokens WHERE expires_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM authorizations WHERE rowid IN
        (SELECT rowid FROM authorizations WHERE kept_until < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM browser_sessions WHERE rowid IN
        (SELECT rowid FROM browser_sessions WHERE created_at < ${now - SESSION_MS_MAX} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM consents WHERE rowid IN
        (SELECT rowid FROM consents WHERE agreed_at < ${now - CONSENT_MS_MAX} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM registered_clients WHERE rowid IN
        (SELECT rowid FROM registered_clients WHERE expires_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    // Wrong codes of a user's number count until a right one, however long that takes.
    sql`DELETE FROM one_time_codes WHERE rowid IN
        (SELECT rowid FROM one_time_codes WHERE expires_at < ${now} AND sends_since < ${now - HOUR_MS}
         AND tries_since < ${now - TRIES_OF_DAY.periodMs} AND (wrong_codes = 0 OR subject <> '') LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM sessions WHERE rowid IN
        (SELECT rowid FROM sessions WHERE ends_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM sign_ins WHERE rowid IN
        (SELECT rowid FROM sign_ins WHERE id < ${firstId(now - SIGN_INS_KEPT_MS)} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM one_time_code_addresses WHERE rowid IN
        (SELECT rowid FROM one_time_code_addresses WHERE signed_in_at < ${now - KNOWN_MS}
         AND max(asked_at, tries_since, sends_since) < ${now - HOUR_MS}
         AND (subject <> ${SITE} OR tries_since < ${now - TRIES_OF_SITE.periodMs}) LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM operator_approvals WHERE rowid IN
        (SELECT rowid FROM operator_approvals WHERE expires_at < ${now - DAY_MS} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM used_challenges WHERE rowid IN
        (SELECT rowid FROM used_challenges WHERE expires_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM sign_ups WHERE rowid IN
        (SELECT rowid FROM sign_ups WHERE expires_at < ${now} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    // Their count of a day is over by then, and so is their wait.
    sql`DELETE FROM mail_address_changes WHERE rowid IN
        (SELECT rowid FROM mail_address_changes WHERE asked_at < ${now - 2 * DAY_MS} AND state <> 'waiting' LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
    sql`DELETE FROM dev_outbox WHERE rowid IN
        (SELECT rowid FROM dev_outbox WHERE created_at < ${now - OUTBOX_KEPT_MS} LIMIT ${EXPIRED_ROWS_MAX}) RETURNING 1`,
  ]);
  return deleted.some((rows) => rows.length === EXPIRED_ROWS_MAX);
}
