import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SignInMethod } from '../../domain/identity/factors.ts';
import type { MailKind, MailLanguage } from '../../domain/mail/mail-kinds.ts';
import { MAIL_STATES } from '../../domain/mail/mail-state.ts';

/** The confirmed mail address of a user. */
export const mailAddresses = sqliteTable(
  'mail_addresses',
  {
    userId: text().primaryKey(),
    /** AES-256-GCM under IAM_KEY_ENCRYPTION_KEY, bound to the user. */
    addressSealed: text().notNull(),
    /** Keyed hash of the address: nobody else confirms it. */
    addressHash: text().notNull(),
    language: text().$type<MailLanguage>().notNull().default('en'),
    confirmedAt: integer().notNull(),
  },
  (t) => [uniqueIndex('mail_addresses_hash').on(t.addressHash)],
);

/** Other mail addresses that users have asked for (docs/design/mail.md#another-address). */
export const mailAddressChanges = sqliteTable(
  'mail_address_changes',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    userId: text().notNull(),
    /** AES-256-GCM under IAM_KEY_ENCRYPTION_KEY, bound to the id; empty once it has ended. */
    addressSealed: text().notNull(),
    language: text().$type<MailLanguage>().notNull(),
    /** Keyed hash of the code that was mailed; empty where none is good. */
    codeHash: text().notNull(),
    codeExpiresAt: integer().notNull(),
    codeTries: integer().notNull().default(0),
    /** Hash of the browser session that asks, how it signed in, and when. */
    browser: text().notNull(),
    method: text().$type<SignInMethod>().notNull(),
    signedInAt: integer().notNull(),
    /** `asked` for its code; `waiting` to take effect; `lapsed` where another one came, or it may not take effect. */
    state: text({ enum: ['asked', 'waiting', 'stopped', 'done', 'lapsed'] })
      .notNull()
      .default('asked'),
    askedAt: integer().notNull(),
    /** From when on it takes effect; null before its code was shown. */
    dueAt: integer(),
    endedAt: integer(),
  },
  (t) => [
    uniqueIndex('mail_address_changes_open').on(t.userId).where(sql`state IN ('asked', 'waiting')`),
    index('mail_address_changes_user').on(t.userId, t.askedAt),
    index('mail_address_changes_due').on(t.dueAt).where(sql`state = 'waiting'`),
    index('mail_address_changes_asked').on(t.askedAt),
  ],
);

/** Mails that wait, and what became of the others, for 31 days (docs/design/mail.md). */
export const mailMessages = sqliteTable(
  'mail_messages',
  {
    /** The sender's own: the same id is taken once. It is the provider's idempotency key. */
    id: text().primaryKey(),
    /** Whose confirmed address it goes to; null where it names an address. */
    userId: text(),
    /** Whom it counts for: the user, or the keyed hash of the address. */
    countedFor: text().notNull(),
    kind: text().$type<MailKind>().notNull(),
    language: text().$type<MailLanguage>().notNull(),
    /** Address, where it names one, and facts: AES-256-GCM under IAM_KEY_ENCRYPTION_KEY, bound to the id. Empty once it is final. */
    contentSealed: text().notNull(),
    state: text({ enum: MAIL_STATES }).notNull().default('queued'),
    /** Of what was refused or dropped, in a word. */
    reason: text(),
    attempts: integer().notNull().default(0),
    createdAt: integer().notNull(),
    /** From when on it may be sent; of one that is being sent, until when its claim counts. */
    dueAt: integer().notNull(),
    /** Until when it is worth sending. */
    goodUntil: integer().notNull(),
    sentAt: integer(),
  },
  (t) => [
    index('mail_messages_counted').on(t.countedFor, t.createdAt),
    index('mail_messages_due').on(t.dueAt).where(sql`state IN ('queued', 'sending')`),
    index('mail_messages_created').on(t.createdAt),
    check('mail_messages_state', sql`${t.state} in ('queued', 'sending', 'sent', 'refused', 'dropped')`),
  ],
);

/** What a person has switched; what has no row is as its kind says. */
export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    userId: text().notNull(),
    kind: text().$type<MailKind>().notNull(),
    isOn: integer({ mode: 'boolean' }).notNull(),
    changedAt: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind] }),
    /** Who wants mail of a kind that is off by default. */
    index('mail_preferences_on').on(t.kind, t.userId).where(sql`is_on = 1`),
  ],
);

/** Mails of the local outbox, for /iam/dev/mail; written only when ENVIRONMENT is local. */
export const devMails = sqliteTable('dev_mails', {
  /** Order in which they came. */
  sequence: integer().primaryKey({ autoIncrement: true }),
  /** Of the message. */
  id: text().notNull().unique(),
  kind: text().notNull(),
  recipient: text().notNull(),
  subject: text().notNull(),
  text: text().notNull(),
  html: text().notNull(),
  headers: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
  createdAt: integer().notNull(),
});
