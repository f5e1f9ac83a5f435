import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  publicActions,
} from 'viem';
import { contractKey } from '../../domain/bridge/chains/evm/cluster-key.ts';
import { organizationTag } from '../../domain/bridge/signing/attestation.ts';
import { GUARD_ABI } from '../../protocol/bridge/abi/guard-abi.ts';
import { STAKE_ABI } from '../../protocol/bridge/abi/stake-abi.ts';
import { TIMELOCK_ABI } from '../../protocol/bridge/abi/timelock-abi.ts';
import { type ContractDeployment, contractAddress, contractArtifact, deployContract } from './deploy-contract.ts';
import { receiptOf } from './receipt-of.ts';

/** Who governs an organization's contracts. */
interface Governance {
  /** Proposes what the timelock carries out, after so many seconds. */
  readonly proposer: Address;
  readonly delay: number;
  readonly guardian: Address;
}

/** Where contracts of one organization are deployed. */
export interface DeploymentPlace {
  readonly rpc: string;
  readonly account: LocalAccount;
  readonly organization: string;
  readonly governance: Governance;
}

/** What a token may carry in a day, whole units of the chain. */
export interface TokenLimit {
  readonly token: Address;
  readonly amount: bigint;
}

/** A day, in seconds: between both steps of a handover of the admin role. */
const ADMIN_DELAY = 86_400;

/** The timelock that is the admin of all of an organization's contracts on a chain. */
async function deployTimelock({ rpc, account, organization, governance }: DeploymentPlace): Promise<Address> {
  const args = [BigInt(governance.delay), [governance.proposer]];
  const salt = `edge.bridge.timelock.v1 ${organization}`;
  return (await deployContract(rpc, account, { contract: 'BridgeTimelock', args, salt })).address;
}

/** The vault of an organization on an external chain. */
export async function deployVault(
  place: DeploymentPlace,
  groupKey: string,
  limits: readonly TokenLimit[],
): Promise<Address> {
  const { rpc, account, organization, governance } = place;
  const admin = await deployTimelock(place);
  const governed = { admin, adminDelay: ADMIN_DELAY, guardian: governance.guardian };
  const args = [governed, contractKey(groupKey), limits];
  const salt = `edge.bridge.vault.v1 ${organization}`;
  return (await deployContract(rpc, account, { contract: 'BridgeVault', args, salt })).address;
}

/** What a wrapped token is of. */
interface WrappedUnit {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly dailyLimit: bigint;
}

async function wrappedDeployment(
  place: DeploymentPlace,
  groupKey: string,
  unit: WrappedUnit,
): Promise<ContractDeployment> {
  const admin = await deployTimelock(place);
  const governed = { admin, adminDelay: ADMIN_DELAY, guardian: place.governance.guardian };
  const args = [unit, governed, contractKey(groupKey)];
  return { contract: 'WrappedAsset', args, salt: `edge.bridge.wrapped.v1 ${place.organization} ${unit.symbol}` };
}

/** The wrapped token of an organization for an asset of one chain, on the exchange's. */
export async function deployWrapped(place: DeploymentPlace, groupKey: string, unit: WrappedUnit): Promise<Address> {
  const { rpc, account } = place;
  return (await deployContract(rpc, account, await wrappedDeployment(place, groupKey, unit))).address;
}

/** Shows the signers' stake that this wrapped token, deployed in the same terms, has the bridge's code: before that a burn of it that never was costs nobody a stake. Done once. */
export async function recognizeWrapped(
  place: DeploymentPlace,
  stake: Address,
  groupKey: string,
  unit: WrappedUnit,
): Promise<void> {
  const { rpc, account } = place;
  const { address, creationCode, args, salt } = contractAddress(await wrappedDeployment(place, groupKey, unit));
  const client = createWalletClient({ account, transport: http(rpc) }).extend(publicActions);
  const at = { address: stake, abi: STAKE_ABI, account, chain: null } as const;
  if (await client.readContract({ ...at, functionName: 'isRecognized', args: [address] })) return;
  const hash = await client.writeContract({ ...at, functionName: 'recognize', args: [creationCode, args, salt] });
  await receiptOf(client, hash);
}

export interface LaneTerms {
  /** 32 bytes in hexadecimal without `0x` (`laneOf`). */
  readonly lane: string;
  /** Scaled integers of the ledger. */
  readonly limit: bigint;
  readonly challengeFrom: bigint;
  readonly challengeSeconds: bigint;
}

/** The guard of an organization, with its lanes: those are set by its timelock, so by whoever may propose, after the delay. */
export async function deployGuard(
  place: DeploymentPlace,
  { requester, watchtower }: { readonly requester: Address; readonly watchtower: Address },
): Promise<Address> {
  const { rpc, account, organization } = place;
  const args = [await deployTimelock(place), ADMIN_DELAY, requester, watchtower];
  const salt = `edge.bridge.guard.v1 ${organization}`;
  return (await deployContract(rpc, account, { contract: 'BridgeGuard', args, salt })).address;
}

/**
 * Sets lanes of a guard: announced to the timelock by its proposer, and carried out once the delay is over; `account` has to be the proposer. What was announced or carried out in the same terms before is
 * not again.
 */
export async function setLanes(place: DeploymentPlace, guard: Address, lanes: readonly LaneTerms[]): Promise<void> {
  for (const { lane, ...rules } of lanes) {
    const data = encodeFunctionData({ abi: GUARD_ABI, functionName: 'setLane', args: [`0x${lane}`, rules] });
    await throughTimelock(place, guard, data);
  }
}

/** Announces a call of a contract to its timelock, and carries it out where that waits for nothing; what was announced or carried out before is not again. @internal */
export async function throughTimelock(place: DeploymentPlace, contract: Address, data: Hex): Promise<void> {
  const { rpc, account, governance } = place;
  const client = createWalletClient({ account, transport: http(rpc) }).extend(publicActions);
  const call = [contract, 0n, data, ZERO, ZERO] as const;
  const at = { address: await deployTimelock(place), abi: TIMELOCK_ABI, account, chain: null } as const;
  const operation = await client.readContract({ ...at, functionName: 'hashOperation', args: call });
  if (!(await client.readContract({ ...at, functionName: 'isOperation', args: [operation] }))) {
    const announce = await client.writeContract({
      ...at,
      functionName: 'schedule',
      args: [...call, BigInt(governance.delay)],
    });
    await receiptOf(client, announce);
  }
  if (governance.delay > 0) return;
  if (await client.readContract({ ...at, functionName: 'isOperationDone', args: [operation] })) return;
  const carryOut = await client.writeContract({ ...at, functionName: 'execute', args: call });
  await receiptOf(client, carryOut);
}

const ZERO = `0x${'0'.repeat(64)}` as const;

/** The stake of an organization's five signers. It takes proofs of burns of wrapped tokens that have the code of this checkout. */
export async function deployStake(
  place: DeploymentPlace,
  { beneficiary, signers }: { readonly beneficiary: Address; readonly signers: readonly Address[] },
): Promise<Address> {
  const { rpc, account, organization } = place;
  const admin = await deployTimelock(place);
  const wrappedCode = keccak256(contractArtifact('WrappedAsset').bytecode);
  const args = [admin, ADMIN_DELAY, organizationTag(organization), beneficiary, wrappedCode, signers];
  const salt = `edge.bridge.stake.v1 ${organization}`;
  return (await deployContract(rpc, account, { contract: 'SignerStake', args, salt })).address;
}

/** A token for development, which everybody mints. */
export async function deployDevToken(
  rpc: string,
  account: LocalAccount,
  { name, symbol, decimals }: { readonly name: string; readonly symbol: string; readonly decimals: number },
): Promise<Address> {
  const args = [name, symbol, decimals];
  return (await deployContract(rpc, account, { contract: 'DevToken', args, salt: 'edge.dev-token.v1' })).address;
}
