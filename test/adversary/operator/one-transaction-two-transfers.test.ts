import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { OutScript } from '@scure/btc-signer/payment.js';
import { describe, expect, test, vi } from 'vitest';
import { utxoAdapter } from '../../../domain/bridge/chains/bitcoin/utxo-adapter.ts';
import { UTXO_CHAINS } from '../../../domain/bridge/chains/bitcoin/utxo-networks.ts';
import { addressOf, utxoNetwork, utxoScript } from '../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import { cardanoAddress } from '../../../domain/bridge/chains/cardano/cardano-key.ts';
import type { ClusterKeys, PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { cosmosHome } from '../../../domain/bridge/chains/cosmos/cosmos-payment.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { namesTransfer } from '../../../domain/bridge/chains/names-transfer.ts';
import { addressFrom } from '../../../domain/bridge/chains/solana/solana-programs.ts';
import { stellarAccountOf } from '../../../domain/bridge/chains/stellar/stellar-payment.ts';
import { suiAddressOf } from '../../../domain/bridge/chains/sui/sui-payment.ts';
import { tezosAddressOf } from '../../../domain/bridge/chains/tezos/tezos-payment.ts';
import { walletAddress } from '../../../domain/bridge/chains/ton/ton-wallet.ts';
import { xrplAccountOf } from '../../../domain/bridge/chains/xrpl/xrpl-address.ts';
import type {
  BridgeSigner,
  NonceOffer,
  SignerAnswer,
  SigningJob,
} from '../../../domain/bridge/signing/bridge-signer.ts';
import { JOB, TERMS, testCluster } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { cosmosNode } from '../../node/bridge/chains-accounts/cosmos-node.ts';
import { COMMITMENT, OTHER_COMMITMENT, type SimulatedNode } from '../../node/bridge/chains-accounts/describe-chain.ts';
import { frostCluster } from '../../node/bridge/chains-accounts/frost-cluster.ts';
import { multisigCluster } from '../../node/bridge/chains-accounts/multisig-cluster.ts';
import { solanaNode } from '../../node/bridge/chains-accounts/solana-node.ts';
import { stellarNode } from '../../node/bridge/chains-accounts/stellar-node.ts';
import { suiNode } from '../../node/bridge/chains-accounts/sui-node.ts';
import { tonNode } from '../../node/bridge/chains-accounts/ton-node.ts';
import { xrplNode } from '../../node/bridge/chains-accounts/xrpl-node.ts';
import { CASH_RULES } from '../../node/bridge/chains-utxo/cash-rules.ts';
import { SimulatedChain } from '../../node/bridge/chains-utxo/simulated-chain.ts';
import { utxoCluster } from '../../node/bridge/chains-utxo/utxo-cluster.ts';

// Ceremonies of keys.
vi.setConfig({ testTimeout: 400_000 });

const { keys, sign } = frostCluster();
const five = multisigCluster();
const PAYEE = frostCluster(5).keys.groupKey;
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const vaultOf = (chain: ChainName, decimals: number, of: ClusterKeys = keys, network: Vault['network'] = 'mainnet') =>
  ({ chain, network, keys: of, contract: null, token: null, decimals }) satisfies Vault;

interface Case {
  readonly chain: ChainName;
  readonly decimals: number;
  readonly home: string;
  readonly to: string;
  readonly node: () => SimulatedNode;
}

const RELAYER = '11'.repeat(32);
const COIN_CASES: readonly Case[] = [
  {
    chain: 'xrpl',
    decimals: 6,
    home: xrplAccountOf(keys.groupKey),
    to: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    node: () => xrplNode(null),
  },
  {
    chain: 'stellar',
    decimals: 7,
    home: stellarAccountOf(keys.groupKey),
    to: stellarAccountOf(PAYEE),
    node: () => stellarNode(null),
  },
  {
    chain: 'cosmos',
    decimals: 6,
    home: cosmosHome(vaultOf('cosmos', 6, five.keys)),
    to: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    node: () => cosmosNode(),
  },
  {
    chain: 'solana',
    decimals: 9,
    home: addressFrom(bytesOf(keys.groupKey)),
    to: addressFrom(bytesOf(PAYEE)),
    node: () => {
      const node = solanaNode(null);
      node.fundSol(addressFrom(ed25519.getPublicKey(bytesOf(RELAYER))), 100_000_000n);
      return node;
    },
  },
  {
    chain: 'ton',
    decimals: 9,
    home: walletAddress(keys.groupKey).toString({ bounceable: false }),
    to: walletAddress(PAYEE).toString({ bounceable: false }),
    node: tonNode,
  },
  { chain: 'sui', decimals: 9, home: suiAddressOf(keys.groupKey), to: suiAddressOf(PAYEE), node: suiNode },
];

describe.each(COIN_CASES)('on $chain', ({ chain, decimals, home, to, node: made }) => {
  test('B-04: one reference that two transfers are given settles the first of them alone', async () => {
    const adapter = await loadAdapter(chain);
    const cluster = chain === 'cosmos' ? five : { keys, sign };
    const vault = vaultOf(chain, decimals, cluster.keys);
    const node = made();
    node.fund(home, 100_000_000_000n);
    if (chain === 'stellar') node.fund(to, 100_000_000n);
    const view = { vault, transport: node.transport, relayer: `0x${RELAYER}` };
    const order = { kind: 'payout', commitment: COMMITMENT, to, amount: '20000000' } as const;
    const ask = () => adapter.referenceFor(view, { ...order, attempt: 1 }, []);
    // Solana makes an account for it first.
    const reference = await ask().catch(ask);
    const [first, second] = [COMMITMENT, OTHER_COMMITMENT].map((commitment) => ({
      ...order,
      commitment,
      reference,
    })) as [PaymentOrder, PaymentOrder];
    await adapter.broadcast(view, adapter.complete(vault, first, cluster.sign(adapter.build(vault, first))));
    node.finalize();
    const states = [await adapter.statusOf(view, first), await adapter.statusOf(view, second)];
    expect(states.map(({ state }) => state)).toEqual(['paid', 'void']);
  });
});

describe.each(Object.keys(UTXO_CHAINS) as ChainName[])('on %s', (chain) => {
  test('B-04: a payment is the very transaction that was ordered: no other of the same payee and amount', async () => {
    const adapter = utxoAdapter(chain);
    const cluster = await utxoCluster(adapter.scheme);
    const vault = vaultOf(chain, 8, cluster.keys, 'local');
    const node = new SimulatedChain(chain === 'bitcoin-cash' ? CASH_RULES : undefined);
    node.addressOf = (script) => addressOf(script, utxoNetwork(vault));
    const home = utxoScript(vault, null).script;
    for (let coin = 0; coin < 3; coin += 1) node.pay(home, 150_000_000n);
    node.mine(100);
    const to = addressOf(OutScript.encode({ type: 'pkh', hash: randomBytes(20) }), utxoNetwork(vault));
    const view = { vault, transport: node.transport, relayer: null, deposited: [] };
    const order = { kind: 'payout', commitment: COMMITMENT, to, amount: '100000000' } as const;
    const reference = await adapter.referenceFor(view, { ...order, attempt: 0 }, []);
    const payment = { ...order, reference };
    const dearer = { ...JSON.parse(reference), fee: String(Number(JSON.parse(reference).fee) + 1) };
    const others: PaymentOrder[] = [
      { ...payment, commitment: OTHER_COMMITMENT },
      { ...payment, reference: JSON.stringify(dearer) },
      { ...payment, kind: 'refund' },
    ];
    await adapter.broadcast(view, adapter.complete(vault, payment, cluster.sign(adapter.build(vault, payment))));
    node.mine(6);
    expect(await adapter.statusOf(view, payment)).toMatchObject({ state: 'paid', confirmations: 6 });
    for (const other of others) expect(await adapter.statusOf(view, other)).toMatchObject({ state: 'void' });
  });
});

const HASH = 'ab'.repeat(32);
const BASE58 = 'So11111111111111111111111111111111111111112';
const BRANCH = 'BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2';
const utxos = JSON.stringify({ inputs: [{ txid: HASH, vout: 0, value: '200000000', commitment: null }], fee: '3000' });

/** One reference on each chain, and a payee. */
const BUILT: readonly (readonly [Vault, string, string])[] = [
  ...COIN_CASES.map(({ chain, decimals, to }) => {
    const references: Partial<Record<ChainName, string>> = {
      xrpl: 'sequence=1 fee=12 ledger=5',
      stellar: 'sequence=5 fee=100 opens=no ledger=5',
      cosmos: 'account=1 sequence=0 fee=5000',
      solana: `nonceAccount=${BASE58} nonce=${BASE58} unitPrice=0`,
      ton: 'seqno=0 deploys=yes after=0',
      sui: `from=vault coins=0x${HASH}:1:${BASE58} price=1 epoch=1`,
    };
    return [vaultOf(chain, decimals, chain === 'cosmos' ? five.keys : keys), references[chain] ?? '', to] as const;
  }),
  [
    vaultOf('cardano', 6),
    JSON.stringify({
      inputs: [{ tx: HASH, index: 0, lovelace: '200000000', quantity: '0', commitment: null }],
      ...{ feePerByte: 44, feeFixed: 155_381, coinsPerByte: 4_310 },
    }),
    cardanoAddress(vaultOf('cardano', 6, frostCluster(5).keys), null),
  ],
  [vaultOf('bitcoin-segwit', 8, five.keys), utxos, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  [
    { ...vaultOf('tron', 6, five.keys), contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
    `block=${HASH} expiration=1800000000000 attempt=1 fee=0`,
    'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
  ],
  [vaultOf('near', 24), `from=vault nonce=1 block=${HASH} height=1`, PAYEE],
  [vaultOf('aptos', 8), 'from=vault sequence=0 unitPrice=100 expires=32503680000', `0x${PAYEE}`],
  [vaultOf('tezos', 6), `from=vault counter=1 reveals=no branch=${BRANCH} level=1`, tezosAddressOf(PAYEE)],
];

/** Where transactions have no room for it, signers alone keep two transfers apart. */
const UNNAMED: readonly ChainName[] = ['near', 'aptos', 'tezos'];

describe('payments of two transfers', () => {
  test('B-04: have no bytes in common where a transaction can say whose payment it is', async () => {
    for (const [vault, reference, to] of BUILT) {
      const adapter = await loadAdapter(vault.chain);
      const [one, other] = [COMMITMENT, OTHER_COMMITMENT].map((commitment) =>
        adapter
          .build(vault, { kind: 'payout', commitment, reference, to, amount: '20000000' })
          .messages.map((each) => each.bytes),
      );
      const isAlike = JSON.stringify(one) === JSON.stringify(other);
      expect([vault.chain, isAlike]).toEqual([vault.chain, UNNAMED.includes(vault.chain)]);
    }
  });

  test('are told apart by the guard where a memo that a payee states may be the commitment of another transfer', async () => {
    for (const [vault, reference, to] of BUILT) {
      const adapter = await loadAdapter(vault.chain);
      const order = { kind: 'payout', commitment: OTHER_COMMITMENT, reference, to, amount: '20000000' } as const;
      const bytes = (payment: PaymentOrder) => JSON.stringify(adapter.build(vault, payment).messages);
      const alike = [`hash:${COMMITMENT}`, `return:${COMMITMENT}`, COMMITMENT].filter((memo) => {
        if (adapter.payeeMemo?.isRight(memo) !== true) return false;
        return bytes({ ...order, memo }) === bytes({ ...order, commitment: COMMITMENT });
      });
      const isByMemo = ['stellar', 'cosmos'].includes(vault.chain);
      expect([vault.chain, alike.length]).toEqual([vault.chain, isByMemo ? 1 : 0]);
      if (isByMemo) expect([vault.chain, namesTransfer(vault)]).toEqual([vault.chain, false]);
    }
  });

  test('B-04: of one transaction: a signer signs it for the first of them alone, however often it is asked, and whatever it is called', async () => {
    const { signers } = await testCluster('frost-ed25519');
    const terms = { ...TERMS, id: '0192f0c1-2f3a-7000-8000-000000000002' };
    const second: SigningJob = { ...JOB, terms, payment: { ...JOB.payment, commitment: termsCommitment(terms) } };
    // Both are offered nonces before either is signed.
    const sessions = [
      [JOB, 'first'],
      [second, 'second'],
    ] as const;
    const offers = await Promise.all(sessions.map(([job, session]) => offersOf(signers, job, session)));
    const [first, later] = offers as [NonceOffer[], NonceOffer[]];
    const [signer] = signers as [BridgeSigner];
    expect(await signer.sign(JOB, 'first', first)).toMatchObject({ ok: true });
    const refusal = { ok: false, kind: 'refused', reason: 'another transfer is paid by the very same transaction' };
    expect(await signer.sign(second, 'second', later)).toMatchObject(refusal);
    expect(await signer.offer(second, 'third')).toMatchObject(refusal);
    expect(await signer.sign(JOB, 'first', first)).toMatchObject({ ok: true });
  });
});

async function offersOf(signers: readonly BridgeSigner[], job: SigningJob, session: string): Promise<NonceOffer[]> {
  const answers: SignerAnswer<NonceOffer>[] = [];
  for (const signer of signers.slice(0, 3)) answers.push(await signer.offer(job, session));
  return answers.map((answer) => {
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  });
}
