import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { getAddress, stringToHex } from 'viem/utils';
import type { AttestedClaim } from '../../signing/attestation.ts';
import type { StakeSeat } from '../../signing/judge-word.ts';
import type { LieProof } from '../../signing/lie-proof.ts';
import { CLUSTER_SIZE } from '../../transfer.ts';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chain-name.ts';
import { BRIDGE_ABI } from './evm-abi.ts';
import { EVM_CHAINS } from './evm-chains.ts';
import { evmRpc } from './evm-rpc.ts';
import { relayUntil } from './relay.ts';

const NOBODY: Address = '0x0000000000000000000000000000000000000000';
/** A burn that is not there so long after it had to be there never was: BURN_GRACE of SignerStake. */
const BURN_GRACE_MS = 86_400_000;

/** What an account stands in for. */
export interface StakeBond {
  /** In the chain's smallest unit. */
  readonly stake: string;
  readonly isSlashed: boolean;
}

/** `no_proof`: the chain does not take it, or still has the burn. `not_due`: the burn may come yet. */
export type ProofOutcome = 'slashed' | 'no_proof' | 'not_due';

/** The five seats of an organization's stake, by number. */
export async function readSeats(transport: ChainTransport, stake: string): Promise<readonly StakeSeat[]> {
  const { call } = evmRpc(transport);
  return Promise.all(
    Array.from({ length: CLUSTER_SIZE }, async (_, signer): Promise<StakeSeat> => {
      const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'accountOf', args: [BigInt(signer)] });
      const answer = await call(getAddress(stake), data);
      const account = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'accountOf', data: answer });
      if (account === NOBODY) return { account: null, stake: '0' };
      return { account, stake: (await readBond(transport, stake, account)).stake };
    }),
  );
}

export async function readBond(transport: ChainTransport, stake: string, account: string): Promise<StakeBond> {
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'bondOf', args: [getAddress(account)] });
  const answer = await evmRpc(transport).call(getAddress(stake), data);
  const bond = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'bondOf', data: answer });
  return { stake: String(bond.stake), isSlashed: bond.isSlashed };
}

/**
 * Has a signer slashed that has lied, once: where it is slashed already, it answers so. The contract checks the proof by itself, so neither a node nor the relayer can have an honest
 * signer slashed.
 *
 * @throws Error where the transaction is not in a block yet
 */
export async function proveLie(
  transport: ChainTransport,
  relayer: string | null,
  proof: LieProof,
): Promise<ProofOutcome> {
  const [{ account, claim }] = proof.words;
  const isSlashed = async () => (await readBond(transport, claim.stake, account)).isSlashed || null;
  if ((await isSlashed()) !== null) return 'slashed';
  if (proof.kind === 'no_burn') {
    const refusal = await burnRefusal(transport, claim);
    if (refusal !== null) return refusal;
  }
  try {
    return await relayUntil(
      transport,
      relayer,
      { to: getAddress(claim.stake), data: proofCall(proof) },
      {
        effect: async () => ((await isSlashed()) === null ? null : 'slashed'),
        otherwise: 'the proof is not in a block yet',
      },
    );
  } catch (error) {
    if (!(error instanceof RpcRefusal) || !isRevert(error)) throw error;
    return (await isSlashed()) === null ? 'no_proof' : 'slashed';
  }
}

/** Why it is not the time for a proof that a burn is not there; null where it is not, neither now nor as deep as funds have to be. */
async function burnRefusal(
  transport: ChainTransport,
  { chainId, subject, burn, dueAt }: AttestedClaim,
): Promise<'no_proof' | 'not_due' | null> {
  if (burn === null) return 'no_proof';
  const { call, height, blockTime } = evmRpc(transport);
  const newest = await height();
  if ((await blockTime(newest)) < dueAt * 1_000 + BURN_GRACE_MS) return 'not_due';
  const args = [`0x${subject}`, getAddress(burn.burner)] as const;
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'burnOf', args });
  for (const block of [newest, Math.max(0, newest - depthOf(chainId))]) {
    const answer = await call(getAddress(burn.wrapped), data, undefined, block);
    const burnt = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'burnOf', data: answer });
    if (burnt === BigInt(burn.amount)) return 'no_proof';
  }
  return null;
}

/** On a machine's own chain one block is enough, as for funds. */
function depthOf(chainId: number): number {
  const chain = EVM_CHAINS[EXCHANGE_CHAIN];
  return chain === undefined || chainId === chain.local ? 1 : chain.confirmations;
}

function proofCall({ words }: LieProof): Hex {
  const [one, other] = words;
  const signer = BigInt(one.signer);
  const said = ({ claim, signature }: LieProof['words'][0]) => [claimArgument(claim), `0x${signature}`] as const;
  if (other === undefined)
    return encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'proveNoBurn', args: [signer, ...said(one)] });
  const args = [signer, ...said(one), ...said(other)] as const;
  return encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'proveEquivocation', args });
}

function claimArgument({ kind, subject, digest, burn, dueAt }: AttestedClaim) {
  return {
    kind: stringToHex(kind, { size: 32 }),
    subject: `0x${subject}`,
    digest: `0x${digest}`,
    wrapped: getAddress(burn?.wrapped ?? NOBODY),
    burner: getAddress(burn?.burner ?? NOBODY),
    burnAmount: BigInt(burn?.amount ?? 0),
    dueAt: BigInt(dueAt),
  } as const;
}

/** The contract refuses, and not the node for want of something. */
function isRevert({ code, message }: RpcRefusal): boolean {
  return code === 3 || /revert/i.test(message);
}
