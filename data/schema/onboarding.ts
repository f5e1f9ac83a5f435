import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Strangers who sign up, until they have an account or a day is over (docs/design/onboarding.md#sign-up). */
export const signUps = sqliteTable(
  'sign_ups',
  {
    /** SHA-256 of the cookie's value, hexadecimal. */
    id: text().primaryKey(),
    /** Keyed hash of the address that began it. */
    address: text().notNull(),
    /** Keyed hash of the mail address. */
    mailHash: text().notNull(),
    /** JSON of mail address, name and phone, sealed; empty once it has led to an account. */
    facts: text().notNull(),
    /** Keyed hash of the code that was mailed; empty where none is good. */
    codeHash: text().notNull(),
    codeExpiresAt: integer().notNull(),
    codeTries: integer().notNull().default(0),
    mails: integer().notNull(),
    mailedAt: integer().notNull(),
    mailConfirmedAt: integer(),
    /** Messages with a code by phone. */
    phoneCodes: integer().notNull().default(0),
    phoneConfirmedAt: integer(),
    /** UUIDv7 of the user and account that it leads to. */
    userId: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    /** When it has led to an account; null before. */
    completedAt: integer(),
  },
  (t) => [
    index('sign_ups_address').on(t.address, t.createdAt),
    index('sign_ups_mail').on(t.mailHash, t.createdAt),
    index('sign_ups_expires').on(t.expiresAt),
  ],
);
