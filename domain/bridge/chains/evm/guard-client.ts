import type { Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { getAddress } from 'viem/utils';
import type { LaneRules } from '../../lane.ts';
import type { Clearance } from '../../signing/signer-eyes.ts';
import type { ChainTransport } from '../chain-adapter.ts';
import { BRIDGE_ABI } from './evm-abi.ts';
import { evmRpc } from './evm-rpc.ts';
import { relayUntil } from './relay.ts';

/** A guard's address, and under which name it counts transfers of one asset by one chain (`laneOf`). */
export interface GuardLane {
  readonly address: string;
  readonly lane: string;
}

/**
 * What the guard says of a transfer; null where it has not counted it.
 *
 * @param lane in which it has to be counted: whoever asks the guard for room names one, and another may have more
 * @throws Error where it was counted in another lane; RpcRefusal while the guard is stopped
 */
export async function readClearance(
  transport: ChainTransport,
  guard: GuardLane,
  commitment: string,
): Promise<Clearance | null> {
  const { lane } = guard;
  const { amount, clearAt, isVetoed, lane: counted } = await countedOf(transport, guard, commitment);
  if (amount === 0n) return null;
  if (counted !== `0x${lane}`) throw new Error('the guard has counted the transfer in another lane');
  return { amount: Number(amount), clearAt: clearAt * 1_000, isVetoed };
}

/** A transfer as the guard has counted it; of an amount of 0 where it has not. @throws RpcRefusal while the guard is stopped */
async function countedOf(
  transport: ChainTransport,
  { address: guard }: Pick<GuardLane, 'address'>,
  commitment: string,
) {
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'clearanceOf', args: [`0x${commitment}`] });
  const answer = await evmRpc(transport).call(getAddress(guard), data);
  return decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'clearanceOf', data: answer });
}

/** What a lane lets through, as the guard has it now. */
export async function readLane(transport: ChainTransport, { address: guard, lane }: GuardLane): Promise<LaneRules> {
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'laneOf', args: [`0x${lane}`] });
  const answer = await evmRpc(transport).call(getAddress(guard), data);
  const rules = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'laneOf', data: answer });
  const { limit, challengeFrom, challengeSeconds } = rules;
  const mayBeChallenged = challengeSeconds > 0n && challengeFrom <= limit;
  const challenge = mayBeChallenged ? { from: Number(challengeFrom), seconds: Number(challengeSeconds) } : null;
  return { limit: Number(limit), challenge };
}

/**
 * Has a transfer counted in its lane, once.
 *
 * @throws Error where the transaction is not in a block yet
 */
export async function requestClearance(
  transport: ChainTransport,
  relayer: string | null,
  guard: GuardLane,
  { commitment, amount }: { readonly commitment: string; readonly amount: number },
): Promise<'cleared' | 'over_limit'> {
  const { address, lane } = guard;
  if ((await readClearance(transport, guard, commitment)) !== null) return 'cleared';
  const to = getAddress(address);
  const rpc = evmRpc(transport);
  const asked = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'room', args: [`0x${lane}`] });
  const room = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'room', data: await rpc.call(to, asked) });
  // Another try may have had it counted between the two readings: then the room that is missing is its own.
  if (room < BigInt(amount))
    return (await readClearance(transport, guard, commitment)) === null ? 'over_limit' : 'cleared';
  const args = [`0x${commitment}`, `0x${lane}`, BigInt(amount)] as const;
  const data: Hex = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'request', args });
  return relayUntil(
    transport,
    relayer,
    { to, data },
    {
      effect: async () => ((await readClearance(transport, guard, commitment)) === null ? null : 'cleared'),
      otherwise: 'the guard has not counted the transfer yet',
    },
  );
}

/**
 * Has the room of a transfer freed that goes back, once: nobody signs its payout any more.
 *
 * @returns whether it is free; not where the guard has not counted the transfer, or lists a payment of it
 * @throws Error where the transaction is not in a block yet; RpcRefusal while the guard is stopped
 */
export async function giveBackRoom(
  transport: ChainTransport,
  relayer: string | null,
  guard: Pick<GuardLane, 'address'>,
  commitment: string,
): Promise<boolean> {
  const { amount, isGivenBack } = await countedOf(transport, guard, commitment);
  if (amount === 0n || isGivenBack) return isGivenBack;
  if ((await readAnnounced(transport, guard, commitment)).length > 0) return false;
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'giveBack', args: [`0x${commitment}`] });
  return relayUntil(
    transport,
    relayer,
    { to: getAddress(guard.address), data },
    {
      effect: async () => (await countedOf(transport, guard, commitment)).isGivenBack || null,
      otherwise: 'the guard has not given the room back yet',
    },
  );
}

/** Payments of a transfer that were announced, as `paymentDigest` names them, in their order. @throws RpcRefusal while the guard is stopped */
export async function readAnnounced(
  transport: ChainTransport,
  { address: guard }: Pick<GuardLane, 'address'>,
  commitment: string,
): Promise<readonly string[]> {
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'paymentsOf', args: [`0x${commitment}`] });
  const answer = await evmRpc(transport).call(getAddress(guard), data);
  const payments = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'paymentsOf', data: answer });
  return payments.map((payment) => payment.slice(2));
}

/**
 * Has a payment announced, once.
 *
 * @throws Error where the transaction is not in a block yet
 */
export async function announcePayment(
  transport: ChainTransport,
  relayer: string | null,
  guard: Pick<GuardLane, 'address'>,
  { commitment, payment }: { readonly commitment: string; readonly payment: string },
): Promise<void> {
  const isAnnounced = async () => (await readAnnounced(transport, guard, commitment)).includes(payment) || null;
  if ((await isAnnounced()) !== null) return;
  const args = [`0x${commitment}`, `0x${payment}`] as const;
  const data: Hex = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'announce', args });
  await relayUntil(
    transport,
    relayer,
    { to: getAddress(guard.address), data },
    { effect: isAnnounced, otherwise: 'the guard does not show the payment yet' },
  );
}
