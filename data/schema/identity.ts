import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SignInMethod } from '../../domain/identity/factors.ts';
import type { Grant } from '../../domain/identity/grant.ts';
import type { Scope } from '../../domain/identity/principal.ts';
import type { SignInType } from '../../domain/identity/sign-in-entry.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import { accounts, users } from './accounts.ts';

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    account: text()
      .notNull()
      .references(() => accounts.id),
    userId: text()
      .notNull()
      .references(() => users.id),
    owner: text().notNull(),
    /** User id of who has made it for its user, as a partner for its investor; null where that was the user. */
    madeBy: text(),
    /** When its secret was replaced last, Unix milliseconds; null where it has its first one. */
    secretAt: integer(),
    name: text().notNull(),
    /** AES-GCM ciphertext of the secret, base64url of iv ‖ ciphertext, under the secret API_KEY_MASTER_KEY. */
    secretCiphertext: text().notNull(),
    scopes: text({ mode: 'json' }).$type<readonly Scope[]>().notNull(),
    /** Addresses or CIDR blocks; null allows any. */
    ipAllowlist: text({ mode: 'json' }).$type<readonly string[]>(),
    /** Overrides of the limits table, by bucket name; null for the defaults. */
    rateLimits: text({ mode: 'json' }).$type<Readonly<Partial<Record<RateBucket, number>>>>(),
    /** Largest position by asset in scaled units; null for none. */
    positionLimits: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>(),
    /** Largest loss of a UTC day in US cents; null for none. */
    dailyLossMax: integer(),
    /** Largest order by asset in scaled units; null for none. */
    orderSizeLimits: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>(),
    /** Largest notional of the orders placed in a UTC day, in US cents; null for none. */
    dailyNotionalMax: integer(),
    /** Market symbols that it may trade; null for all. */
    symbols: text({ mode: 'json' }).$type<readonly string[]>(),
    /** Projected from the ledger, with `revokedAt`. */
    status: text({ enum: ['active', 'revoked'] })
      .notNull()
      .default('active'),
    createdAt: integer().notNull(),
    revokedAt: integer(),
    /** When it ends by itself, as its owner has set it, Unix milliseconds; null for no end of its own (`domain/identity/key-end.ts`). */
    expiresAt: integer(),
    /** The day of its last use, days since 1970; null for none since days are kept. */
    usedOn: integer(),
  },
  (t) => [
    index('api_keys_account').on(t.account),
    index('api_keys_owner').on(t.owner, t.status),
    index('api_keys_expires_at').on(t.expiresAt).where(sql`status = 'active' AND expires_at IS NOT NULL`),
    index('api_keys_created_at').on(t.createdAt).where(sql`status = 'active'`),
    index('api_keys_made_by').on(t.madeBy).where(sql`made_by IS NOT NULL`),
    check('api_keys_status', sql`${t.status} in ('active', 'revoked')`),
  ],
);

/** Machine clients and applications of the identity provider. */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    name: text().notNull(),
    /** SHA-256 of the secret, hexadecimal; null for a public client (password grant). */
    secretHash: text(),
    grants: text({ mode: 'json' }).$type<readonly Grant[]>().notNull(),
    /** Where it may be answered by the grant `authorization_code`; empty for one that does not use it. */
    redirectUris: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** Where it may be answered once somebody has signed out through it. */
    postLogoutRedirectUris: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** User that a client-credentials token speaks for; null speaks for the client itself. */
    userId: text(),
    /** From then on it gets no token, and those that it got have ended; null while it is active. */
    revokedAt: integer(),
    /** Since when its secret opens nothing, until it has another; null where it does. */
    waitingSince: integer(),
    /** When the person that it speaks for agreed; null for one that speaks for a person who has not, and for any other. */
    agreedAt: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [index('oauth_clients_user').on(t.userId)],
);

/** Who was shown the secret of a machine client, once for each of its secrets. */
export const shownSecrets = sqliteTable(
  'shown_secrets',
  {
    /** Id of the action that showed it. */
    id: text().primaryKey(),
    client: text().notNull(),
    /** User id. */
    shownTo: text().notNull(),
    shownAt: integer().notNull(),
    /** When another secret took its place; null while it is in force. */
    endedAt: integer(),
  },
  (t) => [index('shown_secrets_client').on(t.client), index('shown_secrets_shown_to').on(t.shownTo)],
);

/**
 * One-time codes: 5 minutes (docs/design/identity.md#one-time-codes). A number has a row for its tries, and one for each client that a code was asked for at, with the
 * code and the messages.
 */
export const oneTimeCodes = sqliteTable('one_time_codes', {
  /** E.164, of a client's row with the client behind it; of a number that is nobody's its place (`application/identity/one-time-code/code-rows.ts`). */
  phone: text().primaryKey(),
  /** Which number has the place: its keyed hash; empty for a user's. */
  subject: text().notNull().default(''),
  /** Keyed hash of the code in force; empty once it is spent. */
  codeHash: text().notNull(),
  /** The code itself, sealed, so that it can be sent again. */
  codeSealed: text().notNull().default(''),
  expiresAt: integer().notNull(),
  /** The code before, until it ends by itself. */
  earlierHash: text().notNull().default(''),
  earlierExpiresAt: integer().notNull().default(0),
  /** Tries of the day that began at `triesSince`, of addresses that have not asked for a code, and of those that have. */
  triesLeft: integer().notNull(),
  askersTriesLeft: integer().notNull().default(0),
  triesSince: integer().notNull().default(0),
  sentAt: integer().notNull(),
  /** Messages since `sendsSince`, of an hour. */
  sends: integer().notNull().default(0),
  sendsSince: integer().notNull().default(0),
  /** Wrong codes of six digits, of all addresses together, since `wrongSince`: at `WRONG_CODES_MAX` codes are long. */
  wrongCodes: integer().notNull().default(0),
  wrongSince: integer().notNull().default(0),
  /** Wrong codes that no message has told the owner of. */
  wrongUntold: integer().notNull().default(0),
});

/** What an address has asked, tried and proved for a phone number. */
export const oneTimeCodeAddresses = sqliteTable('one_time_code_addresses', {
  /** Keyed hash of phone and address; its place where the number is nobody's. */
  address: text().primaryKey(),
  /** Who has the place: that hash; empty for a user's number, `site` for all lines of a subscriber there. */
  subject: text().notNull().default(''),
  askedAt: integer().notNull().default(0),
  signedInAt: integer().notNull().default(0),
  tries: integer().notNull().default(0),
  triesSince: integer().notNull().default(0),
  sentAt: integer().notNull().default(0),
  sends: integer().notNull().default(0),
  sendsSince: integer().notNull().default(0),
});

/** What somebody has signed in for, from then to its end; of a machine client none. */
export const sessions = sqliteTable(
  'sessions',
  {
    /** Id of the grant, `sid` of its access tokens and `family` of its refresh tokens. */
    id: text().primaryKey(),
    userId: text().notNull(),
    clientId: text().notNull(),
    /** Words of ours for the device (`domain/identity/device-words.ts`); null for none. */
    device: text(),
    /** Keyed hash of user and address, the first characters; null where it is not known. */
    place: text(),
    begunAt: integer().notNull(),
    lastUsedAt: integer().notNull(),
    /** No refresh moves it. */
    endsAt: integer().notNull(),
    /** When it was ended before; null while it was not. */
    endedAt: integer(),
    /** When the person showed a factor for it, Unix milliseconds, which no refresh moves; 0 where that is not known. */
    authTime: integer().notNull().default(0),
    method: text().$type<SignInMethod>().notNull().default('code'),
  },
  (t) => [index('sessions_user').on(t.userId, t.id), index('sessions_ends_at').on(t.endsAt)],
);

/** Sign-ins, refusals, and what became of the credentials of a user (`domain/identity/sign-in-entry.ts`). */
export const signIns = sqliteTable(
  'sign_ins',
  {
    /** UUIDv7; of what is counted by the hour it begins with the hour. */
    id: text().primaryKey(),
    /** Whose credential it is; of a client that speaks for nobody its id. */
    userId: text().notNull(),
    type: text().$type<SignInType>().notNull(),
    reason: text(),
    clientId: text(),
    keyId: text(),
    sessionId: text(),
    device: text(),
    /** As of a session; of what is counted that of the last. */
    place: text(),
    /** How often, where it is counted by the hour. */
    times: integer().notNull().default(1),
    createdAt: integer().notNull(),
    lastAt: integer().notNull(),
  },
  (t) => [index('sign_ins_user').on(t.userId, t.id)],
);

/** Refresh tokens; rotated on use, a reused one revokes its family. */
export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    family: text().notNull(),
    userId: text().notNull(),
    clientId: text().notNull(),
    scope: text().notNull(),
    expiresAt: integer().notNull(),
    usedAt: integer(),
    revokedAt: integer(),
  },
  (t) => [index('refresh_tokens_family').on(t.family), index('refresh_tokens_user').on(t.userId)],
);

/** Browsers that somebody is signed in with, at the identity provider (docs/design/identity.md#browser-sessions). */
export const browserSessions = sqliteTable(
  'browser_sessions',
  {
    /** SHA-256 of the cookie's value, hexadecimal. */
    hash: text().primaryKey(),
    userId: text().notNull(),
    /** When the person signed in, Unix milliseconds. */
    createdAt: integer().notNull(),
    /** When it was used last, to five minutes. */
    seenAt: integer().notNull(),
    method: text().$type<SignInMethod>().notNull().default('code'),
    /** As of a session. */
    device: text(),
    place: text(),
  },
  (t) => [index('browser_sessions_user').on(t.userId, t.createdAt)],
);

/** What a person has allowed a client, once for each resource. */
export const consents = sqliteTable(
  'consents',
  {
    id: text().primaryKey(),
    userId: text().notNull(),
    clientId: text().notNull(),
    /** As the client stated it when it was allowed. */
    clientName: text().notNull(),
    /** RFC 8707; empty for none. */
    resource: text().notNull(),
    scope: text().notNull(),
    /** The API key that tokens for the resource act under; null where it takes none. */
    keyId: text(),
    agreedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('consents_user').on(t.userId, t.clientId, t.resource),
    index('consents_client').on(t.clientId, t.userId, t.id),
  ],
);

/** Grants by authorization code: the code until it is used, then what the grant's tokens are bound to. */
export const authorizations = sqliteTable(
  'authorizations',
  {
    /** SHA-256 of the code, hexadecimal. */
    codeHash: text().primaryKey(),
    /** Id of the grant: `sid` of its tokens, `family` of its refresh tokens. */
    family: text().notNull(),
    consentId: text().notNull(),
    userId: text().notNull(),
    clientId: text().notNull(),
    redirectUri: text().notNull(),
    /** S256 of the verifier (RFC 7636). */
    challenge: text().notNull(),
    nonce: text(),
    scope: text().notNull(),
    /** RFC 8707; empty for none. */
    resource: text().notNull(),
    /** The `aud` of its access tokens. */
    audience: text().notNull(),
    /** The API key that its access tokens act under, where the resource asks for one. */
    keyId: text(),
    /** When the person had signed in, Unix milliseconds, and by what. */
    authTime: integer().notNull(),
    method: text().$type<SignInMethod>().notNull().default('code'),
    createdAt: integer().notNull(),
    /** Of the code. */
    expiresAt: integer().notNull(),
    usedAt: integer(),
    /** Until when a token of the grant may live. */
    keptUntil: integer().notNull(),
  },
  (t) => [
    uniqueIndex('authorizations_family').on(t.family),
    index('authorizations_consent').on(t.consentId),
    index('authorizations_user').on(t.userId, t.createdAt),
    index('authorizations_kept').on(t.keptUntil),
  ],
);

/** Clients that have registered themselves (RFC 7591). They have no secret. */
export const registeredClients = sqliteTable(
  'registered_clients',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    redirectUris: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** As of a machine client or application. */
    postLogoutRedirectUris: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** Keyed hash of the address that registered it. */
    address: text().notNull(),
    createdAt: integer().notNull(),
    /** When it ends, unless somebody signs in through it before. */
    expiresAt: integer().notNull(),
  },
  (t) => [
    index('registered_clients_address').on(t.address, t.createdAt),
    index('registered_clients_expires').on(t.expiresAt),
  ],
);

/** Applications that no operator has made, and that one has ended for everybody (docs/design/identity.md#clients). */
export const endedApplications = sqliteTable(
  'ended_applications',
  {
    clientId: text().primaryKey(),
    reason: text().notNull(),
    /** User id of the operator. */
    endedBy: text().notNull(),
    endedAt: integer().notNull(),
    /** When nothing was left of what people had allowed it; null before. */
    finishedAt: integer(),
    /** Of one that is known by its document: every document of this origin has ended with it. */
    origin: text(),
    /** The consent that was tried last, as a JSON list of its client, user and id; empty to begin with the first. */
    triedUpTo: text().notNull().default(''),
  },
  (t) => [
    index('ended_applications_unfinished').on(t.endedAt).where(sql`${t.finishedAt} IS NULL`),
    index('ended_applications_origin').on(t.origin).where(sql`${t.origin} IS NOT NULL`),
  ],
);

/** Revoked access tokens until they expire. */
export const revokedTokens = sqliteTable('revoked_tokens', {
  jti: text().primaryKey(),
  expiresAt: integer().notNull(),
});

/** Signing keys of the embedded identity provider: private JWK encrypted under IAM_KEY_ENCRYPTION_KEY. */
export const signingKeys = sqliteTable('signing_keys', {
  kid: text().primaryKey(),
  publicJwk: text().notNull(),
  privateJwkCiphertext: text().notNull(),
  createdAt: integer().notNull(),
  retiredAt: integer(),
});

/** Messages of the local OtpSender, for /iam/dev/outbox; written only when ENVIRONMENT is local. */
export const devOutbox = sqliteTable('dev_outbox', {
  id: integer().primaryKey({ autoIncrement: true }),
  phone: text().notNull(),
  text: text().notNull(),
  createdAt: integer().notNull(),
});

/** Passkeys of a person (WebAuthn), at the origin of IAM_ISSUER. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's own id, base64url. */
    id: text().primaryKey(),
    userId: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text().notNull(),
    /** The authenticator's count of signatures; 0 always where it keeps none. */
    counter: integer().notNull(),
    transports: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** As the person has named it. */
    name: text().notNull(),
    createdAt: integer().notNull(),
    usedAt: integer(),
  },
  (t) => [index('passkeys_user').on(t.userId, t.createdAt)],
);

/** The authenticator app of a person (RFC 6238). */
export const totpFactors = sqliteTable('totp_factors', {
  userId: text().primaryKey(),
  /** Sealed under IAM_KEY_ENCRYPTION_KEY, behind the name of that key. */
  secretSealed: text().notNull(),
  createdAt: integer().notNull(),
  /** The browser session that has begun it, which alone sees and confirms it; null once it is confirmed. */
  browserHash: text(),
  /** When a code of it was shown to us; null while it opens nothing. */
  confirmedAt: integer(),
  /** The step of the last code that was used: none at or before it is good. */
  lastStep: integer().notNull().default(0),
  /** Wrong codes, of all addresses together, since `wrongSince`. */
  wrongCodes: integer().notNull().default(0),
  wrongSince: integer().notNull().default(0),
});

/** Recovery codes of a person, each good once. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    /** Keyed hash of user and code. */
    hash: text().primaryKey(),
    userId: text().notNull(),
    createdAt: integer().notNull(),
    usedAt: integer(),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
);

/** Challenges of passkeys that were answered rightly, until they are out of date. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  {
    hash: text().primaryKey(),
    expiresAt: integer().notNull(),
  },
  (t) => [index('used_challenges_expires_at').on(t.expiresAt)],
);

/** Ways back in for whoever has lost their factors, asked for by an operator: they wait, and the person may stop them (docs/design/identity.md#lost-factors). */
export const factorRecoveries = sqliteTable(
  'factor_recoveries',
  {
    /** Id of the operator's action. */
    id: text().primaryKey(),
    userId: text().notNull(),
    /** User id of the operator. */
    askedBy: text().notNull(),
    reason: text().notNull(),
    askedAt: integer().notNull(),
    /** From when on it may take effect. */
    dueAt: integer().notNull(),
    state: text({ enum: ['waiting', 'stopped', 'done'] })
      .notNull()
      .default('waiting'),
    endedAt: integer(),
    /** Of an account that somebody else has got into: none of its factors stops it. */
    compromised: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    uniqueIndex('factor_recoveries_waiting').on(t.userId).where(sql`state = 'waiting'`),
    index('factor_recoveries_due').on(t.dueAt).where(sql`state = 'waiting'`),
  ],
);
