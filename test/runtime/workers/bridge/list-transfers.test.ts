import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { showTransfer } from '../../../../data/bridge/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeTenants, bridgeTransfers } from '../../../../data/schema/bridge.ts';
import { NO_BRANDING } from '../../../../domain/bridge/tenant.ts';
import type { TransferState } from '../../../../domain/bridge/transfer.ts';
import type { Place, TransferTerms } from '../../../../domain/bridge/transfer-terms.ts';
import { firstIdOf } from '../../../../domain/ids/created-at-of.ts';
import { call } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { createApp } from '../../fixtures/sign-in.ts';

const OUTSIDE: Place = { kind: 'chain', chain: 'solana', address: 'payer' };
const HERE: Place = { kind: 'chain', chain: 'exchange', address: '0x01' };
const [ALICE, BOB] = [uuidv7(), uuidv7()];

let db: Database;
let ids = Date.UTC(2026, 0, 1);

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

interface Tenant extends Partner {
  readonly hostname: string;
}

async function createTenant(): Promise<Tenant> {
  const partner = await createPartner(db, 'bridge_tenant');
  const hostname = `lists-${uuidv7().slice(-12)}.example`;
  const of = { name: 'Lists', signingMode: 'native', chains: ['solana'], branding: NO_BRANDING } as const;
  const { organization } = partner;
  await db.insert(bridgeTenants).values({ hostname, organization, ...of, createdAt: 1, updatedAt: 1 });
  return { ...partner, hostname };
}

function rowOf({ organization, hostname }: Tenant, state: TransferState, of: Partial<TransferTerms> = {}) {
  ids += 1;
  const id = firstIdOf(ids);
  const amounts = { amountIn: '10000000', amountOut: '9990000', amount: 10_000_000, fee: 10_000, expiresAt: 5_000 };
  const sides = { source: OUTSIDE, destination: accountOf(ALICE) };
  const terms: TransferTerms = { id, organization, asset: 'USDC', ...sides, ...amounts, ...of };
  return { id, organization, hostname, commitment: uuidv7(), state, changes: 1, updatedAt: 7_000, terms };
}

/** As the object of a transfer writes it. @returns its id */
async function transfer(tenant: Tenant, state: TransferState, of: Partial<TransferTerms> = {}): Promise<string> {
  const row = rowOf(tenant, state, of);
  await showTransfer(db, row);
  return row.id;
}

function accountOf(account: string): Place {
  return { kind: 'account', account };
}

interface Listed {
  readonly id: string;
}

async function list({ hostname, headers }: Tenant, query = '') {
  const answer = await call(`GET /bridge/api/v1/transfer?hostname=${hostname}${query}`, { headers });
  expect(answer.status).toBe(200);
  const { transfers } = answer.body as { readonly transfers: readonly Listed[] };
  const next = /[?&]cursor=([^&>]+)/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  return { transfers, ids: transfers.map(({ id }) => id), next };
}

describe('a list of transfers', () => {
  test('shows of each what it is to do, as the transfer itself shows it', async () => {
    const tenant = await createTenant();
    const id = await transfer(tenant, 'challenge', { source: accountOf(BOB), destination: OUTSIDE });
    expect((await list(tenant)).transfers).toEqual([
      {
        id,
        hostname: tenant.hostname,
        state: 'challenge',
        asset: 'USDC',
        source: { account_id: BOB },
        destination: { chain: 'solana', address: 'payer' },
        quote: {
          amount_in: '10000000',
          amount_out: '9990000',
          fee: '10000',
          expires_at: '1970-01-01T00:00:05.000Z',
          single_operator: true,
        },
        updated_at: '1970-01-01T00:00:07.000Z',
      },
    ]);
  });

  test('is narrowed to a state, an asset and an account on either side, and to what all of them say', async () => {
    const tenant = await createTenant();
    const first = await transfer(tenant, 'confirmed');
    const second = await transfer(tenant, 'queued', { source: accountOf(BOB), destination: OUTSIDE });
    const third = await transfer(tenant, 'queued', { asset: 'SOL', destination: accountOf(BOB) });
    const fourth = await transfer(tenant, 'confirmed', { asset: 'SOL', destination: HERE });
    expect((await list(tenant)).ids).toEqual([fourth, third, second, first]);
    expect((await list(tenant, '&state=queued')).ids).toEqual([third, second]);
    expect((await list(tenant, '&asset=SOL')).ids).toEqual([fourth, third]);
    expect((await list(tenant, `&account_id=${BOB.toUpperCase()}`)).ids).toEqual([third, second]);
    expect((await list(tenant, '&state=queued&asset=USDC')).ids).toEqual([second]);
    expect((await list(tenant, `&account_id=${ALICE}&state=confirmed`)).ids).toEqual([first]);
    expect((await list(tenant, `&account_id=${BOB}&asset=SOL`)).ids).toEqual([third]);
    expect((await list(tenant, `&account_id=${BOB}&asset=SOL&state=confirmed`)).ids).toEqual([]);
    expect((await list(tenant, '&asset=NONE')).ids).toEqual([]);
  });

  test('that is narrowed leads on page by page, to the last one and no further', async () => {
    const tenant = await createTenant();
    const queued: string[] = [];
    for (let n = 0; n < 3; n++) {
      queued.unshift(await transfer(tenant, 'queued'));
      await transfer(tenant, 'confirmed');
      await transfer(tenant, 'queued', { asset: 'SOL' });
    }
    for (const query of ['&state=queued&asset=USDC', `&account_id=${ALICE}&asset=USDC&state=queued`]) {
      const page = await list(tenant, `${query}&limit=2`);
      expect([page.ids, page.next]).toEqual([queued.slice(0, 2), queued[1]]);
      const rest = await list(tenant, `${query}&limit=2&cursor=${page.next}`);
      expect([rest.ids, rest.next]).toEqual([queued.slice(2), null]);
      const exact = await list(tenant, `${query}&limit=3`);
      expect([exact.ids, exact.next]).toEqual([queued, null]);
    }
    const ofOne = await list(tenant, '&state=confirmed&limit=3');
    expect([ofOne.ids.length, ofOne.next]).toEqual([3, null]);
  });

  test('looks through a bounded number for one page, which leads on to what lies behind', async () => {
    const tenant = await createTenant();
    const oldest = rowOf(tenant, 'refunded');
    const rows = Array.from({ length: 2_000 }, () => rowOf(tenant, 'confirmed'));
    for (let n = 0; n < rows.length; n += 10) await db.insert(bridgeTransfers).values(rows.slice(n, n + 10));
    const query = `&account_id=${ALICE}&state=refunded`;
    expect((await list(tenant, query)).next).toBeNull();
    await showTransfer(db, oldest);
    const page = await list(tenant, query);
    expect([page.ids, page.next]).toEqual([[], rows[0]?.id]);
    const rest = await list(tenant, `${query}&cursor=${page.next}`);
    expect([rest.ids, rest.next]).toEqual([[oldest.id], null]);
  });

  test('has what was begun before lists showed terms, without them until its object writes again', async () => {
    const tenant = await createTenant();
    const row = rowOf(tenant, 'confirmed');
    await db.insert(bridgeTransfers).values({ ...row, terms: null });
    const nothing = { asset: null, source: null, destination: null, quote: null };
    expect((await list(tenant, '&state=confirmed')).transfers).toMatchObject([{ id: row.id, ...nothing }]);
    expect((await list(tenant, '&asset=USDC')).ids).toEqual([]);
    await showTransfer(db, row);
    expect((await list(tenant, '&asset=USDC')).transfers).toMatchObject([
      { id: row.id, asset: 'USDC', destination: { account_id: ALICE } },
    ]);
  });

  test('has none of another organization, whatever it is narrowed to', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    await transfer(other, 'queued');
    for (const query of ['', '&state=queued', '&asset=USDC', `&account_id=${ALICE}`, '&state=queued&asset=USDC'])
      expect((await list(tenant, query)).ids).toEqual([]);
  });

  test.each([
    ['state', 'settled'],
    ['state', ''],
    ['asset', ''],
    ['asset', 'A'.repeat(33)],
    ['account_id', 'alice'],
    ['cursor', '1'],
  ])('refuses %s=%s', async (field, value) => {
    const { hostname, headers } = await createTenant();
    const answer = await call(`GET /bridge/api/v1/transfer?hostname=${hostname}&${field}=${value}`, { headers });
    expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
  });
});
