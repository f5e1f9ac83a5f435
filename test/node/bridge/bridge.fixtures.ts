import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  publicActions,
} from 'viem';
import type { ChainTransport } from '../../../domain/bridge/chains/chain-adapter.ts';
import { organizationTag } from '../../../domain/bridge/signing/attestation.ts';
import { DEV_TOKEN_ABI } from '../../../protocol/bridge/abi/dev-token-abi.ts';
import { GUARD_ABI } from '../../../protocol/bridge/abi/guard-abi.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import { WRAPPED_ABI } from '../../../protocol/bridge/abi/wrapped-abi.ts';
import { httpTransport } from '../../../protocol/bridge/http-transport.ts';
import { type ContractArtifact, compileContract } from '../../../scripts/contracts/compile.ts';
import { contractAddress, deployContract } from '../../../scripts/contracts/deploy-contract.ts';
import {
  anvilPath,
  type Devnet,
  type DevnetTerms,
  devnetAccount,
  startDevnet,
} from '../../../scripts/contracts/devnet.ts';
import { receiptOf } from '../../../scripts/contracts/receipt-of.ts';
import type { TestCluster } from './test-cluster.fixtures.ts';

/** Tests of contracts need a chain: where anvil has no program for this machine they are skipped, and say so. */
export const hasDevnet = anvilPath() !== null;
if (!hasDevnet)
  console.warn(
    `tests of the bridge's contracts are skipped: anvil has no program for ${process.platform} on ${process.arch}`,
  );

export type Account = ReturnType<typeof devnetAccount>;
const accounts = Array.from({ length: 10 }, (_, index) => devnetAccount(index));
export const [ADMIN, GUARDIAN, REQUESTER, WATCHTOWER, STRANGER] = accounts as [
  Account,
  Account,
  Account,
  Account,
  Account,
];
/** Accounts of the five signers. */
export const SIGNERS = accounts.slice(5) as [Account, Account, Account, Account, Account];

export const COIN: Address = '0x0000000000000000000000000000000000000000';
export const ADMIN_DELAY_S = 86_400;
export const DAY_S = 86_400;
/**
 * More than any call takes. An estimate is of this second: a call that is mined in the next one may write a slot more
 * (the windows of limits do), and would end for want of gas.
 */
const GAS_LIMIT = 3_000_000n;

const RECEIPT_POLL_MS = 5;

/** A contract that stands on a chain. */
export interface Standing {
  readonly address: Address;
  readonly abi: Abi;
}

export interface SentCall {
  /** Name of the error that it is refused with; null where it went through. */
  readonly error: string | null;
  readonly gas: bigint;
  readonly hash: Hex;
}

/** A chain of its own, and whoever calls contracts there. */
export class TestChain {
  readonly devnet: Devnet;

  private constructor(devnet: Devnet) {
    this.devnet = devnet;
  }

  static async start(chainId = 31_337, terms: Pick<DevnetTerms, 'hardfork'> = {}): Promise<TestChain> {
    return new TestChain(await startDevnet({ chainId, ...terms }));
  }

  get chainId(): number {
    return this.devnet.chainId;
  }

  get reader() {
    return createPublicClient({ transport: http(this.devnet.url) });
  }

  get clock() {
    return createTestClient({ mode: 'anvil', transport: http(this.devnet.url) });
  }

  stop(): Promise<void> {
    return this.devnet.stop();
  }

  /**
   * How adapters reach it. A transaction is taken once its block stands: while anvil mines one, a reading may show what
   * it changes and the next reading what was before.
   */
  get transport(): ChainTransport {
    const transport = httpTransport(this.devnet.url);
    return {
      ...transport,
      async rpc(method, params) {
        const answer = await transport.rpc(method, params);
        if (method === 'eth_sendRawTransaction') await isMined(transport, answer);
        return answer;
      },
    };
  }

  /** Calls a function that changes something. */
  async send(
    { address, abi }: Standing,
    functionName: string,
    args: readonly unknown[],
    account: Account = STRANGER,
    value = 0n,
  ): Promise<SentCall> {
    const client = createWalletClient({ account, transport: http(this.devnet.url) }).extend(publicActions);
    try {
      const call = { address, abi, functionName, args, account, value, gas: GAS_LIMIT };
      const { request } = await client.simulateContract(call as never);
      const hash = await client.writeContract(request as never);
      const { gasUsed, status } = await receiptOf(client, hash);
      return { error: status === 'success' ? null : 'reverted', gas: gasUsed, hash };
    } catch (error) {
      return { error: errorName(error), gas: 0n, hash: '0x' };
    }
  }

  /** Sends a raw call. @returns whether it went through */
  async sendData(
    { to, data, value }: { readonly to: Address; readonly data: Hex; readonly value: bigint },
    account: Account,
  ): Promise<boolean> {
    const client = createWalletClient({ account, transport: http(this.devnet.url) }).extend(publicActions);
    try {
      await client.estimateGas({ account, to, data, value });
      const hash = await client.sendTransaction({ chain: null, to, data, value, gas: GAS_LIMIT });
      return (await receiptOf(client, hash)).status === 'success';
    } catch (error) {
      if (error instanceof BaseError) return false;
      throw error;
    }
  }

  async read<Answer>({ address, abi }: Standing, functionName: string, args: readonly unknown[] = []): Promise<Answer> {
    return (await this.reader.readContract({ address, abi, functionName, args } as never)) as Answer;
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.increaseTime({ seconds });
    await this.clock.mine({ blocks: 1 });
  }

  async now(): Promise<bigint> {
    return (await this.reader.getBlock()).timestamp;
  }

  async deploy(contract: string, abi: Abi, args: readonly unknown[], salt = 'test'): Promise<Standing> {
    const artifact = compiled(`contracts/bridge/${contract === 'DevToken' ? 'test/' : ''}${contract}.sol`);
    const { address } = await deployContract(this.devnet.url, ADMIN, { contract, args, salt, artifact });
    return { address, abi };
  }

  /** A contract of tests alone. */
  async deployForTests(source: string, args: readonly unknown[] = []): Promise<Standing> {
    const { abi, bytecode } = compiled(source);
    const client = createWalletClient({ account: ADMIN, transport: http(this.devnet.url) }).extend(publicActions);
    const hash = await client.deployContract({ abi: abi as Abi, bytecode, args, chain: null });
    const { contractAddress } = await receiptOf(client, hash);
    if (contractAddress == null) throw new Error(`${source} was not deployed`);
    return { address: contractAddress, abi: abi as Abi };
  }
}

/** Questions for the receipt of a transaction: one that another has replaced never has one. */
const RECEIPT_QUESTIONS = 200;

async function isMined(transport: ChainTransport, hash: unknown): Promise<boolean> {
  for (let question = 0; question < RECEIPT_QUESTIONS; question++) {
    if ((await transport.rpc('eth_getTransactionReceipt', [hash])) !== null) return true;
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_POLL_MS));
  }
  return false;
}

const artifacts = new Map<string, ContractArtifact>();

/** From the source, so that tests are about what stands there. */
function compiled(source: string): ContractArtifact {
  const known = artifacts.get(source) ?? compileContract(source);
  artifacts.set(source, known);
  return known;
}

function errorName(error: unknown): string {
  if (!(error instanceof BaseError)) throw error;
  const reverted = error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (reverted instanceof ContractFunctionRevertedError)
    return reverted.data?.errorName ?? reverted.reason ?? reverted.signature ?? 'reverted';
  throw error;
}

/** Terms of contracts whose admin is one account, so that tests act as it. */
const GOVERNANCE = { admin: ADMIN.address, adminDelay: ADMIN_DELAY_S, guardian: GUARDIAN.address };

export function deployTestVault(
  chain: TestChain,
  cluster: TestCluster,
  limits: readonly { readonly token: Address; readonly amount: bigint }[],
  salt?: string,
): Promise<Standing> {
  return chain.deploy('BridgeVault', VAULT_ABI as Abi, [GOVERNANCE, cluster.key, limits], salt);
}

export function deployTestWrapped(
  chain: TestChain,
  cluster: TestCluster,
  { dailyLimit = 10n ** 24n, symbol = 'wTEST', decimals = 18 } = {},
): Promise<Standing> {
  const unit = { name: 'Wrapped test', symbol, decimals, dailyLimit };
  return chain.deploy('WrappedAsset', WRAPPED_ABI as Abi, [unit, GOVERNANCE, cluster.key]);
}

export function deployTestGuard(chain: TestChain): Promise<Standing> {
  const args = [ADMIN.address, ADMIN_DELAY_S, REQUESTER.address, WATCHTOWER.address];
  return chain.deploy('BridgeGuard', GUARD_ABI as Abi, args);
}

export const ORGANIZATION = '01900000-0000-7000-8000-00000000b41d';

export function deployTestStake(chain: TestChain, beneficiary: Address): Promise<Standing> {
  const signers = SIGNERS.map(({ address }) => address);
  const code = keccak256(compiled('contracts/bridge/WrappedAsset.sol').bytecode);
  const args = [ADMIN.address, ADMIN_DELAY_S, organizationTag(ORGANIZATION), beneficiary, code, signers];
  return chain.deploy('SignerStake', STAKE_ABI as Abi, args);
}

/** What shows a stake that the wrapped token of `deployTestWrapped` has the bridge's code. */
export function recognition(cluster: TestCluster, dailyLimit = 10n ** 24n) {
  const unit = { name: 'Wrapped test', symbol: 'wTEST', decimals: 18, dailyLimit };
  const artifact = compiled('contracts/bridge/WrappedAsset.sol');
  const args = [unit, GOVERNANCE, cluster.key];
  return contractAddress({ contract: 'WrappedAsset', args, salt: 'test', artifact });
}

export function deployTestToken(chain: TestChain, symbol = 'TEST'): Promise<Standing> {
  return chain.deploy('DevToken', DEV_TOKEN_ABI as Abi, [`Test ${symbol}`, symbol, 18]);
}

let made = 0;

/** 32 bytes that nobody has used. */
export function anId(): Hex {
  made += 1;
  return `0x${made.toString(16).padStart(8, '0')}${'ab'.repeat(28)}`;
}
