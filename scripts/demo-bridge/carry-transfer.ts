import type { ShownTransfer, TenantCall } from '../local/bridge/tenant-call.ts';
import type { Wallet } from '../local/bridge/wallet.ts';

/** Between two pushes; longer each time, as an address has 100 a minute. */
const REST_MS_MIN = 250;
const REST_MS_MAX = 1_000;
const WAIT_MS = 240_000;

/** Begins a transfer of USDC. */
export function initiate(
  call: TenantCall,
  terms: { readonly amount: number; readonly source: object; readonly destination: object },
): Promise<ShownTransfer> {
  return call('POST /api/v1/transfer/initiate', { asset: 'USDC', ...terms }, 201);
}

/** Pays in what a transfer asks for, or another amount in its smallest unit. @returns the transaction */
export function payIn(
  { deposit, quote }: ShownTransfer,
  wallet: Wallet,
  amount = BigInt(quote.amount_in),
): Promise<string> {
  const { call } = deposit ?? {};
  if (call == null) throw new Error('the transfer says no call');
  const data = call.data.replace(amountWord(BigInt(quote.amount_in)), amountWord(amount));
  return wallet.pay({ ...call, data }, amount);
}

/** Pushes a transfer as anybody may, until it is in a state. @throws Error where it ends in another, or takes too long */
export async function reached(call: TenantCall, id: string, state: string): Promise<ShownTransfer> {
  const deadline = Date.now() + WAIT_MS;
  for (let rest_ms = REST_MS_MIN; ; rest_ms = Math.min(rest_ms * 2, REST_MS_MAX)) {
    await call(`POST /api/v1/transfer/${id}/complete`);
    const transfer = await call<ShownTransfer>(`GET /api/v1/transfer/${id}`);
    if (transfer.state === state) return transfer;
    const isOver = ['confirmed', 'refunded', 'expired', 'paid_by_other'].includes(transfer.state);
    if (isOver || Date.now() > deadline)
      throw new Error(
        `the transfer is ${transfer.state} and not ${state}: ${transfer.waits_for}\n${JSON.stringify(transfer.history)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, rest_ms));
  }
}

function amountWord(amount: bigint): string {
  return amount.toString(16).padStart(64, '0');
}
