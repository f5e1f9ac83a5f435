import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep } from './next-step.ts';
import { stepTransfer } from './step-transfer.ts';
import {
  HISTORY_MAX,
  isEnded,
  isReturned,
  mustCancel,
  newTransfer,
  paidAmount,
  type Transfer,
  type TransferEvent,
  type TransferRules,
  type TransferState,
} from './transfer.ts';
import type { TransferTerms } from './transfer-terms.ts';

const RULES: TransferRules = {
  confirmations: 6,
  challengeFrom: 500,
  challenge_ms: 1_000,
  coSignFrom: 800,
  queue_ms: 5_000,
  answer_ms: 3_000,
  refund_ms: 4_000,
  landing_ms: 6_000,
};
const EXPIRES = 10_000;

/** One unit of the ledger is ten of the source and a hundred of the destination. */
const terms = (amount: number, fee = 1): TransferTerms => ({
  id: 't',
  organization: 'acme',
  asset: 'USDC',
  source: { kind: 'chain', chain: 'ethereum', address: 'from' },
  destination: { kind: 'account', account: 'to' },
  amountIn: `${amount * 10}`,
  amountOut: `${(amount - fee) * 100}`,
  amount,
  fee,
  expiresAt: EXPIRES,
});
const fresh = (amount = 100) => newTransfer(terms(amount));

/** Events without their time, which is 1 unless they say one. */
type Event = TransferEvent extends infer E
  ? E extends { at: number }
    ? Omit<E, 'at'> & { at?: number }
    : never
  : never;

function led(transfer: Transfer, ...events: Event[]): Transfer {
  let now = transfer;
  for (const event of events) {
    const step = stepTransfer(now, { at: 1, ...event } as TransferEvent, RULES);
    if (!step.ok) throw new Error(`${event.type}: ${step.error}`);
    now = step.value;
  }
  return now;
}

function refusal(transfer: Transfer, event: Event): string | null {
  const step = stepTransfer(transfer, { at: 1, ...event } as TransferEvent, RULES);
  return step.ok ? null : step.error;
}

const seen = (amount = 100, reference = 'in'): Event => ({
  type: 'funds_seen',
  reference,
  amount: `${amount * 10}`,
  cameAt: 1,
});
const lateSeen = (cameAt = EXPIRES + 1): Event => ({ ...seen(), cameAt }) as Event;
const deep = (reference = 'in'): Event => ({ type: 'funds_confirmed', reference, confirmations: 6 });
const attest = (signer: number, reference = 'in'): Event => ({ type: 'attested', signer, reference });
const fits: Event = { type: 'limit_checked', fits: true };
const fixed = (reference = 'out'): Event => ({ type: 'payment_fixed', reference });
const sent = (transaction = 'tx', reference = 'out'): Event => ({ type: 'payment_sent', reference, transaction });
const paid = (reference = 'out'): Event => ({ type: 'payment_confirmed', reference });
const cancelled = (reference = 'out'): Event => ({ type: 'payment_cancelled', reference });
const givenUp = (reason: 'unsignable' | 'unpayable') => ({ type: 'given_up', reason }) as const;
const lost = (reference = 'in'): Event => ({ type: 'funds_lost', reference });
const clock = (at: number): Event => ({ type: 'clock', at });

const attested = (amount = 100) => led(fresh(amount), seen(amount), deep(), attest(0), attest(2), attest(4));

describe('a transfer', () => {
  test('is paid once its funds are deep, three signers have seen them and the limit has room', () => {
    const shallow = led(fresh(), seen(), { type: 'funds_confirmed', reference: 'in', confirmations: 5 });
    expect(shallow.state).toBe('confirming');
    expect(attested()).toMatchObject({ state: 'limit_check', attestedBy: [0, 2, 4] });
    const end = led(attested(), fits, fixed(), sent(), paid());
    expect(end).toMatchObject({ state: 'confirmed', isUncovered: false });
    expect(paidAmount(end)).toBe('9900');
    expect(end.history.map(({ to }) => to)).toEqual([
      'confirming',
      'attesting',
      'limit_check',
      'signing',
      'broadcast',
      'confirmed',
    ]);
  });

  test('of a large amount may be challenged first, and of a larger one needs the hardware module', () => {
    const challenged = led(attested(500), fits);
    expect(challenged).toMatchObject({ state: 'challenge', until: 1_001 });
    expect(led(challenged, clock(1_000)).state).toBe('challenge');
    expect(led(challenged, clock(1_001))).toMatchObject({ state: 'signing', until: 4_001 });
    const coSigned = led(attested(800), fits, clock(1_001));
    expect(coSigned.state).toBe('co_signing');
    expect(refusal(coSigned, fixed())).toBe('not_now');
    expect(led(coSigned, { type: 'co_signed' })).toMatchObject({ state: 'signing', until: 3_001 });
  });

  test('over the daily limit waits for room, and is given back when that takes too long', () => {
    const queued = led(attested(), { type: 'limit_checked', fits: false });
    expect(queued).toMatchObject({ state: 'queued', until: 5_001 });
    expect(led(queued, { type: 'limit_checked', fits: false, at: 4_000 })).toEqual(queued);
    expect(led(queued, fits).state).toBe('signing');
    expect(led(queued, clock(5_001))).toMatchObject({ state: 'refundable', refundReason: 'queue_ended' });
  });

  test('that is vetoed is given back in full', () => {
    const end = led(attested(500), fits, { type: 'vetoed' }, fixed('back'), sent('tx', 'back'), paid('back'));
    expect(end).toMatchObject({ state: 'refunded', refundReason: 'vetoed' });
    expect(paidAmount(end)).toBe('5000');
    expect(refusal(led(fresh(), seen()), { type: 'vetoed' })).toBe('not_now');
    const queued = led(attested(), { type: 'limit_checked', fits: false });
    const coSigning = led(attested(800), fits, clock(1_001));
    for (const waiting of [attested(), queued, coSigning])
      expect(led(waiting, { type: 'vetoed' })).toMatchObject({ state: 'refundable', refundReason: 'vetoed' });
  });

  test('whose funds are other than quoted, or late, is given back once they are deep', () => {
    expect(led(fresh(), seen(101), deep())).toMatchObject({ state: 'refundable', refundReason: 'wrong_amount' });
    expect(led(fresh(), lateSeen(), deep())).toMatchObject({ refundReason: 'late' });
    const expired = led(fresh(), clock(EXPIRES + 1));
    expect(expired.state).toBe('expired');
    expect(led(expired, lateSeen(), deep())).toMatchObject({ state: 'refundable', refundReason: 'late' });
  });

  test('that somebody else has paid for says so once its quote has ended, and pays out nothing for that', () => {
    const others = (areThere: boolean): Event => ({ type: 'others_seen', areThere });
    const returned = { ...seen(), isReturn: true } as Event;
    for (const event of [others(true), returned]) expect(refusal(fresh(), event)).toBe('not_now');
    expect(refusal(attested(), others(true))).toBe('not_now');
    const expired = led(fresh(), clock(EXPIRES + 1));
    const held = led(expired, others(true));
    expect([held.state, isEnded(held), nextStep(held)]).toEqual(['paid_by_other', true, 'find_funds']);
    expect(led(held, others(true), clock(EXPIRES * 9))).toEqual(held);
    expect(led(held, others(false)).state).toBe('expired');
    // In time, and in the quoted amount: it is not the payer's all the same.
    for (const before of [held, expired]) {
      const back = led(before, returned, deep());
      expect(back).toMatchObject({ state: 'refundable', refundReason: 'other_payer' });
      expect(led(back, fixed('back'), sent('tx', 'back'), paid('back')).state).toBe('refunded');
      expect(led(back, lost())).toMatchObject({ state: 'awaiting_funds', refundReason: null });
    }
    expect(led(held, lateSeen(), deep())).toMatchObject({ state: 'refundable', refundReason: 'late' });
    expect(led(held, seen(), deep()).state).toBe('attesting');
  });

  test('whose payer pays once funds of somebody else were returned gives that back as well, by a reference of its own', () => {
    const back = led(fresh(), clock(EXPIRES + 1), { ...seen(), isReturn: true } as Event, deep());
    const returned = led(back, fixed('back'), sent('tx', 'back'), paid('back'));
    expect([returned.state, isReturned(returned)]).toEqual(['refunded', true]);
    expect(led(returned, seen())).toEqual(returned);
    expect(refusal(returned, { ...seen(), reference: 'late', isReturn: true } as Event)).toBe('other_reference');
    // Even where its block says that they came in time: one payment has left.
    const late = led(returned, seen(100, 'late'));
    expect(late).toMatchObject({ state: 'confirming', refundReason: 'late', payment: null, cancelled: ['back'] });
    const deeper = led(late, deep('late'));
    expect(deeper.state).toBe('refundable');
    expect(refusal(deeper, fixed('back'))).toBe('used_reference');
    const done = led(deeper, fixed('second'), sent('tx', 'second'), paid('second'));
    expect([done.state, isReturned(done)]).toEqual(['refunded', false]);
    expect(refusal(done, seen(100, 'third'))).toBe('other_reference');
    // What is taken away and comes again goes back again, and is never paid out.
    // What was returned without its funds stays so.
    const without = led(returned, lost(), seen(100, 'late'), deep('late'), fixed('late back'));
    for (const events of [
      [paid('late back')],
      [paid('late back'), lost('late'), seen(100, 'late')],
      [lost('late'), paid('late back')],
    ])
      expect(led(without, ...events)).toMatchObject({ state: 'refunded', isUncovered: true });
    expect(led(without, lost('late'))).toMatchObject({ isUncovered: true });
    expect(led(deeper, fixed('late back'), paid('late back'))).toMatchObject({ isUncovered: false });
    const again = led(late, lost('late'), seen(), deep());
    expect(again).toMatchObject({ state: 'refundable', refundReason: 'late' });
  });

  test('whose account is not debited ends then', () => {
    const refused = led(fresh(), { type: 'debit_refused', at: 7 });
    expect(refused).toMatchObject({ state: 'expired', history: [{ at: 7, to: 'expired', cause: 'debit_refused' }] });
    expect(refusal(led(fresh(), seen()), { type: 'debit_refused' })).toBe('not_now');
  });

  test('is in time at the last moment of its quote', () => {
    expect(led(fresh(), clock(EXPIRES)).state).toBe('awaiting_funds');
    expect(led(fresh(), lateSeen(EXPIRES), deep()).state).toBe('attesting');
  });

  test('is in time by when its funds came, however late they are seen, and seen again', () => {
    const expired = led(fresh(), clock(EXPIRES + 1));
    expect(led(expired, { ...seen(), at: EXPIRES + 2 } as Event, deep()).state).toBe('attesting');
    const again = led(fresh(), lateSeen(EXPIRES), lost(), clock(EXPIRES + 1), lateSeen(EXPIRES + 500));
    expect(again).toMatchObject({ state: 'confirming', refundReason: null, funds: { cameAt: EXPIRES } });
    const other = { ...lateSeen(), reference: 'other' } as Event;
    expect(led(fresh(), lateSeen(EXPIRES), lost(), other)).toMatchObject({ refundReason: 'late' });
  });

  test('goes by its own funds alone, which are an amount', () => {
    for (const amount of ['0', '-1', '01', '1.5', '', '1e3'])
      expect(refusal(fresh(), { type: 'funds_seen', reference: 'in', amount, cameAt: 1 })).toBe('not_now');
    const confirming = led(fresh(), seen());
    for (const event of [seen(100, 'other'), deep('other'), lost('other')])
      expect(refusal(confirming, event)).toBe('other_reference');
  });

  test('is rejected once three signers refuse; a signer has one word, and there are five', () => {
    const open = led(
      fresh(),
      seen(),
      deep(),
      { type: 'refused', signer: 0 },
      { type: 'refused', signer: 1 },
      attest(2),
    );
    expect(refusal(open, attest(0))).toBe('not_now');
    expect(refusal(open, { type: 'refused', signer: 2 })).toBe('not_now');
    for (const signer of [5, -1, 0.5]) {
      expect(refusal(open, attest(signer))).toBe('no_such_signer');
      expect(refusal(open, { type: 'refused', signer })).toBe('no_such_signer');
    }
    expect(refusal(open, attest(3, 'another'))).toBe('other_reference');
    expect(led(open, { type: 'refused', signer: 3 })).toMatchObject({
      state: 'refundable',
      refundReason: 'rejected',
    });
  });

  test('whose funds a reorganization takes away begins again, under whatever reference they come back', () => {
    const again = led(attested(), lost());
    expect(again).toMatchObject({ state: 'awaiting_funds', attestedBy: [] });
    expect(led(again, seen(100, 'other'), deep('other')).state).toBe('attesting');
    expect(led(again, clock(EXPIRES + 1)).state).toBe('expired');
    expect(led(attested(), fits, lost()).state).toBe('awaiting_funds');
    expect(led(fresh(), seen(), deep(), { type: 'refused', signer: 0 }, lost())).toMatchObject({ refusedBy: [] });
    expect(led(fresh(), seen(99), lost())).toMatchObject({ state: 'awaiting_funds', refundReason: null });
  });

  test('takes no other funds for those that are lost while it is paid', () => {
    const paying = led(attested(), fits, fixed(), lost());
    expect(refusal(paying, seen(101))).toBe('other_reference');
    expect(refusal(paying, seen(100, 'other'))).toBe('other_reference');
    expect(led(paying, seen())).toMatchObject({ state: 'signing', funds: { isLost: false } });
  });

  test('shows a bounded history, with its beginning and its end', () => {
    let transfer = fresh();
    for (let round = 0; round < HISTORY_MAX; round++)
      transfer = led(transfer, { ...seen(), at: round } as Event, lost());
    expect(transfer.history).toHaveLength(HISTORY_MAX);
    expect(transfer.history[0]).toMatchObject({ at: 0, from: 'awaiting_funds' });
    expect(transfer.history.at(-2)).toMatchObject({ at: HISTORY_MAX - 1, to: 'confirming' });
  });

  test('whose funds are lost while it is paid is cancelled, or stands uncovered and says so', () => {
    const paying = led(attested(), fits, fixed(), sent(), lost());
    expect(paying.state).toBe('broadcast');
    expect(led(paying, cancelled())).toMatchObject({ state: 'awaiting_funds', cancelled: ['out'] });
    expect(led(paying, paid())).toMatchObject({ state: 'confirmed', isUncovered: true });
    expect(led(paying, paid(), seen())).toMatchObject({ state: 'confirmed', isUncovered: false });
    expect(led(attested(), fits, fixed(), paid(), lost())).toMatchObject({ isUncovered: true });
    expect(led(fresh(), seen(99), deep(), fixed('back'), paid('back'), lost())).toMatchObject({ isUncovered: true });
  });

  test('asks all signers anew once its payment is cancelled because its funds are lost', () => {
    const split = led(fresh(), seen(), deep(), { type: 'refused', signer: 1 }, attest(0), attest(2), attest(4));
    const without = led(split, fits, fixed(), { type: 'vetoed' }, lost(), cancelled());
    expect(without).toMatchObject({ state: 'awaiting_funds', attestedBy: [], refusedBy: [], refundReason: null });
  });

  test('that is vetoed, or refused for good, while it is paid goes back once its payment is cancelled', () => {
    for (const stop of [{ type: 'vetoed' }, givenUp('unsignable'), givenUp('unpayable')] as const) {
      const reason = stop.type === 'vetoed' ? 'vetoed' : stop.reason;
      const signing = led(attested(), fits);
      expect(led(signing, stop)).toMatchObject({ state: 'refundable', refundReason: reason });
      const fixedOne = led(signing, fixed());
      expect(mustCancel(fixedOne)).toBe(false);
      for (const paying of [led(fixedOne, stop), led(fixedOne, sent(), stop)]) {
        expect(mustCancel(paying)).toBe(true);
        expect(led(paying, cancelled())).toMatchObject({ state: 'refundable', refundReason: reason });
        expect(led(paying, paid()).state).toBe('confirmed');
      }
      expect(refusal(led(fixedOne, paid()), stop)).toBe('not_now');
    }
    expect(mustCancel(led(attested(), fits, fixed(), lost()))).toBe(true);
  });

  test('that goes back is cancelled where its funds are lost on the way', () => {
    const refunding = led(fresh(), seen(99), deep(), fixed('back'));
    expect([refunding.state, mustCancel(refunding), nextStep(refunding)]).toEqual(['refund_signing', false, 'pay']);
    for (const paying of [refunding, led(refunding, sent('tx', 'back'))]) {
      const without = led(paying, lost());
      expect([mustCancel(without), nextStep(without)]).toEqual([true, 'cancel_payment']);
      expect(led(without, cancelled('back'))).toMatchObject({ state: 'awaiting_funds', cancelled: ['back'] });
      expect(mustCancel(led(without, seen(99)))).toBe(false);
      expect(mustCancel(led(without, paid('back')))).toBe(false);
    }
  });

  test('is given back where signers, or the hardware module, are away for too long', () => {
    const attesting = led(fresh(), seen(), deep());
    expect(led(attesting, clock(3_000)).state).toBe('attesting');
    expect(led(attesting, clock(3_001))).toMatchObject({ state: 'refundable', refundReason: 'timed_out' });
    const coSigning = led(attested(800), fits, clock(1_001));
    expect(led(coSigning, clock(4_000)).state).toBe('co_signing');
    expect(led(coSigning, clock(4_001))).toMatchObject({ state: 'refundable', refundReason: 'timed_out' });
  });

  test('that nobody signs in time goes back, once its payment is cancelled', () => {
    const signing = led(attested(), fits);
    expect(led(signing, clock(3_000))).toEqual(signing);
    expect(led(signing, clock(3_001))).toMatchObject({ state: 'refundable', refundReason: 'timed_out' });
    const paying = led(signing, fixed(), clock(3_000));
    expect(mustCancel(paying)).toBe(false);
    const late = led(paying, clock(3_001), givenUp('unsignable'));
    expect([late.refundReason, mustCancel(late), nextStep(late)]).toEqual(['timed_out', true, 'cancel_payment']);
    expect(led(late, cancelled())).toMatchObject({ state: 'refundable', refundReason: 'timed_out' });
  });

  test('that no chain takes in time is cancelled: a payout goes back, a refund has another reference', () => {
    const handedIn = led(attested(), fits, fixed(), sent(), { ...sent('again'), at: 5_000 } as Event);
    expect(handedIn).toMatchObject({ state: 'broadcast', until: 6_001 });
    expect(mustCancel(led(handedIn, clock(6_000)))).toBe(false);
    const late = led(handedIn, clock(6_001));
    expect([late.refundReason, mustCancel(late)]).toEqual(['timed_out', true]);
    expect(led(late, paid()).state).toBe('confirmed');
    const back = led(late, cancelled(), fixed('back'), sent('tx', 'back'));
    expect(mustCancel(led(back, clock(6_000)))).toBe(false);
    expect(led(back, clock(6_001))).toMatchObject({ payment: { isAbandoned: true } });
  });

  test('whose refund has no other reference keeps that one, whatever signers, time and the chain do', () => {
    const only = { ...RULES, refund_ms: null };
    let refunding = led(fresh(), seen(99), deep());
    for (const event of [
      fixed('back'),
      givenUp('unsignable'),
      clock(1_000_000),
      sent('tx', 'back'),
      clock(2_000_000),
    ]) {
      const step = stepTransfer(refunding, { at: 1, ...event } as TransferEvent, only);
      if (step.ok) refunding = step.value;
    }
    expect(refunding).toMatchObject({ state: 'refund_broadcast', until: null, payment: { isAbandoned: false } });
    expect(mustCancel(refunding)).toBe(false);
  });

  test('whose refund has lapsed with its deposit takes what comes then', () => {
    const gone = led(fresh(), seen(99), deep(), fixed('back'), lost(), cancelled('back'));
    expect([gone.state, nextStep(gone)]).toEqual(['awaiting_funds', 'find_funds']);
    const again = led(gone, seen(98), deep(), fixed('another'));
    expect(again).toMatchObject({ state: 'refund_signing', funds: { amount: '980' }, payment: { kind: 'refund' } });
    expect(refusal(led(gone, seen(98), deep()), fixed('back'))).toBe('used_reference');
  });

  test('whose refund nobody signs, in time or at all, goes back by another reference', () => {
    const refunding = led(fresh(), seen(99), deep(), fixed('back'));
    expect(led(refunding, clock(4_000))).toEqual(refunding);
    for (const stop of [clock(4_001), givenUp('unsignable')]) {
      const late = led(refunding, stop, stop);
      expect([late.refundReason, mustCancel(late), nextStep(late)]).toEqual(['wrong_amount', true, 'cancel_payment']);
      const again = led(late, cancelled('back'), fixed('another'));
      expect(again).toMatchObject({ state: 'refund_signing', payment: { kind: 'refund', isAbandoned: false } });
      expect(mustCancel(again)).toBe(false);
    }
    expect(refusal(refunding, { type: 'vetoed' })).toBe('not_now');
    expect(refusal(led(refunding, paid('back')), givenUp('unsignable'))).toBe('not_now');
  });

  test('keeps the first reason for which it is not paid', () => {
    const paying = led(attested(), fits, fixed());
    expect(led(paying, { type: 'vetoed' }, givenUp('unpayable')).refundReason).toBe('vetoed');
    expect(led(paying, givenUp('unpayable'), { type: 'vetoed' }).refundReason).toBe('unpayable');
  });

  test('has one reference for each payment, and never one that was cancelled', () => {
    const signing = led(attested(), fits, fixed());
    expect(refusal(signing, fixed('another'))).toBe('other_reference');
    expect(refusal(signing, sent('tx', 'another'))).toBe('other_reference');
    expect(led(signing, sent('one'), sent('two')).payment).toEqual({
      kind: 'payout',
      reference: 'out',
      transaction: 'two',
      isAbandoned: false,
    });
    const refundable = led(signing, cancelled());
    expect(refundable).toMatchObject({ state: 'refundable', refundReason: 'unpayable', payment: null });
    expect(refusal(refundable, fixed('out'))).toBe('used_reference');
    expect(led(refundable, fixed('back'), paid('back')).state).toBe('refunded');
    const twice = led(refundable, fixed('back'), cancelled('back'));
    for (const used of ['out', 'back']) expect(refusal(twice, fixed(used))).toBe('used_reference');
  });

  test('goes back where it has no other reference to be paid with than one that was cancelled', () => {
    const again = led(
      attested(),
      fits,
      fixed(),
      lost(),
      cancelled(),
      seen(),
      deep(),
      attest(0),
      attest(1),
      attest(2),
      fits,
    );
    expect(again.state).toBe('signing');
    expect(led(again, fixed())).toMatchObject({ state: 'refundable', refundReason: 'unpayable', payment: null });
    expect(led(again, fixed('another')).payment?.reference).toBe('another');
  });

  test('that nothing could be left of is none', () => {
    for (const [amount, fee] of [
      [1, 1],
      [100, -1],
      [1.5, 0],
      [100, 0.5],
    ] as const)
      expect(() => newTransfer(terms(amount, fee))).toThrow(RangeError);
    for (const units of ['', '-1', '1.5', '01', '0', '1e3']) {
      expect(() => newTransfer({ ...terms(100), amountIn: units })).toThrow(RangeError);
      expect(() => newTransfer({ ...terms(100), amountOut: units })).toThrow(RangeError);
    }
    expect(() => newTransfer({ ...terms(100), fee: 100 })).toThrow(RangeError);
  });
});

const reference = fc.constantFrom('in', 'other', 'out', 'back');
const at = fc.integer({ min: 0, max: 20_000 });
const anyEvent: fc.Arbitrary<TransferEvent> = fc.oneof(
  fc.record({
    at,
    type: fc.constant('funds_seen' as const),
    reference,
    amount: fc.constantFrom('1000', '1010'),
    cameAt: at,
  }),
  fc.record({
    at,
    type: fc.constant('funds_seen' as const),
    reference,
    amount: fc.constant('1000'),
    cameAt: at,
    isReturn: fc.constant(true as const),
  }),
  fc.record({ at, type: fc.constant('others_seen' as const), areThere: fc.boolean() }),
  fc.record({ at, type: fc.constant('funds_confirmed' as const), reference, confirmations: fc.constantFrom(1, 6) }),
  fc.record({ at, type: fc.constant('funds_lost' as const), reference }),
  fc.record({ at, type: fc.constant('attested' as const), signer: fc.integer({ min: -1, max: 5 }), reference }),
  fc.record({ at, type: fc.constant('refused' as const), signer: fc.integer({ min: -1, max: 5 }) }),
  fc.record({ at, type: fc.constant('limit_checked' as const), fits: fc.boolean() }),
  fc.record({
    at,
    type: fc.constantFrom('vetoed' as const, 'co_signed' as const, 'debit_refused' as const, 'clock' as const),
  }),
  fc.record({
    at,
    type: fc.constant('given_up' as const),
    reason: fc.constantFrom('unsignable' as const, 'unpayable' as const),
  }),
  fc.record({ at, type: fc.constant('payment_fixed' as const), reference }),
  fc.record({ at, type: fc.constant('payment_sent' as const), reference, transaction: fc.constantFrom('one', 'two') }),
  fc.record({ at, type: fc.constantFrom('payment_confirmed' as const, 'payment_cancelled' as const), reference }),
);

/** Mostly what comes next, so that streams get far; else anything. */
function likely({ state, funds, payment }: Transfer): TransferEvent {
  const incoming = funds?.reference ?? 'in';
  const outgoing = payment?.reference ?? 'out';
  const now = { at: 100 };
  const next: Readonly<Partial<Record<TransferState, TransferEvent>>> = {
    awaiting_funds: { ...now, type: 'funds_seen', reference: 'in', amount: '1000', cameAt: 100 },
    confirming: { ...now, type: 'funds_confirmed', reference: incoming, confirmations: 6 },
    limit_check: { ...now, type: 'limit_checked', fits: true },
    queued: { ...now, type: 'limit_checked', fits: true },
    challenge: { at: 2_000, type: 'clock' },
    co_signing: { ...now, type: 'co_signed' },
    signing:
      payment === null
        ? { ...now, type: 'payment_fixed', reference: 'out' }
        : { ...now, type: 'payment_sent', reference: outgoing, transaction: 'one' },
    broadcast: { ...now, type: 'payment_confirmed', reference: outgoing },
    refundable: { ...now, type: 'payment_fixed', reference: 'back' },
    refund_signing: { ...now, type: 'payment_sent', reference: outgoing, transaction: 'one' },
    refund_broadcast: { ...now, type: 'payment_confirmed', reference: outgoing },
  };
  return next[state] ?? { ...now, type: 'clock' };
}

const stream = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: anyEvent }), {
  minLength: 10,
  maxLength: 60,
});
const rules = fc.constantFrom(RULES, { ...RULES, challengeFrom: 1 }, { ...RULES, challengeFrom: 1, coSignFrom: 1 });

/** Every transfer of a stream, with the event that led there. */
function runOf(events: readonly (TransferEvent | null)[], held: TransferRules): [Transfer, TransferEvent | null][] {
  const run: [Transfer, TransferEvent | null][] = [[fresh(), null]];
  for (const [turn, maybe] of events.entries()) {
    const [transfer] = run.at(-1) ?? [fresh()];
    const isAttesting = maybe === null && transfer.state === 'attesting';
    const event: TransferEvent = isAttesting
      ? { at: 100, type: 'attested', signer: turn % 5, reference: transfer.funds?.reference ?? '' }
      : (maybe ?? likely(transfer));
    const step = stepTransfer(transfer, event, held);
    if (step.ok) run.push([step.value, event]);
  }
  return run;
}

/** What honest signers, a chain and time make of it: all goes back, or it ends as it would. */
function endOf(transfer: Transfer): Transfer {
  let now = transfer;
  for (let turns = 0; turns < 12 && !(isEnded(now) || now.state === 'expired'); turns++) {
    const late = { at: 1_000_000 };
    const { payment, funds } = now;
    const isLost = funds?.isLost ?? true;
    const events: TransferEvent[] = [
      { ...late, type: 'clock' },
      ...(payment !== null && (isLost || payment.isAbandoned)
        ? [{ ...late, type: 'payment_cancelled' as const, reference: payment.reference }]
        : []),
      ...(payment === null ? [{ ...late, type: 'payment_fixed' as const, reference: `fresh-${turns}` }] : []),
      ...(payment === null ? [] : [{ ...late, type: 'payment_confirmed' as const, reference: payment.reference }]),
      ...(funds === null
        ? []
        : [{ ...late, type: 'funds_confirmed' as const, reference: funds.reference, confirmations: 6 }]),
      ...[0, 1, 2, 3, 4].map((signer) => ({ ...late, type: 'refused' as const, signer })),
      { ...late, type: 'vetoed' },
    ];
    for (const event of events) {
      const step = stepTransfer(now, event, RULES);
      if (step.ok && step.value.state !== now.state) {
        now = step.value;
        break;
      }
      if (step.ok) now = step.value;
    }
  }
  return now;
}

test('whatever comes twice, late or out of turn: one payment, none without funds and three signers, and a way out of every state', {
  timeout: 300_000,
}, () => {
  fc.assert(
    fc.property(stream, rules, (events, held) => {
      let before: Transfer | null = null;
      for (const [transfer, event] of runOf(events, held)) {
        const { state, payment, funds, attestedBy, cancelled: dead, history } = transfer;
        if (event !== null) {
          const repeated = stepTransfer(transfer, event, held);
          if (repeated.ok && event.type !== 'clock') expect(repeated.value).toEqual(transfer);
        }
        if (payment !== null) {
          expect(dead).not.toContain(payment.reference);
          expect(funds).not.toBeNull();
        }
        if (payment?.kind === 'payout') {
          expect(attestedBy.length).toBeGreaterThanOrEqual(3);
          expect(funds?.amount).toBe(transfer.amountIn);
          expect(paidAmount(transfer)).toBe(transfer.amountOut);
          expect(transfer.refundReason).not.toBe('other_payer');
        }
        if (payment?.kind === 'refund') expect(paidAmount(transfer)).toBe(funds?.amount);
        if (['signing', 'broadcast', 'confirmed'].includes(state)) expect(payment?.kind ?? 'payout').toBe('payout');
        if (state === 'confirmed' || state === 'refunded') expect(payment).not.toBeNull();
        if (before !== null) {
          const isEnd = before.state === 'confirmed' || (before.state === 'refunded' && !isReturned(before));
          if (isEnd) expect(state).toBe(before.state);
          if (before.hasReturned === true)
            expect([transfer.hasReturned, payment?.kind ?? 'refund']).toEqual([true, 'refund']);
          if (before.payment !== null && before.payment.reference !== payment?.reference)
            expect(dead).toContain(before.payment.reference);
        }
        expect(history.length).toBeLessThanOrEqual(HISTORY_MAX);
        expect(history.at(-1)?.to ?? 'awaiting_funds').toBe(state);
        expect(isEnded(endOf(transfer)), `${state} has no way out`).toBe(true);
        before = transfer;
      }
    }),
    { numRuns: Number(process.env.BRIDGE_RUNS ?? 2_000) },
  );
});

test('streams reach every state', () => {
  const reached = new Set<TransferState>();
  fc.assert(
    fc.property(stream, rules, (events, held) => {
      for (const [{ state }] of runOf(events, held)) reached.add(state);
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(reached.size).toBe(16);
});
