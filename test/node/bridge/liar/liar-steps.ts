import fc from 'fast-check';
import type { ChainTransport, PaymentOrder } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { type LiarWorld, SCALE_MAX, type Transfer } from './liar-world.ts';

/** What becomes of a number that is not true. */
const LIES = ['hundredth', 'speck', 'half', 'double', 'one more', 'one less', 'nothing', 'hundredfold'] as const;
type Lie = (typeof LIES)[number];

/** One number of a reference, and what stands there instead. */
interface Change {
  readonly number: number;
  readonly lie: Lie;
}

export type LiarStep =
  | {
      readonly does: 'begins';
      readonly vault: number;
      readonly payee: number;
      readonly amount: number;
      readonly isBooked: boolean;
      readonly isCleared: boolean;
    }
  | { readonly does: 'is paid in'; readonly amount: number; readonly isBooked: boolean }
  | {
      readonly does: 'orders';
      readonly of: number;
      readonly kind: PaymentOrder['kind'];
      /** Whose reference: its own, that of another transfer, or one that was ordered before. */
      readonly reference: 'own' | 'other' | 'earlier';
      readonly other: number;
      readonly isTaken: boolean;
      readonly nodeLie: Lie | null;
      readonly change: Change | null;
      readonly isListed: boolean;
      readonly isHandedIn: boolean;
    }
  /** Two orders with one reference, of which each tells another number wrongly. */
  | {
      readonly does: 'orders twins';
      readonly of: number;
      readonly kind: PaymentOrder['kind'];
      readonly lie: Lie;
      readonly numbers: readonly [number, number];
    }
  /** Two transfers of one amount to one payee, by one reference. */
  | { readonly does: 'orders one for two'; readonly vault: number; readonly payee: number; readonly amount: number }
  /** One debit of the ledger, by two sets of terms of its id. */
  | {
      readonly does: 'orders by one debit';
      readonly of: number;
      readonly isListed: boolean;
      readonly isByDebit: boolean;
    }
  /** More comes for one that comes in. */
  | { readonly does: 'is paid in again'; readonly of: number; readonly amount: number }
  /** A refund by funds that are not deep, and that a reorganization takes away. */
  | { readonly does: 'is paid in for a moment'; readonly amount: number }
  | { readonly does: 'hands in'; readonly of: number }
  /** A block alone, or as many as the chain's rule asks for. */
  | { readonly does: 'waits'; readonly isShort: boolean }
  /** What is not deep is gone; the coordinator has all that was signed, and hands in again what it likes. */
  | { readonly does: 'reorganizes'; readonly handsIn: number };

export interface LiarCase {
  /** Signers that sign whatever they are asked. */
  readonly liars: number;
  readonly first: number;
  readonly steps: readonly LiarStep[];
}

const small = fc.nat({ max: 7 });
const mostly = fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const lie = fc.constantFrom(...LIES);
const kind = fc.constantFrom<PaymentOrder['kind']>('payout', 'payout', 'payout', 'refund', 'cancel', 'cancel');
/** Most orders are what they should be: a case in which nothing is signed shows nothing. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const begins = fc.record({
  does: fc.constant('begins' as const),
  vault: fc.nat({ max: 1 }),
  payee: fc.nat({ max: 1 }),
  amount: fc.nat({ max: 3 }),
  isBooked: mostly,
  isCleared: mostly,
});

const step: fc.Arbitrary<LiarStep> = fc.oneof(
  { weight: 2, arbitrary: begins },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('is paid in' as const),
      amount: fc.nat({ max: 3 }),
      isBooked: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('orders' as const),
      of: small,
      kind,
      reference: fc.constantFrom(
        'own' as const,
        'own' as const,
        'other' as const,
        'earlier' as const,
        'earlier' as const,
      ),
      other: small,
      isTaken: mostly,
      nodeLie: seldom(lie),
      change: seldom(fc.record({ number: small, lie })),
      isListed: mostly,
      isHandedIn: mostly,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('orders twins' as const),
      of: small,
      kind,
      lie,
      numbers: fc.tuple(small, small),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('orders one for two' as const),
      vault: fc.nat({ max: 1 }),
      payee: fc.nat({ max: 1 }),
      amount: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('orders by one debit' as const),
      of: small,
      isListed: mostly,
      isByDebit: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('hands in' as const), of: small }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('waits' as const), isShort: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('is paid in again' as const), of: small, amount: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('is paid in for a moment' as const), amount: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('reorganizes' as const), handsIn: small }) },
);

/** What a lying coordinator does with one organization: it begins with one transfer, so that there is something to lie about. */
export const liarCase: fc.Arbitrary<LiarCase> = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 4 }), begins, fc.array(step, { minLength: 3, maxLength: 8, size: 'max' }))
  .map(([liars, first, begin, steps]) => ({ liars, first, steps: [begin, ...steps] }));

export async function takeStep(world: LiarWorld, step: LiarStep): Promise<void> {
  const { scene, transfers } = world;
  switch (step.does) {
    case 'begins': {
      const { vault, payee, isBooked, isCleared } = step;
      world.begin(vault, scene.payees[payee % 2] as string, amountOf(world, step.amount), { isBooked, isCleared });
      return;
    }
    case 'is paid in':
      await world.payIn(amountOf(world, step.amount), step.isBooked);
      return;
    case 'orders': {
      const transfer = transfers[step.of % transfers.length] as Transfer;
      const order = world.orderOf(transfer, kindOf(transfer, step.kind));
      const told = await toldReference(world, transfer, order, step);
      if (told === null) return;
      const reference = step.change === null ? told : changed(told, step.change);
      const signed = await world.sign(transfer, { ...order, reference }, step.isListed);
      if (signed !== null && step.isHandedIn) await world.handIn(signed);
      return;
    }
    case 'orders twins': {
      const transfer = transfers[step.of % transfers.length] as Transfer;
      const order = world.orderOf(transfer, kindOf(transfer, step.kind));
      // Of the most that is ever paid, so that it spends as much as may be.
      const amount = String(scene.amounts.toSorted((one, other) => Number(other - one))[0]);
      const wanted =
        order.kind === 'refund' ? order : { ...order, kind: 'payout' as const, to: scene.payees[0], amount };
      const told = await world.referenceFor(transfer, wanted, { taken: [] });
      if (told === null) return;
      for (const number of equalNumbers(told) ?? step.numbers)
        await world.sign(transfer, { ...order, reference: changed(told, { number, lie: step.lie }) });
      return;
    }
    case 'orders one for two': {
      const [one, other] = [step.payee, step.payee].map((payee) =>
        world.begin(step.vault, scene.payees[payee % 2] as string, amountOf(world, step.amount), {
          isBooked: true,
          isCleared: true,
        }),
      ) as [Transfer, Transfer];
      const reference = await world.referenceFor(one, world.orderOf(one, 'payout'), { taken: [] });
      if (reference === null) return;
      const signed = await world.sign(one, { ...world.orderOf(one, 'payout'), reference });
      await world.sign(other, { ...world.orderOf(other, 'payout'), reference });
      if (signed !== null) await world.handIn(signed);
      return;
    }
    case 'orders by one debit': {
      const one = transfers[step.of % transfers.length] as Transfer;
      // Of terms that were begun: those of the second may be the first's once more.
      if (one.way === 'in' || !one.isBooked) return;
      const place = one.terms.destination;
      const [payee] = scene.payees.filter((each) => place.kind === 'chain' && each !== place.address);
      for (const transfer of [one, world.beginAgain(one, payee as string, step.isByDebit)]) {
        const order = world.orderOf(transfer, 'payout');
        const taken = world.orders.map((each) => each.order.reference);
        const reference = await world.referenceFor(transfer, order, { taken });
        const signed = reference === null ? null : await world.sign(transfer, { ...order, reference }, step.isListed);
        if (signed !== null) await world.handIn(signed);
      }
      return;
    }
    case 'hands in': {
      const signed = world.signed[step.of % Math.max(1, world.signed.length)];
      if (signed !== undefined) await world.handIn(signed);
      return;
    }
    case 'waits':
      if (step.isShort && scene.shallow !== undefined) scene.shallow.mine();
      else scene.settle();
      return;
    case 'is paid in again': {
      const transfer = transfers[step.of % transfers.length] as Transfer;
      if (transfer.way === 'in') await world.payInAgain(transfer, wholeAmountOf(world, transfer, step.amount));
      return;
    }
    case 'is paid in for a moment':
      await world.payInForAMoment(amountOf(world, step.amount), async (transfer) => {
        const order = world.orderOf(transfer, 'refund');
        const reference = await world.referenceFor(transfer, order, { taken: [] });
        const signed = reference === null ? null : await world.sign(transfer, { ...order, reference });
        if (signed !== null) await world.handIn(signed);
      });
      return;
    case 'reorganizes': {
      scene.shallow?.reorganize();
      const signed = world.signed[step.handsIn % Math.max(1, world.signed.length)];
      if (signed !== undefined) await world.handIn(signed);
      return;
    }
  }
}

/** What a transfer pays is a payout, or what goes back of what came; the other is asked for, too, but seldom. */
function kindOf({ way }: Transfer, kind: PaymentOrder['kind']): PaymentOrder['kind'] {
  return kind === 'payout' && way === 'in' ? 'refund' : kind;
}

/** What can be paid in by transfers of the ledger. */
function wholeAmountOf(world: LiarWorld, { vault }: Transfer, index: number): bigint {
  const part = 10n ** BigInt(Math.max(0, vault.decimals - SCALE_MAX));
  return (amountOf(world, index) / part) * part;
}

function amountOf({ scene }: LiarWorld, index: number): bigint {
  return scene.amounts[index % scene.amounts.length] as bigint;
}

async function toldReference(
  world: LiarWorld,
  transfer: Transfer,
  order: Omit<PaymentOrder, 'reference'>,
  step: Extract<LiarStep, { does: 'orders' }>,
): Promise<string | null> {
  const { transfers, orders, scene } = world;
  if (step.reference === 'earlier') return orders[step.other % Math.max(1, orders.length)]?.order.reference ?? null;
  const other = transfers[step.other % transfers.length] as Transfer;
  const whose = step.reference === 'own' ? transfer : other;
  const asked = step.reference === 'own' ? order : world.orderOf(other, other.way === 'out' ? 'payout' : 'refund');
  const taken = step.isTaken
    ? orders.filter((one) => one.transfer.vault === whose.vault).map((one) => one.order.reference)
    : [];
  const transport = step.nodeLie === null ? scene.transport : lyingNode(scene.transport, step.nodeLie);
  return world.referenceFor(whose, asked, { taken, transport });
}

/** Whole numbers of a reference that are none of a longer word. */
const NUMBERS = /(?<![0-9A-Za-z])[0-9]{1,39}(?![0-9A-Za-z])/g;

function changed(reference: string, { number, lie }: Change): string {
  const count = reference.match(NUMBERS)?.length ?? 0;
  let at = -1;
  return reference.replace(NUMBERS, (digits) => {
    at += 1;
    return at === number % Math.max(1, count) ? String(told(BigInt(digits), lie)) : digits;
  });
}

/** Places of two numbers that are the same, and large: one may be told for the other. */
function equalNumbers(reference: string): readonly [number, number] | null {
  const numbers: readonly string[] = reference.match(NUMBERS) ?? [];
  for (const [at, digits] of numbers.entries()) {
    const other = digits.length > 3 ? numbers.indexOf(digits, at + 1) : -1;
    if (other >= 0) return [at, other];
  }
  return null;
}

function told(truth: bigint, lie: Lie): bigint {
  switch (lie) {
    case 'hundredth':
      return truth / 100n;
    case 'speck':
      return truth < 100_000n ? truth / 2n : 100_000n;
    case 'half':
      return truth / 2n;
    case 'double':
      return truth * 2n;
    case 'one more':
      return truth + 1n;
    case 'one less':
      return truth === 0n ? 0n : truth - 1n;
    case 'nothing':
      return 0n;
    case 'hundredfold':
      return truth * 100n;
  }
}

/** The coordinator's own node, or an indexer: whatever amount it names is another. */
function lyingNode(transport: ChainTransport, lie: Lie): ChainTransport {
  return {
    rpc: async (method, params) => lied(await transport.rpc(method, params), lie),
    get: async (path) => lied(await transport.get(path), lie),
    post: async (path, body) => lied(await transport.post(path, body), lie),
  };
}

/** Names under which chains tell amounts. */
const AMOUNT = /^(value|amount|quantity|balance|Balance|lamports|fee|.*[fF]ee.*)$/;

function lied(answer: unknown, lie: Lie, name = ''): unknown {
  if (Array.isArray(answer)) return answer.map((each) => lied(each, lie, name));
  if (typeof answer === 'object' && answer !== null)
    return Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, lied(value, lie, key)]));
  if (!AMOUNT.test(name)) return answer;
  if (typeof answer === 'number' && Number.isSafeInteger(answer) && answer > 0)
    return Number(told(BigInt(answer), lie));
  if (typeof answer === 'string' && /^[1-9]\d*$/.test(answer)) return String(told(BigInt(answer), lie));
  return answer;
}
