import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { boundedPayoutCost } from '../../domain/bridge/chains/payout-costs.ts';
import { sweepsDeposits } from '../../domain/bridge/chains/sweeps-deposits.ts';
import { isAllButSpeck } from '../../domain/bridge/signing/sweep-refusal.ts';
import type { TransferPorts } from './ports.ts';
import { paidOutOf } from './transfer-orders.ts';
import type { PayingTransfer } from './transfer-payments.ts';
import type { TransferRecord, TransferSweep } from './transfer-store.ts';

/** So many are signed by itself; whoever pushes the transfer has more of them, as far as signers go along (`SWEEPS_MAX`). */
const SWEEPS_BY_ITSELF_MAX = 8;
const NOTHING: TransferSweep = { ordered: 0, order: null, signed: null, hasLanded: false, sweptAt: null };

/** The vault whose deposit is owed to nobody any more, and lies in an account of the transfer's own; null where there is none. */
function vaultOf({ transfer, settings: { source } }: TransferRecord): Vault | null {
  const isPaidOut = transfer.state === 'confirmed' && transfer.payment?.kind === 'payout';
  return isPaidOut && source !== null && sweepsDeposits(source) ? source : null;
}

/** Whether a deposit is still to come into the vault's account by itself. What nobody has signed came to no fee, and is not counted. */
export function isSweepOwed(record: TransferRecord): boolean {
  const { order, sweptAt } = record.sweep ?? NOTHING;
  return vaultOf(record) !== null && sweptAt === null && (order !== null || signedTimes(record) < SWEEPS_BY_ITSELF_MAX);
}

/** Whether a sweep was signed: on chains that tell a balance the deposit is seen no more, and is not lost. */
export function isSwept(record: TransferRecord): boolean {
  const { signed, hasLanded } = record.sweep ?? NOTHING;
  return signed !== null || hasLanded || signedTimes(record) > 0;
}

function signedTimes({ sweep }: TransferRecord): number {
  return sweep?.signedTimes ?? 0;
}

/**
 * One step of bringing a deposit into the vault's account (docs/design/bridge/signing.md#sweeps): what was ordered is stored before anybody signs, and what was signed before it is handed in, so that it goes on wherever it was
 * cut short. It is handed in again until its reference is spent. One that nobody has signed gives way to another once it has lapsed, or another amount lies there.
 *
 * @param isPushed whether somebody asks for it now
 */
export async function sweepDeposit(
  { store, waitFor, point }: Pick<PayingTransfer, 'store' | 'waitFor' | 'point'>,
  { chains, cluster }: Pick<TransferPorts, 'chains' | 'cluster'>,
  isPushed: boolean,
): Promise<void> {
  const vault = vaultOf(store.begun);
  if (vault === null || (store.begun.sweep ?? NOTHING).sweptAt !== null) return;
  if (!isSweepOwed(store.begun) && !isPushed)
    return waitFor(`${SWEEPS_BY_ITSELF_MAX} sweeps of its deposit were signed: another is once it is pushed`);
  const { terms, commitment } = store.begun;
  const saved = async (change: Partial<TransferSweep>, name: string) => {
    await store.save({ sweep: { ...(store.begun.sweep ?? NOTHING), ...change } });
    await point(name);
  };
  if (await isToOrder(vault, store.begun, chains)) {
    const next = await nextOrder(vault, store.begun, chains);
    if (next === 'nothing' && store.begun.sweep?.hasLanded === true)
      return saved({ order: null, sweptAt: Date.now() }, 'swept');
    if (next === 'nothing' || next === 'not_now') return waitFor('its deposit does not lie in its account now');
    await saved({ order: next, signed: null, ordered: (store.begun.sweep?.ordered ?? 0) + 1 }, 'sweep ordered');
  }
  const { order: ordered, signed } = store.begun.sweep ?? NOTHING;
  if (ordered === null) return;
  const payment = paymentOf(commitment, ordered);
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
  await saved({ signed: whole, signedTimes: signedTimes(store.begun) + 1 }, 'sweep signed');
  await chains.broadcast(vault, whole);
  await point('sweep sent');
}

/** Whether there is no order that can still bring all that is there: none yet, or one that nobody has signed, and nobody will. */
async function isToOrder(
  vault: Vault,
  { commitment, sweep = NOTHING }: TransferRecord,
  chains: TransferPorts['chains'],
): Promise<boolean> {
  const { order, signed } = sweep;
  if (order === null) return true;
  if (signed !== null) return false;
  const { state } = await chains.statusOf(vault, paymentOf(commitment, order));
  if (state !== 'unspent') return state === 'void';
  return !isAllButSpeck(order.amount, await chains.sweepable(vault, commitment));
}

function paymentOf(commitment: string, order: NonNullable<TransferSweep['order']>): PaymentOrder {
  return { kind: 'sweep', commitment, to: '', ...order };
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
