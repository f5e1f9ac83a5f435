import type { PaymentOrder, PaymentStatus, SignedPayment, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { namesTransfer } from '../../domain/bridge/chains/names-transfer.ts';
import { spendsOutputs } from '../../domain/bridge/chains/outpoints.ts';
import { PAYEE_FAULTS } from '../../domain/bridge/chains/payees/payee-fault.ts';
import { refundsFromDeposit } from '../../domain/bridge/chains/refunds-from-deposit.ts';
import { isRelayed, type RefundRest, refundRest } from '../../domain/bridge/refund-rest.ts';
import { debitDigest, paymentDigest, transactionDigest } from '../../domain/bridge/signing/payment-digest.ts';
import {
  CLUSTER_SIZE,
  CLUSTER_THRESHOLD,
  isEnded,
  mustCancel,
  type Payment,
  paidAmount,
} from '../../domain/bridge/transfer.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { bridgeMovementId } from '../../domain/ledger/bridge-movement-id.ts';
import { handIn } from './hand-in.ts';
import type { Happening, TransferPorts } from './ports.ts';
import { hiddenDeposit, movementOf, orderOf, paidBy, paidOutOf, sideOf } from './transfer-orders.ts';
import type { TransferRecord, TransferStore } from './transfer-store.ts';

const RESTS: Readonly<Record<RefundRest, string>> = {
  worth_less: 'what has come is worth less than sending it back costs: an operator may have it returned',
  failed: 'its refunds have come to nothing: an operator may have another tried',
};
/** Payments of one transfer that the guard lists (`PAYMENTS_MAX` of BridgeGuard). */
const PAYMENTS_MAX = 8;
/** A payout on a chain of outputs that signers have neither signed nor cancelled for so long is given up: its coins are free. */
const GIVE_UP_MS = DAY_MS;
/** Wrong shares that are remembered. */
const CHEATERS_MAX = 100;
const NO_REFERENCE = { too_little: 'the vault has too little', unbuildable: 'the payment cannot be built' } as const;

/** Whoever carries a transfer on, as its payments see it. */
export interface PayingTransfer {
  readonly store: TransferStore;
  /** Applies an event, and stores what it comes to before anything that follows from it leaves. */
  happened(event: Happening): Promise<void>;
  /** Says why the transfer does not go on. */
  waitFor(reason: string): void;
  /** When the next refund may be tried, Unix ms, after so many that came to nothing. */
  nextRefund(tried: number): number;
  /** How long a reference that too few signers know is kept. */
  unknownWait_ms(): number;
  /** How long what the relayer has handed in rests. */
  handInRest_ms(): number;
  /** Where the object can be killed. */
  point(name: string): Promise<void> | undefined;
}

/**
 * The payments of one transfer, one at a time (docs/design/bridge.md#the-object-of-a-transfer): from a reference that lets at most one transaction through, to what that was spent by. What has its
 * reference and must not be paid is cancelled by the same.
 */
export class TransferPayments {
  readonly #of: PayingTransfer;
  readonly #store: TransferStore;

  constructor(of: PayingTransfer) {
    this.#of = of;
    this.#store = of.store;
  }

  async fix(ports: TransferPorts): Promise<void> {
    const { terms, settings, transfer, attempts, commitment, announced } = this.#store.begun;
    const { doPaymentsNameTerms } = this.#store.begun;
    const kind = transfer.state === 'signing' ? 'payout' : 'refund';
    if (transfer.payment !== null || (transfer.state !== 'signing' && transfer.state !== 'refundable')) return;
    const { vault } = sideOf(this.#store.begun, kind);
    // One that nobody can sign would keep its reference, and with it every later one of the vault.
    if (vault !== null && announced.length >= PAYMENTS_MAX) {
      this.#of.waitFor(`${PAYMENTS_MAX} payments have come to nothing`);
      return;
    }
    // Whatever was chosen for a payout, and not fixed, is free again: none follows without another attempt.
    if (kind === 'refund' && settings.destination !== null)
      await (await ports.watcher(settings.destination)).ended(commitment);
    const refunds = refundsTried(this.#store.begun);
    if (kind === 'refund' && Date.now() < this.#of.nextRefund(refunds)) {
      this.#of.waitFor('a refund has come to nothing; another follows');
      return;
    }
    const rest = kind === 'refund' ? await this.#refundRest(ports) : null;
    const doesRefundRest = rest === null ? undefined : true;
    if (doesRefundRest !== this.#store.begun.doesRefundRest) await this.#store.save({ doesRefundRest });
    if (rest !== null) return this.#of.waitFor(RESTS[rest]);
    // Before anything of it is shown to the guard: so the room that it has is given back.
    const unpayable = kind === 'payout' && vault !== null ? await this.#payeeRefusal(ports, vault) : null;
    if (unpayable !== null) {
      this.#of.waitFor(unpayable);
      return this.#of.happened({ type: 'given_up', reason: 'unsignable' });
    }
    const amount = kind === 'payout' ? terms.amountOut : (transfer.funds?.amount ?? '0');
    const order = { kind, commitment, amount, attempt: attempts } as const;
    const found =
      vault === null
        ? { reference: bridgeMovementId(terms.id, kind, doPaymentsNameTerms ? commitment : undefined) }
        : await (await ports.watcher(vault)).referenceFor(
            vault,
            { ...order, ...paidBy(this.#store.begun, kind) },
            kind === 'refund' && spendsOutputs(vault) ? transfer.funds?.reference : undefined,
          );
    const { reference } = found;
    if (reference === null) {
      this.#of.waitFor(NO_REFERENCE[found.reason]);
      if (kind === 'payout' && found.reason === 'unbuildable')
        await this.#of.happened({ type: 'given_up', reason: 'unsignable' });
      return;
    }
    await this.#of.point('reference chosen');
    if (vault !== null && !(await this.#isKnown(ports, vault, { kind, reference, amount }))) return;
    await this.#of.happened({ type: 'payment_fixed', reference });
    await this.#of.point('payment fixed');
  }

  /**
   * Whether three signers know what a reference states by their own nodes: what an indexer has made up, or a deposit that is not deep, would be neither signed nor void. Where they do not for a while, it is taken back, and chosen
   * anew. Not at once: many name the newest block, and of nodes that are a moment behind, none would ever know one that is newer each time.
   */
  async #isKnown(
    ports: TransferPorts,
    vault: Vault,
    {
      kind,
      reference,
      amount,
    }: { readonly kind: 'payout' | 'refund'; readonly reference: string; readonly amount: string },
  ): Promise<boolean> {
    const { terms, coSignature, commitment } = this.#store.begun;
    const payment: PaymentOrder = { kind, commitment, reference, ...paidBy(this.#store.begun, kind), amount };
    const side = kind === 'refund' ? 'source' : 'destination';
    const fault = await ports.cluster.referenceFault({ terms, payment, side, coSignature });
    if (fault === null) return true;
    this.#of.waitFor(fault);
    const { unknown } = this.#store.begun;
    const isSame = unknown?.reference === reference;
    const since = isSame ? unknown.since : Date.now();
    if (Date.now() < since + this.#of.unknownWait_ms()) {
      if (!isSame) await this.#store.save({ unknown: { reference, since } });
      return false;
    }
    await this.#store.save({ unknown: undefined });
    await (await ports.watcher(vault)).takeBack(payment);
    return false;
  }

  /** Why its refund waits for an operator's order; null where it does not. */
  async #refundRest({ chains }: Pick<TransferPorts, 'chains'>): Promise<RefundRest | null> {
    const { begun } = this.#store;
    const { transfer, refundOrdered: ordered = null } = begun;
    const { source, refundWorth: worth = null } = begun.settings;
    const isToBegin = transfer.state === 'refundable' && transfer.payment === null && transfer.funds !== null;
    if (!isToBegin || source === null || worth === null || !isRelayed(source)) return null;
    const of = { tried: refundsSigned(begun), ordered };
    return refundRest(source, { amount: transfer.funds.amount, worth }, await chains.payoutCost(source), of);
  }

  /** Why signers would refuse to pay who is stated, as they ask the chain about them; null where they would not. */
  async #payeeRefusal({ chains }: TransferPorts, vault: Vault): Promise<string | null> {
    const { to: address, memo } = paidBy(this.#store.begun, 'payout');
    const fault = await chains.payeeFault(vault, address);
    if (fault !== null) return `the address ${PAYEE_FAULTS[fault]}`;
    const memoFault = await chains.payeeMemoFault(vault, { address, memo });
    return memoFault && `the memo ${memoFault.reason}`;
  }

  /** @param status what has become of the payment so far; null where the ledger pays */
  async pay(ports: TransferPorts, status: PaymentStatus | null): Promise<void> {
    const { transfer, cancelling } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null) return;
    if (cancelling === payment.reference || mustCancel(transfer)) return this.cancel(ports, status);
    if (status !== null && status.state !== 'unspent') {
      this.#of.waitFor('its reference is spent, and not deep enough');
      return;
    }
    const { vault } = sideOf(this.#store.begun, payment.kind);
    if (vault === null) return this.#payAccount(ports, payment);
    const order = orderOf(this.#store.begun, payment.kind);
    const signed = await this.#signed(ports, order, vault);
    if (signed === null) return;
    await this.#of.happened({
      type: 'payment_sent',
      reference: order.reference,
      transaction: signed.transaction ?? signed.raw,
    });
    await this.#of.point('before broadcast');
    const transaction = await this.#handIn(ports, vault, order, signed);
    await this.#of.point('after broadcast');
    if (transaction !== null)
      await this.#of.happened({ type: 'payment_sent', reference: order.reference, transaction });
  }

  /** A payout that the ledger refuses goes back; a refund waits until it takes it. */
  async #payAccount(ports: TransferPorts, payment: Payment): Promise<void> {
    const { kind, reference } = payment;
    const outcome = await ports.ledger(
      movementOf(this.#store.begun, { type: 'mint', purpose: kind, amount: paidAmount(this.#store.begun.transfer) }),
    );
    await this.#of.point('after mint');
    if (outcome.type === 'done') return this.#paid(ports, reference);
    // It was taken away before, also by signers that were asked for the refund.
    if (outcome.type === 'id_conflict') return this.#cancelled(ports, reference);
    if (kind === 'payout') {
      await this.#of.happened({ type: 'given_up', reason: 'unpayable' });
      return this.cancel(ports, null);
    }
    this.#of.waitFor(`the ledger refuses: ${outcome.type}`);
  }

  /** A payment that is signed once is never signed anew: what was handed in is handed in again. */
  async #signed(ports: TransferPorts, order: PaymentOrder, vault: Vault) {
    const key = signedKey(order);
    const known = this.#store.begun.signed[key];
    if (known !== undefined) return known;
    const { terms, coSignature, transfer } = this.#store.begun;
    const side = transfer.payment?.kind === 'refund' ? 'source' : 'destination';
    const earlier =
      order.kind === 'cancel' ? await this.#toCancel(ports) : await this.#announced(ports, { side, payment: order });
    if (order.kind !== 'cancel' && !namesTransfer(vault)) await this.#shown(ports, order, vault);
    if (order.kind === 'payout' && terms.source.kind === 'account') await this.#shownDebit(ports);
    const paidOut = await this.#paidOut(ports, order, vault);
    const job = { terms, payment: order, side, coSignature, earlier, paidOut, ...this.#deposit(order) } as const;
    const outcome = await ports.cluster.sign(job, vault);
    await this.#of.point('after signing');
    const cheaters = [...this.#store.begun.cheaters, ...outcome.cheaters].slice(-CHEATERS_MAX);
    if (outcome.cheaters.length > 0) await this.#store.save({ cheaters });
    if (!outcome.ok) {
      this.#of.waitFor(outcome.reason);
      if (outcome.isVoid === true) {
        if (order.kind === 'payout') await this.#of.happened({ type: 'given_up', reason: 'unsignable' });
        await this.#cancelled(ports, order.reference);
        return null;
      }
      if (outcome.isForGood && order.kind !== 'cancel')
        await this.#of.happened({ type: 'given_up', reason: 'unsignable' });
      return null;
    }
    const signed = await ports.chains.complete(vault, order, outcome.signatures);
    await this.#store.save({ signed: { ...this.#store.begun.signed, [key]: signed } });
    return signed;
  }

  /** What a payout is for, where strangers may hide that from signers. */
  #deposit({ kind }: PaymentOrder): { readonly deposit?: string } {
    const deposit = kind === 'payout' ? hiddenDeposit(this.#store.begun) : undefined;
    return deposit === undefined ? {} : { deposit };
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

  /** Shows all signers for which transfer a transaction is that does not say so itself. */
  async #shown({ chains }: TransferPorts, order: PaymentOrder, vault: Vault): Promise<void> {
    const { commitment, settings } = this.#store.begun;
    const transaction = transactionDigest(await chains.build(vault, order));
    await chains.announce({ address: settings.guard }, { commitment: transaction, payment: commitment });
  }

  /** Shows all signers which terms a debit of the ledger pays, which stands under their id alone. */
  async #shownDebit({ chains }: TransferPorts): Promise<void> {
    const { commitment, settings, terms } = this.#store.begun;
    await chains.announce({ address: settings.guard }, { commitment: debitDigest(terms), payment: commitment });
  }

  /**
   * The payment that is to be cancelled. The guard is to list it, also where nobody was asked to sign it yet, and where it was to be listed before and is not: signers that have not signed it go by
   * that. Signers who know it cancel it while the guard is stopped.
   */
  async #toCancel(ports: TransferPorts) {
    const kind = this.#store.begun.transfer.payment?.kind ?? 'payout';
    const order = {
      side: kind === 'refund' ? 'source' : 'destination',
      payment: orderOf(this.#store.begun, kind),
    } as const;
    await this.#announced(ports, order).catch(() =>
      this.#of.waitFor('the guard does not list what is to be cancelled'),
    );
    return [order];
  }

  /** Of chains where payments spend deposits, the transfers whose deposits this one spends. */
  async #paidOut(ports: TransferPorts, order: PaymentOrder, vault: Vault) {
    if (!refundsFromDeposit(vault)) return [];
    const { spends } = await ports.chains.checkReference(vault, order);
    return spends.length === 0 ? [] : (await ports.watcher(vault)).paidOut(spends);
  }

  /** What has become of the payment; null where the ledger pays. One whose reference is wrong for good has not been spent: signers say the same, so that another takes its place. */
  async status({ chains }: TransferPorts): Promise<PaymentStatus | null> {
    const { transfer, cancelling, signed } = this.#store.begun;
    const { payment } = transfer;
    const { vault } = sideOf(this.#store.begun, payment?.kind ?? 'payout');
    if (payment === null || vault === null) return null;
    const order = orderOf(this.#store.begun, payment.kind);
    try {
      return await chains.statusOf(vault, order, this.#made(order));
    } catch (error) {
      if (signed[signedKey(order)] !== undefined) throw error;
      const isToCancel = cancelling === order.reference || mustCancel(transfer);
      // A coin that no node knows has no status: what is to be cancelled would never be given up.
      if (isToCancel && payment.kind === 'payout' && spendsOutputs(vault)) return { state: 'unspent' };
      if ((await chains.checkReference(vault, order)).fault?.isForGood !== true) throw error;
      return { state: 'unspent' };
    }
  }

  /** Transactions that were signed by the reference of a payment. */
  #made({ kind, reference }: Pick<PaymentOrder, 'kind' | 'reference'>): readonly string[] {
    const { signed } = this.#store.begun;
    const made = [kind, 'cancel' as const].map((of) => signed[signedKey({ kind: of, reference })]?.transaction ?? null);
    return made.filter((transaction) => transaction !== null);
  }

  /** Whether the payment has ended: its reference is spent, deep enough. */
  async isSettled(ports: TransferPorts, status: PaymentStatus): Promise<boolean> {
    const { payment } = this.#store.begun.transfer;
    if (payment === null || status.state === 'unspent') return false;
    const { vault } = sideOf(this.#store.begun, payment.kind);
    if (vault === null) return false;
    if (status.confirmations < (await ports.chains.confirmationsNeeded(vault.chain, vault.network))) return false;
    const { transaction } = status;
    await (status.state === 'paid'
      ? this.#paid(ports, payment.reference, transaction)
      : this.#cancelled(ports, payment.reference, transaction));
    return true;
  }

  /** @returns the transaction; null where it is not handed in now */
  async #handIn(
    { chains }: TransferPorts,
    vault: Vault,
    { kind, reference }: Pick<PaymentOrder, 'kind' | 'reference'>,
    signed: SignedPayment,
  ): Promise<string | null> {
    const of = { store: this.#store, rest_ms: this.#of.handInRest_ms() };
    const outcome = await handIn(of, chains, { vault, kind, key: signedKey({ kind, reference }), signed });
    if (outcome.state === 'handed_in') return outcome.transaction;
    if (outcome.state === 'unpayable') {
      this.#of.waitFor(outcome.reason);
      // One that was returned to somebody else before is not the one that waits.
      if (this.#store.begun.transfer.payment?.reference === reference)
        await this.#of.happened({ type: 'given_up', reason: 'unpayable' });
    }
    return null;
  }

  /** Hands in what was signed, as long as its reference is not spent. */
  async handInAgain(ports: TransferPorts, status: PaymentStatus | null): Promise<void> {
    const { transfer, signed } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null || status?.state !== 'unspent') return;
    const { vault } = sideOf(this.#store.begun, payment.kind);
    const known = signed[signedKey(payment)];
    if (vault !== null && known !== undefined) await this.#handIn(ports, vault, payment, known);
  }

  /**
   * Hands in what was returned to others than the payer, where a reorganization has taken it away and not what they have paid in: the payer's own refund waits until it has landed again. Of each, the last alone has landed: what came
   * before was cancelled.
   */
  async keepReturned(ports: TransferPorts): Promise<void> {
    const { announced, returned = [], settings, signed, commitment } = this.#store.begun;
    const { source } = settings;
    const { chains } = ports;
    if (source === null) return;
    for (const payer of returned) {
      const order = announced.findLast(({ payment: { kind, to } }) => kind === 'refund' && to === payer);
      const known = order && signed[signedKey(order.payment)];
      if (order === undefined || known === undefined) continue;
      try {
        if ((await chains.statusOf(source, order.payment, this.#made(order.payment))).state !== 'unspent') continue;
        const funds = await chains.deposits(source, commitment, payer);
        const isCovered = funds.some((one) => one.payer === payer && one.amount === order.payment.amount);
        if (isCovered) await this.#handIn(ports, source, order.payment, known);
      } catch {
        this.#of.waitFor('what was returned cannot be looked at, or handed in again, now');
      }
    }
  }

  /** Whether signers are still to be told that a deposit is the vault's. */
  get isUntold(): boolean {
    const { settings, transfer, isNotedPaidOut = false } = this.#store.begun;
    const { source } = settings;
    const isPaidOut = transfer.state === 'confirmed' && transfer.payment?.kind === 'payout';
    return isPaidOut && source !== null && spendsOutputs(source) && !isNotedPaidOut;
  }

  /**
   * Where payments spend deposits, signers write down that this one's is the vault's: its chain may have forgotten the payout once it is spent. It is offered to payments once three of them have; who was away is told again for
   * as long as it is looked at.
   */
  async #notePaidOut(ports: TransferPorts): Promise<void> {
    const { settings, transfer, commitment, isNotedPaidOut } = this.#store.begun;
    const { source } = settings;
    if (source === null || !spendsOutputs(source) || transfer.payment?.kind !== 'payout' || isNotedPaidOut) return;
    const paidOut = paidOutOf(this.#store.begun);
    const noted = await ports.cluster.notePaidOut(paidOut);
    if (noted >= CLUSTER_THRESHOLD)
      await (await ports.watcher(source)).deposited(commitment, paidOut, transfer.funds?.reference);
    if (noted >= CLUSTER_SIZE) await this.#store.save({ isNotedPaidOut: true });
  }

  /** What a reorganization has taken away after the end is handed in again: its reference lets it through once. */
  async keepPaid(ports: TransferPorts): Promise<void> {
    const { transfer } = this.#store.begun;
    if (transfer.state === 'confirmed') await this.#notePaidOut(ports);
    // Without its funds it is not paid again.
    if (!isEnded(transfer) || (transfer.funds?.isLost ?? true)) return;
    await this.handInAgain(ports, await this.status(ports));
  }

  /**
   * Spends the reference by something that pays nobody, and believes it once that is as deep as a payment has to be. What only waits to be in a block may still be replaced.
   *
   * @param status what has become of the payment so far; null where the ledger pays
   */
  async cancel(ports: TransferPorts, status: PaymentStatus | null): Promise<void> {
    const { transfer } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null) return;
    const { vault } = sideOf(this.#store.begun, payment.kind);
    if (vault === null) {
      const outcome = await ports.ledger(
        movementOf(this.#store.begun, { type: 'void', purpose: payment.kind, amount: paidAmount(transfer) }),
      );
      // The payment itself stands under the id.
      if (outcome.type === 'id_conflict') return this.#payAccount(ports, payment);
      if (outcome.type === 'done') return this.#cancelled(ports, payment.reference);
      this.#of.waitFor(`the ledger does not take its payment away: ${outcome.type}`);
      return;
    }
    if (status === null || (status.state !== 'unspent' && status.confirmations > 0)) return;
    if (payment.kind === 'refund' && refundsFromDeposit(vault)) {
      this.#of.waitFor('its deposit is missing: it goes back out of that alone');
      return;
    }
    const { memo: _, ...paying } = orderOf(this.#store.begun, payment.kind);
    const order = { ...paying, kind: 'cancel' as const, to: '', amount: '0' };
    if (this.#store.begun.cancelling !== order.reference)
      await this.#store.save({ cancelling: order.reference, cancellingSince: Date.now() });
    const isGivenUp = this.#store.begun.givenUp === order.reference;
    if (isGivenUp && !(await this.#takesAgain(ports, vault, status))) return;
    const unsigned = () => (payment.kind === 'payout' ? this.#giveUp(ports, vault) : undefined);
    const signed = await this.#signed(ports, order, vault).catch(async (error: unknown) => {
      // A coin that no node knows can be looked at by nobody.
      await unsigned();
      throw error;
    });
    if (signed === null) await unsigned();
    else await this.#handIn(ports, vault, order, signed);
  }

  /**
   * Coins of a payout that nobody has signed, and nobody cancels, are free for other payments after a while: what spends them makes it void. What is signed could still land, and keeps them.
   */
  async #giveUp(ports: TransferPorts, vault: Vault): Promise<void> {
    const { transfer, commitment, signed, cancellingSince } = this.#store.begun;
    const { payment } = transfer;
    if (payment === null || !spendsOutputs(vault) || signed[signedKey(payment)] !== undefined) return;
    if (Date.now() < (cancellingSince ?? Date.now()) + GIVE_UP_MS) return;
    await this.#store.save({ givenUp: payment.reference });
    await (await ports.watcher(vault)).ended(commitment);
  }

  /** What was given up is cancelled as long as no other payment has any of its coins, or has spent one. */
  async #takesAgain(ports: TransferPorts, vault: Vault, { state }: PaymentStatus): Promise<boolean> {
    const { commitment, givenUp = '' } = this.#store.begun;
    if (state === 'unspent' && (await (await ports.watcher(vault)).takesAgain(commitment, givenUp))) return true;
    this.#of.waitFor('it was given up, and another payment spends its coins');
    return false;
  }

  /** The vaults are told before the end is stored: it is told again until it is. */
  async #paid(ports: TransferPorts, reference: string, transaction?: string): Promise<void> {
    const { commitment, settings, transfer } = this.#store.begun;
    const kind = transfer.payment?.kind ?? 'payout';
    const paying = sideOf(this.#store.begun, kind).vault;
    // What goes back out of its deposit leaves the vault nothing.
    const by = kind === 'payout' ? transaction : undefined;
    if (paying !== null) await (await ports.watcher(paying)).ended(commitment, by);
    for (const vault of [settings.source, settings.destination])
      if (vault !== null && vault !== paying) await (await ports.watcher(vault)).ended(commitment);
    await this.#notePaidOut(ports);
    await this.#of.point('before end');
    await this.#of.happened({ type: 'payment_confirmed', reference });
  }

  /** Its reference is spent for good, so it is no longer taken. What else has spent it may have left some of its coins. */
  async #cancelled(ports: TransferPorts, reference: string, transaction?: string): Promise<void> {
    const { commitment, transfer, signed } = this.#store.begun;
    const { vault } = sideOf(this.#store.begun, transfer.payment?.kind ?? 'payout');
    const cancelling = signed[signedKey({ kind: 'cancel', reference })]?.transaction;
    const by = transaction !== undefined && transaction === cancelling ? transaction : undefined;
    if (vault !== null) await (await ports.watcher(vault)).ended(commitment, by);
    await this.#of.happened({ type: 'payment_cancelled', reference });
  }
}

/** Refunds that were announced, without those that have returned what others had paid in: as long as none is fixed, all of them have come to nothing. */
function refundsTried({ announced, returned = [] }: TransferRecord): number {
  return announced.filter(({ payment }) => payment.kind === 'refund').length - returned.length;
}

/** Those of them that signers have signed: what their payee does in a block is no fault of signers that are away. */
export function refundsSigned({ signed, returned = [] }: TransferRecord): number {
  return Object.keys(signed).filter((key) => key.startsWith('refund ')).length - returned.length;
}

/** Under which a signed payment is kept. */
function signedKey({ kind, reference }: Pick<PaymentOrder, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}
