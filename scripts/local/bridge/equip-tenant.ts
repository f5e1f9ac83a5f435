import type { Address } from 'viem';
import { laneOf } from '../../../domain/bridge/lane.ts';
import { CLUSTER_SIZE } from '../../../domain/bridge/transfer.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import {
  type DeploymentPlace,
  deployGuard,
  deployStake,
  deployVault,
  deployWrapped,
  recognizeWrapped,
  setLanes,
} from '../../contracts/bridge-deployment.ts';
import { devnetAccount } from '../../contracts/devnet.ts';
import type { Session } from '../session.ts';
import { Wallet } from './wallet.ts';

const DEPLOYER_INDEX = 0;
const DEPLOYER = devnetAccount(DEPLOYER_INDEX);
const RELAYER = devnetAccount(2);
const CHALLENGE_SECONDS = 3_600n;
const QUEUE_MS = 3_600_000;
const FEE_BPS = 10;
const DECIMALS = 6;
/** What each signer of the demos stands in for: a coin of the devnet. */
export const STAKE_WEI = 10n ** 18n;

/** Account of the devnets that may veto. */
export const WATCHTOWER = 5;

/** A lane of the demos' asset. */
export const LANE = laneOf('ethereum', 'USDC');

/** Where the demos' asset is on both chains, and who states it. */
export interface EquipmentPlace {
  /** RPCs. */
  readonly external: string;
  readonly exchange: string;
  /** Of the venue. */
  readonly operator: Session;
  /** The asset, on the external chain. */
  readonly token: Address;
}

export interface EquipmentTerms {
  readonly organization: string;
  /** Of USDC, in its smallest unit: what may go a day, and from which amount on it may be challenged. */
  readonly limit: bigint;
  readonly challengeFrom: bigint;
}

/** Where the asset is on one of the chains, as an operator states it, and as a signer in a process is told of it. */
interface EquippedVault {
  readonly origin: 'ethereum';
  readonly chain: 'ethereum' | 'exchange';
  readonly place: {
    readonly network: 'local';
    readonly keys: {
      readonly scheme: 'frost-secp256k1';
      readonly groupKey: string;
      readonly signerKeys: readonly string[];
    };
    readonly contract: Address;
    readonly token: Address | null;
    readonly decimals: number;
  };
}

/** What a tenant's organization has on its chains. */
export interface Equipment {
  readonly groupKey: string;
  readonly vault: Address;
  readonly wrapped: Address;
  readonly guard: Address;
  readonly stake: Address;
  readonly vaults: readonly EquippedVault[];
  readonly place: DeploymentPlace;
}

/** Has five signers make a key, deploys the contracts, and states both: what an operator does once for an organization. Done again it completes what is missing. */
export async function equipTenant(
  { external, exchange, operator, token }: EquipmentPlace,
  { organization, limit, challengeFrom }: EquipmentTerms,
): Promise<Equipment> {
  const route = `/v1/operator/bridge/organizations/${organization}`;
  const scheme = 'frost-secp256k1';
  const { data: key } = await operator.call<{ data: { groupKey: string } }>(`POST ${route}/keys`, { scheme });
  const { data: signers } = await operator.call<{ data: { account: string }[] }>(`GET ${route}/signers`);
  const governance = { proposer: DEPLOYER.address, delay: 0, guardian: DEPLOYER.address };
  const at = { account: DEPLOYER, organization, governance };
  const place = { ...at, rpc: exchange };
  const vault = await deployVault({ ...at, rpc: external }, key.groupKey, [{ token, amount: limit }]);
  const unit = { name: 'USD Coin (Ethereum)', symbol: 'USDC.eth', decimals: DECIMALS, dailyLimit: limit };
  const wrapped = await deployWrapped(place, key.groupKey, unit);
  const guard = await deployGuard(place, { requester: RELAYER.address, watchtower: devnetAccount(WATCHTOWER).address });
  await setLanes(place, guard, [{ lane: LANE, limit, challengeFrom, challengeSeconds: CHALLENGE_SECONDS }]);
  const stakers = signers.map(({ account }) => account as Address);
  const stake = await deployStake(place, { beneficiary: DEPLOYER.address, signers: stakers });
  await recognizeWrapped(place, stake, key.groupKey, unit);
  await stakeSeats(new Wallet(exchange, DEPLOYER_INDEX), stake);
  const minStake = String(STAKE_WEI);
  await operator.call(`PUT ${route}`, { guard, stake, feeBps: FEE_BPS, queueMs: QUEUE_MS, minStake });
  const keys = { scheme, groupKey: key.groupKey, signerKeys: [] } as const;
  const shared = { network: 'local', keys, decimals: DECIMALS } as const;
  const vaults = [
    { origin: 'ethereum', chain: 'ethereum', place: { ...shared, contract: vault, token } },
    { origin: 'ethereum', chain: 'exchange', place: { ...shared, contract: wrapped, token: null } },
  ] as const;
  for (const stated of vaults) await operator.call(`PUT ${route}/vaults`, { ...stated, assetId: 'usdc' });
  return { groupKey: key.groupKey, vault, wrapped, guard, stake, vaults, place };
}

/** Adds to the stake of each seat what it lacks. */
async function stakeSeats(wallet: Wallet, stake: Address): Promise<void> {
  for (let signer = 0; signer < CLUSTER_SIZE; signer++) {
    const account = await wallet.read<Address>(stake, STAKE_ABI, 'accountOf', [BigInt(signer)]);
    const bond = await wallet.read<{ stake: bigint }>(stake, STAKE_ABI, 'bondOf', [account]);
    if (bond.stake < STAKE_WEI) await wallet.write(stake, STAKE_ABI, 'stake', [BigInt(signer)], STAKE_WEI - bond.stake);
  }
}
