import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Attested } from '../../domain/onboarding/identity-attestations.ts';
import { DOCUMENT_KINDS, DOCUMENT_TYPES } from '../../domain/onboarding/identity-documents.ts';
import { IDENTITY_STATES, IDENTITY_SUBJECTS } from '../../domain/onboarding/identity-state.ts';
import { PARTY_FINDINGS, SCREENING_RESULTS } from '../../domain/onboarding/identity-verification.ts';

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
    /** Mails that were sent, and when the last one was; 0 for none. */
    mails: integer().notNull(),
    mailedAt: integer().notNull(),
    /** Codes that were asked for, mailed or not, and when the last one was. */
    codesAsked: integer().notNull().default(1),
    codeAskedAt: integer().notNull().default(0),
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

/** Who people say they are, one for each (docs/design/onboarding.md#identity). A record of D1's own; the fact `kycStatus` of the account follows from its decisions. */
export const identities = sqliteTable(
  'identities',
  {
    /** UUIDv7; names the person's key. */
    id: text().primaryKey(),
    userId: text().notNull().unique(),
    account: text().notNull(),
    owner: text().notNull(),
    state: text({ enum: IDENTITY_STATES }).notNull(),
    /** JSON of what was stated, sealed under the person's key; empty before that, and once it is shredded. */
    facts: text().notNull(),
    attested: text({ mode: 'json' }).$type<readonly Attested[]>().notNull(),
    /** Another one with each change of the person's. */
    version: integer().notNull(),
    /** UUIDv7 of the handing in that is decided on; null before the first. */
    submission: text(),
    submittedAt: integer(),
    provider: text(),
    /** The provider's own id; null until it has answered. */
    reference: text(),
    askedAt: integer().notNull().default(0),
    sanctions: text({ enum: SCREENING_RESULTS }).notNull().default('unchecked'),
    adverseMedia: text({ enum: SCREENING_RESULTS }).notNull().default('unchecked'),
    checkedAt: integer(),
    /** Until when the approval is good, by the provider's word or as an operator's. */
    expiresAt: integer(),
    decidedAt: integer(),
    /** `provider:<name>`, or the user id of an operator. */
    decidedBy: text(),
    /** What a provider has found, for operators; what an operator has written to the person once they are asked back or refused by them (`wordToPerson`). */
    reason: text(),
    /** UUIDv7 of the change of facts that its last decision asks for. */
    changeId: text(),
    /** Whether the account's facts follow from that, and the person was told. */
    applied: integer({ mode: 'boolean' }).notNull().default(true),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Whether an operator has asked back once, or the person has stated another name, birth date or tax id since they were approved: from then on no provider approves it alone. */
    needsPerson: integer({ mode: 'boolean' }).notNull().default(false),
    /** When the person's key was destroyed; null while it is there. */
    shreddedAt: integer(),
    /** Whose account it is: the person's, or that of an entity that they act for. */
    subject: text({ enum: IDENTITY_SUBJECTS }).notNull().default('person'),
    /** How often something was stated or shown within a day, and when that day began. */
    changes: integer().notNull().default(0),
    changesSince: integer().notNull().default(0),
    /** Until when the approval of before counts, while another handing in is decided on; null for none. With the handing in that it came of, and its provider. */
    heldUntil: integer(),
    heldSubmission: text(),
    heldProvider: text(),
    heldReference: text(),
  },
  (t) => [
    uniqueIndex('identities_submission').on(t.submission),
    index('identities_waiting').on(t.askedAt).where(sql`${t.state} = 'SUBMITTED' OR ${t.applied} = 0`),
    index('identities_state').on(t.state, t.id),
    index('identities_expires').on(t.expiresAt).where(sql`${t.state} = 'APPROVED'`),
    index('identities_account').on(t.account),
    index('identities_held').on(t.heldUntil).where(sql`${t.heldUntil} IS NOT NULL`),
    index('identities_held_submission').on(t.heldSubmission).where(sql`${t.heldSubmission} IS NOT NULL`),
  ],
);

/** What people have stated at each handing in, for whoever was let in by it. It goes with what they state now. */
export const identityStatements = sqliteTable(
  'identity_statements',
  {
    /** UUIDv7 of the handing in. */
    submission: text().primaryKey(),
    identity: text().notNull(),
    /** Sealed as of the identity. */
    facts: text().notNull(),
    attested: text({ mode: 'json' }).$type<readonly Attested[]>().notNull(),
    submittedAt: integer().notNull(),
  },
  (t) => [index('identity_statements_identity').on(t.identity)],
);

/** Who was named as behind an entity at each handing in, by ids that say nothing, and what was found of each. It goes with what was stated. */
export const identityParties = sqliteTable(
  'identity_parties',
  {
    submission: text().notNull(),
    /** UUIDv7, by which the sealed statement names the party. */
    party: text().notNull(),
    identity: text().notNull(),
    /** What the provider has found of who they are. */
    finding: text({ enum: PARTY_FINDINGS }).notNull().default('pending'),
    sanctions: text({ enum: SCREENING_RESULTS }).notNull().default('unchecked'),
    adverseMedia: text({ enum: SCREENING_RESULTS }).notNull().default('unchecked'),
    checkedAt: integer(),
    expiresAt: integer(),
    reason: text(),
  },
  (t) => [primaryKey({ columns: [t.submission, t.party] }), index('identity_parties_identity').on(t.identity)],
);

/** What people have shown. The bytes lie in R2, sealed under the person's key. */
export const identityDocuments = sqliteTable(
  'identity_documents',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    identity: text().notNull(),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    type: text({ enum: DOCUMENT_TYPES }).notNull(),
    bytes: integer().notNull(),
    /** Its key in R2: random, and says nothing. */
    object: text().notNull(),
    createdAt: integer().notNull(),
    /** When its bytes were there; null before, and for what a crash has left. */
    storedAt: integer(),
  },
  (t) => [
    index('identity_documents_identity').on(t.identity, t.id),
    index('identity_documents_unstored').on(t.createdAt).where(sql`${t.storedAt} IS NULL`),
  ],
);
