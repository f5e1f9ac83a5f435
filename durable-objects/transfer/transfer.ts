import { DurableObject } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { noteSignerFaults } from '../../data/bridge/signer-faults.ts';
import { showTransfer } from '../../data/bridge/transfers.ts';
import { database } from '../../data/database.ts';
import type { Deposit } from '../../domain/bridge/chains/chain-adapter.ts';
import { refundsFromDeposit } from '../../domain/bridge/chains/refunds-from-deposit.ts';
import { fundsOf } from '../../domain/bridge/funds-of.ts';
import { givesRoomBack } from '../../domain/bridge/gives-room-back.ts';
import { roomHeldUpTo } from '../../domain/bridge/lane-terms.ts';
import { customerOf, type LaneTurn } from '../../domain/bridge/lane-turns.ts';
import { nextLook, nextRefund } from '../../domain/bridge/next-look.ts';
import { nextStep } from '../../domain/bridge/next-step.ts';
import { refundWait } from '../../domain/bridge/refund-wait.ts';
import { RETURN_WAIT_MS } from '../../domain/bridge/return-wait.ts';
import { stepTransfer } from '../../domain/bridge/step-transfer.ts';
import {
  isEnded,
  isReturned,
  isUnpaid,
  newTransfer,
  type TransferEvent,
  type TransferRules,
} from '../../domain/bridge/transfer.ts';
import { termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { ChainAway } from '../bridge-chains/chains-of.ts';
import { log } from '../log/log.ts';
import { wakeDispatch } from '../webhook-dispatch/api.ts';
import type { BridgeTransferApi, ReturnAnswer, TransferStart, TransferView, TransferWords } from './api.ts';
import type { Happening, TransferPorts } from './ports.ts';
import { portsOf } from './ports-of.ts';
import { SignerWords } from './signer-words.ts';
import { creditFee, isFeeOwed } from './transfer-fee.ts';
import { noticed, noticeRow } from './transfer-notices.ts';
import { addressOf, hiddenDeposit, movementOf, refundRestsFor } from './transfer-orders.ts';
import { type PayingTransfer, refundsSigned, TransferPayments } from './transfer-payments.ts';
import { type TransferRecord, TransferStore } from './transfer-store.ts';
import { isSweepOwed, isSwept, sweepDeposit } from './transfer-sweep.ts';

/** Steps of one turn: a transfer has fewer, unless something goes back and forth. */
const STEPS_MAX = 24;
/** When another instance goes on, where one is lost in its turn. */
const LOST_TURN_MS = MINUTE_MS;
const FIRST_LOOK_MS = 1_000;
/** A node that lags behind, or one of several, may not show funds for a moment: they are lost once none has shown them for so long. */
const MISSING_MS = MINUTE_MS;
const MISSING_REST_MS = 15_000;
/** Nodes of signers that are behind whoever coordinates know the newest block within so long. */
const UNKNOWN_MS = MINUTE_MS;
/** A payment that was handed in is not cancelled sooner: chains may be full for hours. */
const LANDING_MS_MIN = DAY_MS;
/** A push that comes sooner after the last turn is answered with what that has found. */
const PUSH_REST_MS = 500;
/** Seats at the stake change behind a delay; what was slashed meanwhile counts no longer than that. */
const SEATS_HELD_MS = 10_000;
const NO_ROOM = 'the daily limit has no room for it now';
const WAITS_FOR: Readonly<Record<LaneTurn, string>> = {
  passes: NO_ROOM,
  others_first: 'others wait for room in the daily limit before it',
  own_day: 'what its customer was given back counts against them for a day',
};
const OTHERS_PAID = 'somebody else than the payer has paid in: an operator may have it returned to them';
const PAYER_FIRST =
  'what somebody else has paid in goes back once the payer has had twelve hours after the quote’s end';

/** Carries one transfer from its quote to its end (docs/design/bridge.md#the-object-of-a-transfer). */
export class BridgeTransfer extends DurableObject<Env> implements BridgeTransferApi {
  readonly #store = new TransferStore(this.ctx.storage);
  readonly #signerWords = new SignerWords(this.#store);
  readonly #carrier: PayingTransfer = {
    store: this.#store,
    happened: (event) => this.#happened(event),
    waitFor: (reason) => {
      this.#waitsFor = reason;
    },
    nextRefund: (tried) => this.nextRefund(tried),
    unknownWait_ms: () => this.unknownWait_ms,
    handInRest_ms: () => this.handInRest_ms,
    point: (name) => this.point(name),
  };
  readonly #payments = new TransferPayments(this.#carrier);
  #turn: Promise<void> | null = null;
  #turnEndedAt = 0;
  #waitsFor: string | null = null;
  #isShown = false;
  /** Whether the turn was asked for. */
  #isPushed = false;

  async begin(start: TransferStart): Promise<TransferView> {
    if (this.#store.record === null) {
      const commitment = termsCommitment(start.terms);
      const transfer = newTransfer(start.terms);
      const nothing = {
        debitRefusal: null,
        doesDebitNameTerms: true,
        doPaymentsNameTerms: true,
        coSignature: null,
        attempts: 0,
        announced: [],
        cancelling: null,
        signed: {},
        cheaters: [],
        words: [],
        faults: [],
      } as const;
      const begun = { at: start.createdAt, cause: null, newId: uuidv7 };
      const notices = noticed(null, { transfer, debitRefusal: null }, begun);
      // In one write: funds that come to a transfer without an alarm would be seen by nobody.
      await Promise.all([
        this.ctx.storage.setAlarm(Date.now() + FIRST_LOOK_MS),
        this.#store.save({ ...start, commitment, transfer, ...nothing, ...notices }),
      ]);
      await this.point('begun');
      await this.#show();
    }
    if (this.#store.begun.terms.source.kind === 'account') await this.#turnNow();
    return this.#viewOf(this.#store.begun);
  }

  async push(): Promise<TransferView | null> {
    if (this.#store.record === null) return null;
    if (Date.now() - this.#turnEndedAt >= this.pushRest_ms) {
      this.#isPushed = true;
      await this.#turnNow();
    }
    return this.#viewOf(this.#store.begun);
  }

  async view(): Promise<TransferView | null> {
    return this.#store.record === null ? null : this.#viewOf(this.#store.record);
  }

  async returnTo(payer: string): Promise<ReturnAnswer> {
    if (this.#store.record === null) return 'not_now';
    // What its own payer has paid comes first.
    await this.#turnNow();
    if (refundRestsFor(this.#store.begun) === payer) {
      await this.#store.save({ refundOrdered: refundsSigned(this.#store.begun) });
      await this.point('refund ordered');
      await this.#turnNow();
      return 'ordered';
    }
    const refusal = (await this.#returnRefusal(payer)) ?? this.#orderedReturn(payer);
    if (refusal !== null) return refusal;
    // Without a pause since the last look: a turn may have found funds of the payer while chains were asked.
    await this.#store.save({ returnTo: payer });
    await this.point('return ordered');
    await this.#turnNow();
    return 'ordered';
  }

  /** What an order of a return is answered by what is stored now; null where it may be written. */
  #orderedReturn(payer: string): ReturnAnswer | null {
    const { transfer, settings, returnTo } = this.#store.begun;
    if (returnTo === payer) return 'ordered';
    return settings.source === null || !isUnpaid(transfer) ? 'not_now' : null;
  }

  async #returnRefusal(payer: string): Promise<ReturnAnswer | null> {
    const known = this.#orderedReturn(payer);
    const { settings, returned = [] } = this.#store.begun;
    if (known !== null || settings.source === null) return known;
    const ports = this.ports();
    try {
      if (returned.includes(payer) || (await this.#fundsFrom(ports, payer)).length === 0) return 'no_funds';
      const fault = await ports.chains.payeeMemoFault(settings.source, { address: payer });
      await this.point('return looked at');
      return fault === null ? null : 'asks_memo';
    } catch (error) {
      if (error instanceof ChainAway) return 'away';
      throw error;
    }
  }

  async words(): Promise<TransferWords | null> {
    const { record } = this.#store;
    if (record === null) return null;
    const { terms, commitment, transfer, words, faults } = record;
    const areFundsLost = transfer.funds?.isLost ?? false;
    return { organization: terms.organization, commitment, areFundsLost, words, faults };
  }

  override async alarm(): Promise<void> {
    if (this.#store.record !== null) await this.#turnNow();
  }

  /** Tests have ports of their own. */
  protected ports(): TransferPorts {
    return portsOf(this.env, this.#store.begun.terms.organization);
  }

  /** How soon after a turn a push takes another. */
  protected get pushRest_ms(): number {
    return PUSH_REST_MS;
  }

  /** How long what the stake says of seats is taken for true. */
  protected get seatsHeld_ms(): number {
    return SEATS_HELD_MS;
  }

  /** How long funds that were seen may be missing before they are lost. */
  protected get missing_ms(): number {
    return MISSING_MS;
  }

  /** How long a reference that too few signers know is kept for nodes that are behind. */
  protected get unknownWait_ms(): number {
    return UNKNOWN_MS;
  }

  /** How long what the relayer has handed in rests, before it may be handed in again. */
  protected get handInRest_ms(): number {
    return MINUTE_MS;
  }

  /** How long after the quote's end specks, and what somebody else has paid in, wait to go back. */
  protected get returnWait_ms(): number {
    return RETURN_WAIT_MS;
  }

  /** When the next refund may be tried, Unix ms, after so many that came to nothing. */
  protected nextRefund(tried: number): number {
    const { transfer, createdAt } = this.#store.begun;
    return nextRefund(transfer, tried, createdAt);
  }

  /** Where the object can be killed; tests kill it at each. */
  protected point(_name: string): Promise<void> | undefined {
    return undefined;
  }

  /** One turn at a time: who comes meanwhile waits for it. */
  #turnNow(): Promise<void> {
    this.#turn ??= this.#takeTurn().finally(() => {
      this.#turn = null;
      this.#isPushed = false;
    });
    return this.#turn;
  }

  async #takeTurn(): Promise<void> {
    const before = this.#store.begun;
    // Whatever becomes of this instance, another one goes on.
    await this.ctx.storage.setAlarm(Date.now() + LOST_TURN_MS);
    try {
      for (let step = 0; step < STEPS_MAX; step++) {
        const { transfer } = this.#store.begun;
        this.#waitsFor = null;
        await this.#step(this.ports());
        await this.point(`after ${transfer.state}`);
        if (this.#store.begun.transfer.state === transfer.state) break;
      }
    } catch (error) {
      this.#waitsFor = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      if (error instanceof ChainAway)
        log('warn', 'a transfer of the bridge waits for a chain', { transfer: before.terms.id, reason: error.reason });
    }
    await this.#signerWords.noteCheaters();
    if (this.#store.begun.transfer.state !== before.transfer.state) this.#isShown = false;
    if (this.#store.begun.faults.length > before.faults.length) this.#isShown = false;
    const isShown = await this.#show();
    const { transfer, createdAt, missingSince, unknown } = this.#store.begun;
    const now = Date.now();
    this.#turnEndedAt = now;
    const unknownUntil = unknown === undefined || transfer.payment !== null ? 0 : unknown.since + this.unknownWait_ms;
    const owed = { isUntold: this.#payments.isUntold, isFeeOwed: isFeeOwed(this.#store.begun) };
    const sweep = { isSweepOwed: isSweepOwed(this.#store.begun) };
    const next = nextLook(transfer, { createdAt, now, ...owed, ...sweep, unknownUntil });
    const mayComeBack = missingSince !== undefined && transfer.funds?.isLost === false && !this.#isGivenBack();
    if (next !== null && mayComeBack) return this.ctx.storage.setAlarm(Math.min(next, now + MISSING_REST_MS));
    if (next !== null || !isShown) {
      const inTime = isShown ? Number.POSITIVE_INFINITY : now + LOST_TURN_MS;
      return this.ctx.storage.setAlarm(Math.min(next ?? inTime, inTime));
    }
    await this.ctx.storage.deleteAlarm();
  }

  async #step(ports: TransferPorts): Promise<void> {
    const { transfer } = this.#store.begun;
    if (!this.#isDebitOpen()) await this.#happened({ type: 'clock' });
    const status = isEnded(transfer) ? null : await this.#payments.status(ports);
    // Once a refund has landed, some chains show its deposit no more.
    if (status !== null && (await this.#payments.isSettled(ports, status))) return;
    const isWatched = transfer.funds !== null && transfer.state !== 'confirming' && !this.#isGone();
    if (transfer.hasReturned === true) await this.#payments.keepReturned(ports);
    if (isWatched && !(await this.#watchFunds(ports))) return;
    switch (nextStep(this.#store.begun.transfer)) {
      case 'find_funds':
        return this.#findFunds(ports);
      case 'watch_funds':
        await this.#giveRoomBack(ports);
        if (transfer.state === 'confirming') return void (await this.#watchFunds(ports));
        if (isReturned(transfer) && (await this.#findLate(ports))) return;
        // Of one that has ended, they were looked at above.
        await creditFee(this.#carrier, ports);
        // What a reorganization has taken from a payee comes first: the chain of a deposit may be away meanwhile.
        await this.#payments.keepPaid(ports);
        return sweepDeposit(this.#carrier, ports, this.#isPushed);
      case 'attest':
        return this.#attest(ports);
      case 'ask_guard':
        return this.#askGuard(ports);
      case 'watch_guard':
        this.#waitsFor = 'it may be challenged';
        return this.#watchGuard(ports);
      case 'co_sign':
        await this.#watchGuard(ports);
        return this.#coSign(ports);
      case 'fix_payment':
        if (this.#store.begun.transfer.state === 'signing') await this.#watchGuard(ports);
        else await ports.turns(this.#store.begun.settings).leaves(this.#store.begun.commitment);
        await this.#giveRoomBack(ports);
        return this.#payments.fix(ports);
      case 'pay':
        if (this.#store.begun.transfer.state === 'signing') await this.#watchGuard(ports);
        await this.#giveRoomBack(ports);
        return this.#payments.pay(ports, status);
      case 'watch_payment':
        return this.#payments.handInAgain(ports, status);
      case 'cancel_payment':
        await this.#giveRoomBack(ports);
        return this.#payments.cancel(ports, status);
    }
  }

  async #findFunds(ports: TransferPorts): Promise<void> {
    const { terms, settings, commitment, debitRefusal } = this.#store.begun;
    if (settings.source === null) {
      return debitRefusal === null ? this.#debit(ports) : this.#happened({ type: 'debit_refused' });
    }
    const deposits = await ports.chains.deposits(
      settings.source,
      commitment,
      addressOf(terms.source),
      this.#knownFunds(),
    );
    const found = fundsOf(deposits, terms.amountIn, this.#isWaitOver());
    if (found === undefined) return isUnpaid(this.#store.begun.transfer) ? this.#findOthers(ports) : undefined;
    await this.#happened({ type: 'funds_seen', ...seenFunds(found) }, { beside: { returnTo: undefined } });
    // Not every chain says when funds came: each signer notes when it saw them, long before they are deep enough.
    if (this.#store.begun.transfer.state === 'confirming')
      await ports.cluster.attest(terms, hiddenDeposit(this.#store.begun));
    if (this.#store.begun.transfer.funds?.reference !== found.reference)
      this.#waitsFor = `unexpected funds ${terms.id}`;
  }

  /** Funds of others are shown once the payer can no longer have it paid, and go back by an operator's order. */
  async #findOthers(ports: TransferPorts): Promise<void> {
    const { terms, settings, commitment, returnTo, returned = [] } = this.#store.begun;
    if (settings.source === null) return;
    if (returnTo !== undefined && this.#isWaitOver()) {
      const found = fundsOf(await this.#fundsFrom(ports, returnTo), terms.amountIn, true);
      // Another order may have come meanwhile.
      if (found !== undefined && this.#store.begun.returnTo === returnTo)
        return this.#happened({ type: 'funds_seen', ...seenFunds(found), isReturn: true }, { beside: { returnTo } });
    }
    const all = await ports.chains.deposits(settings.source, commitment, null);
    const seen = all.flatMap(({ payer, reference, amount }) =>
      payer === undefined || returned.includes(payer) ? [] : [{ payer, reference, amount }],
    );
    const { others = [] } = this.#store.begun;
    const isSame = seen.map(({ reference }) => reference).join() === others.map(({ reference }) => reference).join();
    if (!isSame) await this.#store.save({ others: seen });
    await this.#happened({ type: 'others_seen', areThere: seen.length > 0 });
    if (seen.length > 0) this.#waitsFor = this.#store.begun.returnTo === undefined ? OTHERS_PAID : PAYER_FIRST;
  }

  /** Once funds of somebody else were returned, what the payer pays in is a late payment as any other. @returns whether something has come */
  async #findLate(ports: TransferPorts): Promise<boolean> {
    const { terms, settings, commitment, returnTo, returned = [] } = this.#store.begun;
    if (settings.source === null || returnTo === undefined) return false;
    const deposits = await ports.chains.deposits(settings.source, commitment, addressOf(terms.source));
    const found = fundsOf(deposits, terms.amountIn, true);
    if (found === undefined) return false;
    const beside = { returnTo: undefined, returned: [...returned, returnTo] };
    await this.#happened({ type: 'funds_seen', ...seenFunds(found) }, { beside });
    return true;
  }

  /** Whether what its payer has not paid may go back. */
  #isWaitOver(): boolean {
    return Date.now() > this.#store.begun.transfer.expiresAt + this.returnWait_ms;
  }

  /** Funds that were seen are looked up by themselves: what strangers pay in may hide them. */
  #knownFunds(): readonly string[] {
    const { funds } = this.#store.begun.transfer;
    return funds === null ? [] : [funds.reference];
  }

  /** What one payer alone has paid in. */
  async #fundsFrom(ports: TransferPorts, payer: string): Promise<Deposit[]> {
    const { settings, commitment } = this.#store.begun;
    if (settings.source === null) return [];
    const deposits = await ports.chains.deposits(settings.source, commitment, payer);
    return deposits.filter((deposit) => deposit.payer === payer);
  }

  /** The account's debit is the funds. What was refused is refused for good, so nothing of it comes late. */
  async #debit(ports: TransferPorts): Promise<void> {
    const { terms } = this.#store.begun;
    await this.point('before debit');
    const outcome = await ports.ledger(
      movementOf(this.#store.begun, { type: 'burn', purpose: 'debit', amount: terms.amountIn }),
    );
    await this.point('after debit');
    if (outcome.type !== 'done') {
      await this.#store.save({ debitRefusal: outcome.type });
      return this.#happened({ type: 'debit_refused' });
    }
    const { createdAt: cameAt } = this.#store.begun;
    await this.#happened({ type: 'funds_seen', reference: terms.id, amount: terms.amountIn, cameAt });
    await this.point('debit noted');
    await this.#happened({ type: 'funds_confirmed', reference: terms.id, confirmations: 1 });
  }

  /** Whether an account's debit was asked for and not answered: what may have been taken does not expire. */
  #isDebitOpen(): boolean {
    const { settings, transfer, debitRefusal } = this.#store.begun;
    return settings.source === null && transfer.state === 'awaiting_funds' && debitRefusal === null;
  }

  /** @returns whether it may go on: not while its funds are missing, and may come back */
  async #watchFunds(ports: TransferPorts): Promise<boolean> {
    const { settings, commitment, transfer, terms, missingSince, returnTo } = this.#store.begun;
    const { funds } = transfer;
    // Of lost ones for which nothing goes out, whatever is there now is found anew.
    const isGone = funds === null || (funds.isLost && transfer.payment === null);
    if (settings.source === null && funds !== null && transfer.state === 'confirming')
      // Lost between the two: an account's debit is as sure as its entry in the ledger.
      await this.#happened({ type: 'funds_confirmed', reference: funds.reference, confirmations: 1 });
    if (isGone || settings.source === null) return true;
    const own = await ports.chains.deposits(settings.source, commitment, addressOf(terms.source), this.#knownFunds());
    if (returnTo !== undefined && own.length > 0 && transfer.payment === null) {
      await this.#store.save({ returnTo: undefined });
      await this.#lost(ports);
      return true;
    }
    const deposits = returnTo === undefined ? own : await this.#fundsFrom(ports, returnTo);
    const found = deposits.find(({ reference }) => reference === funds.reference);
    if (found === undefined) return this.#missed(ports);
    if (missingSince !== undefined) await this.#store.save({ missingSince: undefined });
    // What was taken for the funds gives way to them, as long as nothing goes back for it.
    const isQuoted = ({ amount }: Pick<Deposit, 'amount'>) => amount === terms.amountIn;
    const givesWay = !isQuoted(funds) && deposits.some(isQuoted);
    // Where deposits are what an account has, more that comes is the same deposit of another amount.
    if (transfer.payment === null && (givesWay || found.amount !== funds.amount)) {
      await this.#lost(ports);
      return true;
    }
    if (funds.isLost) await this.#happened({ type: 'funds_seen', ...seenFunds(found) });
    const { reference, confirmations } = found;
    await this.#happened({ type: 'funds_confirmed', reference, confirmations });
    if (this.#store.begun.transfer.state === 'confirming')
      this.#waitsFor = `its funds have ${confirmations} of ${await this.#confirmations()} confirmations`;
    return true;
  }

  async #missed(ports: TransferPorts): Promise<boolean> {
    const { transfer, missingSince } = this.#store.begun;
    if (transfer.funds?.isLost === true) return true;
    const now = Date.now();
    if (missingSince === undefined) await this.#store.save({ missingSince: now });
    if (now - (missingSince ?? now) < this.missing_ms) {
      this.#waitsFor = 'the source does not show its funds now';
      return false;
    }
    await this.#lost(ports);
    return true;
  }

  /** A reference that was chosen, and not fixed yet, is known to nobody: it is free again, and never this transfer's. */
  async #lost(ports: TransferPorts): Promise<void> {
    const { transfer, commitment, settings } = this.#store.begun;
    if (transfer.payment === null) {
      await ports.turns(settings).leaves(commitment);
      await this.#store.save({ attempts: this.#store.begun.attempts + 1 });
      for (const vault of [settings.source, settings.destination])
        if (vault !== null) await (await ports.watcher(vault)).ended(commitment);
    }
    await this.#happened({ type: 'funds_lost', reference: transfer.funds?.reference ?? '' });
    await this.#store.save({ missingSince: undefined });
  }

  async #attest(ports: TransferPorts): Promise<void> {
    const { terms, transfer } = this.#store.begun;
    const reference = transfer.funds?.reference ?? '';
    const seats = await this.#signerWords.seats(ports, this.seatsHeld_ms);
    const answers = await ports.cluster.attest(terms, hiddenDeposit(this.#store.begun));
    for (const [signer, answer] of answers.entries()) {
      if (answer === null) continue;
      const reason = answer.ok ? await this.#signerWords.heard(signer, answer.value, seats[signer]) : answer.reason;
      await this.point('word kept');
      if (answer.ok && reason === null) await this.#happened({ type: 'attested', signer, reference });
      if (!answer.ok && answer.kind === 'refused') await this.#happened({ type: 'refused', signer });
      if (reason !== null) this.#waitsFor = `signer ${signer}: ${reason}`;
    }
    if (this.#store.begun.transfer.state === 'limit_check') this.#waitsFor = null;
  }

  async #askGuard(ports: TransferPorts): Promise<void> {
    const { settings, commitment, terms } = this.#store.begun;
    const guard = { address: settings.guard, lane: settings.lane };
    const request = { commitment, amount: terms.amount };
    const turns = ports.turns(settings);
    const { limit } = await ports.chains.lane(guard);
    const held = roomHeldUpTo(limit, settings.roomHeldPercent);
    const turn = await turns.turnOf({ ...request, customer: customerOf(terms), limit, held });
    const answer = turn === 'passes' ? await ports.chains.requestClearance(guard, request) : 'over_limit';
    if (answer === 'over_limit') {
      this.#waitsFor = WAITS_FOR[turn];
      await this.#happened({ type: 'limit_checked', fits: false });
      if (turn === 'own_day') return;
      const until = this.#store.begun.transfer.until ?? Date.now() + settings.queue_ms;
      return turns.waits({ ...request, until }, turn === 'passes');
    }
    await turns.leaves(commitment);
    const clearance = await ports.chains.clearance(guard, commitment);
    if (clearance === null) throw new Error('the guard has not counted the transfer yet');
    // A challenge of the guard's is one of the transfer's, and ends with it.
    const left_ms = clearance.clearAt - Date.now();
    const challenge = left_ms > 0 ? { challengeFrom: 0, challenge_ms: left_ms } : {};
    await this.#happened({ type: 'limit_checked', fits: true }, { rules: challenge });
  }

  async #watchGuard(ports: TransferPorts): Promise<void> {
    const { settings, commitment, terms } = this.#store.begun;
    const guard = { address: settings.guard, lane: settings.lane };
    const clearance = await ports.chains.clearance(guard, commitment);
    if (clearance?.isVetoed === true) return this.#happened({ type: 'vetoed' });
    if (clearance !== null) return;
    // A reorganization of the exchange's chain has taken the count away: signers wait until it is there again.
    const answer = await ports.chains.requestClearance(guard, { commitment, amount: terms.amount });
    if (answer === 'over_limit') throw new Error(NO_ROOM);
  }

  /**
   * The room of what goes back is free for others, as long as the guard lists no payment: so before a refund, or a cancellation, is shown to signers. A payment of the ledger waits for no guard: then it
   * is asked again afterwards.
   */
  async #giveRoomBack(ports: TransferPorts): Promise<void> {
    const { settings, commitment, terms, transfer, announced, isRoomBack } = this.#store.begun;
    if (isRoomBack === true || announced.length > 0 || !givesRoomBack(transfer)) return;
    try {
      const isFree = await ports.chains.giveBack({ address: settings.guard }, commitment);
      await this.point('room given back');
      if (isFree)
        await ports.turns(settings).gaveBack({ commitment, customer: customerOf(terms), amount: terms.amount });
      await this.#store.save({ isRoomBack: true });
    } catch (error) {
      const next = transfer.payment?.kind === 'payout' ? settings.destination : settings.source;
      if (next !== null) throw error;
      this.#waitsFor = 'the guard does not give its room back now';
    }
  }

  async #coSign(ports: TransferPorts): Promise<void> {
    const { terms, transfer } = this.#store.begun;
    if (transfer.state !== 'co_signing') return;
    const coSignature = await ports.coSign(terms);
    if (coSignature === null) {
      this.#waitsFor = 'the hardware module does not sign';
      return;
    }
    await this.#store.save({ coSignature });
    await this.#happened({ type: 'co_signed' });
  }

  /** Whether its deposit is there no more, as it should be. */
  #isGone(): boolean {
    return this.#isGivenBack() || isSwept(this.#store.begun);
  }

  /** Whether it was given back out of its deposit: that is gone with the refund, and comes back with it. */
  #isGivenBack(): boolean {
    const { settings, transfer } = this.#store.begun;
    return transfer.state === 'refunded' && settings.source !== null && refundsFromDeposit(settings.source);
  }

  /**
   * Applies an event to what is stored when chains have answered, and stores what it comes to. One that cannot be changes nothing.
   *
   * @param beside what is stored in the same write
   */
  async #happened(
    event: Happening,
    {
      rules = {},
      beside = {},
    }: { readonly rules?: Partial<TransferRules>; readonly beside?: Partial<TransferRecord> } = {},
  ): Promise<void> {
    const confirmations = await this.#confirmations();
    const { transfer, settings, attempts } = this.#store.begun;
    const at = Date.now();
    const { queue_ms, answer_ms, coSignFrom } = settings;
    const refund_ms = refundWait(settings.source, answer_ms);
    const waits = { queue_ms, answer_ms, refund_ms, landing_ms: Math.max(answer_ms, LANDING_MS_MIN) };
    const held = { confirmations, challengeFrom: null, challenge_ms: 0, coSignFrom, ...waits, ...rules };
    const step = stepTransfer(transfer, { ...event, at } as TransferEvent, held);
    if (!step.ok || step.value === transfer) return;
    const isCancelled = step.value.cancelled.length > transfer.cancelled.length;
    const change = { ...beside, transfer: step.value, attempts: isCancelled ? attempts + 1 : attempts };
    const notices = noticed(transfer, { ...this.#store.begun, ...change }, { at, cause: event.type, newId: uuidv7 });
    await this.#store.save({ ...change, ...notices });
  }

  #confirmationsNeeded: number | null = null;

  async #confirmations(): Promise<number> {
    const { source } = this.#store.begun.settings;
    if (source === null) return 1;
    this.#confirmationsNeeded ??= await this.ports().chains.confirmationsNeeded(source.chain, source.network);
    return this.#confirmationsNeeded;
  }

  /** D1 follows, with what the tenant is told: both are written again until it has taken them. @returns whether it has */
  async #show(): Promise<boolean> {
    const { terms, hostname, commitment, transfer, faults, version, untold = [] } = this.#store.begun;
    if (this.#isShown && untold.length === 0) return true;
    const { id, organization } = terms;
    const shown = { id, organization, hostname, commitment, terms, state: transfer.state };
    const db = database(this.env.DB);
    const events = untold.map((notice) => noticeRow(this.#store.begun, notice));
    try {
      await showTransfer(db, { ...shown, changes: version, updatedAt: Date.now() }, events);
      if (events.length > 0) await this.#hasTold(events.map((event) => event.id));
      await noteSignerFaults(db, { transfer: id, organization }, faults);
      this.#isShown = true;
    } catch {
      this.#isShown = false;
      return false;
    }
    return true;
  }

  /** What D1 has is not written again, and told within five minutes where the dispatcher does not hear of it. */
  async #hasTold(ids: readonly string[]): Promise<void> {
    await this.point('events written');
    const { untold = [] } = this.#store.begun;
    await this.#store.save({ untold: untold.filter(({ id }) => !ids.includes(id)) });
    this.ctx.waitUntil(wakeDispatch(this.env, 'exchange').catch(() => undefined));
  }

  #viewOf(record: TransferRecord): TransferView {
    const { terms, settings, place, hostname, createdAt, transfer, commitment, debitRefusal, cheaters } = record;
    const shown = { terms, settings, place, hostname, createdAt, transfer, commitment, debitRefusal, cheaters };
    const { others = [], returnTo = null, feeCreditedAt = null } = record;
    const restsFor = refundRestsFor(record);
    return { ...shown, others, returnTo, restsFor, feeCreditedAt, waitsFor: this.#waitsFor };
  }
}

/** Not every chain says when funds came; then they came when they are seen. A block's clock may go ahead. */
function seenFunds({ reference, amount, at }: Deposit) {
  const now = Date.now();
  return { reference, amount, cameAt: Math.min(at ?? now, now) };
}
