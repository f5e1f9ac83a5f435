import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  publicActions,
} from 'viem';
import type { ChainView, PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { evmVault, evmWrapped } from '../../../domain/bridge/chains/evm/evm-adapter.ts';
import { laneOf } from '../../../domain/bridge/lane.ts';
import { DEV_TOKEN_ABI } from '../../../protocol/bridge/abi/dev-token-abi.ts';
import {
  deployDevToken,
  deployGuard,
  deployStake,
  deployVault,
  deployWrapped,
  setLanes,
} from '../../../scripts/contracts/bridge-deployment.ts';
import { anvilPath, type Devnet, devnetAccount, startDevnet } from '../../../scripts/contracts/devnet.ts';
import { httpTransport } from '../../../workers/chains/http-transport.ts';
import { TestCluster } from './test-cluster.ts';

/** Tests of the contracts need chains: where anvil has no program for this machine they are skipped, and say so. */
export const hasDevnet = anvilPath() !== null;
if (!hasDevnet)
  console.warn(
    `tests of the bridge's contracts are skipped: anvil has no program for ${process.platform} on ${process.arch}`,
  );

export const DEPLOYER = devnetAccount(0);
export const RELAYER = devnetAccount(2);
export const CUSTOMER = devnetAccount(3);
export const STRANGER = devnetAccount(4);
export const WATCHTOWER = devnetAccount(5);
export const LANE = laneOf('ethereum', 'USDC');
export const DAILY = 1_000_000n;

type Account = ReturnType<typeof devnetAccount>;

/** Two chains with the contracts of one organization, all by one cluster. */
export class BridgeChains {
  readonly cluster = new TestCluster();
  readonly external: Devnet;
  readonly exchange: Devnet;
  token!: Address;
  vault!: Vault;
  wrapped!: Vault;
  guard!: Address;
  stake!: Address;
  readonly place;

  private constructor(external: Devnet, exchange: Devnet, organization: string) {
    this.external = external;
    this.exchange = exchange;
    const governance = { proposer: DEPLOYER.address, delay: 0, guardian: DEPLOYER.address };
    this.place = { account: DEPLOYER, organization, governance };
  }

  static async start(organization = 'acme'): Promise<BridgeChains> {
    const [external, exchange] = await Promise.all([
      startDevnet({ chainId: 31_337 }),
      startDevnet({ chainId: 8_675_311 }),
    ]);
    const chains = new BridgeChains(external, exchange, organization);
    await chains.#deploy();
    return chains;
  }

  async stop(): Promise<void> {
    await Promise.all([this.external.stop(), this.exchange.stop()]);
  }

  view(vault: Vault): ChainView {
    return { vault, transport: httpTransport(this.urlOf(vault)), relayer: relayerKey() };
  }

  adapterOf({ chain }: Vault) {
    return chain === 'exchange' ? evmWrapped('exchange') : evmVault(chain);
  }

  urlOf({ chain }: Pick<Vault, 'chain'>): string {
    return chain === 'exchange' ? this.exchange.url : this.external.url;
  }

  clock(vault: Pick<Vault, 'chain'>) {
    return createTestClient({ mode: 'anvil', transport: http(this.urlOf(vault)) });
  }

  reader(vault: Pick<Vault, 'chain'>) {
    return createPublicClient({ transport: http(this.urlOf(vault)) });
  }

  /** Calls a function that changes something. @returns the name of the error that it is refused with; null where it is not */
  async send(
    vault: Pick<Vault, 'chain'>,
    call: {
      readonly address: Address;
      readonly abi: readonly unknown[];
      readonly functionName: string;
      readonly args: readonly unknown[];
      readonly value?: bigint;
    },
    account: Account = STRANGER,
  ): Promise<string | null> {
    const client = createWalletClient({ account, transport: http(this.urlOf(vault)) }).extend(publicActions);
    try {
      const { request } = await client.simulateContract(call as never);
      const hash = await client.writeContract(request as never);
      const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      return status === 'success' ? null : 'reverted';
    } catch (error) {
      const revert =
        error instanceof BaseError ? error.walk((each) => each instanceof ContractFunctionRevertedError) : null;
      if (revert instanceof ContractFunctionRevertedError) return revert.data?.errorName ?? revert.shortMessage;
      throw error;
    }
  }

  /** Sends a raw call. */
  async sendData(
    vault: Pick<Vault, 'chain'>,
    { to, data, value }: { readonly to: Address; readonly data: Hex; readonly value?: bigint },
    account: Account,
  ): Promise<boolean> {
    const client = createWalletClient({ account, transport: http(this.urlOf(vault)) }).extend(publicActions);
    try {
      const hash = await client.sendTransaction({ chain: null, to, data, ...(value !== undefined && { value }) });
      return (await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })).status === 'success';
    } catch {
      return false;
    }
  }

  /** Pays a customer's funds in as the deposit place says. */
  async deposit(vault: Vault, commitment: string, amount: bigint, account: Account = CUSTOMER): Promise<boolean> {
    const { call } = this.adapterOf(vault).depositPlace(vault, commitment, String(amount));
    if (call === null) throw new Error('no call');
    if (call.approve !== null) {
      const approve = { address: call.approve.token as Address, abi: DEV_TOKEN_ABI, functionName: 'approve' } as const;
      await this.send(vault, { ...approve, args: [call.approve.spender, amount] }, account);
    }
    return this.sendData(vault, { to: call.to as Address, data: call.data as Hex, value: BigInt(call.value) }, account);
  }

  async signed(vault: Vault, order: PaymentOrder, by?: readonly number[]) {
    const adapter = this.adapterOf(vault);
    const signatures = adapter
      .build(vault, order)
      .messages.map(({ bytes }) => ({ kind: 'group' as const, signature: this.cluster.sign(bytes, by) }));
    return adapter.complete(vault, order, signatures);
  }

  async orderOf(vault: Vault, terms: Omit<PaymentOrder, 'reference'>, attempt = 0): Promise<PaymentOrder> {
    const reference = await this.adapterOf(vault).referenceFor(this.view(vault), { ...terms, attempt }, []);
    return { ...terms, reference };
  }

  async balance(vault: Vault, holder: string): Promise<bigint> {
    const address = (vault.chain === 'exchange' ? vault.contract : vault.token) as Address;
    return (await this.reader(vault).readContract({
      address,
      abi: DEV_TOKEN_ABI,
      functionName: 'balanceOf',
      args: [holder as Address],
    })) as bigint;
  }

  async #deploy(): Promise<void> {
    const { groupKey } = this.cluster;
    const keys = { scheme: 'frost-secp256k1', groupKey, signerKeys: [] } as const;
    const at = {
      external: { ...this.place, rpc: this.external.url },
      exchange: { ...this.place, rpc: this.exchange.url },
    };
    const terms = { name: 'USD Coin', symbol: 'USDC', decimals: 6 };
    this.token = await deployDevToken(this.external.url, DEPLOYER, terms);
    const contract = await deployVault(at.external, groupKey, [{ token: this.token, amount: DAILY }]);
    const local = { network: 'local', keys, decimals: 6 } as const;
    this.vault = { ...local, chain: 'ethereum', contract, token: this.token };
    const unit = { name: 'USD Coin (Ethereum)', symbol: 'USDC.eth', decimals: 6, dailyLimit: DAILY };
    this.wrapped = {
      ...local,
      chain: 'exchange',
      contract: await deployWrapped(at.exchange, groupKey, unit),
      token: null,
    };
    this.guard = await deployGuard(at.exchange, { requester: RELAYER.address, watchtower: WATCHTOWER.address });
    await setLanes(at.exchange, this.guard, [
      { lane: LANE, limit: DAILY, challengeFrom: 500_000n, challengeSeconds: 3_600n },
    ]);
    const signers = [6, 7, 8, 9, 10].map((n) => devnetAccount(n).address);
    this.stake = await deployStake(at.exchange, { beneficiary: DEPLOYER.address, signers });
    const mint = {
      address: this.token,
      abi: DEV_TOKEN_ABI,
      functionName: 'mint',
      args: [CUSTOMER.address, 10n * DAILY],
    };
    await this.send(this.vault, mint, CUSTOMER);
  }
}

export function relayerKey(): string {
  return `0x${Buffer.from(RELAYER.getHdKey().privateKey as Uint8Array).toString('hex')}`;
}
