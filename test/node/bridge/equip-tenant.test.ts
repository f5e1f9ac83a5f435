import type { Abi, Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import { devnetAccount } from '../../../scripts/contracts/devnet.ts';
import { equipTenant, STAKE_WEI } from '../../../scripts/local/bridge/equip-tenant.ts';
import type { Session } from '../../../scripts/local/session.ts';
import { COIN, hasDevnet, TestChain } from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const SIGNERS = [0, 1, 2, 3, 4];
const accountOf = (signer: number) => devnetAccount(6 + signer).address;

describe.skipIf(!hasDevnet)('what a demo’s tenant is equipped with', () => {
  let chain: TestChain;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
  });
  afterAll(() => chain?.stop());

  test('B-17: each of its signers has a stake that is not 0, which its organization asks for, and its wrapped token is recognized; done again it adds nothing', async () => {
    const stated: { readonly call: string; readonly body: unknown }[] = [];
    const call = async (route: string, body?: unknown) => {
      stated.push({ call: route, body });
      if (route.endsWith('/keys')) return { data: { groupKey: cluster.groupKey } };
      return { data: SIGNERS.map((signer) => ({ account: accountOf(signer) })) };
    };
    const cluster = new TestCluster();
    const operator = { call } as unknown as Session;
    const place = { external: chain.devnet.url, exchange: chain.devnet.url, operator, token: COIN };
    const terms = { organization: 'acme', limit: 10n, challengeFrom: 5n };
    let stake: Address | null = null;
    for (let times = 0; times < 2; times++) {
      const equipped = await equipTenant(place, terms);
      expect(equipped.stake).toBe(stake ?? equipped.stake);
      stake = equipped.stake;
      const at = { address: stake, abi: STAKE_ABI as Abi };
      for (const signer of SIGNERS) {
        expect(await chain.read(at, 'accountOf', [BigInt(signer)])).toBe(accountOf(signer));
        expect(await chain.read(at, 'bondOf', [accountOf(signer)])).toMatchObject({ stake: STAKE_WEI });
      }
      expect(await chain.read(at, 'isRecognized', [equipped.wrapped])).toBe(true);
      expect(await chain.read(at, 'isRecognized', [equipped.vault])).toBe(false);
    }
    const [organization] = stated.filter(({ call: route }) => route === 'PUT /v1/operator/bridge/organizations/acme');
    expect(organization?.body).toMatchObject({ stake, minStake: String(STAKE_WEI) });
    expect(STAKE_WEI).toBeGreaterThan(0n);
  });
});
