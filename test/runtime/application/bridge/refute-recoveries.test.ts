import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refuteRecoveries } from '../../../../application/bridge/refute-recoveries.ts';
import { type Database, database } from '../../../../data/database.ts';
import { bridgeVaults } from '../../../../data/schema/bridge.ts';
import { type BridgeOrganization, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';

let db: Database;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
});

afterEach(clearBridgeFaults);

describe.skipIf(!hasChains)('an admin that would have another key', () => {
  const begin = ({ organization }: BridgeOrganization, chain: 'ethereum' | 'exchange', contract: string) =>
    onChains({ do: 'begin_recovery', organization, chain, contract });
  const recovery = (chain: 'ethereum' | 'exchange', contract: string) =>
    onChains<number>({ do: 'recovery', chain, contract });

  test('is refuted by the cluster, on either chain', async () => {
    const acme = await createBridgeOrganization(db);
    await begin(acme, 'ethereum', acme.vault);
    await begin(acme, 'exchange', acme.wrapped);
    expect(await recovery('ethereum', acme.vault)).toBeGreaterThan(0);
    bridgeFaults.away = [0, 4];
    await refuteRecoveries(env, Date.now());
    expect([await recovery('ethereum', acme.vault), await recovery('exchange', acme.wrapped)]).toEqual([0, 0]);
  });

  test('is refuted at a contract that was replaced, too', async () => {
    const acme = await createBridgeOrganization(db);
    const another = await createBridgeOrganization(db);
    const isVault = and(eq(bridgeVaults.organization, acme.organization), eq(bridgeVaults.chain, 'ethereum'));
    const [vault] = await db.select().from(bridgeVaults).where(isVault);
    if (vault === undefined) throw new Error('there is no vault');
    const change = { next: { ...vault.place, contract: another.vault }, nextFrom: Date.now() - 1_000 };
    await db.update(bridgeVaults).set(change).where(isVault);
    await begin(acme, 'ethereum', acme.vault);
    await refuteRecoveries(env, Date.now());
    expect(await recovery('ethereum', acme.vault)).toBe(0);
  });

  test('has it where three signers are gone, and is refuted once they are back', async () => {
    const acme = await createBridgeOrganization(db);
    await begin(acme, 'ethereum', acme.vault);
    bridgeFaults.away = [0, 1, 2];
    await refuteRecoveries(env, Date.now());
    expect(await recovery('ethereum', acme.vault)).toBeGreaterThan(0);
    clearBridgeFaults();
    bridgeFaults.failing = ['isRecovering'];
    await refuteRecoveries(env, Date.now());
    expect(await recovery('ethereum', acme.vault)).toBeGreaterThan(0);
    clearBridgeFaults();
    await refuteRecoveries(env, Date.now());
    expect(await recovery('ethereum', acme.vault)).toBe(0);
  });
});
