import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { boundedPayoutCost } from '../../domain/bridge/chains/payout-costs.ts';
import { sweepsDeposits } from '../../domain/bridge/chains/sweeps-deposits.ts';
import { SWEEPS_MAX } from '../../domain/bridge/signing/sweep-refusal.ts';
import type { TransferPorts } from './ports.ts';
import { paidOutOf } from './transfer-orders.ts';
import type { PayingTransfer } from './transfer-payments.ts';
import type { TransferRecord, TransferSweep } from './transfer-store.ts';

const NOTHING: TransferSweep = { ordered: 0, order: null, signed: null, hasLanded: false, sweptAt: null };

/** The vault whose deposit is owed to nobody any more, and lies in an account of the transfer's own; null where there is none. */
function vaultOf({ transfer, settings: { source } }: TransferRecord): Vault | null {
  const isPaidOut = transfer.state === 'confirmed' && transfer.payment?.kind === 'payout';
  return isPaidOut && source !== null && sweepsDeposits(source) ? source : null;
}

/** Whether a deposit is still to come into the vault's account. After so many tries people look. */
export function isSweepOwed(record: TransferRecord): boolean {
  const { ordered, order, sweptAt } = record.sweep ?? NOTHING;
  return vaultOf(record) !== null && sweptAt === null && (order !== null || ordered < SWEEPS_MAX);
}

/** Whether a sweep was signed: on chains that tell a balance the deposit is seen no more, and is not lost. */
export function isSwept({ sweep }: TransferRecord): boolean {
  const isUnsigned = sweep === undefined || (sweep.ordered === 1 && sweep.order !== null && sweep.signed === null);
  return !isUnsigned;
}

/**
 * One step of bringing a deposit into the vault's account (docs/design/bridge/signing.md#sweeps): what was ordered is stored before anybody signs, and what was signed before it is handed in, so that it goes on wherever it was
 * cut short. It is handed in again until its reference is spent.
 */
export async function sweepDeposit(
  { store, waitFor, point }: Pick<PayingTransfer, 'store' | 'waitFor' | 'point'>,
  { chains, cluster }: Pick<TransferPorts, 'chains' | 'cluster'>,
): Promise<void> {
  const vault = vaultOf(store.begun);
  if (vault === null || !isSweepOwed(store.begun)) return;
  const { terms, commitment } = store.begun;
  const saved = async (change: Partial<TransferSweep>, name: string) => {
    await store.save({ sweep: { ...(store.begun.sweep ?? NOTHING), ...change } });
    await point(name);
  };
  const { order } = store.begun.sweep ?? NOTHING;
  if (order === null) {
    const next = await nextOrder(vault, store.begun, chains);
    if (next === 'nothing' && store.begun.sweep?.hasLanded === true) return saved({ sweptAt: Date.now() }, 'swept');
    if (next === 'nothing' || next === 'not_now') return waitFor('its deposit does not lie in its account now');
    await saved({ order: next, signed: null, ordered: (store.begun.sweep?.ordered ?? 0) + 1 }, 'sweep ordered');
  }
  const { order: ordered, signed } = store.begun.sweep ?? NOTHING;
  if (ordered === null) return;
  const payment: PaymentOrder = { kind: 'sweep', commitment, to: '', ...ordered };
  waitFor('its deposit is on its way into the vault’s account');
  const status = await chains.statusOf(vault, payment);
  if (status.state !== 'unspent') {
    if (status.confirmations < (await chains.confirmationsNeeded(vault.chain, vault.network))) return;
    // What is left is looked at next: more may have come, or it may have failed.
    const hasLanded = status.state === 'paid' || store.begun.sweep?.hasLanded === true;
    return saved({ order: null, signed: null, hasLanded }, 'sweep landed');
  }
  if (signed !== null) return void (await chains.broadcast(vault, signed));
  const paidOut = [paidOutOf(store.begun)];
  const outcome = await cluster.sign({ terms, payment, side: 'source', coSignature: null, paidOut }, vault);
  if (!outcome.ok) return waitFor(`its deposit is not swept: ${outcome.reason}`);
  const whole = await chains.complete(vault, payment, outcome.signatures);
  await saved({ signed: whole }, 'sweep signed');
  await chains.broadcast(vault, whole);
  await point('sweep sent');
}

/** All that is there, and a reference of its account. `nothing`: no more than a payment costs. */
async function nextOrder(
  vault: Vault,
  { commitment, sweep = NOTHING }: TransferRecord,
  chains: TransferPorts['chains'],
): Promise<NonNullable<TransferSweep['order']> | 'nothing' | 'not_now'> {
  const amount = await chains.sweepable(vault, commitment);
  if (BigInt(amount) <= BigInt(boundedPayoutCost(vault).cost)) return 'nothing';
  const order = { kind: 'sweep', commitment, to: '', amount, attempt: sweep.ordered } as const;
  // Its account has no other payment: nothing of the vault's is taken.
  const reference = await chains.referenceFor(vault, order, { taken: [], deposited: [] });
  return reference === null ? 'not_now' : { reference, amount };
}
