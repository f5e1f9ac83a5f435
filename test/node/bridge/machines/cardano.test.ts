import {
  BigNum,
  FixedTransaction,
  TransactionBody,
  TransactionOutput,
  TransactionOutputs,
  Value,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { describe, expect, it } from 'vitest';
import { cardano } from '../../../../domain/bridge/chains/cardano/cardano.ts';
import { cardanoAddress } from '../../../../domain/bridge/chains/cardano/cardano-key.ts';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { boundedPayoutCost } from '../../../../domain/bridge/chains/payout-costs.ts';
import { utxoCluster } from '../chains-utxo/utxo-cluster.ts';
import { cardanoMachine, cardanoUnit } from './cardano-machine.ts';
import {
  CEREMONY_TIMEOUT_MS,
  describeMachine,
  type Forgery,
  judgesAsTheTableSays,
  type Machine,
} from './describe-machine.ts';

const ADA = 1_000_000n;
const TOKEN = '0b0d621b5c26d0a1fd0893a4b04c19d860296a69ede1fbcfc5179882.4e46542d303031';
/** Types 0 and 6 of CIP-19, with a share in staking and without. */
const PAYEE =
  'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae';

const vaultOf = (token: string | null, keys: Vault['keys']): Vault => ({
  chain: 'cardano',
  network: 'testnet',
  keys,
  contract: null,
  token,
  decimals: 6,
});

function start(vault: Vault): Machine & { readonly chain: ReturnType<typeof cardanoMachine> } {
  const chain = cardanoMachine();
  const unit = cardanoUnit(vault);
  const held = (amount: bigint) =>
    vault.token === null ? { lovelace: amount } : { lovelace: 5n * ADA, [unit]: amount };
  const { transport } = chain;
  return {
    chain,
    transport,
    relayer: null,
    payer: '',
    fund: (amount) => void chain.pay(cardanoAddress(vault, null), held(amount)),
    deposit: ({ address }, amount) => void chain.pay(address, held(amount)),
    finalize: () => chain.mine(100),
    balance: (address) => chain.balance(address)[unit] ?? 0n,
    take: (raw) => transport.post('/tx/submit', new Blob([Buffer.from(raw, 'hex')], { type: 'application/cbor' })),
  };
}

/** The body of one transaction, or one changed, with the signatures of another. */
function withSignaturesOf(body: string | Uint8Array, from: string): string {
  const other = FixedTransaction.from_hex(from);
  const bytes = typeof body === 'string' ? FixedTransaction.from_hex(body).raw_body() : body;
  const tx = FixedTransaction.new_with_auxiliary(
    bytes,
    other.raw_witness_set(),
    other.raw_auxiliary_data() ?? new Uint8Array(),
    true,
  );
  return tx.to_hex();
}

function changedBody(raw: string, change: (body: TransactionBody) => TransactionBody): Uint8Array {
  return change(TransactionBody.from_bytes(FixedTransaction.from_hex(raw).raw_body())).to_bytes();
}

const FORGERIES: readonly Forgery[] = [
  {
    what: 'a larger amount by the same signatures',
    raw: ({ raw }, order, signed) =>
      withSignaturesOf(signed({ ...order, amount: String(BigInt(order.amount) + ADA) }).raw, raw),
    refusal: /CQuisitor: .*InvalidSignature/,
  },
  {
    what: 'an output more by the same signatures',
    raw: ({ raw }) =>
      withSignaturesOf(
        changedBody(raw, (body) => {
          const outputs = TransactionOutputs.new();
          const all = body.outputs();
          for (let n = 0; n < all.len(); n++) outputs.add(all.get(n));
          outputs.add(TransactionOutput.new(all.get(0).address(), Value.new(BigNum.from_str(String(2n * ADA)))));
          return TransactionBody.new_tx_body(body.inputs(), outputs, body.fee());
        }),
        raw,
      ),
    refusal: /CQuisitor: .*InvalidSignature/,
  },
];

for (const token of [null, TOKEN])
  describeMachine(token === null ? 'cardano' : 'cardano, a token', {
    chains: ['cardano'],
    adapter: cardano,
    vault: (keys) => vaultOf(token, keys),
    start,
    payee: () => PAYEE,
    funds: 50n * ADA,
    deposit: 5n * ADA,
    payout: 10n * ADA,
    feeOfRefund: ({ raw }) => (token === null ? BigInt(FixedTransaction.from_hex(raw).body().fee().to_str()) : 0n),
    spendsDeposits: true,
    isUsed: /CQuisitor: .*(Spent|spent|BadInputs)/,
    forgeries: FORGERIES,
  });

describe('a payment of Cardano', { timeout: CEREMONY_TIMEOUT_MS }, () => {
  async function scene(token: string | null) {
    const { keys, sign } = await utxoCluster(cardano.scheme);
    const vault = vaultOf(token, keys);
    const machine = start(vault);
    const view = { vault, transport: machine.transport, relayer: null };
    await machine.fund(100n * ADA);
    await machine.finalize();
    const order = async (terms: Partial<PaymentOrder>): Promise<PaymentOrder> => {
      const of = { kind: 'payout', commitment: 'ab'.repeat(32), to: PAYEE, amount: String(ADA), ...terms } as const;
      return { ...of, reference: await cardano.referenceFor(view, { ...of, attempt: 0 }, []) };
    };
    const signed = (of: PaymentOrder) => cardano.complete(vault, of, sign(cardano.build(vault, of)));
    return { machine, view, order, signed };
  }

  it('is refused with a fee below what the chain asks for', async () => {
    const { machine, order, signed } = await scene(null);
    const { raw } = signed(await order({ amount: String(10n * ADA) }));
    machine.chain.prices = { ...machine.chain.prices, feeFixed: 160_000 };
    await expect((async () => machine.take(raw))()).rejects.toThrow(/CQuisitor: FeeTooSmallUTxO/);
  });

  it('is refused with an output that holds less than its size needs', async () => {
    const { machine, order, signed } = await scene(null);
    const { raw } = signed(await order({}));
    machine.chain.prices = { ...machine.chain.prices, coinsPerByte: 6_000 };
    await expect((async () => machine.take(raw))()).rejects.toThrow(/CQuisitor: OutputTooSmallUTxO/);
  });

  it('of the least that a quote lets through is taken', async () => {
    const { machine, view, order, signed } = await scene(null);
    const { least } = boundedPayoutCost(view.vault);
    const of = await order({ amount: least });
    await cardano.broadcast(view, signed(of));
    await machine.finalize();
    expect(await cardano.statusOf(view, of)).toMatchObject({ state: 'paid' });
  });
});

judgesAsTheTableSays();
