import { refundsFromDeposit } from '../../../../domain/bridge/chains/refunds-from-deposit.ts';
import type { Holdings } from './liar-chain.ts';
import { added, type LiarWorld, type SignedOrder, type Transfer } from './liar-world.ts';

/**
 * How a case can break what the harness holds.
 *
 * - `burns`: more left the vaults than covered transfers are owed and the fees of all orders come to.
 * - `pays for nobody`: what orders of transfers cost that nobody owes anything.
 * - `takes a deposit`: what came for a transfer, and has to go back, lies no more where its refund is paid from.
 * - `settles two`: one transaction is told as the payment of two transfers.
 * - `gives along`: beside a token, a payment gives coins of the vault to its payee.
 * - `costs more`: a payout costs the vault more than it pays, and than its fee has brought.
 * - `is not paid`: of an honest coordinator's payments, each signed and handed in, one is not paid.
 */
export type LiarFault =
  | 'burns'
  | 'takes a deposit'
  | 'pays for nobody'
  | 'settles two'
  | 'gives along'
  | 'costs more'
  | 'is not paid';

export interface FoundFault {
  readonly fault: LiarFault;
  readonly words: string;
}

/**
 * What leaves the vaults is at most what covered transfers are owed, and for each of their orders the fee that the adapter states as its bound. It is counted in the units of the chain, from what the
 * chain has taken.
 */
export async function faultsOf(world: LiarWorld): Promise<FoundFault[]> {
  world.scene.settle();
  await world.handInCombined();
  world.scene.settle();
  return [...overspent(world, await world.left()), ...(await depositsTaken(world)), ...(await settledTwice(world))];
}

function overspent(world: LiarWorld, left: Holdings): FoundFault[] {
  const handedIn = world.signed.filter(({ isHandedIn }) => isHandedIn);
  const covered = handedIn.filter((signed) => isCovered(signed.transfer) || isSweepOfPaid(signed));
  // The guard lists whatever the coordinator announces, also a payment of nobody, and signers cancel what it lists: so many a day.
  const listed = handedIn.filter(
    (signed) => !covered.includes(signed) && signed.order.kind === 'cancel' && world.isListed(signed),
  );
  const uncovered = handedIn.filter((signed) => !covered.includes(signed) && !listed.includes(signed));
  const paying = new Set(
    covered.flatMap(({ order, transfer }) => (order.kind === 'cancel' || order.kind === 'sweep' ? [] : [transfer])),
  );
  const owed = [...paying].map(owedOf).reduce(added, {});
  const [bound, other] = [ceilings(world, [...covered, ...listed]), ceilings(world, uncovered)];
  return Object.entries(left).flatMap(([token, units]): FoundFault[] => {
    const coin = token === '' ? 1n : 0n;
    const allowed = (owed[token] ?? 0n) + bound * coin;
    if (units <= allowed) return [];
    const along = coin * paidInTokens(world, handedIn);
    const fault =
      units <= allowed + other * coin
        ? 'pays for nobody'
        : units <= allowed + other * coin + along
          ? 'gives along'
          : 'burns';
    return [{ fault, words: `${units} of ${token || 'the coin'} left, ${allowed} may have: ${toldOrders(handedIn)}` }];
  });
}

function owedOf({ way, vault, terms, came }: Transfer): Holdings {
  return way === 'in' ? came : { [vault.token ?? '']: BigInt(terms.amountOut) };
}

/** Truly owed by the ledger, and cleared by the guard; what came in and was not paid to its account goes back. */
function isCovered({ way, isBooked, isCleared }: Transfer): boolean {
  return way === 'out' ? isBooked && isCleared : !isBooked;
}

/** What the ledger has paid on is the vault's: bringing it into its account costs a fee. */
function isSweepOfPaid({ order, transfer }: SignedOrder): boolean {
  return order.kind === 'sweep' && transfer.way === 'in' && transfer.isBooked;
}

/** What goes to payees beside the tokens of these orders, at most. */
function paidInTokens({ scene }: LiarWorld, orders: readonly SignedOrder[]): bigint {
  const paying = orders.filter(({ transfer, order }) => transfer.vault.token !== null && order.kind !== 'cancel');
  return BigInt(paying.length) * (scene.alongMax ?? 0n);
}

function ceilings({ scene }: LiarWorld, orders: readonly SignedOrder[]): bigint {
  return orders.reduce((sum, { transfer, order }) => sum + scene.ceiling(transfer.vault, order), 0n);
}

/** Where a refund is paid out of the very deposit: what one has not given back lies there. */
async function depositsTaken(world: LiarWorld): Promise<FoundFault[]> {
  const found: FoundFault[] = [];
  const home = await world.scene.held([]);
  for (const transfer of world.transfers) {
    const { way, isBooked, vault, commitment, came } = transfer;
    if (way === 'out' || isBooked || !refundsFromDeposit(vault)) continue;
    const token = vault.token ?? '';
    const there = ((await world.scene.held([commitment]))[token] ?? 0n) - (home[token] ?? 0n);
    if (there + (await givenBack(world, commitment)) < (came[token] ?? 0n))
      found.push({
        fault: 'takes a deposit',
        words: `${there} of ${came[token]} are left of ${commitment.slice(0, 8)}`,
      });
  }
  return found;
}

/** What refunds have given back, with the fees that they pay of it. */
async function givenBack(world: LiarWorld, commitment: string): Promise<bigint> {
  let sum = 0n;
  for (const signed of world.signed) {
    const { kind, commitment: of, amount } = signed.order;
    if (kind !== 'refund' || of !== commitment || !signed.isHandedIn) continue;
    if ((await world.transactionPaying(signed)) !== null) sum += BigInt(amount);
  }
  return sum;
}

async function settledTwice(world: LiarWorld): Promise<FoundFault[]> {
  const settles = new Map<string, string>();
  const found: FoundFault[] = [];
  for (const signed of world.signed) {
    if (signed.order.kind === 'cancel' || signed.order.kind === 'sweep') continue;
    const transaction = await world.transactionPaying(signed);
    if (transaction === null) continue;
    const { commitment } = signed.transfer;
    const other = settles.get(transaction);
    if (other === undefined) settles.set(transaction, commitment);
    else if (other !== commitment)
      found.push({ fault: 'settles two', words: `${transaction} is told twice as paid: ${toldOrders([signed])}` });
  }
  return found;
}

function toldOrders(orders: readonly SignedOrder[]): string {
  return orders
    .map(({ order: { kind, to, amount, reference }, transfer: { vault, commitment } }) =>
      [kind, vault.chain, vault.token ?? '', commitment.slice(0, 8), to, amount, reference].join(' '),
    )
    .join('; ');
}
