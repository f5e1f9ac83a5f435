import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Acquaintance, Sends } from '../../domain/identity/one-time-code.ts';
import { TRIES_OF_ADDRESS, TRIES_OF_DAY } from '../../domain/identity/one-time-code.ts';
import type { Database } from '../database.ts';
import { oneTimeCodeAddresses, oneTimeCodes } from '../schema/identity.ts';

/** A code in force; times in Unix milliseconds. */
export interface CodeInForce {
  /** Keyed hash; empty once the code is spent. */
  readonly codeHash: string;
  /** The code itself, sealed, so that it can be sent again. */
  readonly codeSealed: string;
  readonly expiresAt: number;
}

/** The subject of the row of a site at a user's number, which counts for a day. */
export const SITE = 'site';

/** The rows of a phone number, and of an address that asks for it. */
export interface CodeRows {
  readonly phone: string;
  /** Whose row it is; empty where it is never another's. */
  readonly phoneSubject: string;
  /** Keyed hash of phone and address, or of phone and site; or a place. */
  readonly address: string;
  readonly addressSubject: string;
}

/** What stands in the rows of another number goes. */
export async function clearForSubject(
  db: Database,
  { phone, phoneSubject, address, addressSubject }: CodeRows,
): Promise<void> {
  await db.batch([
    db.delete(oneTimeCodes).where(and(eq(oneTimeCodes.phone, phone), ne(oneTimeCodes.subject, phoneSubject))),
    db
      .delete(oneTimeCodeAddresses)
      .where(and(eq(oneTimeCodeAddresses.address, address), ne(oneTimeCodeAddresses.subject, addressSubject))),
  ]);
}

/** What is known of a phone number and of an address that asks for it; null for nothing yet. */
export interface SendingState {
  readonly phone: (CodeInForce & Sends) | null;
  readonly address: Sends | null;
}

export async function readSendingState(db: Database, { phone, address }: CodeRows): Promise<SendingState> {
  const [[phoneRow], [addressRow]] = await db.batch([
    db.select().from(oneTimeCodes).where(eq(oneTimeCodes.phone, phone)),
    db.select().from(oneTimeCodeAddresses).where(eq(oneTimeCodeAddresses.address, address)),
  ]);
  return { phone: phoneRow ?? null, address: addressRow ?? null };
}

/** Remembers that an address has asked for a code of a phone, whether one was sent for it or not. */
export async function rememberAsker(
  db: Database,
  { address, addressSubject: subject }: CodeRows,
  now: number,
): Promise<void> {
  await db
    .insert(oneTimeCodeAddresses)
    .values({ address, subject, askedAt: now })
    .onConflictDoUpdate({ target: oneTimeCodeAddresses.address, set: { askedAt: now } });
}

export interface Sending {
  readonly rows: CodeRows;
  /** The code that is sent, new or as it was. */
  readonly code: CodeInForce;
  readonly sends: { readonly phone: Sends; readonly address: Sends };
  /** What the decision to send was made by; another sending since then undoes it. */
  readonly seen: SendingState;
}

/**
 * Writes down that a code is being sent. The one before, if it is another, is good until it ends by itself.
 *
 * @returns false where another request was first
 */
export async function recordSending(db: Database, { rows, code, sends, seen }: Sending): Promise<boolean> {
  const { phone, phoneSubject, address, addressSubject } = rows;
  const before = seen.phone;
  const isNew = before?.codeHash !== code.codeHash;
  const fields = { ...code, ...sends.phone };
  const earlier = isNew && before !== null ? { earlierHash: before.codeHash, earlierExpiresAt: before.expiresAt } : {};
  const written = await db
    .insert(oneTimeCodes)
    .values({
      phone,
      subject: phoneSubject,
      ...fields,
      triesLeft: TRIES_OF_DAY.strangers,
      askersTriesLeft: TRIES_OF_DAY.askers,
    })
    .onConflictDoUpdate({
      target: oneTimeCodes.phone,
      set: { ...fields, ...earlier },
      setWhere: before === null ? sql`false` : sql`${oneTimeCodes.sentAt} = ${before.sentAt}`,
    })
    .returning({ phone: oneTimeCodes.phone });
  if (written.length === 0) return false;
  await db
    .insert(oneTimeCodeAddresses)
    .values({ address, subject: addressSubject, ...sends.address })
    .onConflictDoUpdate({ target: oneTimeCodeAddresses.address, set: sends.address });
  return true;
}

/** Uses up one of the tries at a phone of an address, or of a site; null when it has none left. */
export async function takeTryOfAddress(
  db: Database,
  { address, addressSubject: subject }: CodeRows,
  now: number,
  limit: { readonly max: number; readonly periodMs: number } = TRIES_OF_ADDRESS,
): Promise<Acquaintance | null> {
  const { tries, triesSince } = oneTimeCodeAddresses;
  const isOver = sql`${triesSince} <= ${now - limit.periodMs}`;
  const [row] = await db
    .insert(oneTimeCodeAddresses)
    .values({ address, subject, tries: 1, triesSince: now })
    .onConflictDoUpdate({
      target: oneTimeCodeAddresses.address,
      set: {
        tries: sql`case when ${isOver} then 1 else ${tries} + 1 end`,
        triesSince: sql`case when ${isOver} then ${now} else ${triesSince} end`,
      },
      setWhere: sql`${isOver} or ${tries} < ${limit.max}`,
    })
    .returning({ askedAt: oneTimeCodeAddresses.askedAt, signedInAt: oneTimeCodeAddresses.signedInAt });
  return row ?? null;
}

/** Hashes of the codes of a phone that are good now. */
export async function readCodes(db: Database, { phone }: Pick<CodeRows, 'phone'>, now: number): Promise<string[]> {
  const row = await db.select().from(oneTimeCodes).where(eq(oneTimeCodes.phone, phone)).get();
  if (row === undefined) return [];
  const { codeHash, expiresAt, earlierHash, earlierExpiresAt } = row;
  const good = [
    { hash: codeHash, until: expiresAt },
    { hash: earlierHash, until: earlierExpiresAt },
  ];
  return good.flatMap(({ hash, until }) => (hash !== '' && until > now ? [hash] : []));
}

/** Uses up one of the tries that all askers, or all strangers, have at a phone in a day; false when there is none left. */
export async function takeTryOfDay(
  db: Database,
  { phone }: CodeRows,
  pool: 'askers' | 'strangers',
  now: number,
): Promise<boolean> {
  const { triesLeft, askersTriesLeft, triesSince } = oneTimeCodes;
  const isOver = sql`${triesSince} <= ${now - TRIES_OF_DAY.periodMs}`;
  const left = pool === 'askers' ? askersTriesLeft : triesLeft;
  const after = (of: 'askers' | 'strangers', column: typeof triesLeft) =>
    sql`(case when ${isOver} then ${TRIES_OF_DAY[of]} else ${column} end) - ${of === pool ? 1 : 0}`;
  const taken = await db
    .update(oneTimeCodes)
    .set({
      triesLeft: after('strangers', triesLeft),
      askersTriesLeft: after('askers', askersTriesLeft as unknown as typeof triesLeft),
      triesSince: sql`case when ${isOver} then ${now} else ${triesSince} end`,
    })
    .where(sql`${oneTimeCodes.phone} = ${phone} and (${isOver} or ${left} > 0)`)
    .returning({ phone: oneTimeCodes.phone });
  return taken.length === 1;
}

/**
 * Spends a code that was given rightly, with every other of the phone, and knows the address from then on; false when another request
 * has spent it first. The row stays for its counts.
 */
export async function spendOneTimeCode(
  db: Database,
  { rows: { phone, address }, codeHash, now }: { rows: CodeRows; codeHash: string; now: number },
): Promise<boolean> {
  const fields = { codeHash: '', codeSealed: '', earlierHash: '' };
  const spent = await db
    .update(oneTimeCodes)
    .set(fields)
    .where(
      and(
        eq(oneTimeCodes.phone, phone),
        or(eq(oneTimeCodes.codeHash, codeHash), eq(oneTimeCodes.earlierHash, codeHash)),
      ),
    )
    .returning({ phone: oneTimeCodes.phone });
  if (spent.length === 0) return false;
  await db
    .update(oneTimeCodeAddresses)
    .set({ signedInAt: now, tries: 0 })
    .where(eq(oneTimeCodeAddresses.address, address));
  return true;
}
