import type { Abi, AbiFunction, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Account,
  ADMIN,
  ADMIN_DELAY_S,
  anId,
  COIN,
  deployTestGuard,
  deployTestStake,
  deployTestVault,
  deployTestWrapped,
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

const ROLES = { admin: ADMIN, guardian: GUARDIAN, requester: REQUESTER, watchtower: WATCHTOWER, stranger: STRANGER };
type Role = keyof typeof ROLES;

const KEY = { x: 1n, isOdd: false };
const ID = anId();
const NO_SIGNATURE = { rx: 0n, ry: 0n, z: 0n };
const ROLE: Hex = `0x${'11'.repeat(32)}`;
/** OpenZeppelin's DEFAULT_ADMIN_ROLE. */
const ADMIN_ROLE: Hex = `0x${'0'.repeat(64)}`;
const CLAIM = { kind: ID, subject: ID, digest: ID, wrapped: COIN, burner: COIN, burnAmount: 0n, dueAt: 0n };

/** Whose call it is: of one role, of whoever has the cluster's signature, or of anybody, who acts for itself. */
type Owner = Role | 'cluster' | 'anybody';
type Rules = Readonly<Record<string, readonly [Owner, ...unknown[]]>>;

const ADMIN_RULES: Rules = {
  grantRole: ['admin', ROLE, STRANGER.address],
  revokeRole: ['admin', ROLE, STRANGER.address],
  beginDefaultAdminTransfer: ['admin', STRANGER.address],
  cancelDefaultAdminTransfer: ['admin'],
  changeDefaultAdminDelay: ['admin', 0],
  rollbackDefaultAdminDelay: ['admin'],
  // Of the one who was announced, and of the role's own holder: tested below.
  acceptDefaultAdminTransfer: ['anybody'],
  renounceRole: ['anybody', ROLE, STRANGER.address],
};

const CLUSTER_RULES: Rules = {
  ...ADMIN_RULES,
  rotateKey: ['cluster', KEY, NO_SIGNATURE],
  cancel: ['cluster', ID, NO_SIGNATURE],
  beginRecovery: ['admin', KEY],
  finishRecovery: ['admin'],
  pause: ['guardian'],
  unpause: ['admin'],
};

const CONTRACTS: Readonly<Record<string, Rules>> = {
  BridgeVault: {
    ...CLUSTER_RULES,
    deposit: ['anybody'],
    release: ['cluster', ID, COIN, STRANGER.address, 1n, NO_SIGNATURE],
    setLimit: ['admin', { token: COIN, amount: 1n }],
  },
  WrappedAsset: {
    ...CLUSTER_RULES,
    mint: ['cluster', ID, STRANGER.address, 1n, NO_SIGNATURE],
    burn: ['anybody'],
    setLimit: ['admin', 1n],
    transfer: ['anybody'],
    transferFrom: ['anybody'],
    approve: ['anybody'],
    permit: ['anybody'],
  },
  BridgeGuard: {
    ...ADMIN_RULES,
    request: ['requester', ID, ID, 1n],
    announce: ['requester', ID, ID],
    giveBack: ['requester', ID],
    veto: ['watchtower', ID],
    pause: ['watchtower'],
    unpause: ['admin'],
    setLane: ['admin', ID, { limit: 1n, challengeFrom: 1n, challengeSeconds: 1n }],
  },
  SignerStake: {
    ...ADMIN_RULES,
    stake: ['anybody'],
    resign: ['anybody'],
    withdraw: ['anybody'],
    collect: ['anybody'],
    seat: ['admin', 0n, STRANGER.address],
    proveEquivocation: ['anybody', 0n, CLAIM, '0x', CLAIM, '0x'],
    proveNoBurn: ['anybody', 0n, CLAIM, '0x'],
    recognize: ['anybody', '0x', '0x', ID],
  },
};

describe.skipIf(!hasDevnet)('access to the contracts of the bridge', () => {
  let chain: TestChain;
  let standing: Readonly<Record<string, Standing>>;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
    const cluster = new TestCluster();
    standing = {
      BridgeVault: await deployTestVault(chain, cluster, [{ token: COIN, amount: 10n }]),
      WrappedAsset: await deployTestWrapped(chain, cluster),
      BridgeGuard: await deployTestGuard(chain),
      SignerStake: await deployTestStake(chain, ADMIN.address),
    };
  });
  afterAll(() => chain?.stop());

  const contractOf = (name: string): Standing => standing[name] as Standing;
  const changing = (abi: Abi): string[] =>
    abi
      .filter((part): part is AbiFunction => part.type === 'function')
      .filter(({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable')
      .map(({ name }) => name);

  for (const [name, rules] of Object.entries(CONTRACTS)) {
    test(`${name} has no function that changes something but those with a rule here`, () => {
      expect(changing(contractOf(name).abi).sort()).toEqual(Object.keys(rules).sort());
    });

    test(`${name} lets each function be called by its role alone`, async () => {
      for (const [functionName, [owner, ...args]] of Object.entries(rules)) {
        if (owner === 'anybody') continue;
        for (const [role, account] of Object.entries(ROLES) as [Role, Account][]) {
          if (role === owner) continue;
          const { error } = await chain.send(contractOf(name), functionName, args, account);
          const expected = owner === 'cluster' ? 'InvalidSignature' : 'AccessControlUnauthorizedAccount';
          expect(error, `${functionName} by the ${role}`).toBe(expected);
        }
      }
    });

    test(`${name} hands its admin over in two steps with a day between them, to who was announced alone`, async () => {
      const contract = contractOf(name);
      const snapshot = await chain.clock.snapshot();
      expect((await chain.send(contract, 'acceptDefaultAdminTransfer', [], STRANGER)).error).toBe(
        'AccessControlInvalidDefaultAdmin',
      );
      const begin = await chain.send(contract, 'beginDefaultAdminTransfer', [SIGNERS[0].address], ADMIN);
      expect(begin.error).toBeNull();
      expect((await chain.send(contract, 'acceptDefaultAdminTransfer', [], SIGNERS[0])).error).toBe(
        'AccessControlEnforcedDefaultAdminDelay',
      );
      await chain.pass(ADMIN_DELAY_S + 1);
      expect((await chain.send(contract, 'acceptDefaultAdminTransfer', [], STRANGER)).error).toBe(
        'AccessControlInvalidDefaultAdmin',
      );
      expect((await chain.send(contract, 'acceptDefaultAdminTransfer', [], SIGNERS[0])).error).toBeNull();
      expect(await chain.read(contract, 'defaultAdmin')).toBe(SIGNERS[0].address);
      // Nobody gives up another's role, and the admin's own not at once.
      expect((await chain.send(contract, 'renounceRole', [ROLE, SIGNERS[0].address], STRANGER)).error).toBe(
        'AccessControlBadConfirmation',
      );
      expect((await chain.send(contract, 'renounceRole', [ADMIN_ROLE, SIGNERS[0].address], SIGNERS[0])).error).toBe(
        'AccessControlEnforcedDefaultAdminDelay',
      );
      await chain.clock.revert({ id: snapshot });
    });
  }

  test('a role that was taken away opens nothing', async () => {
    const guard = contractOf('BridgeGuard');
    for (const [role, account, call] of [
      ['REQUESTER_ROLE', REQUESTER, ['announce', [ID, ID]]],
      ['WATCHTOWER_ROLE', WATCHTOWER, ['pause', []]],
    ] as const) {
      const id = await chain.read<Hex>(guard, role);
      expect((await chain.send(guard, 'revokeRole', [id, account.address], ADMIN)).error).toBeNull();
      expect((await chain.send(guard, call[0], call[1], account)).error).toBe('AccessControlUnauthorizedAccount');
    }
    const vault = contractOf('BridgeVault');
    const guardian = await chain.read<Hex>(vault, 'GUARDIAN_ROLE');
    expect((await chain.send(vault, 'revokeRole', [guardian, GUARDIAN.address], ADMIN)).error).toBeNull();
    expect((await chain.send(vault, 'pause', [], GUARDIAN)).error).toBe('AccessControlUnauthorizedAccount');
  });
});
