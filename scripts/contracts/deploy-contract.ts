import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Address,
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
import type { ContractArtifact } from './compile.ts';
import { receiptOf } from './receipt-of.ts';

/** Arachnid's deterministic deployment proxy: the same code at the same address on every chain, by a transaction signed without a key. */
export const DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

export interface DeployedContract {
  readonly address: Address;
  /** Null where it was there already. */
  readonly transaction: Hex | null;
}

export interface ContractDeployment {
  readonly contract: string;
  readonly args: readonly unknown[];
  readonly salt: string;
  /** What `npm run contracts:build` has written, when left out. */
  readonly artifact?: ContractArtifact;
}

/** A contract as `npm run contracts:build` has written it. */
export function contractArtifact(contract: string): ContractArtifact {
  const path = new URL(`../../contracts/artifacts/${contract}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as ContractArtifact;
}

/** Where a contract is deployed, which follows from what it is made of. */
export function contractAddress({ contract, args, salt, artifact = contractArtifact(contract) }: ContractDeployment): {
  readonly address: Address;
  readonly creationCode: Hex;
  /** As they follow the creation code. */
  readonly args: Hex;
  readonly salt: Hex;
} {
  const { abi, bytecode } = artifact;
  const code = encodeDeployData({ abi: abi as Abi, bytecode, args });
  const salted = keccak256(stringToHex(salt));
  const address = getCreate2Address({ from: DEPLOYER, salt: salted, bytecode: code });
  return { address, creationCode: bytecode, args: `0x${code.slice(bytecode.length)}`, salt: salted };
}

/**
 * Deploys a contract at the address that follows from its code, its arguments and the salt, unless it is there.
 *
 * @throws Error where the chain has no deterministic deployer, or nothing stands there afterwards
 */
export async function deployContract(
  rpc: string,
  account: LocalAccount,
  deployment: ContractDeployment,
): Promise<DeployedContract> {
  const { address, creationCode, args, salt } = contractAddress(deployment);
  const client = createWalletClient({ account, transport: http(rpc) }).extend(publicActions);
  if ((await client.getCode({ address })) !== undefined) return { address, transaction: null };
  // A call of an address without code succeeds and does nothing.
  if ((await client.getCode({ address: DEPLOYER })) === undefined)
    throw new Error(`the chain has no deterministic deployer at ${DEPLOYER}`);
  const transaction = await client.sendTransaction({
    chain: null,
    to: DEPLOYER,
    data: concat([salt, creationCode, args]),
  });
  const { status } = await receiptOf(client, transaction);
  if (status !== 'success' || (await client.getCode({ address })) === undefined)
    throw new Error(`${deployment.contract} is not at ${address} after ${transaction}`);
  return { address, transaction };
}
