import type { Abi, Address, Hex } from 'viem';
import type { ChainView, PaymentOrder, SignedPayment, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { evmVault, evmWrapped } from '../../../domain/bridge/chains/evm/evm-adapter.ts';
import { laneOf } from '../../../domain/bridge/lane.ts';
import { DEV_TOKEN_ABI } from '../../../protocol/bridge/abi/dev-token-abi.ts';
import {
  deployDevToken,
  deployGuard,
  deployStake,
  deployVault,
  deployWrapped,
  recognizeWrapped,
  setLanes,
} from '../../../scripts/contracts/bridge-deployment.ts';
import { devnetAccount } from '../../../scripts/contracts/devnet.ts';
import { receiptOf } from '../../../scripts/contracts/receipt-of.ts';
import { type Account, type Standing, TestChain } from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

export const DEPLOYER = devnetAccount(0);
export const RELAYER = devnetAccount(2);
export const CUSTOMER = devnetAccount(3);
export const STRANGER = devnetAccount(4);
export const WATCHTOWER = devnetAccount(5);
export const LANE = laneOf('ethereum', 'USDC');
export const DAILY = 1_000_000n;

/** Two chains with the contracts of one organization as the product deploys them, all by one cluster, behind the adapters. */
export class BridgeChains {
  /** Signs whatever a test wants. */
  readonly cluster = new TestCluster();
  readonly groupKey: string;
  readonly external: TestChain;
  readonly exchange: TestChain;
  readonly place;
  token!: Standing;
  vault!: Vault;
  wrapped!: Vault;
  guard!: Address;
  stake!: Address;

  private constructor(external: TestChain, exchange: TestChain, organization: string, groupKey: string | null) {
    this.groupKey = groupKey ?? this.cluster.groupKey;
    this.external = external;
    this.exchange = exchange;
    const governance = { proposer: DEPLOYER.address, delay: 0, guardian: DEPLOYER.address };
    this.place = { account: DEPLOYER, organization, governance };
  }

  /**
   * @param groupKey of signers that a test brings along; of `cluster` when left out
   * @param terms of the external chain
   */
  static async start(
    organization = 'acme',
    groupKey: string | null = null,
    terms: Parameters<typeof TestChain.start>[1] = {},
  ): Promise<BridgeChains> {
    const [external, exchange] = await Promise.all([TestChain.start(31_337, terms), TestChain.start(8_675_311)]);
    const chains = new BridgeChains(external, exchange, organization, groupKey);
    await chains.#deploy();
    return chains;
  }

  async stop(): Promise<void> {
    await Promise.all([this.external.stop(), this.exchange.stop()]);
  }

  chainOf({ chain }: Pick<Vault, 'chain'>): TestChain {
    return chain === 'exchange' ? this.exchange : this.external;
  }

  view(vault: Vault): ChainView {
    return { vault, transport: this.chainOf(vault).transport, relayer: relayerKey() };
  }

  adapterOf({ chain }: Vault) {
    return chain === 'exchange' ? evmWrapped('exchange') : evmVault(chain);
  }

  /** Where the guard counts transfers of this asset. */
  get lane() {
    return { address: this.guard, lane: LANE };
  }

  /** Pays a customer's funds in as the deposit place says. @returns whether they are in */
  async deposit(vault: Vault, commitment: string, amount: bigint, account: Account = CUSTOMER): Promise<boolean> {
    const { call } = await this.adapterOf(vault).depositPlace(this.view(vault), commitment, String(amount));
    if (call === null) throw new Error('no call');
    const chain = this.chainOf(vault);
    if (call.approve !== null) {
      const { error } = await chain.send(this.token, 'approve', [call.approve.spender, amount], account);
      if (error !== null) throw new Error(error);
    }
    return chain.sendData({ to: call.to as Address, data: call.data as Hex, value: BigInt(call.value) }, account);
  }

  async signed(vault: Vault, order: PaymentOrder, by?: readonly number[]) {
    const adapter = this.adapterOf(vault);
    const signatures = adapter
      .build(vault, order)
      .messages.map(({ bytes }) => ({ kind: 'group' as const, signature: this.cluster.sign(bytes, by) }));
    return adapter.complete(vault, order, signatures);
  }

  /** Hands a payment in, and waits until it is in a block. @returns its transaction */
  async handIn(vault: Vault, payment: SignedPayment): Promise<string> {
    const hash = (await this.adapterOf(vault).broadcast(this.view(vault), payment)) as Hex;
    await receiptOf(this.chainOf(vault).reader, hash);
    return hash;
  }

  async orderOf(vault: Vault, terms: Omit<PaymentOrder, 'reference'>, attempt = 0): Promise<PaymentOrder> {
    const reference = await this.adapterOf(vault).referenceFor(this.view(vault), { ...terms, attempt }, []);
    return { ...terms, reference };
  }

  balance(vault: Vault, holder: string): Promise<bigint> {
    const address = (vault.chain === 'exchange' ? vault.contract : vault.token) as Address;
    return this.chainOf(vault).read({ address, abi: DEV_TOKEN_ABI as Abi }, 'balanceOf', [holder]);
  }

  async #deploy(): Promise<void> {
    const { groupKey } = this;
    const keys = { scheme: 'frost-secp256k1', groupKey, signerKeys: [] } as const;
    const at = {
      external: { ...this.place, rpc: this.external.devnet.url },
      exchange: { ...this.place, rpc: this.exchange.devnet.url },
    };
    const terms = { name: 'USD Coin', symbol: 'USDC', decimals: 6 };
    const address = await deployDevToken(at.external.rpc, DEPLOYER, terms);
    this.token = { address, abi: DEV_TOKEN_ABI as Abi };
    const contract = await deployVault(at.external, groupKey, [{ token: address, amount: DAILY }]);
    const local = { network: 'local', keys, decimals: 6 } as const;
    this.vault = { ...local, chain: 'ethereum', contract, token: address };
    const unit = { name: 'USD Coin (Ethereum)', symbol: 'USDC.eth', decimals: 6, dailyLimit: DAILY };
    const wrapped = await deployWrapped(at.exchange, groupKey, unit);
    this.wrapped = { ...local, chain: 'exchange', contract: wrapped, token: null };
    this.guard = await deployGuard(at.exchange, { requester: RELAYER.address, watchtower: WATCHTOWER.address });
    const challenged = { challengeFrom: 500_000n, challengeSeconds: 3_600n };
    await setLanes(at.exchange, this.guard, [{ lane: LANE, limit: DAILY, ...challenged }]);
    const signers = [6, 7, 8, 9, 10].map((n) => devnetAccount(n).address);
    this.stake = await deployStake(at.exchange, { beneficiary: DEPLOYER.address, signers });
    await recognizeWrapped(at.exchange, this.stake, groupKey, unit);
    await this.external.send(this.token, 'mint', [CUSTOMER.address, 10n * DAILY]);
  }
}

export function relayerKey(): string {
  return `0x${Buffer.from(RELAYER.getHdKey().privateKey as Uint8Array).toString('hex')}`;
}
