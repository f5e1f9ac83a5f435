import { type Abi, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import { TIMELOCK_ABI } from '../../../protocol/bridge/abi/timelock-abi.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import {
  deployGuard,
  deployStake,
  deployVault,
  deployWrapped,
  setLanes,
} from '../../../scripts/contracts/bridge-deployment.ts';
import {
  ADMIN,
  COIN,
  DAY_S,
  GUARDIAN,
  hasDevnet,
  REQUESTER,
  SIGNERS,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const LANE = '5a'.repeat(32);
const NONE = `0x${'0'.repeat(64)}`;

describe.skipIf(!hasDevnet)('deploying an organization’s contracts', () => {
  let chain: TestChain;
  let other: TestChain;
  const cluster = new TestCluster();
  beforeAll(async () => {
    [chain, other] = await Promise.all([TestChain.start(31_337), TestChain.start(31_338)]);
  });
  afterAll(() => Promise.all([chain?.stop(), other?.stop()]));

  const placeOf = (at: TestChain, organization = 'acme', delay = DAY_S) => ({
    rpc: at.devnet.url,
    account: ADMIN,
    organization,
    governance: { proposer: ADMIN.address, delay, guardian: GUARDIAN.address },
  });
  const limits = [{ token: COIN, amount: 10n }];
  const unit = { name: 'Wrapped', symbol: 'wUSDC', decimals: 6, dailyLimit: 10n };

  test('gives the same terms the same address on every chain, once, and others another', async () => {
    const vault = await deployVault(placeOf(chain), cluster.groupKey, limits);
    const nonce = await chain.reader.getTransactionCount({ address: ADMIN.address });
    expect(await deployVault(placeOf(chain), cluster.groupKey, limits)).toBe(vault);
    expect(await chain.reader.getTransactionCount({ address: ADMIN.address })).toBe(nonce);
    expect(await deployVault(placeOf(other), cluster.groupKey, limits)).toBe(vault);
    const others = [
      await deployVault(placeOf(chain, 'zenith'), cluster.groupKey, limits),
      await deployVault(placeOf(chain), new TestCluster().groupKey, limits),
      await deployVault(placeOf(chain), cluster.groupKey, [{ token: COIN, amount: 11n }]),
      await deployVault(placeOf(chain, 'acme', DAY_S + 1), cluster.groupKey, limits),
    ];
    expect(new Set([vault, ...others]).size).toBe(5);
  });

  test('leaves nobody but the timelock as the admin, and the deployer without any role', async () => {
    const place = placeOf(chain);
    const roles = { requester: REQUESTER.address, watchtower: WATCHTOWER.address };
    const signers = SIGNERS.map(({ address }) => address);
    const standing: readonly Standing[] = [
      { address: await deployVault(place, cluster.groupKey, limits), abi: VAULT_ABI as Abi },
      { address: await deployWrapped(place, cluster.groupKey, unit), abi: WRAPPED_ABI as Abi },
      { address: await deployGuard(place, roles), abi: GUARD_ABI as Abi },
      { address: await deployStake(place, { beneficiary: STRANGER.address, signers }), abi: STAKE_ABI as Abi },
    ];
    const admins = await Promise.all(standing.map((at) => chain.read<Hex>(at, 'defaultAdmin')));
    expect(new Set(admins).size).toBe(1);
    const [timelock = '0x'] = admins;
    expect(await chain.reader.getCode({ address: timelock })).not.toBeUndefined();
    for (const at of standing) {
      expect(await chain.read(at, 'hasRole', [NONE, ADMIN.address])).toBe(false);
      for (const role of ['GUARDIAN_ROLE', 'REQUESTER_ROLE', 'WATCHTOWER_ROLE'])
        if (at.abi.some((part) => part.type === 'function' && part.name === role))
          expect(await chain.read(at, 'hasRole', [await chain.read(at, role), ADMIN.address]), role).toBe(false);
    }
    // The timelock governs itself: whoever may propose cannot make itself its admin.
    const at = { address: timelock, abi: TIMELOCK_ABI as Abi };
    expect(await chain.read(at, 'hasRole', [NONE, ADMIN.address])).toBe(false);
    expect(await chain.read(at, 'hasRole', [NONE, timelock])).toBe(true);
    expect(await chain.read(at, 'getMinDelay')).toBe(BigInt(DAY_S));
  });

  test('announces a lane for the delay, and anybody carries it out afterwards', async () => {
    const place = placeOf(chain);
    const guard = await deployGuard(place, { requester: REQUESTER.address, watchtower: WATCHTOWER.address });
    const rules = { limit: 100n, challengeFrom: 50n, challengeSeconds: 60n };
    await setLanes(place, guard, [{ lane: LANE, ...rules }]);
    const at = { address: guard, abi: GUARD_ABI as Abi };
    const room = () => chain.read<bigint>(at, 'room', [`0x${LANE}`]);
    expect(await room()).toBe(0n);
    const timelock = { address: await chain.read<Hex>(at, 'defaultAdmin'), abi: TIMELOCK_ABI as Abi };
    const data = encodeFunctionData({ abi: GUARD_ABI, functionName: 'setLane', args: [`0x${LANE}`, rules] });
    const carryOut = () => chain.send(timelock, 'execute', [guard, 0n, data, NONE, NONE], STRANGER);
    expect((await carryOut()).error).toBe('TimelockUnexpectedOperationState');
    await chain.pass(DAY_S + 1);
    expect((await carryOut()).error).toBeNull();
    expect(await room()).toBe(100n);
    expect((await carryOut()).error).toBe('TimelockUnexpectedOperationState');
    const schedule = [guard, 0n, data, NONE, `0x${'1'.repeat(64)}`];
    expect((await chain.send(timelock, 'schedule', [...schedule, BigInt(DAY_S)], STRANGER)).error).toBe(
      'AccessControlUnauthorizedAccount',
    );
    expect((await chain.send(timelock, 'schedule', [...schedule, 0n], ADMIN)).error).toBe('TimelockInsufficientDelay');
  });

  test('sets a lane once: asked for again, and where it was announced alone, it goes on', async () => {
    const place = placeOf(chain, 'zenith', 0);
    const guard = await deployGuard(place, { requester: REQUESTER.address, watchtower: WATCHTOWER.address });
    const at = { address: guard, abi: GUARD_ABI as Abi };
    const timelock = { address: await chain.read<Hex>(at, 'defaultAdmin'), abi: TIMELOCK_ABI as Abi };
    const rules = { limit: 100n, challengeFrom: 50n, challengeSeconds: 60n };
    const data = encodeFunctionData({ abi: GUARD_ABI, functionName: 'setLane', args: [`0x${LANE}`, rules] });
    expect((await chain.send(timelock, 'schedule', [guard, 0n, data, NONE, NONE, 0n], ADMIN)).error).toBeNull();
    const limit = async () => (await chain.read<{ limit: bigint }>(at, 'laneOf', [`0x${LANE}`])).limit;
    expect(await limit()).toBe(0n);
    for (let times = 0; times < 2; times++) {
      await setLanes(place, guard, [{ lane: LANE, ...rules }]);
      expect(await limit()).toBe(100n);
    }
  });
});
