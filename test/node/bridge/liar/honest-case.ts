import fc from 'fast-check';
import type { PaymentOrder } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { LiarChain } from './liar-chain.ts';
import type { FoundFault } from './liar-faults.ts';
import { LiarWorld, SCALE_MAX, type SignedOrder } from './liar-world.ts';

/** Payouts that an honest coordinator orders at the same moment. */
export type HonestCase = readonly { readonly vault: number; readonly payee: number; readonly amount: number }[];

export const honestCase: fc.Arbitrary<HonestCase> = fc.array(
  fc.record({ vault: fc.nat({ max: 1 }), payee: fc.nat({ max: 1 }), amount: fc.nat({ max: 3 }) }),
  { minLength: 1, maxLength: 3 },
);

/** Each of the payouts that got a reference is paid, and costs the vault no more than it pays, and than its fee has brought. */
export async function faultsOfHonest(chain: LiarChain, payouts: HonestCase): Promise<FoundFault[]> {
  const world = await LiarWorld.open(chain, { liars: 0, first: 0 });
  const { scene } = world;
  const taken = new Map<string, readonly string[]>();
  const signed: SignedOrder[] = [];
  for (const { vault, payee, amount } of payouts) {
    const units = scene.amounts[amount % scene.amounts.length] as bigint;
    const transfer = world.begin(vault, scene.payees[payee % 2] as string, units, { isBooked: true, isCleared: true });
    if (!world.isQuoted(transfer)) continue;
    const name = await world.referencesOf(transfer.vault);
    const known = taken.get(name) ?? [];
    const order = world.orderOf(transfer, 'payout');
    const reference = await world.referenceFor(transfer, order, { taken: known });
    if (reference === null) continue;
    taken.set(name, [...known, reference]);
    const whole = await world.sign(transfer, { ...order, reference });
    if (whole !== null) signed.push(whole);
  }
  const found: FoundFault[] = [];
  for (const one of signed) found.push(...(await costOf(world, one)));
  scene.settle();
  for (const one of signed)
    if ((await world.transactionPaying(one)) === null)
      found.push({ fault: 'is not paid', words: `${toldOrder(one.order)} of ${signed.length} at once` });
  return found;
}

async function costOf(world: LiarWorld, signed: SignedOrder): Promise<FoundFault[]> {
  const { transfer, order } = signed;
  const { scene } = world;
  const before = (await world.left())[''] ?? 0n;
  await world.handIn(signed);
  const gone = ((await world.left())[''] ?? 0n) - before;
  const isCoin = transfer.vault.token === null;
  const paid = isCoin ? BigInt(order.amount) : 0n;
  // One that was not taken, or waits for another before it, has cost nothing yet.
  if (gone < paid) return [];
  const cost = gone - paid;
  const words = `${cost} of the coin for ${toldOrder(order)}`;
  if (!isCoin) return cost > scene.ceiling(transfer.vault, order) ? [{ fault: 'gives along', words }] : [];
  return cost > paid + brought(transfer) ? [{ fault: 'costs more', words }] : [];
}

/** What the fee of a transfer leaves in the vault. */
function brought({ terms, vault }: SignedOrder['transfer']): bigint {
  return BigInt(terms.fee) * 10n ** BigInt(vault.decimals - Math.min(SCALE_MAX, vault.decimals));
}

function toldOrder({ to, amount, reference }: PaymentOrder): string {
  return `${amount} to ${to} by ${reference}`;
}
