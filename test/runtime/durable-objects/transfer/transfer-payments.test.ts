import { expect, test } from 'vitest';
import type { PaymentStatus, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { newTransfer, type Transfer } from '../../../../domain/bridge/transfer.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import type { TransferPorts } from '../../../../durable-objects/transfer/ports.ts';
import { type PayingTransfer, TransferPayments } from '../../../../durable-objects/transfer/transfer-payments.ts';
import type { TransferRecord } from '../../../../durable-objects/transfer/transfer-store.ts';

const keys = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys: [] } as const;
const vaultOn = (chain: Vault['chain']): Vault => ({
  chain,
  network: 'testnet',
  keys,
  contract: null,
  token: null,
  decimals: 8,
});
const terms = {
  id: 't',
  organization: 'acme',
  asset: 'BTC',
  source: { kind: 'chain', chain: 'bitcoin-segwit', address: 'from' },
  destination: { kind: 'chain', chain: 'xrpl', address: 'to' },
  amountIn: '10',
  amountOut: '9',
  amount: 10,
  fee: 1,
  expiresAt: 1,
} as const;

/** Payments of a transfer that is to be cancelled, and what is asked of signers and chains meanwhile. */
function cancelling(kind: 'payout' | 'refund', source: Vault['chain'] = 'bitcoin-segwit') {
  const asked: string[] = [];
  const guard = { isStopped: false, isVoid: false };
  /** Whether another payment has the coins. */
  const coins = { areTaken: false, noted: 3 };
  const payment = { kind, reference: 'r', transaction: null, isAbandoned: false } as const;
  const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: true };
  const transfer: Transfer = { ...newTransfer(terms), state: 'broadcast', funds, payment };
  const settings = { source: vaultOn(source), destination: vaultOn('bitcoin-segwit'), guard: 'g' };
  const begun = {
    terms,
    settings,
    transfer,
    commitment: 'c',
    announced: [],
    signed: {},
    cheaters: [],
    cancelling: null,
  };
  const store = {
    begun: begun as unknown as TransferRecord,
    save: async (change: object) => void Object.assign(begun, change),
  };
  const ports = {
    cluster: {
      notePaidOut: async ({ payment: paid }: { payment: { kind: string; reference: string } | null }) => {
        asked.push(`note ${paid?.kind} ${paid?.reference}`);
        return coins.noted;
      },
      sign: async ({ payment: order }: { payment: { kind: string } }) => {
        asked.push(`sign ${order.kind}`);
        // Those who have not signed it do not know it.
        if (guard.isStopped) return { ok: false, reason: 'not known', isForGood: false, cheaters: [] };
        if (guard.isVoid) return { ok: false, reason: 'wrong', isForGood: true, isVoid: true, cheaters: [] };
        return { ok: true, signatures: [], by: [], cheaters: [] };
      },
    },
    chains: {
      complete: async () => ({ raw: 'raw', transaction: 'tx' }),
      broadcast: async () => asked.push('broadcast'),
      confirmationsNeeded: async () => 6,
      announce: async () => {
        asked.push('announce');
        if (guard.isStopped) throw new Error('the guard is stopped');
      },
      checkReference: async () => ({ fault: null, spends: [] }),
    },
    watcher: async () => ({
      ended: async (_: string, by?: string) => void asked.push(by === undefined ? 'ended' : `ended by ${by}`),
      deposited: async (_: string, __: unknown, deposit: string) => void asked.push(`deposited ${deposit}`),
      takesAgain: async () => {
        asked.push('takes again');
        return !coins.areTaken;
      },
    }),
  } as unknown as TransferPorts;
  const of: PayingTransfer = {
    store: store as unknown as PayingTransfer['store'],
    happened: async ({ type }) => void asked.push(type),
    waitFor: (reason) => void asked.push(`waits: ${reason}`),
    nextRefund: () => 0,
    unknownWait_ms: () => 0,
    handInRest_ms: () => 0,
    point: () => undefined,
  };
  const cancel = (status: PaymentStatus) => new TransferPayments(of).cancel(ports, status);
  return { asked, cancel, guard, coins, begun, payments: new TransferPayments(of), ports };
}

test('a payment that only waits to be in a block is replaced; one that is in a block is not', async () => {
  const spent = { state: 'paid', transaction: 'tx' } as const;
  for (const status of [{ state: 'unspent' }, { ...spent, confirmations: 0 }] as const) {
    const { asked, cancel } = cancelling('payout');
    await cancel(status);
    expect(asked).toEqual(['announce', 'sign cancel', 'broadcast']);
  }
  const { asked, cancel } = cancelling('payout');
  await cancel({ ...spent, confirmations: 1 });
  expect(asked).toEqual([]);
});

test('a payment that the guard did not list when it was to is shown again as it is cancelled, and signers are asked while the guard is stopped', async () => {
  const { asked, cancel, guard } = cancelling('payout');
  guard.isStopped = true;
  await cancel({ state: 'unspent' });
  const waits = 'waits: the guard does not list what is to be cancelled';
  expect(asked).toEqual(['announce', waits, 'sign cancel', 'waits: not known']);
  asked.length = 0;
  guard.isStopped = false;
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['announce', 'sign cancel', 'broadcast']);
});

test('a payment whose reference three signers say to be wrong for good is void, and its transfer goes back by another', async () => {
  const { asked, cancel, guard } = cancelling('payout');
  guard.isVoid = true;
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['announce', 'sign cancel', 'waits: wrong', 'ended', 'payment_cancelled']);
});

test('a refund out of its deposit whose reference is wrong for good is tried by another', async () => {
  const { asked, begun, guard, payments, ports } = cancelling('refund');
  guard.isVoid = true;
  Object.assign(begun.transfer, { state: 'refund_signing', funds: { ...begun.transfer.funds, isLost: false } });
  await payments.pay(ports, { state: 'unspent' });
  expect(asked).toEqual(['announce', 'sign refund', 'waits: wrong', 'ended', 'payment_cancelled']);
});

test('signers are told of a payout once it is deep enough, where payments spend deposits, and again until all have written it down', async () => {
  const { asked, begun, coins, payments, ports } = cancelling('payout');
  Object.assign(begun.transfer, { funds: { ...begun.transfer.funds, isLost: false } });
  await payments.isSettled(ports, { state: 'paid', transaction: 'tx', confirmations: 6 });
  const told = 'note payout r';
  expect(asked).toEqual(['ended by tx', 'ended', told, 'deposited in', 'payment_confirmed']);
  Object.assign(begun.transfer, { state: 'confirmed' });
  Object.assign(ports.chains, { statusOf: async () => ({ state: 'paid', transaction: 'tx', confirmations: 7 }) });
  expect(payments.isUntold).toBe(true);
  coins.noted = 5;
  for (let look = 0; look < 2; look += 1) await payments.keepPaid(ports);
  expect(payments.isUntold).toBe(false);
  expect(asked.filter((call) => call === told)).toHaveLength(2);
  const other = cancelling('payout', 'xrpl');
  await other.payments.isSettled(other.ports, { state: 'paid', transaction: 'tx', confirmations: 6 });
  expect(other.asked).not.toContain(told);
});

test('a deposit is offered to payments once three signers have written down that it is the vault’s, and not before', async () => {
  const { asked, begun, coins, payments, ports } = cancelling('payout');
  Object.assign(begun.transfer, { funds: { ...begun.transfer.funds, isLost: false } });
  coins.noted = 2;
  await payments.isSettled(ports, { state: 'paid', transaction: 'tx', confirmations: 6 });
  Object.assign(begun.transfer, { state: 'confirmed' });
  Object.assign(ports.chains, { statusOf: async () => ({ state: 'paid', transaction: 'tx', confirmations: 7 }) });
  await payments.keepPaid(ports);
  expect(asked).not.toContain('deposited in');
  coins.noted = 3;
  await payments.keepPaid(ports);
  expect(asked.filter((call) => call === 'deposited in')).toHaveLength(1);
});

test('what a payment leaves to the vault is remembered by its transaction, and what a cancellation leaves; of what another payment has spent, nothing', async () => {
  const settled = async (change: object, transaction: string) => {
    const { asked, begun, payments, ports } = cancelling('payout');
    Object.assign(begun, change);
    await payments.isSettled(ports, { state: 'void', transaction, confirmations: 6 });
    return asked;
  };
  const signed = { 'cancel r': { raw: 'raw', transaction: 'tx' } };
  expect(await settled({ signed }, 'tx')).toEqual(['ended by tx', 'payment_cancelled']);
  expect(await settled({ signed }, 'other')).toEqual(['ended', 'payment_cancelled']);
  expect(await settled({}, 'tx')).toEqual(['ended', 'payment_cancelled']);
});

/** A payout whose cancellation signers were asked for a day ago. */
function askedForADay(change: object = {}) {
  const out = cancelling('payout');
  out.guard.isStopped = true;
  Object.assign(out.begun, { cancelling: 'r', cancellingSince: Date.now() - DAY_MS }, change);
  return out;
}

const TOLD = ['announce', 'waits: the guard does not list what is to be cancelled', 'sign cancel', 'waits: not known'];

test('the coins of a payout that nobody has signed, and nobody cancels, are free after a day, and not before', async () => {
  const young = askedForADay({ cancellingSince: Date.now() });
  await young.cancel({ state: 'unspent' });
  expect(young.asked).toEqual(TOLD);
  const fresh = askedForADay({ cancelling: null, cancellingSince: undefined });
  await fresh.cancel({ state: 'unspent' });
  expect(fresh.asked).toEqual(TOLD);
  const old = askedForADay();
  await old.cancel({ state: 'unspent' });
  expect(old.asked).toEqual([...TOLD, 'ended']);
  expect(old.begun).toMatchObject({ givenUp: 'r' });
});

test('the coins of a payout that no node knows are free after a day as well', async () => {
  const unknown = async () => {
    throw new Error('no such transaction');
  };
  for (const chain of ['bitcoin-segwit', 'cardano'] as const) {
    const { asked, begun, payments, ports, cancel } = askedForADay();
    Object.assign(begun.settings, { destination: vaultOn(chain) });
    Object.assign(ports.chains, { checkReference: unknown, statusOf: unknown });
    expect(await payments.status(ports)).toEqual({ state: 'unspent' });
    Object.assign(begun, { cancellingSince: Date.now() });
    const tried = () => cancel({ state: 'unspent' }).catch((error: Error) => asked.push(error.message));
    await tried();
    expect(begun).not.toHaveProperty('givenUp');
    Object.assign(begun, { cancellingSince: Date.now() - DAY_MS });
    asked.length = 0;
    await tried();
    expect(asked.slice(2)).toEqual(['ended', 'no such transaction']);
    expect(begun).toMatchObject({ givenUp: 'r' });
  }
});

test('a payout that is to be paid, or is signed, has no status by a node that does not know its coins', async () => {
  for (const change of [{ cancelling: null }, { signed: { 'payout r': { raw: 'raw', transaction: 'tx' } } }]) {
    const { begun, payments, ports } = askedForADay(change);
    const funds = { reference: 'in', amount: '10', cameAt: 1, isLost: false };
    Object.assign(begun, { transfer: { ...begun.transfer, funds } });
    const unknown = async () => {
      throw new Error('no such transaction');
    };
    Object.assign(ports.chains, { checkReference: unknown, statusOf: unknown });
    await expect(payments.status(ports)).rejects.toThrow('no such transaction');
  }
});

test('the coins of a payout that is signed stay its own', async () => {
  const { asked, cancel } = askedForADay({ signed: { 'payout r': { raw: 'raw', transaction: 'tx' } } });
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(TOLD);
});

test('on chains of accounts nothing is given up: what comes after waits for its number', async () => {
  const { asked, cancel, begun } = askedForADay();
  Object.assign(begun.settings, { destination: vaultOn('xrpl') });
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(TOLD);
});

test('what was given up is cancelled as long as no other payment spends its coins, which are free again where nobody signs', async () => {
  const { asked, cancel, coins, guard } = askedForADay({ givenUp: 'r' });
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['takes again', ...TOLD, 'ended']);
  asked.length = 0;
  coins.areTaken = true;
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['takes again', 'waits: it was given up, and another payment spends its coins']);
  asked.length = 0;
  coins.areTaken = false;
  await cancel({ state: 'void', transaction: 'other', confirmations: 0 });
  expect(asked).toEqual(['waits: it was given up, and another payment spends its coins']);
  asked.length = 0;
  guard.isStopped = false;
  await cancel({ state: 'unspent' });
  expect(asked).toEqual(['takes again', 'announce', 'sign cancel', 'broadcast']);
});

test('a refund out of its deposit is never cancelled, which would leave nothing to give back; any other is', async () => {
  const out = cancelling('refund');
  await out.cancel({ state: 'unspent' });
  expect(out.asked).toEqual(['waits: its deposit is missing: it goes back out of that alone']);
  const other = cancelling('refund', 'xrpl');
  await other.cancel({ state: 'unspent' });
  expect(other.asked).toEqual(['announce', 'sign cancel', 'broadcast']);
});
