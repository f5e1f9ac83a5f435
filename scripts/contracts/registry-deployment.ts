import {
  type Address,
  type Client,
  concat,
  createWalletClient,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  publicActions,
  stringToHex,
} from 'viem';
import { REGISTRY_ABI } from '../../protocol/registry/registry-abi.ts';
import type { ContractArtifact } from './compile.ts';
import { contractArtifact, DEPLOYER } from './deploy-contract.ts';
import { receiptOf } from './receipt-of.ts';

const SALT = keccak256(stringToHex('edge.settlement-registry.v1'));

/** Chain ids of the three networks (docs/design/registry.md#where-it-stands). */
export const CHAINS = { mainnet: 8_675_309, testnet: 8_675_310, devnet: 8_675_311 } as const;

/** What the constructor is given. The same on each chain: the address follows from it. */
export interface RegistryTerms {
  readonly admin: Address;
  readonly recorder: Address;
  /** Between both steps of a handover of the admin role, seconds. */
  readonly adminDelay: number;
}

export interface DeployedRegistry {
  readonly address: Address;
  readonly chainId: number;
  /** Null where it was there already. */
  readonly transaction: Hex | null;
}

/** Where the registry of these terms stands, on every chain. */
function registryAddress(terms: RegistryTerms): Address {
  return getCreate2Address({ from: DEPLOYER, salt: SALT, bytecode: initCode(terms) });
}

/**
 * Deploys the registry, unless it is there.
 *
 * @throws Error where the chain has no deterministic deployer, or other code stands there afterwards
 */
export async function deployRegistry(
  rpc: string,
  account: LocalAccount,
  terms: RegistryTerms,
): Promise<DeployedRegistry> {
  const client = createWalletClient({ account, transport: http(rpc) }).extend(publicActions);
  const [address, chainId] = [registryAddress(terms), await client.getChainId()];
  if (await hasRegistry(client, address)) return { address, chainId, transaction: null };
  // A call of an address without code succeeds and does nothing.
  if ((await client.getCode({ address: DEPLOYER })) === undefined)
    throw new Error(`chain ${chainId} has no deterministic deployer at ${DEPLOYER}`);
  const data = concat([SALT, initCode(terms)]);
  const transaction = await client.sendTransaction({ chain: null, to: DEPLOYER, data });
  const { status } = await receiptOf(client, transaction);
  if (status !== 'success' || !(await hasRegistry(client, address)))
    throw new Error(`chain ${chainId}: the registry is not at ${address} after ${transaction}`);
  return { address, chainId, transaction };
}

async function hasRegistry(
  client: Client & { getCode(of: { address: Address }): Promise<Hex | undefined> },
  address: Address,
) {
  const code = await client.getCode({ address });
  if (code === undefined) return false;
  if (code !== artifact().deployedBytecode) throw new Error(`other code stands at ${address}`);
  return true;
}

function initCode({ admin, recorder, adminDelay }: RegistryTerms): Hex {
  return encodeDeployData({ abi: REGISTRY_ABI, bytecode: artifact().bytecode, args: [admin, recorder, adminDelay] });
}

function artifact(): ContractArtifact {
  return contractArtifact('SettlementRegistry');
}
