import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { listShownTransfers, showTransfer, type TransferEventRow } from '../../../../data/bridge/transfers.ts';
import type { Database } from '../../../../data/database.ts';
import { listUndispatched, listUndispatchedOfBridge } from '../../../../data/webhooks/undispatched-events.ts';
import type { TransferState } from '../../../../domain/bridge/transfer.ts';
import type { BridgeFacts } from '../../../../protocol/partner/bridge-events.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { plansOf } from '../../fixtures/plans-of.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const ALL = { state: null, asset: null, account: null };

test.each([
  ['no filter', {}, 'organization (organization=? AND id<?)'],
  ['a state', { state: 'queued' }, 'organization_state (organization=? AND state=? AND id<?)'],
  ['an asset', { asset: 'USDC' }, 'organization_asset (organization=? AND asset=? AND id<?)'],
  ['an account', { account: 'a' }, 'organization_account (organization=? AND account=? AND id<?)'],
  [
    'a state and an asset',
    { state: 'queued', asset: 'USDC' },
    'organization_state (organization=? AND state=? AND id<?)',
  ],
  [
    'all of them',
    { state: 'queued', asset: 'USDC', account: 'a' },
    'organization_account (organization=? AND account=? AND id<?)',
  ],
] as const)(
  'a page of transfers by %s begins after the last one, and reads no row of others',
  async (_, filter, index) => {
    const page = { filter: { ...ALL, ...filter }, before: 'id', limit: 10 };
    const plans = await plansOf((db) => listShownTransfers(db, 'organization', page));
    const used = plans.flat().filter((step) => /\bbridge_transfers\b/.test(step));
    expect(used).toHaveLength(2);
    for (const step of used)
      expect(step.replace('COVERING ', '')).toBe(`SEARCH bridge_transfers USING INDEX bridge_transfers_${index}`);
    expect(plans.flat().filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  },
);

describe('what a tenant is told', () => {
  const termsOf = (organization: string) => ({
    id: uuidv7(),
    organization,
    asset: 'USDC',
    source: { kind: 'account', account: 'a' } as const,
    destination: { kind: 'chain', chain: 'solana', address: 'p' } as const,
    amountIn: '10',
    amountOut: '9',
    amount: 10,
    fee: 1,
    expiresAt: 1,
  });

  const shownOf = (organization: string, state: TransferState = 'confirming', changes = 1) => {
    const terms = termsOf(organization);
    return { id: terms.id, organization, hostname: 'h', commitment: uuidv7(), state, changes, updatedAt: 1, terms };
  };

  const eventsOf = (count: number, facts: Partial<BridgeFacts> = {}): TransferEventRow[] =>
    Array.from({ length: count }, () => ({
      id: uuidv7(),
      type: 'bridge.transfer.confirming',
      facts: { hostname: 'h', ...facts } as BridgeFacts,
      createdAt: 1,
    }));

  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  const clear = () => env.DB.prepare('UPDATE domain_events SET dispatched_at = 1').run();
  const stateOf = async (id: string) =>
    (await env.DB.prepare('SELECT state FROM bridge_transfers WHERE id = ?1').bind(id).first<{ state: string }>())
      ?.state;

  test('is written once with its change, in order, and also beside one that D1 has already', async () => {
    await clear();
    const shown = shownOf('acme', 'confirmed', 5);
    const [first, second, third] = [eventsOf(1), eventsOf(1), eventsOf(1)];
    await showTransfer(db, shown, first);
    await showTransfer(db, shown, [...first, ...second]);
    await showTransfer(db, { ...shown, state: 'signing', changes: 4 }, [...first, ...third]);
    const { events } = await listUndispatchedOfBridge(db, 200);
    expect(idsOf(events)).toEqual(idsOf([...first, ...second, ...third]));
    expect(events.map(({ subject }) => subject)).toEqual(['acme', 'acme', 'acme']);
    expect(await stateOf(shown.id)).toBe('confirmed');
  });

  test('that cannot be written leaves its change unwritten', async () => {
    const shown = shownOf('acme');
    const [broken] = eventsOf(1);
    await expect(showTransfer(db, shown, [{ ...broken, type: null } as never])).rejects.toThrow();
    expect(await stateOf(shown.id)).toBeUndefined();
  });

  test('waits behind nothing of another tenant, and keeps nothing else waiting', async () => {
    await clear();
    const [many, few, one] = [eventsOf(150), eventsOf(30), eventsOf(1)];
    for (const [organization, events] of [
      ['b', many],
      ['c', few],
      ['a', one],
    ] as const)
      for (let from = 0; from < events.length; from += 50)
        await showTransfer(db, shownOf(organization), events.slice(from, from + 50));
    const other = uuidv7();
    await env.DB.prepare(
      'INSERT INTO domain_events (id, type, subject, payload, created_at) VALUES (?1, ?2, ?3, ?4, 1)',
    )
      .bind(other, 'trade.executed', 's', '{}')
      .run();
    const { events, hasMore } = await listUndispatchedOfBridge(db, 120);
    expect(idsOf(events)).toEqual(idsOf([...many.slice(0, 40), ...few, ...one]));
    expect(hasMore).toBe(true);
    expect(await listUndispatched(db, 120)).toMatchObject({ events: [{ id: other }], hasMore: false });
    // More tenants than there is room for: one each, and the rest next time.
    expect(await listUndispatchedOfBridge(db, 2)).toMatchObject({
      events: [{ id: many[0]?.id }, { id: one[0]?.id }],
      hasMore: true,
    });
  });

  test('is found by its own index, and so is what others are told', async () => {
    const steps = (await plansOf(async (of) => [await listUndispatchedOfBridge(of, 9), await listUndispatched(of, 9)]))
      .flat()
      .filter((step) => /\bdomain_events\b|\be\b/.test(step));
    expect(steps.map((step) => step.replace(/^.*INDEX |^.*USING /, ''))).toEqual([
      'domain_events_undispatched_bridge',
      'domain_events_undispatched_bridge (subject>?)',
      'INTEGER PRIMARY KEY (rowid=?)',
      'domain_events_undispatched_bridge (subject=?)',
      'domain_events_undispatched_others (dispatched_at=?)',
    ]);
  });
});
