import { Address, beginCell, Cell, loadMessage, storeMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { boundedPayoutCost } from '../../../../domain/bridge/chains/payout-costs.ts';
import { ton } from '../../../../domain/bridge/chains/ton/ton.ts';
import { TON_REFERENCE, walletAddress } from '../../../../domain/bridge/chains/ton/ton-wallet.ts';
import { utxoCluster } from '../chains-utxo/utxo-cluster.ts';
import { CEREMONY_TIMEOUT_MS, describeMachine, type Forgery, judgesAsTheTableSays } from './describe-machine.ts';
import { tonMachine } from './ton-machine.ts';

const COIN = 10n ** 9n;
const SIGNATURE_BYTES = 64;
const payee = new Address(0, Buffer.alloc(32, 1)).toString({ bounceable: false });

const vaultOf = (keys: Vault['keys']): Vault => ({
  chain: 'ton',
  network: 'mainnet',
  keys,
  contract: null,
  token: null,
  decimals: 9,
});

/** The signature of one message before the order of another. */
function withSignatureOf(order: string, signature: string): string {
  const message = loadMessage(Cell.fromBase64(order).beginParse());
  const signed = loadMessage(Cell.fromBase64(signature).beginParse()).body.beginParse();
  const body = beginCell()
    .storeBuffer(signed.loadBuffer(SIGNATURE_BYTES))
    .storeSlice(message.body.beginParse().skip(8 * SIGNATURE_BYTES))
    .endCell();
  return beginCell()
    .store(storeMessage({ ...message, body }))
    .endCell()
    .toBoc()
    .toString('base64');
}

const withSeqno = (order: PaymentOrder, seqno: string): PaymentOrder => ({
  ...order,
  reference: TON_REFERENCE.write({ ...TON_REFERENCE.read(order.reference), seqno }),
});

// Exit codes: wallet-v4-code.fc, recv_external.
const FORGERIES: readonly Forgery[] = [
  {
    what: 'a larger amount by the same signature',
    raw: ({ raw }, order, signed) => withSignatureOf(signed({ ...order, amount: String(9n * COIN) }).raw, raw),
    refusal: /exitcode=35/,
  },
  {
    what: 'another payee by the same signature',
    raw: ({ raw }, order, signed) => {
      const to = new Address(0, Buffer.alloc(32, 2)).toString({ bounceable: false });
      return withSignatureOf(signed({ ...order, to }).raw, raw);
    },
    refusal: /exitcode=35/,
  },
  {
    what: 'a number that is ahead',
    raw: (_, order, signed) => signed(withSeqno(order, '7')).raw,
    refusal: /exitcode=33/,
  },
];

describeMachine('ton', {
  chains: ['ton'],
  adapter: ton,
  vault: vaultOf,
  start: tonMachine,
  payee: () => payee,
  funds: 20n * COIN,
  deposit: 2n * COIN,
  payout: 3n * COIN,
  feeOfRefund: () => 0n,
  isUsed: /exitcode=33/,
  forgeries: FORGERIES,
});

describe('a payment of TON', { timeout: CEREMONY_TIMEOUT_MS }, () => {
  async function scene() {
    const { keys, sign } = await utxoCluster(ton.scheme);
    const vault = vaultOf(keys);
    const machine = await tonMachine(vault);
    const home = walletAddress(keys.groupKey).toString({ bounceable: false });
    const view = { vault, transport: machine.transport, relayer: null };
    const order = async (terms: Partial<PaymentOrder>): Promise<PaymentOrder> => {
      const of = { kind: 'payout', commitment: 'ab'.repeat(32), to: payee, amount: String(COIN), ...terms } as const;
      return { ...of, reference: await ton.referenceFor(view, { ...of, attempt: 0 }, []) };
    };
    const pay = async (of: PaymentOrder) => {
      await ton.broadcast(view, ton.complete(vault, of, sign(ton.build(vault, of))));
      await machine.finalize();
      return ton.statusOf(view, of);
    };
    return { machine, home, view, order, pay };
  }

  it('costs less than a quote asks for it, the first one of a wallet and one with a memo, too', async () => {
    const { machine, home, order, pay, view } = await scene();
    await machine.fund(10n * COIN);
    const most = BigInt(boundedPayoutCost(view.vault).cost);
    for (const terms of [{}, {}, { memo: 'm'.repeat(123) }]) {
      const before = await machine.balance(home);
      expect(await pay(await order(terms))).toMatchObject({ state: 'paid' });
      expect(before - (await machine.balance(home)) - COIN).toBeLessThan(most);
    }
  });

  it('that the wallet cannot make uses its number, and is void', async () => {
    const { machine, order, pay } = await scene();
    await machine.fund(5n * COIN);
    const of = await order({});
    expect(await pay({ ...of, amount: String(6n * COIN) })).toMatchObject({ state: 'void' });
    expect(await machine.balance(payee)).toBe(0n);
    expect(await pay(await order({}))).toMatchObject({ state: 'paid' });
    expect(await machine.balance(payee)).toBe(COIN);
  });

  it('of all that a vault may pay leaves it able to pay for it', async () => {
    const { machine, order, pay } = await scene();
    await machine.fund(5n * COIN);
    const all = 5n * COIN - 50_000_000n;
    expect(await pay(await order({ amount: String(all) }))).toMatchObject({ state: 'paid' });
    expect(await machine.balance(payee)).toBe(all);
  });
});

judgesAsTheTableSays();
