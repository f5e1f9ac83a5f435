import { randomBytes } from 'node:crypto';
import { OutScript } from '@scure/btc-signer/payment.js';
import { RawTx } from '@scure/btc-signer/script.js';
import { describe, expect, it } from 'vitest';
import { utxoAdapter } from '../../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import { UTXO_CHAINS } from '../../../../domain/bridge/chains/bitcoin/utxo-networks.ts';
import { readReference, vsizeOf } from '../../../../domain/bridge/chains/bitcoin/utxo-payment.ts';
import {
  addressOf,
  payingScript,
  utxoNetwork,
  utxoScript,
} from '../../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { CASH_RULES } from '../chains-utxo/cash-rules.ts';
import { SimulatedChain } from '../chains-utxo/simulated-chain.ts';
import { utxoCluster } from '../chains-utxo/utxo-cluster.ts';
import { bitcoreRules, bitcoreSize } from './bitcore-rules.ts';
import {
  CEREMONY_TIMEOUT_MS,
  describeMachine,
  type Forgery,
  judgesAsTheTableSays,
  type Machine,
} from './describe-machine.ts';

const CHAINS = Object.keys(UTXO_CHAINS) as ChainName[];
const COIN = 100_000_000n;
/** Each more adds the same. */
const SEVERAL_INPUTS = 3;
const hash = randomBytes(20);

const vaultOf = (chain: ChainName, keys: Vault['keys']): Vault => ({
  chain,
  network: 'local',
  keys,
  contract: null,
  token: null,
  decimals: 8,
});

function rulesOf(chain: ChainName) {
  return chain === 'bitcoin-cash' ? CASH_RULES : bitcoreRules(chain);
}

/** Blocks, and what is unspent, are of the chain in memory; whether a transaction may spend is for the machine to say. */
function start(vault: Vault): Machine {
  const chain = new SimulatedChain(rulesOf(vault.chain));
  chain.addressOf = (script) => addressOf(script, utxoNetwork(vault));
  const { transport } = chain;
  return {
    transport,
    relayer: null,
    payer: '',
    fund: (amount) => void chain.pay(utxoScript(vault, null).script, amount),
    deposit: ({ address }, amount) => void chain.pay(payingScript(address, vault), amount),
    finalize: () => chain.mine(100),
    async balance(address) {
      const unspent = (await transport.get(`/address/${address}/utxo`)) as { value: number }[];
      return unspent.reduce((sum, { value }) => sum + BigInt(value), 0n);
    },
    take: (raw) => transport.post('/tx', raw),
  };
}

type Raw = ReturnType<typeof RawTx.decode>;

function changed(raw: string, change: (tx: Raw) => void): string {
  const tx = structuredClone(RawTx.decode(Uint8Array.from(Buffer.from(raw, 'hex'))));
  change(tx);
  return Buffer.from(RawTx.encode(tx)).toString('hex');
}

/** The signatures of one transaction in another. */
function withSignaturesOf(raw: string, from: string): string {
  const other = RawTx.decode(Uint8Array.from(Buffer.from(from, 'hex')));
  return changed(raw, (tx) => {
    if (other.witnesses !== undefined) tx.witnesses = other.witnesses;
    for (const [index, input] of tx.inputs.entries())
      input.finalScriptSig = other.inputs[index]?.finalScriptSig ?? input.finalScriptSig;
  });
}

const refusal = /mandatory-script-verify-flag-failed/;
const FORGERIES: readonly Forgery[] = [
  {
    what: 'the signatures of another payment',
    raw: ({ raw }, order, signed) => withSignaturesOf(raw, signed({ ...order, amount: String(COIN) }).raw),
    refusal,
  },
  {
    what: 'an output more, of its change',
    raw: ({ raw }) =>
      changed(raw, (tx) => {
        const change = tx.outputs[1] as Raw['outputs'][number];
        tx.outputs[1] = { ...change, amount: change.amount / 2n };
        tx.outputs.push({ ...change, amount: change.amount / 2n });
      }),
    refusal,
  },
  {
    what: 'another payee',
    raw: ({ raw }) =>
      changed(raw, (tx) => {
        tx.outputs[0] = {
          amount: tx.outputs[0]?.amount ?? 0n,
          script: OutScript.encode({ type: 'pkh', hash: randomBytes(20) }),
        };
      }),
    refusal,
  },
  {
    what: 'more than its inputs hold',
    raw: ({ raw }) =>
      changed(raw, (tx) => {
        tx.outputs[0] = { ...(tx.outputs[0] as Raw['outputs'][number]), amount: 100n * COIN };
      }),
    refusal: /bad-txns-in-belowout/,
  },
  {
    what: 'an input that is not unspent',
    raw: ({ raw }) =>
      changed(raw, (tx) => {
        tx.inputs.push({ ...(tx.inputs[0] as Raw['inputs'][number]), index: 7 });
        tx.witnesses?.push(tx.witnesses[0] ?? []);
      }),
    refusal: /missingorspent/,
  },
];

for (const chain of CHAINS)
  describeMachine(chain, {
    chains: [chain],
    adapter: utxoAdapter(chain),
    vault: (keys) => vaultOf(chain, keys),
    start,
    payee: (vault) => addressOf(OutScript.encode({ type: 'pkh', hash }), utxoNetwork(vault)),
    funds: 5n * COIN,
    deposit: COIN,
    payout: 2n * COIN,
    feeOfRefund: (_, { reference }) => BigInt(readReference(reference).fee),
    spendsDeposits: true,
    isUsed: /missingorspent|already-known/,
    forgeries: FORGERIES,
  });

describe.each(CHAINS)('payments of %s', { timeout: CEREMONY_TIMEOUT_MS }, (chain) => {
  const adapter = utxoAdapter(chain);

  it.runIf(chain !== 'bitcoin-cash')(
    'are no larger than their fee was counted for, to the longest address',
    async () => {
      const { keys, sign } = await utxoCluster(adapter.scheme);
      const vault = vaultOf(chain, keys);
      const { bech32 } = utxoNetwork(vault);
      const to = bech32 === '' ? { type: 'pkh', hash } : { type: 'wsh', hash: randomBytes(32) };
      for (const count of [1, SEVERAL_INPUTS]) {
        const inputs = Array.from({ length: count }, (_, vout) => ({
          txid: 'ab'.repeat(32),
          vout,
          value: String(COIN),
          commitment: vout % 2 === 0 ? null : 'cd'.repeat(32),
        }));
        const reference = JSON.stringify({ inputs, fee: String(vsizeOf(vault, count)) });
        const order = {
          kind: 'payout',
          commitment: 'ef'.repeat(32),
          to: addressOf(OutScript.encode(to as never), utxoNetwork(vault)),
          amount: String(COIN / 2n),
          reference,
        } as const;
        const { raw } = adapter.complete(vault, order, sign(adapter.build(vault, order)));
        const size = bitcoreSize(chain, raw);
        expect(size).toBeLessThanOrEqual(vsizeOf(vault, count));
        const spent = inputs.map(({ commitment }) => ({ script: utxoScript(vault, commitment).script, value: COIN }));
        expect(rulesOf(chain).verify?.(Uint8Array.from(Buffer.from(raw, 'hex')), spent)).toBeNull();
      }
    },
  );
});

it('takes a payment out of a Taproot output whose key begins with a zero byte', async () => {
  const adapter = utxoAdapter('bitcoin-taproot');
  const { keys, sign } = await utxoCluster(adapter.scheme);
  const vault = vaultOf('bitcoin-taproot', keys);
  // Its script is two operations and the key.
  const beginsWithZero = (commitment: string) => utxoScript(vault, commitment).script[2] === 0;
  let commitment = randomBytes(32).toString('hex');
  while (!beginsWithZero(commitment)) commitment = randomBytes(32).toString('hex');
  const order = {
    kind: 'payout',
    commitment: 'ef'.repeat(32),
    to: addressOf(OutScript.encode({ type: 'pkh', hash }), utxoNetwork(vault)),
    amount: String(COIN / 2n),
    reference: JSON.stringify({
      inputs: [{ txid: 'ab'.repeat(32), vout: 0, value: String(COIN), commitment }],
      fee: '1000',
    }),
  } as const;
  const { raw } = adapter.complete(vault, order, sign(adapter.build(vault, order)));
  const spent = [{ script: utxoScript(vault, commitment).script, value: COIN }];
  const { verify } = rulesOf('bitcoin-taproot');
  expect(verify?.(Uint8Array.from(Buffer.from(raw, 'hex')), spent)).toBeNull();
  const less = { ...order, amount: String(COIN / 4n) };
  const other = adapter.complete(vault, less, sign(adapter.build(vault, less))).raw;
  expect(verify?.(Uint8Array.from(Buffer.from(withSignaturesOf(raw, other), 'hex')), spent)).toEqual(
    expect.any(String),
  );
});

it('takes no payment of Bitcoin on Bitcoin Cash, nor the other way round, by the same keys and outputs', async () => {
  const { keys, sign } = await utxoCluster('multisig-secp256k1');
  for (const [chain, other] of [
    ['bitcoin-legacy', 'bitcoin-cash'],
    ['bitcoin-cash', 'bitcoin-legacy'],
  ] as const) {
    const adapter = utxoAdapter(chain);
    const vault = vaultOf(chain, keys);
    const spent = [{ script: utxoScript(vault, null).script, value: COIN }];
    const inputs = [{ txid: 'ab'.repeat(32), vout: 0, value: String(COIN), commitment: null }];
    const order = {
      kind: 'payout',
      commitment: 'ef'.repeat(32),
      to: addressOf(OutScript.encode({ type: 'pkh', hash }), utxoNetwork(vault)),
      amount: String(COIN / 2n),
      reference: JSON.stringify({ inputs, fee: '1000' }),
    } as const;
    const raw = Uint8Array.from(
      Buffer.from(adapter.complete(vault, order, sign(adapter.build(vault, order))).raw, 'hex'),
    );
    expect(rulesOf(chain).verify?.(raw, spent)).toBeNull();
    expect(rulesOf(other).verify?.(raw, spent)).toEqual(expect.any(String));
  }
});

judgesAsTheTableSays();
