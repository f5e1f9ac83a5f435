import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { oneTimeCodes } from '../schema.ts';

/** A code to be stored under a phone number; times in Unix milliseconds. */
export interface OneTimeCode {
  readonly phone: string;
  /** Keyed hash; the code itself is stored nowhere. */
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly tries: number;
  readonly now: number;
}

/** How often a phone number may be sent a code. */
export interface SendingLimits {
  readonly pauseMs: number;
  readonly periodMs: number;
  readonly sendsMax: number;
}

/** Puts a code in place of the number's last one; false when it is too early or too often for another. */
export async function putOneTimeCode(db: Database, code: OneTimeCode, limits: SendingLimits): Promise<boolean> {
  const { phone, codeHash, expiresAt, tries, now } = code;
  const fields = { codeHash, expiresAt, triesLeft: tries, sentAt: now };
  const periodOver = lte(oneTimeCodes.sendsSince, now - limits.periodMs);
  const put = await db
    .insert(oneTimeCodes)
    .values({ phone, ...fields, sends: 1, sendsSince: now })
    .onConflictDoUpdate({
      target: oneTimeCodes.phone,
      set: {
        ...fields,
        sends: sql`case when ${periodOver} then 1 else ${oneTimeCodes.sends} + 1 end`,
        sendsSince: sql`case when ${periodOver} then ${now} else ${oneTimeCodes.sendsSince} end`,
      },
      setWhere: sql`${oneTimeCodes.sentAt} <= ${now - limits.pauseMs} and (${periodOver} or ${oneTimeCodes.sends} < ${limits.sendsMax})`,
    })
    .returning({ phone: oneTimeCodes.phone });
  return put.length === 1;
}

/** Uses up one of the tries of a number's code in date and returns its hash; null when there is none left to try. */
export async function tryOneTimeCode(db: Database, phone: string, now: number): Promise<string | null> {
  const [row] = await db
    .update(oneTimeCodes)
    .set({ triesLeft: sql`${oneTimeCodes.triesLeft} - 1` })
    .where(and(eq(oneTimeCodes.phone, phone), gt(oneTimeCodes.triesLeft, 0), gt(oneTimeCodes.expiresAt, now)))
    .returning({ codeHash: oneTimeCodes.codeHash });
  return row?.codeHash ?? null;
}

/** Spends a code that was given rightly; false when another request has spent it first. The row stays for its send counts. */
export async function spendOneTimeCode(db: Database, phone: string, codeHash: string): Promise<boolean> {
  const spent = await db
    .update(oneTimeCodes)
    .set({ codeHash: '', triesLeft: 0 })
    .where(and(eq(oneTimeCodes.phone, phone), eq(oneTimeCodes.codeHash, codeHash)))
    .returning({ phone: oneTimeCodes.phone });
  return spent.length === 1;
}
