import { and, eq, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { Acquaintance, Sends } from '../../domain/identity/one-time-code.ts';
import {
  TRIES_OF_ADDRESS,
  TRIES_OF_DAY,
  WRONG_CODES_MAX,
  WRONG_CODES_MS,
} from '../../domain/identity/one-time-code.ts';
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

/** The rows of a phone number, of its codes for a client, and of an address that asks for it. */
export interface CodeRows {
  /** Of the tries. */
  readonly phone: string;
  /** Of the code for a client, and its messages. */
  readonly code: string;
  /** Of the code that is good at each client. */
  readonly anyCode: string;
  /** Whose row it is; empty where it is never another's. */
  readonly phoneSubject: string;
  /** Keyed hash of phone and address, or of phone and site; or a place. */
  readonly address: string;
  readonly addressSubject: string;
}

/** What stands in the rows of another number goes. */
export async function clearForSubject(
  db: Database,
  { phone, code, anyCode, phoneSubject, address, addressSubject }: CodeRows,
): Promise<void> {
  await db.batch([
    db
      .delete(oneTimeCodes)
      .where(and(inArray(oneTimeCodes.phone, [phone, code, anyCode]), ne(oneTimeCodes.subject, phoneSubject))),
    db
      .delete(oneTimeCodeAddresses)
      .where(and(eq(oneTimeCodeAddresses.address, address), ne(oneTimeCodeAddresses.subject, addressSubject))),
  ]);
}

/** What is known of a phone number and of an address that asks for it; null for nothing yet. */
export interface SendingState {
  /** Of the client that asks. */
  readonly phone: (CodeInForce & Sends) | null;
  readonly address: Sends | null;
  /** Wrong codes of six digits, and those among them that no message has told of. */
  readonly wrong: { readonly wrongCodes: number; readonly wrongUntold: number };
}

export async function readSendingState(db: Database, { phone, code, address }: CodeRows): Promise<SendingState> {
  const [[phoneRow], [codeRow], [addressRow]] = await db.batch([
    db.select().from(oneTimeCodes).where(eq(oneTimeCodes.phone, phone)),
    db.select().from(oneTimeCodes).where(eq(oneTimeCodes.phone, code)),
    db.select().from(oneTimeCodeAddresses).where(eq(oneTimeCodeAddresses.address, address)),
  ]);
  const { wrongCodes, wrongUntold } = phoneRow ?? { wrongCodes: 0, wrongUntold: 0 };
  return { phone: codeRow ?? null, address: addressRow ?? null, wrong: { wrongCodes, wrongUntold } };
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
  const { phone, code: codeRow, phoneSubject, address, addressSubject } = rows;
  const before = seen.phone;
  const isNew = before?.codeHash !== code.codeHash;
  const fields = { ...code, ...sends.phone };
  const earlier = isNew && before !== null ? { earlierHash: before.codeHash, earlierExpiresAt: before.expiresAt } : {};
  const written = await db
    .insert(oneTimeCodes)
    .values({ phone: codeRow, subject: phoneSubject, ...fields, triesLeft: 0 })
    .onConflictDoUpdate({
      target: oneTimeCodes.phone,
      set: { ...fields, ...earlier },
      setWhere: before === null ? sql`false` : sql`${oneTimeCodes.sentAt} = ${before.sentAt}`,
    })
    .returning({ phone: oneTimeCodes.phone });
  if (written.length === 0) return false;
  const { expiresAt } = code;
  const { sentAt } = sends.phone;
  const { wrongUntold } = oneTimeCodes;
  await db.batch([
    db
      .insert(oneTimeCodes)
      .values({
        phone,
        subject: phoneSubject,
        codeHash: '',
        expiresAt,
        sentAt,
        triesLeft: TRIES_OF_DAY.strangers,
        askersTriesLeft: TRIES_OF_DAY.askers,
      })
      .onConflictDoUpdate({
        target: oneTimeCodes.phone,
        set: { expiresAt, sentAt, wrongUntold: sql`max(0, ${wrongUntold} - ${seen.wrong.wrongUntold})` },
      }),
    db
      .insert(oneTimeCodeAddresses)
      .values({ address, subject: addressSubject, ...sends.address })
      .onConflictDoUpdate({ target: oneTimeCodeAddresses.address, set: sends.address }),
  ]);
  return true;
}

/** Uses up one of the tries at a phone of an address, or of a site; null when it has none left. */
export async function takeTryOfAddress(
  db: Database,
  { address, addressSubject: subject }: Pick<CodeRows, 'address' | 'addressSubject'>,
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

/** Knows an address from now on, because somebody has signed in from it. */
export async function rememberSignIn(db: Database, address: string, now: number): Promise<void> {
  await db
    .update(oneTimeCodeAddresses)
    .set({ signedInAt: now, tries: 0 })
    .where(eq(oneTimeCodeAddresses.address, address));
}

/** Hashes of the codes of a phone that are good now for the client that asks. */
export async function readCodes(db: Database, { code }: Pick<CodeRows, 'code'>, now: number): Promise<string[]> {
  const row = await db.select().from(oneTimeCodes).where(eq(oneTimeCodes.phone, code)).get();
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

/** Counts a code of six digits as a wrong one, before it is compared; false for a phone whose codes are long, or that never had one. */
export async function takeTryOfPhone(db: Database, { phone }: CodeRows, now: number): Promise<boolean> {
  const { wrongCodes, wrongSince, wrongUntold } = oneTimeCodes;
  const taken = await db
    .update(oneTimeCodes)
    .set({
      wrongCodes: sql`${wrongCodes} + 1`,
      wrongSince: sql`case when ${wrongCodes} = 0 then ${now} else ${wrongSince} end`,
      wrongUntold: sql`${wrongUntold} + 1`,
    })
    .where(and(eq(oneTimeCodes.phone, phone), lt(wrongCodes, WRONG_CODES_MAX)))
    .returning({ phone: oneTimeCodes.phone });
  return taken.length === 1;
}

/**
 * Spends a code that was given rightly, with every other for the same client, and knows the address from then on; false when another request
 * has spent it first. The row stays for its counts.
 *
 * @param counted how often it was counted as a wrong one (`takeTryOfPhone`)
 */
export async function spendOneTimeCode(
  db: Database,
  { rows, codeHash, counted, now }: { rows: CodeRows; codeHash: string; counted: 0 | 1; now: number },
): Promise<boolean> {
  const { phone, code, address } = rows;
  const { wrongCodes, wrongSince, wrongUntold } = oneTimeCodes;
  const forgottenSince = now - WRONG_CODES_MS;
  const fields = { codeHash: '', codeSealed: '', earlierHash: '' };
  const spent = await db
    .update(oneTimeCodes)
    .set(fields)
    .where(
      and(
        eq(oneTimeCodes.phone, code),
        or(eq(oneTimeCodes.codeHash, codeHash), eq(oneTimeCodes.earlierHash, codeHash)),
      ),
    )
    .returning({ phone: oneTimeCodes.phone });
  if (spent.length === 0) return false;
  await db.batch([
    db
      .update(oneTimeCodes)
      .set({
        wrongCodes: sql`case when ${wrongSince} <= ${forgottenSince} then 0 else max(0, ${wrongCodes} - ${counted}) end`,
        wrongUntold: sql`max(0, ${wrongUntold} - ${counted})`,
      })
      .where(eq(oneTimeCodes.phone, phone)),
    db.update(oneTimeCodeAddresses).set({ signedInAt: now, tries: 0 }).where(eq(oneTimeCodeAddresses.address, address)),
  ]);
  return true;
}
