import type { Mutant } from './mutant.ts';

const CUSTODY = 'domain/bridge/chains/custody';
const ADAPTER = ['test/node/bridge/chains-custody/custody.test.ts'];

/** Rules of vaults that lie with a custody provider. */
export const BRIDGE_CUSTODY_MUTANTS: readonly Mutant[] = [
  {
    rule: 'nothing that a provider has signed is void while it may land',
    file: `${CUSTODY}/transaction-outcome.ts`,
    from: "if (isOut) return 'open';",
    to: '',
    tests: ['domain/bridge/chains/custody/transaction-outcome.test.ts'],
  },
  {
    rule: 'what failed at a provider is void only where that was before its keys signed',
    file: `${CUSTODY}/transaction-outcome.ts`,
    from: "FAILED_UNSIGNED.has(subStatus ?? '') ?",
    to: 'true ?',
    tests: ['domain/bridge/chains/custody/transaction-outcome.test.ts'],
  },
  {
    rule: 'what people hold back at a provider is not void',
    file: `${CUSTODY}/transaction-outcome.ts`,
    from: "HELD.has(subStatus ?? '') ? 'open' : 'dead'",
    to: "'dead'",
    tests: ['domain/bridge/chains/custody/transaction-outcome.test.ts'],
  },
  {
    rule: 'a payment stands under an id of its own transfer and kind',
    file: `${CUSTODY}/custody-payment.ts`,
    from: "throw new RangeError('a reference of another payment');",
    to: '{}',
    tests: ADAPTER,
  },
  {
    rule: 'a payment at a provider is paid where the provider says what the order says',
    file: `${CUSTODY}/custody-adapter.ts`,
    from: "if (order.kind === 'cancel' || !isPaid(chain, vault, order, found))",
    to: 'if (false)',
    tests: ADAPTER,
  },
  {
    rule: 'an amount that a provider has paid is the order’s to the unit',
    file: `${CUSTODY}/custody-adapter.ts`,
    from: "return unitsOf(amountInfo.amount ?? '', vault.decimals) === BigInt(order.amount);",
    to: 'return true;',
    tests: ADAPTER,
  },
  {
    rule: 'three different signers of five approve of what a provider pays',
    file: `${CUSTODY}/custody-approval.ts`,
    from: 'return new Set(right.map(({ signer }) => signer)).size >= CLUSTER_THRESHOLD;',
    to: 'return right.length >= CLUSTER_THRESHOLD;',
    tests: ADAPTER,
  },
  {
    rule: 'approvals are of the very transfer',
    file: `${CUSTODY}/custody-approval.ts`,
    from: "isEcdsaRight(signerKeys[signer] ?? '', digest, signature)",
    to: 'signature.length === 128',
    tests: ADAPTER,
  },
  {
    rule: 'the amount is approved',
    file: `${CUSTODY}/transfer-request.ts`,
    from: 'const paid = [operation, assetId, source.id, to, amount, treatAsGrossAmount];',
    to: 'const paid = [operation, assetId, source.id, to, treatAsGrossAmount];',
    tests: ADAPTER,
  },
  {
    rule: 'approvals count at one provider',
    file: `${CUSTODY}/transfer-request.ts`,
    from: "['edge.bridge.custody.v1', provider, kind,",
    to: "['edge.bridge.custody.v1', kind,",
    tests: ADAPTER,
  },
  {
    rule: 'a deposit has no confirmations before the provider has completed it',
    file: `${CUSTODY}/custody-adapter.ts`,
    from: "transaction.status === 'COMPLETED' ? (transaction.numOfConfirmations ?? 0) : 0",
    to: 'transaction.numOfConfirmations ?? 0',
    tests: ADAPTER,
  },
  {
    rule: 'a deposit is of the address that was made for its transfer',
    file: `${CUSTODY}/custody-adapter.ts`,
    from: ' || !addresses.some((address) => isAt(address, transaction))',
    to: '',
    tests: ADAPTER,
  },
  {
    rule: 'a deposit comes from the payer of the terms, where the chain says who pays',
    file: `${CUSTODY}/custody-adapter.ts`,
    from: 'if (payer !== null && transaction.sourceAddress !== payer) continue;',
    to: '',
    tests: ADAPTER,
  },
  {
    rule: 'a tenant moves funds by vaults of its own signing mode alone',
    file: 'domain/bridge/vault-signing.ts',
    from: "return (custody !== undefined) === (mode === 'custody');",
    to: 'return true;',
    tests: ['domain/bridge/vault-signing.test.ts'],
  },
];
