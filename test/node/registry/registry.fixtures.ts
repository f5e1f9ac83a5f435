import { randomUUID } from 'node:crypto';
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
import { REGISTRY_ABI } from '../../../protocol/registry/registry-abi.ts';
import { anvilPath, type Devnet, devnetAccount, startDevnet } from '../../../scripts/contracts/devnet.ts';
import { receiptOf } from '../../../scripts/contracts/receipt-of.ts';
import { CHAINS, deployRegistry } from '../../../scripts/contracts/registry-deployment.ts';

/** Tests of the contract need a chain: where anvil has no program for this machine they are skipped, and say so. */
export const hasDevnet = anvilPath() !== null;
if (!hasDevnet)
  console.warn(`registry tests are skipped: anvil has no program for ${process.platform} on ${process.arch}`);

export const [ADMIN, RECORDER, STRANGER, HEIR] = [0, 1, 2, 3].map(devnetAccount) as [
  ReturnType<typeof devnetAccount>,
  ReturnType<typeof devnetAccount>,
  ReturnType<typeof devnetAccount>,
  ReturnType<typeof devnetAccount>,
];
export const ADMIN_DELAY_S = 86_400;

/** A chain of its own with a registry, and who calls it. */
export class TestRegistry {
  readonly chain: Devnet;
  readonly address: Address;

  private constructor(chain: Devnet, address: Address) {
    this.chain = chain;
    this.address = address;
  }

  static async start(): Promise<TestRegistry> {
    const chain = await startDevnet({ chainId: CHAINS.devnet });
    const terms = { admin: ADMIN.address, recorder: RECORDER.address, adminDelay: ADMIN_DELAY_S };
    return new TestRegistry(chain, (await deployRegistry(chain.url, ADMIN, terms)).address);
  }

  get reader() {
    return createPublicClient({ transport: http(this.chain.url) });
  }

  get clock() {
    return createTestClient({ mode: 'anvil', transport: http(this.chain.url) });
  }

  /** Calls a function that changes something. @returns its gas, or the name of the error that it is refused with */
  async send(functionName: string, args: readonly unknown[], account = RECORDER): Promise<SentCall> {
    const client = createWalletClient({ account, transport: http(this.chain.url) }).extend(publicActions);
    try {
      const { request } = await client.simulateContract({
        address: this.address,
        abi: REGISTRY_ABI,
        functionName,
        args,
        account,
      } as never);
      const hash = await client.writeContract(request as never);
      const { gasUsed, status, blockNumber } = await receiptOf(client, hash);
      return { error: status === 'success' ? null : 'reverted', gas: gasUsed, hash, blockNumber };
    } catch (error) {
      return { error: errorName(error), gas: 0n, hash: '0x', blockNumber: 0n };
    }
  }

  /** @returns what a view answers, or the name of the error that it is refused with */
  async read<Answer = unknown>(functionName: string, args: readonly unknown[] = []): Promise<Answer | string> {
    try {
      return (await this.reader.readContract({
        address: this.address,
        abi: REGISTRY_ABI,
        functionName,
        args,
      } as never)) as Answer;
    } catch (error) {
      return errorName(error);
    }
  }

  /** Records of a trade, as the registry shows them. */
  async recordsOf(uuid: string): Promise<Hex[]> {
    const records = await this.read<readonly { hash: Hex }[]>('getTxsByUUID', [uuid]);
    if (typeof records === 'string') throw new Error(records);
    return records.map(({ hash }) => hash);
  }
}

export interface SentCall {
  readonly error: string | null;
  readonly gas: bigint;
  readonly hash: Hex;
  readonly blockNumber: bigint;
}

function errorName(error: unknown): string {
  if (!(error instanceof BaseError)) throw error;
  const reverted = error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (reverted instanceof ContractFunctionRevertedError)
    return reverted.data?.errorName ?? reverted.reason ?? 'reverted';
  throw error;
}

export const uuid = randomUUID;

/** The 16 bytes of a UUID. */
export function bytesOf(text: string): Hex {
  return `0x${text.replaceAll('-', '').toLowerCase()}`;
}
