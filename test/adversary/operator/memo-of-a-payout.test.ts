import { randomUUID } from 'node:crypto';
import { Networks, StrKey, Transaction } from '@stellar/stellar-base';
import { expect, test, vi } from 'vitest';
import type { ChainTransport, PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { ChainEyes } from '../../../domain/bridge/signing/chain-eyes.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { clusterKeys } from '../../../domain/bridge/signing/key-share.ts';
import { SignerHost } from '../../../domain/bridge/signing/signer-host.ts';
import { testCluster } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { type TransferTerms, termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { changedAnswers } from '../../node/bridge/chains-accounts/changed-answers.ts';
import { stellarNode } from '../../node/bridge/chains-accounts/stellar-node.ts';

// A key ceremony is slow on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

const EXCHANGE = StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 1));
const TERMS: TransferTerms = {
  id: '0192f0c1-2f3a-7000-8000-000000000001',
  organization: ORGANIZATION,
  asset: 'XLM',
  source: { kind: 'account', account: 'alice' },
  destination: { kind: 'chain', chain: 'stellar', address: EXCHANGE, memo: 'id:104562' },
  amountIn: '200000000',
  amountOut: '190000000',
  amount: 200_000_000,
  fee: 10_000_000,
  expiresAt: 1,
};

/** Five honest signers with a node of their own each, and a coordinator that asks them for whatever it likes. The ledger has debited one transfer alone. */
async function scene(
  signersNode: (transport: ChainTransport) => ChainTransport = (transport) => transport,
  debited: TransferTerms = TERMS,
) {
  const { cluster, memories } = await testCluster('frost-ed25519');
  const keys = clusterKeys(cluster);
  const vault: Vault = { chain: 'stellar', network: 'mainnet', keys, contract: null, token: null, decimals: 7 };
  const node = stellarNode(null);
  const callsOf = (transport: ChainTransport) =>
    chainCalls({ transportOf: () => transport, custodyOf: () => transport, relayer: null });
  const coordinator = callsOf(node.transport);
  node.fund((await coordinator.depositPlace(vault, '5a'.repeat(32), '1')).address, 1_000_000_000n);
  node.fund(EXCHANGE, 0n);
  const chains = {
    ...callsOf(signersNode(node.transport)),
    clearance: async () => ({ amount: TERMS.amount, clearAt: 0, isVetoed: false }),
    announced: async () => null as never,
  };
  const debits = [{ reference: TERMS.id, amount: TERMS.amountIn, confirmations: 1 }];
  const places = {
    source: null,
    destination: vault,
    guard: 'guard',
    stake: null,
    scale: 7,
    coSignFrom: null,
    moduleKeys: [],
  };
  const eyes = new ChainEyes({
    chains,
    placesOf: async () => places,
    ledger: {
      debit: async (terms) => (termsCommitment(terms) === termsCommitment(debited) ? debits : []),
      voidPayout: async () => true,
      hasPaidOut: async () => true,
    },
  });
  const signers = memories.map(
    (memory, number) => new SignerHost({ organization: ORGANIZATION, number, memory, eyes, now: () => 1 }),
  );
  async function ask(terms: TransferTerms, memo: string | undefined) {
    const wanted = {
      kind: 'payout',
      commitment: termsCommitment(terms),
      to: EXCHANGE,
      amount: TERMS.amountOut,
    } as const;
    const stated = memo === undefined ? {} : { memo };
    const found = await coordinator.referenceFor(
      vault,
      { ...wanted, ...stated, attempt: 1 },
      { taken: [], deposited: [] },
    );
    const payment: PaymentOrder = { ...wanted, ...stated, reference: found ?? '' };
    const outcome = await signPayment({
      cluster,
      signers,
      job: { terms, payment, side: 'destination', coSignature: null },
      unsigned: await coordinator.build(vault, payment),
      newSession: () => randomUUID(),
    });
    return { payment, outcome };
  }
  return { ask, coordinator, vault, node };
}

test('B-08: the payment that is signed carries the memo that the customer stated', async () => {
  const { ask, coordinator, vault, node } = await scene();
  const { payment, outcome } = await ask(TERMS, 'id:104562');
  if (!outcome.ok) throw new Error(outcome.reason);
  const { raw } = await coordinator.complete(vault, payment, outcome.signatures);
  expect(new Transaction(raw, Networks.PUBLIC).memo).toMatchObject({ type: 'id', value: '104562' });
  const before = node.balance(EXCHANGE);
  await coordinator.broadcast(vault, { raw, transaction: 'known' });
  expect(node.balance(EXCHANGE) - before).toBe(190_000_000n);
});

test('B-08: a coordinator that changes or drops the memo gets no signature, by the true terms or by its own', async () => {
  const { destination } = TERMS;
  if (destination.kind !== 'chain') throw new Error('not on a chain');
  const { memo: _, ...bare } = destination;
  for (const memo of [undefined, 'id:104563', 'text:104562']) {
    const changed: TransferTerms = { ...TERMS, destination: memo === undefined ? bare : { ...bare, memo } };
    for (const terms of [TERMS, changed]) {
      const { ask } = await scene();
      const { outcome } = await ask(terms, memo);
      const reason = terms === TERMS ? 'another memo than stated' : 'no funds have come';
      expect(outcome, String(memo)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
    }
  }
});

test('B-08: a coordinator whose own node hides that the payee asks for a memo gets no signature without one', async () => {
  const { destination } = TERMS;
  if (destination.kind !== 'chain') throw new Error('not on a chain');
  const { memo: _, ...bare } = destination;
  const asks = (transport: ChainTransport) =>
    changedAnswers(transport, `/accounts/${EXCHANGE}`, { data: { 'config.memo_required': 'MQ==' } });
  const terms = { ...TERMS, destination: bare };
  const blind = await scene(undefined, terms);
  expect((await blind.ask(terms, undefined)).outcome).toMatchObject({ ok: true });
  const { ask } = await scene(asks, terms);
  const { outcome } = await ask(terms, undefined);
  expect(outcome).toMatchObject({ ok: false, isForGood: true, reason: expect.stringContaining('asked for by') });
});
