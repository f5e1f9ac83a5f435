import { DurableObject } from 'cloudflare:workers';
import { noteSignerFaults } from '../../data/bridge/signer-faults.ts';
import { showTransfer } from '../../data/bridge/transfers.ts';
import { database } from '../../data/database.ts';
import type { Deposit, PaymentOrder, PaymentStatus, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { refundsFromDeposit } from '../../domain/bridge/chains/refunds-from-deposit.ts';
import { fundsOf } from '../../domain/bridge/funds-of.ts';
import { ledgerMovement } from '../../domain/bridge/ledger-movement.ts';
import { nextLook, nextRefund } from '../../domain/bridge/next-look.ts';
import { nextStep } from '../../domain/bridge/next-step.ts';
import { refundWait } from '../../domain/bridge/refund-wait.ts';
import { paymentDigest } from '../../domain/bridge/signing/payment-digest.ts';
import { stepTransfer } from '../../domain/bridge/step-transfer.ts';
import {
  isEnded,
  mustCancel,
  newTransfer,
  type Payment,
  paidAmount,
  type Transfer,
  type TransferEvent,
  type TransferRules,
} from '../../domain/bridge/transfer.ts';
import { type Place, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { type BridgePurpose, bridgeMovementId } from '../../domain/ledger/bridge-movement-id.ts';
import type { BridgeMovement } from '../../domain/ledger/transactions.ts';
import { ChainAway } from '../bridge-chains/chains-of.ts';
import { log } from '../log/log.ts';
import type { BridgeTransferApi, TransferStart, TransferView, TransferWords } from './api.ts';
import type { TransferPorts } from './ports.ts';
import { portsOf } from './ports-of.ts';
import { SignerWords } from './signer-words.ts';
import { type TransferRecord, TransferStore } from './transfer-store.ts';

/** Steps of one turn: a transfer has fewer, unless something goes back and forth. */
const STEPS_MAX = 24;
/** When another instance goes on, where one is lost in its turn. */
const LOST_TURN_MS = MINUTE_MS;
const FIRST_LOOK_MS = 1_000;
/** A node that lags behind, or one of several, may not show funds for a moment: they are lost once none has shown them for so long. */
const MISSING_MS = MINUTE_MS;
const MISSING_REST_MS = 15_000;
/** A payment that was handed in is not cancelled sooner: chains may be full for hours. */
const LANDING_MS_MIN = DAY_MS;
const NO_REFERENCE = { too_little: 'the vault has too little', unbuildable: 'the payment cannot be built' } as const;
/** A push that comes sooner after the last turn is answered with what that has found. */
const PUSH_REST_MS = 500;
/** Seats at the stake change behind a delay; what was slashed meanwhile counts no longer than that. */
const SEATS_HELD_MS = 10_000;
/** Payments of one transfer that the guard lists (`PAYMENTS_MAX` of BridgeGuard). */
const PAYMENTS_MAX = 8;
const NO_ROOM = 'the daily limit has no room for it now';
/** Wrong shares that are remembered. */
const CHEATERS_MAX = 100;

/** An event as a step tells it; its time is that of the turn. */
type Happening = TransferEvent extends infer Event ? (Event extends TransferEvent ? Omit<Event, 'at'> : never) : never;

/** Carries one transfer from its quote to its end (docs/design/bridge.md#the-object-of-a-transfer). */
export class BridgeTransfer extends DurableObject<Env> implements BridgeTransferApi {
  readonly #store = new TransferStore(this.ctx.storage);
  readonly #signerWords = new SignerWords(this.#store);
  #turn: Promise<void> | null = null;
  #turnEndedAt = 0;
  #waitsFor: string | null = null;
  #isShown = false;

  async begin(start: TransferStart): Promise<TransferView> {
    if (this.#store.record === null) {
      const commitment = termsCommitment(start.terms);
      const transfer = newTransfer(start.terms);
      const nothing = {
        debitRefusal: null,
        coSignature: null,
        attempts: 0,
        announced: [],
        cancelling: null,
        signed: {},
        cheaters: [],
        words: [],
        faults: [],
      } as const;
      // In one write: funds that come to a transfer without an alarm would be seen by nobody.
      await Promise.all([
        this.ctx.storage.setAlarm(Date.now() + FIRST_LOOK_MS),
        this.#store.save({ ...start, commitment, transfer, ...nothing }),
      ]);
      await this.point('begun');
      await this.#show();
    }
    if (this.#store.begun.terms.source.kind === 'account') await this.#turnNow();
    return this.#viewOf(this.#store.begun);
  }

  async push(): Promise<TransferView | null> {
    if (this.#store.record === null) return null;
    if (Date.now() - this.#turnEndedAt >= this.pushRest_ms) await this.#turnNow();
    return this.#viewOf(this.#store.begun);
  }

  async view(): Promise<TransferView | null> {
    return this.#store.record === null ? null : this.#viewOf(this.#store.record);
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
    const { transfer, createdAt, faults, missingSince } = this.#store.begun;
    if (transfer.state !== before.transfer.state || faults.length > before.faults.length) this.#isShown = false;
    await this.#show();
    const now = Date.now();
    this.#turnEndedAt = now;
    const next = nextLook(transfer, { createdAt, now });
    if (missingSince !== undefined)
      return this.ctx.storage.setAlarm(Math.min(next ?? now + MISSING_REST_MS, now + MISSING_REST_MS));
    if (next !== null || !this.#isShown) return this.ctx.storage.setAlarm(next ?? now + LOST_TURN_MS);
    await this.ctx.storage.deleteAlarm();
  }

  async #step(ports: TransferPorts): Promise<void> {
    const { transfer } = this.#store.begun;
    if (!this.#isDebitOpen()) await this.#happened({ type: 'clock' });
    const status = isHandedIn(transfer) ? await this.#paymentStatus(ports) : null;
    // Once a refund has landed, some chains show its deposit no more.
    if (status !== null && (await this.#isSettled(ports, status))) return;
    const isWatched = transfer.funds !== null && transfer.state !== 'confirming' && !this.#isGivenBack();
    if (isWatched && !(await this.#watchFunds(ports))) return;
    switch (nextStep(this.#store.begun.transfer)) {
      case 'find_funds':
        return this.#findFunds(ports);
      case 'watch_funds':
        // Of one that has ended, they were looked at above.
        return transfer.state === 'confirming' ? void (await this.#watchFunds(ports)) : this.#keepPaid(ports);
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
        return this.#fixPayment(ports);
      case 'pay':
        if (this.#store.begun.transfer.state === 'signing') await this.#watchGuard(ports);
        return this.#pay(ports);
      case 'watch_payment':
        return this.#handInAgain(ports, status);
      case 'cancel_payment':
        return this.#cancelPayment(ports);
    }
  }

  async #findFunds(ports: TransferPorts): Promise<void> {
    const { terms, settings, commitment, debitRefusal } = this.#store.begun;
    if (settings.source === null) {
      return debitRefusal === null ? this.#debit(ports) : this.#happened({ type: 'debit_refused' });
    }
    const deposits = await ports.chains.deposits(settings.source, commitment, addressOf(terms.source));
    const found = fundsOf(deposits, terms.amountIn);
    if (found === undefined) return;
    await this.#happened({ type: 'funds_seen', ...seenFunds(found) });
    // Not every chain says when funds came: each signer notes when it saw them, long before they are deep enough.
    if (this.#store.begun.transfer.state === 'confirming') await ports.cluster.attest(terms);
    if (this.#store.begun.transfer.funds?.reference !== found.reference)
      this.#waitsFor = `unexpected funds ${terms.id}`;
  }

  /** The account's debit is the funds. What was refused is refused for good, so nothing of it comes late. */
  async #debit(ports: TransferPorts): Promise<void> {
    const { terms } = this.#store.begun;
    await this.point('before debit');
    const outcome = await ports.ledger(this.#movement('burn', 'debit', terms.amountIn));
    await this.point('after debit');
    if (outcome.type !== 'done') {
      await this.#store.save({ debitRefusal: outcome.type });
      return this.#happened({ type: 'debit_refused' });
    }
    const { createdAt: cameAt } = this.#store.begun;
    await this.#happened({ type: 'funds_seen', reference: terms.id, amount: terms.amountIn, cameAt });
    await this.#happened({ type: 'funds_confirmed', reference: terms.id, confirmations: 1 });
  }

  /** Whether an account's debit was asked for and not answered: what may have been taken does not expire. */
  #isDebitOpen(): boolean {
    const { settings, transfer, debitRefusal } = this.#store.begun;
    return settings.source === null && transfer.state === 'awaiting_funds' && debitRefusal === null;
  }

  /** @returns whether it may go on: not while its funds are missing, and may come back */
  async #watchFunds(ports: TransferPorts): Promise<boolean> {
    const { settings, commitment, transfer, terms, missingSince } = this.#store.begun;
    const { funds } = transfer;
    if (funds === null || settings.source === null) return true;
    const deposits = await ports.chains.deposits(settings.source, commitment, addressOf(terms.source));
    const found = deposits.find(({ reference }) => reference === funds.reference);
    if (found === undefined) return this.#missed(ports);
    if (missingSince !== undefined) await this.#store.save({ missingSince: undefined });
    // What was taken for the funds gives way to them, as long as nothing goes back for it.
    const isQuoted = ({ amount }: Pick<Deposit, 'amount'>) => amount === terms.amountIn;
    if (transfer.payment === null && !isQuoted(funds) && deposits.some(isQuoted)) {
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
    const { transfer, attempts, commitment, settings } = this.#store.begun;
    if (transfer.payment === null) {
      await this.#store.save({ attempts: attempts + 1 });
      for (const vault of [settings.source, settings.destination])
        if (vault !== null) await ports.watcher(vault).ended(commitment);
    }
    await this.#happened({ type: 'funds_lost', reference: transfer.funds?.reference ?? '' });
    await this.#store.save({ missingSince: undefined });
  }

  async #attest(ports: TransferPorts): Promise<void> {
    const { terms, transfer } = this.#store.begun;
    const reference = transfer.funds?.reference ?? '';
    const seats = await this.#signerWords.seats(ports, this.seatsHeld_ms);
    const answers = await ports.cluster.attest(terms);
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
    const answer = await ports.chains.requestClearance(guard, request);
    if (answer === 'over_limit') {
      this.#waitsFor = NO_ROOM;
      return this.#happened({ type: 'limit_checked', fits: false });
    }
    const clearance = await ports.chains.clearance(guard, commitment);
    if (clearance === null) throw new Error('the guard has not counted the transfer yet');
    // A challenge of the guard's is one of the transfer's, and ends with it.
    const left_ms = clearance.clearAt - Date.now();
    const challenge = left_ms > 0 ? { challengeFrom: 0, challenge_ms: left_ms } : {};
    await this.#happened({ type: 'limit_checked', fits: true }, Date.now(), challenge);
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

  async #fixPayment(ports: TransferPorts): Promise<void> {
    const { terms, settings, transfer, attempts, commitment, announced } = this.#store.begun;
    const kind = transfer.state === 'signing' ? 'payout' : 'refund';
    if (transfer.payment !== null || (transfer.state !== 'signing' && transfer.state !== 'refundable')) return;
    const { place, vault } = this.#sideOf(kind);
    // One that nobody can sign would keep its reference, and with it every later one of the vault.
    if (vault !== null && announced.length >= PAYMENTS_MAX) {
      this.#waitsFor = `${PAYMENTS_MAX} payments have come to nothing`;
      return;
    }
    // Whatever was chosen for a payout, and not fixed, is free again: none follows without another attempt.
    if (kind === 'refund' && settings.destination !== null) await ports.watcher(settings.destination).ended(commitment);
    const refunds = announced.filter(({ payment }) => payment.kind === 'refund').length;
    if (kind === 'refund' && Date.now() < this.nextRefund(refunds)) {
      this.#waitsFor = 'a refund has come to nothing; another follows';
      return;
    }
    const amount = kind === 'payout' ? terms.amountOut : (transfer.funds?.amount ?? '0');
    const order = { kind, commitment, amount, attempt: attempts } as const;
    const found =
      vault === null
        ? { reference: bridgeMovementId(terms.id, kind) }
        : await ports.watcher(vault).referenceFor(vault, { ...order, to: addressOf(place) });
    const { reference } = found;
    if (reference === null) {
      this.#waitsFor = NO_REFERENCE[found.reason];
      if (kind === 'payout' && found.reason === 'unbuildable')
        await this.#happened({ type: 'given_up', reason: 'unsignable' });
      return;
    }
    await this.point('reference chosen');
    await this.#happened({ type: 'payment_fixed', reference });
    await this.point('payment fixed');
  }

  async #pay(ports: TransferPorts): Promise<void> {
    const { transfer, cancelling } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null) return;
    if (cancelling === payment.reference || mustCancel(transfer)) return this.#cancelPayment(ports);
    const { vault } = this.#sideOf(payment.kind);
    if (vault === null) return this.#payAccount(ports, payment);
    const order = this.#order(payment.kind);
    const signed = await this.#signed(ports, order, vault);
    if (signed === null) return;
    await this.#happened({
      type: 'payment_sent',
      reference: order.reference,
      transaction: signed.transaction ?? signed.raw,
    });
    await this.point('before broadcast');
    const transaction = await ports.chains.broadcast(vault, signed);
    await this.point('after broadcast');
    await this.#happened({ type: 'payment_sent', reference: order.reference, transaction });
  }

  /** A payout that the ledger refuses goes back; a refund waits until it takes it. */
  async #payAccount(ports: TransferPorts, payment: Payment): Promise<void> {
    const { kind, reference } = payment;
    const outcome = await ports.ledger(this.#movement('mint', kind, paidAmount(this.#store.begun.transfer)));
    await this.point('after mint');
    if (outcome.type === 'done') return this.#paid(ports, reference);
    // It was taken away before, also by signers that were asked for the refund.
    if (outcome.type === 'id_conflict') return this.#cancelled(ports, reference);
    if (kind === 'payout') {
      await this.#happened({ type: 'given_up', reason: 'unpayable' });
      return this.#cancelPayment(ports);
    }
    this.#waitsFor = `the ledger refuses: ${outcome.type}`;
  }

  /** A payment that is signed once is never signed anew: what was handed in is handed in again. */
  async #signed(ports: TransferPorts, order: PaymentOrder, vault: Vault) {
    const key = `${order.kind} ${order.reference}`;
    const known = this.#store.begun.signed[key];
    if (known !== undefined) return known;
    const { terms, coSignature, transfer } = this.#store.begun;
    const side = transfer.payment?.kind === 'refund' ? 'source' : 'destination';
    const earlier = order.kind === 'cancel' ? [] : await this.#announced(ports, { side, payment: order });
    const outcome = await ports.cluster.sign({ terms, payment: order, side, coSignature, earlier }, vault);
    await this.point('after signing');
    const cheaters = [...this.#store.begun.cheaters, ...outcome.cheaters].slice(-CHEATERS_MAX);
    if (outcome.cheaters.length > 0) await this.#store.save({ cheaters });
    if (!outcome.ok) {
      this.#waitsFor = outcome.reason;
      if (outcome.isForGood && order.kind !== 'cancel')
        await this.#happened({ type: 'given_up', reason: 'unsignable' });
      return null;
    }
    const signed = await ports.chains.complete(vault, order, outcome.signatures);
    await this.#store.save({ signed: { ...this.#store.begun.signed, [key]: signed } });
    return signed;
  }

  /** Shows a payment to all signers before any of them signs it. @returns those before it */
  async #announced(
    ports: TransferPorts,
    order: { readonly side: 'source' | 'destination'; readonly payment: PaymentOrder },
  ) {
    const { announced, commitment, settings } = this.#store.begun;
    const payment = paymentDigest(order.side, order.payment);
    const number = announced.findIndex((known) => paymentDigest(known.side, known.payment) === payment);
    if (number < 0) await this.#store.save({ announced: [...announced, order] });
    const before = number < 0 ? announced : announced.slice(0, number);
    // A reorganization may have taken earlier ones away: their order is what signers go by.
    for (const { side, payment: earlier } of before)
      await ports.chains.announce({ address: settings.guard }, { commitment, payment: paymentDigest(side, earlier) });
    await ports.chains.announce({ address: settings.guard }, { commitment, payment });
    return before;
  }

  /** What has become of the payment; null where the ledger pays. */
  async #paymentStatus(ports: TransferPorts): Promise<PaymentStatus | null> {
    const { payment } = this.#store.begun.transfer;
    const { vault } = this.#sideOf(payment?.kind ?? 'payout');
    return payment === null || vault === null ? null : ports.chains.statusOf(vault, this.#order(payment.kind));
  }

  /** Whether the payment has ended: its reference is spent, deep enough. */
  async #isSettled(ports: TransferPorts, status: PaymentStatus): Promise<boolean> {
    const { payment } = this.#store.begun.transfer;
    if (payment === null || status.state === 'unspent') return false;
    const { vault } = this.#sideOf(payment.kind);
    if (vault === null) return false;
    if (status.confirmations < (await ports.chains.confirmationsNeeded(vault.chain, vault.network))) return false;
    await (status.state === 'paid' ? this.#paid(ports, payment.reference) : this.#cancelled(ports, payment.reference));
    return true;
  }

  /** Whether it was given back out of its deposit: that is gone with the refund, and comes back with it. */
  #isGivenBack(): boolean {
    const { settings, transfer } = this.#store.begun;
    return transfer.state === 'refunded' && settings.source !== null && refundsFromDeposit(settings.source);
  }

  async #handInAgain(ports: TransferPorts, status: PaymentStatus | null): Promise<void> {
    const { transfer, signed } = this.#store.begun;
    const { payment } = transfer;
    const { vault } = this.#sideOf(payment?.kind ?? 'payout');
    const known = signed[`${payment?.kind} ${payment?.reference}`];
    if (status?.state === 'unspent' && vault !== null && known !== undefined)
      await ports.chains.broadcast(vault, known);
  }

  /** What a reorganization has taken away after the end is handed in again: its reference lets it through once. */
  async #keepPaid(ports: TransferPorts): Promise<void> {
    const { transfer, signed } = this.#store.begun;
    // Without its funds it is not paid again.
    if (transfer.payment === null || !isEnded(transfer) || (transfer.funds?.isLost ?? true)) return;
    const { vault } = this.#sideOf(transfer.payment.kind);
    const payment = signed[`${transfer.payment.kind} ${transfer.payment.reference}`];
    if (vault === null || payment === undefined) return;
    const order = this.#order(transfer.payment.kind);
    if ((await ports.chains.statusOf(vault, order)).state === 'unspent') await ports.chains.broadcast(vault, payment);
  }

  /** Spends the reference by something that pays nobody, and believes it once that is as deep as a payment has to be. */
  async #cancelPayment(ports: TransferPorts): Promise<void> {
    const { transfer } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null) return;
    const { vault } = this.#sideOf(payment.kind);
    if (vault === null) {
      const outcome = await ports.ledger(this.#movement('void', payment.kind, paidAmount(transfer)));
      // The payment itself stands under the id.
      if (outcome.type === 'id_conflict') return this.#payAccount(ports, payment);
      if (outcome.type === 'done') return this.#cancelled(ports, payment.reference);
      this.#waitsFor = `the ledger does not take its payment away: ${outcome.type}`;
      return;
    }
    const status = await this.#paymentStatus(ports);
    if (status !== null && (await this.#isSettled(ports, status))) return;
    if (status?.state !== 'unspent') return;
    const order = { ...this.#order(payment.kind), kind: 'cancel' as const, to: '', amount: '0' };
    if (this.#store.begun.cancelling !== order.reference) await this.#store.save({ cancelling: order.reference });
    const signed = await this.#signed(ports, order, vault);
    if (signed !== null) await ports.chains.broadcast(vault, signed);
  }

  /** The vaults are told before the end is stored: it is told again until it is. */
  async #paid(ports: TransferPorts, reference: string): Promise<void> {
    const { commitment, settings, transfer } = this.#store.begun;
    for (const vault of [settings.source, settings.destination])
      if (vault !== null) await ports.watcher(vault).ended(commitment);
    if (settings.source !== null && transfer.payment?.kind === 'payout')
      await ports.watcher(settings.source).deposited(commitment);
    await this.point('before end');
    await this.#happened({ type: 'payment_confirmed', reference });
  }

  /** Its reference is spent for good, so it is no longer taken. */
  async #cancelled(ports: TransferPorts, reference: string): Promise<void> {
    const { commitment, transfer } = this.#store.begun;
    const { vault } = this.#sideOf(transfer.payment?.kind ?? 'payout');
    if (vault !== null) await ports.watcher(vault).ended(commitment);
    await this.#happened({ type: 'payment_cancelled', reference });
  }

  /** Applies an event and stores what it comes to. One that cannot be changes nothing. */
  async #happened(event: Happening, at = Date.now(), rules: Partial<TransferRules> = {}): Promise<void> {
    const { transfer, settings, attempts } = this.#store.begun;
    const confirmations = await this.#confirmations();
    const { queue_ms, answer_ms, coSignFrom } = settings;
    const refund_ms = refundWait(settings.source, answer_ms);
    const waits = { queue_ms, answer_ms, refund_ms, landing_ms: Math.max(answer_ms, LANDING_MS_MIN) };
    const held = { confirmations, challengeFrom: null, challenge_ms: 0, coSignFrom, ...waits, ...rules };
    const step = stepTransfer(transfer, { ...event, at } as TransferEvent, held);
    if (!step.ok || step.value === transfer) return;
    const isCancelled = step.value.cancelled.length > transfer.cancelled.length;
    await this.#store.save({ transfer: step.value, attempts: isCancelled ? attempts + 1 : attempts });
  }

  #confirmationsNeeded: number | null = null;

  async #confirmations(): Promise<number> {
    const { source } = this.#store.begun.settings;
    if (source === null) return 1;
    this.#confirmationsNeeded ??= await this.ports().chains.confirmationsNeeded(source.chain, source.network);
    return this.#confirmationsNeeded;
  }

  #sideOf(kind: 'payout' | 'refund'): { readonly place: Place; readonly vault: Vault | null } {
    const { terms, settings } = this.#store.begun;
    return kind === 'payout'
      ? { place: terms.destination, vault: settings.destination }
      : { place: terms.source, vault: settings.source };
  }

  #order(kind: 'payout' | 'refund'): PaymentOrder {
    const { commitment, transfer } = this.#store.begun;
    const { place } = this.#sideOf(kind);
    const reference = transfer.payment?.reference ?? '';
    return { kind, commitment, reference, to: addressOf(place), amount: paidAmount(transfer) };
  }

  #movement(type: BridgeMovement['type'], purpose: BridgePurpose, amount: string): BridgeMovement {
    const { terms, settings, createdAt } = this.#store.begun;
    return ledgerMovement(terms, { type, purpose, amount, asset: settings.assetId, createdAt });
  }

  /** D1 follows: it is told again until it has taken it. */
  async #show(): Promise<void> {
    if (this.#isShown) return;
    const { terms, hostname, commitment, transfer, faults, version } = this.#store.begun;
    const shown = { id: terms.id, organization: terms.organization, hostname, commitment, state: transfer.state };
    const db = database(this.env.DB);
    try {
      await showTransfer(db, { ...shown, changes: version, updatedAt: Date.now() });
      await noteSignerFaults(db, { transfer: terms.id, organization: terms.organization }, faults);
      this.#isShown = true;
    } catch {
      this.#isShown = false;
    }
  }

  #viewOf(record: TransferRecord): TransferView {
    const { terms, settings, place, hostname, createdAt, transfer, commitment, debitRefusal, cheaters } = record;
    const shown = { terms, settings, place, hostname, createdAt, transfer, commitment, debitRefusal, cheaters };
    return { ...shown, waitsFor: this.#waitsFor };
  }
}

/** Not every chain says when funds came; then they came when they are seen. A block's clock may go ahead. */
function seenFunds({ reference, amount, at }: Deposit) {
  const now = Date.now();
  return { reference, amount, cameAt: Math.min(at ?? now, now) };
}

function isHandedIn({ state, payment }: Transfer): boolean {
  return payment !== null && (state === 'broadcast' || state === 'refund_broadcast');
}

function addressOf(place: Place): string {
  if (place.kind === 'account') throw new Error('an account has no address');
  return place.address;
}
