import { database } from '../../data/database.ts';
import { deleteMailsBefore, listOverdueMails } from '../../data/mail/mail-messages.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { carryMail } from './post-mail.ts';

/** The queue has had its time by then. */
const OVERDUE_MS = 2 * MINUTE_MS;
/** Of one run; what is left waits for the next. */
const CARRIED_MAX = 1_000;
/** What a queue takes at once. */
const BATCH = 100;

/** Every five minutes: has mails carried that the queue has lost, or whose sender died. */
export async function carryOverdueMails(env: Env, now: number): Promise<void> {
  const ids = await listOverdueMails(database(env.DB), now - OVERDUE_MS, CARRIED_MAX);
  for (let at = 0; at < ids.length; at += BATCH) await carryMail(env, ids.slice(at, at + BATCH));
}

/** A day longer than anything is told ahead of: what was told of once is not told again. */
const MAILS_KEPT_MS = 31 * DAY_MS;
const DELETED_AT_ONCE = 5_000;
const ROUNDS_MAX = 100;

/** Every hour: forgets mails of more than a month ago. */
export async function forgetMails(env: Env, now: number): Promise<void> {
  const db = database(env.DB);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (await deleteMailsBefore(db, now - MAILS_KEPT_MS, DELETED_AT_ONCE)) return;
  }
}
