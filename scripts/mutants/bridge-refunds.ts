import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const SWEEP = 'domain/bridge/signing/sweep-refusal.ts';
const CHAINS = 'domain/bridge/chains';
const APTOS = `${CHAINS}/aptos/aptos.ts`;
const UTXO = `${CHAINS}/bitcoin/utxo-adapter.ts`;
const jobs = ['domain/bridge/signing/check-job.test.ts'];
const CARDANO = `${CHAINS}/cardano/cardano.ts`;
const outputs = ['test/node/bridge/chains-utxo/utxo-chains.test.ts'];
const cardano = ['test/node/bridge/chains-utxo/cardano.test.ts'];
const testsOf = (chain: string) => [`test/node/bridge/chains-accounts/${chain}.test.ts`];

const REST = 'domain/bridge/refund-rest.ts';
const rests = ['domain/bridge/refund-rest.test.ts'];
const transfers = ['test/runtime/durable-objects/transfer/transfer.test.ts'];

/** What goes back out of a deposit, and what is left of it. */
export const BRIDGE_REFUND_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a refund of less than it costs waits for an operator',
    file: REST,
    from: "return BigInt(amount) < costInUnits(source, worth, cost) ? 'worth_less' : null;",
    to: 'return null;',
    tests: rests,
  },
  {
    rule: 'a third refund that the relayer pays for waits for an operator',
    file: REST,
    from: 'tried >= RELAYED_REFUNDS_MAX',
    to: 'tried > RELAYED_REFUNDS_MAX',
    tests: rests,
  },
  {
    rule: 'an order of a refund is good once',
    file: REST,
    from: 'ordered === tried',
    to: 'ordered !== null',
    tests: rests,
  },
  {
    rule: 'a token is held against what a coin is worth',
    file: REST,
    from: 'coinWorth === null ? BigInt(flatFee) : ',
    to: 'true ? BigInt(flatFee) : ',
    tests: rests,
  },
  {
    rule: 'an order of a refund names who has paid it in',
    file: 'durable-objects/transfer/transfer.ts',
    from: 'if (refundRestsFor(this.#store.begun) === payer) {',
    to: 'if (refundRestsFor(this.#store.begun) !== null) {',
    tests: transfers,
  },
  {
    rule: 'refunds that were signed are counted, and not those that signers were away for',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: 'const of = { tried: refundsSigned(begun), ordered };',
    to: 'const of = { tried: refundsTried(begun), ordered };',
    tests: transfers,
  },
  {
    rule: 'what is one payment goes back whole',
    file: CHECK,
    from: 'return isBalance === true ? isAllButSpeck(amount, there) : amount === there;',
    to: 'return isAllButSpeck(amount, there);',
    tests: jobs,
  },
  {
    rule: 'a speck that comes to a balance does not keep its refund',
    file: SWEEP,
    from: 'left * SPECK_PARTS <= BigInt(there)',
    to: 'left === 0n',
    tests: jobs,
  },
  {
    rule: 'more than a speck of a balance does not stay behind',
    file: SWEEP,
    from: 'left >= 0n && left * SPECK_PARTS <= BigInt(there)',
    to: 'left >= 0n',
    tests: jobs,
  },
  {
    rule: 'no more goes back than a balance is',
    file: SWEEP,
    from: 'left >= 0n && left * SPECK_PARTS',
    to: 'left * SPECK_PARTS',
    tests: jobs,
  },
  ...(['aptos', 'near', 'polkadot'] as const).map((chain) => ({
    rule: `a deposit of ${chain} is a balance`,
    file: `${CHAINS}/${chain}/${chain}.ts`,
    from: ', isBalance: true',
    to: '',
    tests: testsOf(chain),
  })),
  {
    rule: 'numbers of a transfer’s own account are no numbers of the vault',
    file: `${CHAINS}/accounts/of-same-account.ts`,
    from: "taken.filter((one) => one.from === 'vault')",
    to: 'taken',
    tests: testsOf('polkadot'),
  },
  {
    rule: 'numbers of one transfer’s account are none of another’s',
    file: `${CHAINS}/accounts/of-same-account.ts`,
    from: "return from === 'vault' ? taken.filter((one) => one.from === 'vault') : [];",
    to: 'return taken.filter((one) => one.from === from);',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a refund of Aptos lapses',
    file: APTOS,
    from: "const expires = from === 'vault' ? VAULT_EXPIRES_S",
    to: 'const expires = true ? VAULT_EXPIRES_S',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a payout of Aptos does not lapse',
    file: APTOS,
    from: "const expires = from === 'vault' ? VAULT_EXPIRES_S",
    to: 'const expires = false ? VAULT_EXPIRES_S',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a payment of Aptos lands until its reference says',
    file: `${CHAINS}/aptos/aptos-payment.ts`,
    from: 'wholeUnits(reference.expires, U64_MAX),',
    to: 'VAULT_EXPIRES_S,',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a payment of Aptos that may still land is not void',
    file: APTOS,
    from: 'seconds >= BigInt(expires) && (await',
    to: '(await',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a payment of Aptos is void from the very second at which it expires',
    file: APTOS,
    from: 'seconds >= BigInt(expires)',
    to: 'seconds > BigInt(expires)',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a number of Aptos is unused where the ledger is past the payment’s time, and not where a node is behind',
    file: APTOS,
    from: ' && (await sequenceOf(transport, address, version)) <= BigInt(sequence);',
    to: ';',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a version that a node of Aptos does not have is no account without payments',
    file: APTOS,
    from: "isUnknown && !refusal.message.includes('version_not_found')",
    to: 'isUnknown',
    tests: testsOf('aptos'),
  },
  {
    rule: 'a refund of an output says what its deposit was paid from',
    file: UTXO,
    from: 'isRefund || isFirstShallow ? await originsOf(node, inputs) : undefined',
    to: 'undefined',
    tests: outputs,
  },
  {
    rule: 'a refund of an output names what its deposit was paid from, and nothing else',
    file: UTXO,
    from: "    neverSo(areOrigins, 'it names outputs that its first input was not paid from'),\n",
    to: '',
    tests: outputs,
  },
  {
    rule: 'a refund of an output names the very outputs that its deposit was paid from',
    file: UTXO,
    from: 'outpoint(input) === outpoint(one)',
    to: 'input.txid === one.txid',
    tests: outputs,
  },
  {
    rule: 'what only waits for a block keeps no deposit from coming back',
    file: UTXO,
    from: 'txid !== first && confirmations > 0)',
    to: 'txid !== first)',
    tests: outputs,
  },
  {
    rule: 'a deposit that is not known may come back',
    file: UTXO,
    from: "throw new Error('the deposit that goes back is not known now');",
    to: "return { state: 'unspent' };",
    tests: outputs,
  },
  {
    rule: 'a refund of Cardano says what its deposit was paid from',
    file: CARDANO,
    from: 'const origin = deposit?.tx ?? young;',
    to: 'const origin = young;',
    tests: cardano,
  },
  {
    rule: 'a refund of Cardano names what its deposit was paid from, and nothing else',
    file: CARDANO,
    from: "    neverSo(areOrigins, 'it names outputs that its coins were not paid from'),\n",
    to: '',
    tests: cardano,
  },
  {
    rule: 'a refund of Cardano names the very outputs that its deposit was paid from',
    file: CARDANO,
    from: 'tx_hash === one.tx && output_index === one.index',
    to: 'tx_hash === one.tx',
    tests: cardano,
  },
  {
    rule: 'a deposit of Cardano that is not known may come back',
    file: CARDANO,
    from: "throw new Error('the coin that is spent is not known now');",
    to: 'return null;',
    tests: cardano,
  },
  {
    rule: 'collateral of a deposit of Cardano is not what it was paid from',
    file: `${CHAINS}/cardano/blockfrost.ts`,
    from: '!collateral && !reference',
    to: '!reference',
    tests: cardano,
  },
  {
    rule: 'what a deposit of Cardano looks at is not what it was paid from',
    file: `${CHAINS}/cardano/blockfrost.ts`,
    from: '!collateral && !reference',
    to: '!collateral',
    tests: cardano,
  },
  {
    rule: 'a deposit of Cardano is none of the vault’s own outputs',
    file: `${CHAINS}/cardano/cardano-reference.ts`,
    from: 'commitment !== null',
    to: 'true',
    tests: cardano,
  },
];
