import type { Address } from 'viem';
import { DEMO_CUSTOMER } from '../../../application/seed/demo-bridge.ts';
import { DEV_TOKEN_ABI } from '../../../protocol/bridge/abi/dev-token-abi.ts';
import { VAULT_ABI } from '../../../protocol/bridge/abi/vault-abi.ts';
import type { ShownTransfer, TenantCall } from './tenant-call.ts';
import type { Wallet } from './wallet.ts';

const UNIT = 1_000_000n;
/** What the wallet has, and what of it goes to the account, the bridge's fee included. */
const WALLET_USDC = 10_000n;
const DEPOSIT_USDC = 1_000;
/** Between two pushes; longer each time, as an address has 100 a minute. */
const REST_MS_MIN = 250;
const REST_MS_MAX = 1_000;
const WAIT_MS = 240_000;

export interface Funding {
  readonly call: TenantCall;
  /** On the external chain, with the asset and the tenant's vault there. */
  readonly wallet: Wallet;
  readonly token: Address;
  readonly vault: Address;
}

/**
 * Brings the demo's customer some of the asset, by a deposit as any: a transfer that an earlier start has begun is gone on with, and its funds are paid in where they are not in the vault.
 *
 * @throws Error where it does not end well in four minutes
 */
export async function fundAccount(funding: Funding): Promise<void> {
  const { call, wallet, token, vault } = funding;
  const amount = WALLET_USDC * UNIT;
  if ((await wallet.balanceOf(token)) + (await wallet.balanceOf(token, vault)) < amount)
    await wallet.write(token, DEV_TOKEN_ABI, 'mint', [wallet.address, amount]);
  const transfer = (await begunDeposit(funding)) ?? (await begin(funding));
  await payIn(funding, transfer);
  const deadline = Date.now() + WAIT_MS;
  for (let rest_ms = REST_MS_MIN; ; rest_ms = Math.min(rest_ms * 2, REST_MS_MAX)) {
    const { state, waits_for } = await call<ShownTransfer>(`GET /api/v1/transfer/${transfer.id}`);
    if (state === 'confirmed') return;
    if (isLost(state) || Date.now() > deadline) throw new Error(`the demo's deposit is ${state}: ${waits_for}`);
    await new Promise((resolve) => setTimeout(resolve, rest_ms));
    await call(`POST /api/v1/transfer/${transfer.id}/complete`);
  }
}

function begin({ call, wallet }: Funding): Promise<ShownTransfer> {
  const terms = {
    asset: 'USDC',
    amount: DEPOSIT_USDC,
    source: { chain: 'ethereum', address: wallet.address },
    destination: { account_id: DEMO_CUSTOMER.id },
  };
  return call('POST /api/v1/transfer/initiate', terms, 201);
}

async function begunDeposit({ call, wallet }: Funding): Promise<ShownTransfer | null> {
  const { transfers } = await call<{ transfers: { id: string; state: string }[] }>('GET /api/v1/transfer');
  for (const { id, state } of transfers) {
    if (isLost(state)) continue;
    const transfer = await call<ShownTransfer>(`GET /api/v1/transfer/${id}`);
    const { source, destination } = transfer;
    if (source.address === wallet.address && destination.account_id === DEMO_CUSTOMER.id) return transfer;
  }
  return null;
}

async function payIn({ wallet, vault }: Funding, { commitment, deposit, quote }: ShownTransfer): Promise<void> {
  if (await wallet.read<boolean>(vault, VAULT_ABI, 'isDeposited', [`0x${commitment}`, wallet.address])) return;
  if (deposit?.call == null) throw new Error("the demo's deposit says no call");
  await wallet.pay(deposit.call, BigInt(quote.amount_in));
}

function isLost(state: string): boolean {
  return state === 'expired' || state === 'paid_by_other' || state === 'refunded';
}
