import { OutScript } from '@scure/btc-signer/payment.js';
import { RawTx } from '@scure/btc-signer/script.js';
import { utxoAdapter } from '../../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import {
  completed,
  readReference,
  utxoPayment,
  vsizeOf,
} from '../../../../domain/bridge/chains/bitcoin/utxo-payment.ts';
import {
  addressOf,
  payingScript,
  utxoChain,
  utxoNetwork,
  utxoScript,
} from '../../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { CASH_RULES } from '../chains-utxo/cash-rules.ts';
import { SimulatedChain } from '../chains-utxo/simulated-chain.ts';
import type { CombinedPayment, LiarChain, LiarScene } from './liar-chain.ts';
import type { SignedOrder } from './liar-world.ts';

/** Outputs of the vault to begin with: two of one value, so that one can be told for the other. */
const OUTPUTS = [3n, 3n, 1n];
/** No payment is put together of more. */
const COMBINED_MAX = 40;

/** Bitcoin in its three forms, and its relatives: what is signed for each input is told apart from the others. */
export function outputsChain(chain: ChainName): LiarChain {
  const adapter = utxoAdapter(chain);
  const { confirmations, dust, feeRateMax, form } = utxoChain(chain);
  const unit = dust * 40_000n;
  return {
    name: chain,
    adapter,
    open(keys): LiarScene {
      const vault: Vault = { chain, network: 'mainnet', keys, contract: null, token: null, decimals: 8 };
      const node = new SimulatedChain(chain === 'bitcoin-cash' ? CASH_RULES : undefined);
      node.addressOf = (script) => addressOf(script, utxoNetwork(vault));
      node.feeRate = feeRateMax / 20;
      for (const share of OUTPUTS) node.pay(utxoScript(vault, null).script, share * unit);
      const settle = () => node.mine(confirmations);
      settle();
      const payee = (fill: number) =>
        addressOf(OutScript.encode({ type: 'pkh', hash: new Uint8Array(20).fill(fill) }), utxoNetwork(vault));
      return {
        vaults: [vault],
        transport: node.transport,
        relayer: null,
        payees: [payee(7), payee(8)],
        payer: payee(9),
        amounts: [unit / 2n, unit * 4n, dust * 100n, dust + 1n],
        async held(commitments) {
          let sum = 0n;
          for (const commitment of [null, ...commitments]) {
            const { address } = utxoScript(vault, commitment);
            const unspent = (await node.transport.get(`/address/${address}/utxo`)) as { value: number }[];
            for (const { value } of unspent) sum += BigInt(value);
          }
          return { '': sum };
        },
        payIn(_, { address }, amount) {
          node.pay(payingScript(address, vault), amount);
        },
        settle,
        shallow: { mine: () => node.mine(), reorganize: () => node.reorganize(confirmations - 1) },
        ceiling(_, { kind, reference }) {
          // A refund's fee is taken from what goes back.
          if (kind === 'refund') return 0n;
          const size = BigInt(vsizeOf(vault, readReference(reference).inputs.length));
          // What is too small to be change goes to miners, too.
          return BigInt(feeRateMax) * size * (kind === 'cancel' ? 2n : 1n) + dust;
        },
        combined: (signed) => (form === 'taproot' ? [] : combinations(vault, signed)),
      };
    },
  };
}

/** Signatures of one input from one order, of another input from another: where both have the same outputs, they are of one transaction. */
function combinations(vault: Vault, signed: readonly SignedOrder[]): CombinedPayment[] {
  const made: CombinedPayment[] = [];
  const bones = signed.map(({ order }) => bonesOf(vault, order));
  for (const [at, one] of signed.entries())
    for (const [beside, other] of signed.entries()) {
      const isOne = one.order.reference === other.order.reference;
      if (isOne || bones[at] !== bones[beside] || made.length >= COMBINED_MAX) continue;
      const { inputs } = utxoPayment(vault, one.order);
      for (let split = 0; split < inputs.length; split += 1) {
        const parts = inputs.map((_, index) => {
          const signature = (index === split ? other : one).signatures[index];
          return signature?.kind === 'each' ? signature.signatures.map((each) => each.signature) : [];
        });
        const raw = Buffer.from(completed(vault, utxoPayment(vault, one.order), parts)).toString('hex');
        made.push({ raw, of: [one, other] });
      }
    }
  return made;
}

/** What a transaction is without its signatures, and without the values that are no part of it. */
function bonesOf(vault: Vault, order: SignedOrder['order']): string {
  const { inputs, outputs } = RawTx.decode(utxoPayment(vault, order).tx.toBytes(false, false));
  const told = [
    inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`),
    outputs.map(({ amount, script }) => `${amount} ${Buffer.from(script).toString('hex')}`),
  ];
  return JSON.stringify(told);
}
