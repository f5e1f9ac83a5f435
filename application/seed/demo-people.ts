import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import type { Role } from '../../domain/identity/principal.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';

export const DEMO_ORGANIZATIONS = [
  { id: 'demo', name: 'Demo Securities' },
  { id: 'northwind', name: 'Northwind Capital' },
  { id: 'orbit', name: 'Orbit Launch Systems' },
] as const;

/** A lot of a holding, in whole units of the asset. */
interface DemoLot {
  readonly quantity: number;
  /** US dollars for the whole lot. */
  readonly cost: number;
  readonly monthsAgo: number;
}

export interface DemoHolding {
  readonly asset: string;
  readonly lots: readonly DemoLot[];
}

export interface DemoPerson {
  /** The user is `<name>`, the account `<name>-account`, the API key `<name>-key`. */
  readonly name: string;
  readonly fullName: string;
  readonly owner: string;
  /** Null for a machine client's user. */
  readonly phone: string | null;
  readonly roles: readonly Role[];
  /** What sets this person apart, for the list that `npm start` prints. */
  readonly kind: string;
  readonly facts: Partial<ComplianceFacts>;
  /** US dollars. */
  readonly cash: number;
  readonly holdings: readonly DemoHolding[];
  /** Orders per second of the API key, above the 10 of everyone. */
  readonly ordersPerSecond?: number;
}

const verified = { kycStatus: 'completed', accreditationStatus: 'completed', accreditationType: '506c' } as const;
const selfCertified = { kycStatus: 'completed', accreditationStatus: 'completed', accreditationType: '506b' } as const;
const identified = { kycStatus: 'completed' } as const;

const holding = (asset: string, quantity: number, cost: number, monthsAgo = 24): DemoHolding => ({
  asset,
  lots: [{ quantity, cost, monthsAgo }],
});

/** Somebody of the events service, who trades nothing. */
const eventPerson = (
  name: string,
  fullName: string,
  phone: string | null,
  roles: readonly Role[],
  kind: string,
): DemoPerson => ({ name, fullName, owner: 'demo', phone, roles, kind, facts: {}, cash: 0, holdings: [] });

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  {
    name: 'olivia',
    fullName: 'Olivia Reyes',
    owner: VENUE_OWNER,
    phone: '+15550100001',
    roles: ['operator'],
    kind: 'operator of the venue',
    facts: identified,
    cash: 0,
    holdings: [],
  },
  {
    name: 'alice',
    fullName: 'Alice Novak',
    owner: 'demo',
    phone: '+15550100002',
    roles: ['trader'],
    kind: 'accredited, verified by a third party (506c)',
    facts: { ...verified, annualIncome: 45_000_000, netWorth: 320_000_000 },
    cash: 250_000,
    holdings: [
      holding('acme', 2_000, 40_000),
      {
        asset: 'zenith',
        lots: [
          { quantity: 300, cost: 27_000, monthsAgo: 18 },
          { quantity: 200, cost: 22_000, monthsAgo: 3 },
        ],
      },
      holding('nordic', 500, 3_500, 2),
      holding('aapl', 120, 24_000),
      holding('btc', 2, 90_000),
    ],
  },
  {
    name: 'bob',
    fullName: 'Bob Tanaka',
    owner: 'demo',
    phone: '+15550100003',
    roles: ['trader'],
    kind: 'not accredited',
    facts: { ...identified, annualIncome: 8_000_000, netWorth: 5_000_000 },
    cash: 100_000,
    holdings: [
      holding('acme', 500, 11_000),
      {
        asset: 'harbor',
        lots: [
          { quantity: 200, cost: 700, monthsAgo: 14 },
          { quantity: 100, cost: 390, monthsAgo: 1 },
        ],
      },
      holding('eth', 10, 28_000),
    ],
  },
  {
    name: 'carol',
    fullName: 'Carol Mensah',
    owner: 'demo',
    phone: '+15550100004',
    roles: ['trader'],
    kind: 'accredited, self-certified (506b)',
    facts: { ...selfCertified, annualIncome: 30_000_000, netWorth: 150_000_000 },
    cash: 150_000,
    holdings: [
      {
        asset: 'summit',
        lots: [
          { quantity: 400, cost: 18_000, monthsAgo: 20 },
          { quantity: 400, cost: 20_000, monthsAgo: 6 },
        ],
      },
      holding('maple', 1_000, 11_000, 1),
    ],
  },
  {
    name: 'nadia',
    fullName: 'Nadia Haddad',
    owner: 'demo',
    phone: '+15550100005',
    roles: ['trader'],
    kind: 'not a US person, not accredited',
    facts: { ...identified, usPerson: false },
    cash: 80_000,
    holdings: [holding('nordic', 2_000, 14_000, 2), holding('acme', 300, 6_900)],
  },
  {
    name: 'erin',
    fullName: 'Erin Walsh',
    owner: 'demo',
    phone: '+15550100006',
    roles: ['trader'],
    kind: 'identity verification pending',
    facts: {},
    cash: 1_000,
    holdings: [],
  },
  {
    name: 'maker',
    fullName: 'Meridian Liquidity',
    owner: 'demo',
    phone: '+15550100007',
    roles: ['trader'],
    kind: 'market maker, 5,000 orders per second',
    facts: verified,
    cash: 50_000_000,
    holdings: [
      holding('acme', 100_000, 2_300_000),
      holding('harbor', 100_000, 350_000),
      holding('maple', 100_000, 1_100_000),
      holding('summit', 50_000, 2_400_000),
      holding('zenith', 50_000, 5_500_000),
      holding('nordic', 100_000, 700_000),
      holding('btc', 100, 6_000_000),
      holding('eth', 5_000, 15_000_000),
    ],
    ordersPerSecond: 5_000,
  },
  {
    name: 'service',
    fullName: 'Demo back office service',
    owner: 'demo',
    phone: null,
    roles: ['trader'],
    kind: 'machine client (client credentials)',
    facts: identified,
    cash: 10_000,
    holdings: [],
  },
  {
    name: 'auditor',
    fullName: 'Ledger auditor',
    owner: VENUE_OWNER,
    phone: null,
    roles: ['auditor'],
    kind: 'machine client of `npm run audit`',
    facts: {},
    cash: 0,
    holdings: [],
  },
  {
    name: 'oscar',
    fullName: 'Oscar Lindqvist',
    owner: 'demo',
    phone: '+15550100008',
    roles: ['operator'],
    kind: 'operator of Demo Securities: reads its accounts',
    facts: identified,
    cash: 0,
    holdings: [],
  },
  {
    name: 'frank',
    fullName: 'Frank Osei',
    owner: 'northwind',
    phone: '+15550100009',
    roles: ['trader'],
    kind: 'accredited (506c), of the second organization',
    facts: { ...verified, annualIncome: 60_000_000, netWorth: 500_000_000 },
    cash: 500_000,
    holdings: [holding('acme', 1_000, 24_000), holding('zenith', 100, 11_500, 15)],
  },
  eventPerson('evelyn', 'Evelyn Hart', '+15550100010', ['event_admin'], 'runs the events of Demo Securities'),
  eventPerson('edgar', 'Edgar Sato', '+15550100011', ['event_operator'], 'works at its events'),
  eventPerson('vera', 'Vera Lund', '+15550100012', ['event_viewer'], 'watches its events'),
  eventPerson('events', 'Demo event service', null, ['event_admin'], 'machine client (client credentials)'),
  eventPerson('doors', 'Demo door cameras', null, ['event_camera'], 'machine client (client credentials)'),
  {
    name: 'orbit',
    fullName: 'Orbit Launch Systems',
    owner: 'orbit',
    phone: '+15550100013',
    roles: ['operator'],
    kind: 'issuer of ORBIT: reads the interest in it, and sells at its listing event',
    facts: identified,
    cash: 0,
    holdings: [holding('orbit', 500_000, 0)],
  },
];
