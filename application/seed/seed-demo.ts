import { openAccount } from '../../data/accounts/accounts.ts';
import { addAccreditationRecord } from '../../data/accounts/accreditation-records.ts';
import { createOrganization } from '../../data/accounts/organizations.ts';
import { type AssetRow, createAsset, listAssetRows } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { createApiKey } from '../../data/identity/api-keys.ts';
import { createOAuthClient } from '../../data/identity/oauth-clients.ts';
import { sealSecret } from '../../data/identity/sealed-secret.ts';
import { createMarket } from '../../data/markets/markets.ts';
import { ATTESTATION } from '../../domain/accreditation/attestation-text.ts';
import { addMonths } from '../../domain/calendar/add-months.ts';
import { rateInUnits } from '../../domain/money/dollar-rate.ts';
import { offeringOf } from '../../domain/resale/offering.ts';
import { restrictionEnd } from '../../domain/resale/restriction-end.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { transact } from '../ledger/transact.ts';
import { type DepositedLot, deposit } from '../ledger/transfers.ts';
import { DEMO_ASSETS } from './demo-assets.ts';
import { DEMO_CLIENTS, demoKeyOf } from './demo-credentials.ts';
import { DEMO_MARKETS, DEMO_RATES, type DemoRate } from './demo-markets.ts';
import { DEMO_ORGANIZATIONS, DEMO_PEOPLE, type DemoHolding, type DemoPerson } from './demo-people.ts';
import { seedBridge } from './seed-bridge.ts';
import { seedPartners } from './seed-partners.ts';

export interface SeedContext {
  readonly env: Env;
  /** Secret API_KEY_MASTER_KEY, under which the demo keys are stored. */
  readonly apiKeyMasterKey: string;
  /** Unix milliseconds; lots and accounts are dated from it. */
  readonly now: number;
}

/** What every part of the demo is written with. */
interface Seeding extends SeedContext {
  readonly db: Database;
}

/** Fills a local ledger with the demo. Everything has a fixed id, so that running it again changes nothing. */
export async function seedDemo(context: SeedContext): Promise<void> {
  const seed = { ...context, db: database(context.env.DB) };
  const { db, now } = seed;
  await Promise.all(
    DEMO_ORGANIZATIONS.map((organization) => createOrganization(db, { ...organization, createdAt: now })),
  );
  await Promise.all(DEMO_ASSETS.map((asset) => createAsset(db, { ...asset, createdAt: now })));
  await Promise.all(DEMO_MARKETS.map((market) => seedMarket(seed, market)));
  const assets = new Map((await listAssetRows(db)).map((asset) => [asset.id, asset]));
  await Promise.all(DEMO_RATES.map((rate, index) => seedRate({ ...seed, assets }, rate, index)));
  await Promise.all(DEMO_PEOPLE.map((person, index) => seedPerson({ ...seed, assets }, person, index)));
  await Promise.all(DEMO_CLIENTS.map((client) => seedClient(seed, client)));
  await seedPartners(seed);
  await seedBridge(seed);
}

async function seedMarket({ db, now }: Seeding, market: (typeof DEMO_MARKETS)[number]): Promise<void> {
  const result = await createMarket(db, { ...market, createdAt: now });
  if (!result.ok) throw new Error(`demo market of ${market.baseAsset}: ${JSON.stringify(result.error)}`);
}

/** A rate that is there already, of this start or another, stays. */
async function seedRate({ env, now, assets }: PeopleContext, rate: DemoRate, index: number): Promise<void> {
  const [asset, cash] = [assets.get(rate.asset), assets.get('usd')];
  if (asset === undefined || cash === undefined) throw new Error(`demo rate of ${rate.asset}: no such asset`);
  const inUnits = rateInUnits(rate, { dollarScale: cash.scale, assetScale: asset.scale });
  if (!inUnits.ok) throw new Error(`demo rate of ${rate.asset}: ${inUnits.error}`);
  const id = depositId(RATES, index);
  const terms = { asset: asset.id, expectedVersion: 0, ...inUnits.value, createdAt: now, event: null };
  const { type } = await transact(env, { kind: 'rate', id, ...terms });
  if (type === 'outcome_unknown') throw new Error(`demo rate of ${rate.asset}: no answer from the ledger`);
}

async function seedClient({ db, now }: Seeding, client: (typeof DEMO_CLIENTS)[number]): Promise<void> {
  const { id, owner, name, secret, person } = client;
  const grants = secret === null ? (['password', 'refresh_token'] as const) : (['client_credentials'] as const);
  const secretHash = secret === null ? null : await sha256Hex(secret);
  await createOAuthClient(db, { id, owner, name, secretHash, grants, userId: person, createdAt: now });
}

/** The assets as they stand, by id. */
interface PeopleContext extends Seeding {
  readonly assets: ReadonlyMap<string, AssetRow>;
}

async function seedPerson(seed: PeopleContext, person: DemoPerson, index: number): Promise<void> {
  const { db, now } = seed;
  const { name, owner, phone, roles, facts } = person;
  const account = `${name}-account`;
  await openAccount(
    db,
    {
      id: name,
      owner,
      phone,
      email: `${name}@example.com`,
      name: person.fullName,
      roles,
      service: phone === null,
      createdAt: now,
    },
    { id: account, ...facts },
  );
  await seedAccreditation(seed, account, person, index);
  if (roles.includes('trader')) {
    const key = demoKeyOf(name);
    await createApiKey(
      db,
      {
        id: key.id,
        account,
        userId: name,
        owner,
        name: `Demo key of ${person.fullName}`,
        scopes: ['read', 'trade'],
        ipAllowlist: null,
        rateLimits:
          person.ordersPerSecond === undefined
            ? null
            : { orders: person.ordersPerSecond, private: 60 * person.ordersPerSecond },
        positionLimits: null,
        dailyLossMax: null,
        createdAt: now,
      },
      await sealSecret(key.secret, seed.apiKeyMasterKey, key.id),
    );
  }
  const cash: DemoHolding = { asset: 'usd', lots: [{ quantity: person.cash, cost: 0, monthsAgo: 0 }] };
  const deposits = person.cash === 0 ? person.holdings : [cash, ...person.holdings];
  await Promise.all(
    deposits.map((holding, line) => seedHolding(seed, { account, id: depositId(index, line) }, holding)),
  );
}

/** What the accreditation of a demo person rests on. */
async function seedAccreditation(
  { db, now }: PeopleContext,
  account: string,
  { name, facts }: DemoPerson,
  index: number,
): Promise<void> {
  if (facts.accreditationStatus !== 'completed') return;
  const isVerified = facts.accreditationType === '506c';
  await addAccreditationRecord(db, {
    id: depositId(index, ACCREDITATION_LINE),
    account,
    kind: isVerified ? 'third_party' : 'self_attestation',
    verifier: isVerified ? 'Demo Verification LLC' : null,
    evidence: isVerified ? 'demo' : null,
    evidenceKind: isVerified ? 'earlier_verification' : null,
    textVersion: isVerified ? null : ATTESTATION.version,
    text: isVerified ? null : ATTESTATION.text,
    at: now,
    expiresAt: isVerified ? addMonths(now, DEMO_VERIFICATION_MONTHS) : null,
    actor: isVerified ? 'olivia' : name,
    createdAt: now,
    endedAt: null,
    endedBy: null,
    endedReason: null,
    verification: null,
  });
}

/** Beyond any person. */
const RATES = 0xffffff;
/** Beyond the lines of any person's holdings. */
const ACCREDITATION_LINE = 0xfff;
const DEMO_VERIFICATION_MONTHS = 60;

async function seedHolding(
  { env, now, assets }: PeopleContext,
  { account, id }: { account: string; id: string },
  holding: DemoHolding,
): Promise<void> {
  const asset = assets.get(holding.asset);
  const cash = assets.get('usd');
  if (asset === undefined || cash === undefined) throw new Error(`demo holding of ${holding.asset}: no such asset`);
  const unit = 10 ** asset.scale;
  const dollar = 10 ** cash.scale;
  const result = await deposit(env, {
    id,
    account,
    asset: asset.id,
    amount: holding.lots.reduce((sum, lot) => sum + lot.quantity * unit, 0),
    cost: holding.lots.reduce((sum, lot) => sum + lot.cost * dollar, 0),
    lots: asset.tracksLots
      ? holding.lots.map(({ quantity, cost, monthsAgo }) =>
          lotOf(asset, {
            quantity: quantity * unit,
            cost: cost * dollar,
            acquiredAt: addMonths(now, -monthsAgo),
          }),
        )
      : [],
    reference: 'demo',
    createdAt: now,
    action: null,
  });
  // Another amount under this id is a demo of an earlier version: it is kept.
  const kept = !result.ok && result.error.reason === 'id_conflict';
  if (!result.ok && !kept)
    throw new Error(`demo holding of ${holding.asset} in ${account}: ${JSON.stringify(result.error)}`);
}

function lotOf(asset: AssetRow, lot: Pick<DepositedLot, 'quantity' | 'cost' | 'acquiredAt'>): DepositedLot {
  const offering = offeringOf(asset.offeringType, asset.regulation);
  const restrictionEndsAt =
    offering === null || offering === 'lockup' ? null : restrictionEnd(offering, lot.acquiredAt);
  return { ...lot, restrictionEndsAt, offeringType: asset.offeringType };
}

/** A UUIDv7 of 1 January 2026, so that what the demo's users do later sorts after it. */
function depositId(person: number, line: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return `019b76da-a800-7000-8000-${hex(person, 6)}${hex(line, 6)}`;
}
