import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { listEndsToApply } from '../../../data/accounts/accreditation-ends.ts';
import { listAccountsWithExpiredVerification } from '../../../data/accounts/accreditation-records.ts';
import type { Database } from '../../../data/database.ts';
import { listUnfinishedListings } from '../../../data/listing/listing-events.ts';
import { actionHalts } from '../../../data/partner/actions/corporate-actions.ts';
import { unfinishedEvents } from '../../../data/partner/register/register-events.ts';
import { rejectingTransfers } from '../../../data/partner/register/transfer-instructions.ts';
import { accreditationEnds, accreditationRecords } from '../../../data/schema/accounts.ts';
import { listingEvents } from '../../../data/schema/listing.ts';
import { registerEvents, transferInstructions } from '../../../data/schema/register.ts';
import { createTrader } from '../fixtures/create-trader.ts';
import { migrate } from '../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../fixtures/partner-client.ts';

/** Runs of a job that has room for one of two. All of them begin with the same one by chance once in 2^63 times. */
const RUNS = 64;

let db: Database;
/** Securities that an action has halted, and that need it no more. */
let securities: readonly [string, string];

beforeAll(async () => {
  db = await migrate();
  const lister = await createPartner(db, 'cross_lister');
  const halted = { state: 'halted', haltedBy: 'action' } as const;
  securities = [await createSecurity(db, lister, halted), await createSecurity(db, lister, halted)];
});

/** Which of them runs begin with. */
async function firstOnes(run: () => Promise<readonly { readonly id: string }[]>): Promise<Set<string>> {
  const first = new Set<string>();
  for (let runs = 0; runs < RUNS; runs++) for (const { id } of await run()) first.add(id);
  return first;
}

test('events that crashes have left are carried on though older ones never end', async () => {
  const events = securities.map((security) => ({
    id: uuidv7(),
    security,
    type: 'issuance' as const,
    state: 'announced' as const,
    hash: '',
    actor: 'agent',
    createdAt: 1_000,
  }));
  await db.insert(registerEvents).values(events);
  const age = { staged: 1, announced: 1 };
  const first = await firstOnes(() => unfinishedEvents(db, Date.now(), age, 1));
  expect(first).toEqual(new Set(events.map(({ id }) => id)));
});

test('rejections that crashes have left are carried on though others never end', async () => {
  const transfers = securities.map((security, at) => ({
    id: uuidv7(),
    security,
    agent: 'agent',
    tradeSequence: at + 1,
    buyer: 'buyer',
    seller: 'seller',
    units: 1,
    state: 'rejecting' as const,
    createdAt: 1_000,
  }));
  await db.insert(transferInstructions).values(transfers);
  const first = await firstOnes(() => rejectingTransfers(db, 1));
  expect(first).toEqual(new Set(transfers.map(({ id }) => id)));
});

test('halts that actions need no more are lifted though others cannot be', async () => {
  const first = await firstOnes(() => actionHalts(db, { security: null, now: Date.now(), limit: 1 }));
  expect(first).toEqual(new Set(securities));
});

test('ends of accreditation are applied though older ones cannot be', async () => {
  const ends = (await twoVerified()).map((account) => ({
    id: uuidv7(),
    account,
    reason: 'forged',
    actor: 'operator',
    createdAt: 1_000,
  }));
  await db.insert(accreditationEnds).values(ends);
  const first = await firstOnes(() => listEndsToApply(db, Date.now(), 1));
  expect(first).toEqual(new Set(ends.map(({ id }) => id)));
});

test('verifications that have expired end though others cannot', async () => {
  const accounts = await twoVerified();
  const expired = accounts.map((account) => ({
    id: uuidv7(),
    account,
    kind: 'third_party' as const,
    at: 1_000,
    expiresAt: 2_000,
    actor: 'operator',
    createdAt: 1_000,
  }));
  await db.insert(accreditationRecords).values(expired);
  const first = await firstOnes(async () =>
    (await listAccountsWithExpiredVerification(db, Date.now(), 1)).map((id) => ({ id })),
  );
  expect(first).toEqual(new Set(accounts));
});

function twoVerified(): Promise<string[]> {
  const verified = { accreditationStatus: 'completed', accreditationType: '506c' } as const;
  return Promise.all([0, 1].map(async () => (await createTrader(db, verified)).accountId));
}

test('listing events go on though older ones wait for their market', async () => {
  const events = ['one', 'other'].map((asset) => ({
    id: uuidv7(),
    asset,
    book: `${asset}-USD`,
    state: 'stopping' as const,
    price: 10,
    sharesOffered: 10,
    lotSize: 1,
    allocation: 'pro_rata' as const,
    lockupMonths: 6,
    issuerAccount: 'issuer',
    opensMarket: false,
    offerId: uuidv7(),
    actor: 'operator',
    requestId: 'request',
    createdAt: 1_000,
    updatedAt: 1_000,
  }));
  await db.insert(listingEvents).values(events);
  const first = await firstOnes(() => listUnfinishedListings(db, Date.now(), 1));
  expect(first).toEqual(new Set(events.map(({ id }) => id)));
});
