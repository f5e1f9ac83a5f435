import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  ChainAdapter,
  ChainTransport,
  DepositPlace,
  PaymentOrder,
  SignedPayment,
  Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES, type ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { utxoCluster } from '../chains-utxo/utxo-cluster.ts';
import { MACHINES } from './machines.ts';

/** A chain whose transactions are judged by a program that others run the chain by, or check it by. */
export interface Machine {
  readonly transport: ChainTransport;
  /** Where the vault's contract stands, if there is one. */
  readonly vault?: Vault;
  readonly relayer: string | null;
  /** Who makes the deposits; empty where the chain does not say. */
  readonly payer: string;
  /** Pays the vault itself. */
  fund(amount: bigint): void | Promise<void>;
  /** A customer's payment to the place that the adapter names. */
  deposit(place: DepositPlace, amount: bigint): void | Promise<void>;
  /** What was taken is final. */
  finalize(): void | Promise<void>;
  balance(address: string): bigint | Promise<bigint>;
  /** Hands a transaction in. @throws Error where the machine refuses it, with the machine's reason */
  take(raw: string): unknown;
}

/** A transaction that was changed after it was signed, and why the machine refuses it. */
export interface Forgery {
  readonly what: string;
  /** @param signed signs what it is asked to: the key is not what keeps a payment from being changed */
  raw(
    payment: SignedPayment,
    order: PaymentOrder,
    signed: (order: PaymentOrder) => SignedPayment,
  ): string | Promise<string>;
  readonly refusal: RegExp;
}

export interface Judged {
  /** Whose transactions it judges. */
  readonly chains: readonly ChainName[];
  readonly adapter: ChainAdapter;
  vault(keys: Vault['keys']): Vault;
  start(vault: Vault): Machine | Promise<Machine>;
  payee(vault: Vault): string;
  readonly funds: bigint;
  readonly deposit: bigint;
  readonly payout: bigint;
  /** What the payee of a refund gets less than the deposit. */
  feeOfRefund(payment: SignedPayment, order: PaymentOrder): bigint;
  /** Payments spend what came for transfers that were paid out, by keys of their own. */
  readonly spendsDeposits?: true;
  /** Calls of `referenceFor` until there is one, where what it needs is made first. */
  readonly referenceTries?: number;
  /** Why the machine refuses what uses a reference that is used. */
  readonly isUsed: RegExp;
  readonly forgeries: readonly Forgery[];
}

/** Its key was made in a ceremony of five, of whom each signs with a share of its own: long for a test that makes it first. */
export const CEREMONY_TIMEOUT_MS = 120_000;

const judgedChains = new Set<ChainName>();

/** Stands last in each test of machines, which the table of them names. */
export function judgesAsTheTableSays(): void {
  it('judges the chains that the table of machines says', () => {
    const path = expect.getState().testPath ?? '';
    const chains = CHAIN_NAMES.filter((chain) => path.endsWith(`/${MACHINES[chain]?.test}`));
    expect([...judgedChains].toSorted()).toEqual(chains.toSorted());
  });
}

/** The four acts of an adapter, signed by five as the bridge signs, and what the machine refuses. */
export function describeMachine(title: string, judged: Judged): void {
  const { adapter } = judged;
  for (const chain of judged.chains) judgedChains.add(chain);

  async function scene() {
    const cluster = await utxoCluster(adapter.scheme);
    const stated = judged.vault(cluster.keys);
    const machine = await judged.start(stated);
    const vault = machine.vault ?? stated;
    const view = (deposited: readonly string[] = []) => ({
      vault,
      transport: machine.transport,
      relayer: machine.relayer,
      deposited,
    });
    const payee = judged.payee(vault);
    const order = async (
      terms: Partial<PaymentOrder> = {},
      deposited: readonly string[] = [],
    ): Promise<PaymentOrder> => {
      const commitment = randomBytes(32).toString('hex');
      const of = { kind: 'payout', commitment, to: payee, amount: String(judged.payout), ...terms } as const;
      for (let tries = judged.referenceTries ?? 1; tries > 1; tries--) {
        const reference = await adapter.referenceFor(view(deposited), { ...of, attempt: 0 }, []).catch(() => null);
        if (reference !== null) return { ...of, reference };
        await machine.finalize();
      }
      return { ...of, reference: await adapter.referenceFor(view(deposited), { ...of, attempt: 0 }, []) };
    };
    const signed = (of: PaymentOrder, by?: readonly number[]) =>
      adapter.complete(vault, of, cluster.sign(adapter.build(vault, of), by));
    const funded = async () => {
      await machine.fund(judged.funds);
      await machine.finalize();
    };
    const paidIn = async (commitment: string) => {
      await machine.deposit(await adapter.depositPlace(view(), commitment, String(judged.deposit)), judged.deposit);
      await machine.finalize();
    };
    return { cluster, vault, machine, view, payee, order, signed, funded, paidIn };
  }

  describe(title, { timeout: CEREMONY_TIMEOUT_MS }, () => {
    it('finds a deposit that the machine has taken', async () => {
      const { machine, view, paidIn } = await scene();
      const commitment = randomBytes(32).toString('hex');
      await paidIn(commitment);
      const [funds, ...others] = await adapter.deposits(view(), commitment, machine.payer);
      expect([funds?.amount, others]).toEqual([String(judged.deposit), []]);
      expect(funds?.confirmations).toBeGreaterThanOrEqual(adapter.confirmations);
    });

    it('pays out by any three of five, and no payment twice', async () => {
      const { machine, view, payee, order, signed, funded } = await scene();
      let paid = 0n;
      for (const by of [
        [0, 1, 2],
        [2, 3, 4],
      ]) {
        await funded();
        const of = await order();
        expect(await adapter.statusOf(view(), of)).toEqual({ state: 'unspent' });
        expect(await adapter.checkReference(view(), of)).toMatchObject({ fault: null });
        const payment = signed(of, by);
        await adapter.broadcast(view(), payment);
        await machine.finalize();
        paid += judged.payout;
        expect(await machine.balance(payee)).toBe(paid);
        expect(await adapter.statusOf(view(), of)).toMatchObject({ state: 'paid' });
        await expect((async () => machine.take(payment.raw))()).rejects.toThrow(judged.isUsed);
        expect(await machine.balance(payee)).toBe(paid);
      }
    });

    it('gives a deposit back', async () => {
      const { machine, view, payee, order, signed, funded, paidIn } = await scene();
      const commitment = randomBytes(32).toString('hex');
      await funded();
      await paidIn(commitment);
      const refund = await order({ kind: 'refund', commitment, amount: String(judged.deposit) });
      const payment = signed(refund);
      await adapter.broadcast(view(), payment);
      await machine.finalize();
      expect(await machine.balance(payee)).toBe(judged.deposit - judged.feeOfRefund(payment, refund));
      expect(await adapter.statusOf(view(), refund)).toMatchObject({ state: 'paid' });
    });

    it.runIf(judged.spendsDeposits === true)('pays out of what came for several transfers', async () => {
      const { machine, view, payee, order, signed, paidIn } = await scene();
      const deposited = Array.from({ length: 3 }, () => randomBytes(32).toString('hex'));
      for (const commitment of deposited) await paidIn(commitment);
      const of = await order({ amount: String((judged.deposit * 5n) / 2n) }, deposited);
      const check = await adapter.checkReference(view(), of);
      expect([check.fault, check.spends.toSorted()]).toEqual([null, deposited.toSorted()]);
      await adapter.broadcast(view(), signed(of));
      await machine.finalize();
      expect(await machine.balance(payee)).toBe((judged.deposit * 5n) / 2n);
      expect(await adapter.statusOf(view(), of)).toMatchObject({ state: 'paid' });
    });

    it('pays nobody by a reference that is cancelled', async () => {
      const { machine, view, payee, order, signed, funded } = await scene();
      await funded();
      const of = await order();
      const payment = signed(of);
      await adapter.broadcast(view(), signed({ ...of, kind: 'cancel', to: '', amount: '0' }));
      await machine.finalize();
      await expect((async () => machine.take(payment.raw))()).rejects.toThrow(judged.isUsed);
      expect(await machine.balance(payee)).toBe(0n);
      expect(await adapter.statusOf(view(), of)).toMatchObject({ state: 'void' });
    });

    it.each(judged.forgeries)('refuses $what', async ({ raw, refusal }) => {
      const { machine, view, payee, order, signed, funded } = await scene();
      await funded();
      const of = await order();
      const payment = signed(of);
      const forged = await raw(payment, of, signed);
      await expect((async () => machine.take(forged))()).rejects.toThrow(refusal);
      await machine.finalize();
      expect(await machine.balance(payee)).toBe(0n);
      await adapter.broadcast(view(), payment);
      await machine.finalize();
      expect(await machine.balance(payee)).toBe(judged.payout);
    });
  });
}
