import type { Mutant } from './mutant.ts';

const payment = ['test/adversary/operator/one-transaction-two-transfers.test.ts'];
const network = ['test/adversary/operator/bytes-of-two-networks.test.ts'];
const places = ['test/runtime/workers/exchange/operator/bridge-places.test.ts'];
const memory = ['test/runtime/durable-objects/bridge-chains/kept-places.test.ts'];
const account = ['test/adversary/operator/references-of-one-account.test.ts'];

/** A payment is of one account, one transfer and one network. */
export const BRIDGE_REFERENCE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'tokens of one account share their references',
    file: 'domain/bridge/chains/chain-calls.ts',
    from: 'countedBy(await adapterOf(vault), vault)].join',
    to: 'countedBy(await adapterOf(vault), vault), vault.token].join',
    tests: account,
  },
  {
    rule: 'references of two networks do not meet',
    file: 'domain/bridge/chains/chain-calls.ts',
    from: '[vault.chain, vault.network, countedBy',
    to: '[vault.chain, countedBy',
    tests: account,
  },
  {
    rule: 'a rotation leaves the references of the old five keys behind',
    file: 'domain/bridge/chains/cosmos/cosmos.ts',
    from: 'countsBy: cosmosHome',
    to: 'countsBy: ({ keys }) => keys.groupKey',
    tests: account,
  },
  {
    rule: 'a token of Cardano has an address of its own',
    file: 'domain/bridge/chains/cardano/cardano.ts',
    from: 'countsBy: (vault) => cardanoAddress(vault, null)',
    to: 'countsBy: ({ keys }) => keys.groupKey',
    tests: account,
  },
  {
    rule: 'a transfer has its reference from the object of the account',
    file: 'durable-objects/transfer/ports-of.ts',
    from: 'await chains.referencesOf(vault)',
    to: 'vault.chain',
    tests: account,
  },
  {
    rule: 'a transaction of outputs says whose payment it is',
    file: 'domain/bridge/chains/bitcoin/utxo-payment.ts',
    from: "if (order.kind !== 'cancel') tx.addOutput({ script: namingScript(order.commitment), amount: 0n });",
    to: '',
    tests: payment,
  },
  {
    rule: 'a payment of outputs is the one that moves just what was ordered',
    file: 'domain/bridge/chains/bitcoin/utxo-adapter.ts',
    from: 'movesOf(vin, outputs) === movesOfPayment(vault, order)',
    to: 'outputs[0]?.value === utxoPayment(vault, order).paid',
    tests: payment,
  },
  {
    rule: 'a transaction of Cardano says whose payment it is',
    file: 'domain/bridge/chains/cardano/cardano-payment.ts',
    from: "const named = order.kind === 'cancel' ? null : order.commitment;",
    to: 'const named: string | null = null as string | null;',
    tests: payment,
  },
  {
    rule: 'a payment of Solana says whose it is',
    file: 'domain/bridge/chains/solana/solana-message.ts',
    from: '[...(instruction.accounts ?? []), namingAccount(commitment)]',
    to: '[...(instruction.accounts ?? [])]',
    tests: payment,
  },
  {
    rule: 'a payment of Stellar says whose it is',
    file: 'domain/bridge/chains/stellar/stellar-payment.ts',
    from: 'return Memo.hash(commitment);',
    to: 'return Memo.none();',
    tests: payment,
  },
  {
    rule: 'an order to the wallet of TON says whose payment it is',
    file: 'domain/bridge/chains/ton/ton-wallet.ts',
    from: '.storeBuffer(Buffer.from(hexToBytes(order.commitment)))',
    to: '',
    tests: payment,
  },
  {
    rule: 'a payment of Sui says whose it is',
    file: 'domain/bridge/chains/sui/sui-payment.ts',
    from: "{ Pure: { bytes: Buffer.from(hexToBytes(order.commitment)).toString('base64') } },",
    to: '',
    tests: payment,
  },
  {
    rule: 'a signer signs the bytes of one transfer for no other, whenever it was asked first',
    file: 'domain/bridge/signing/signer-host.ts',
    from: "if (payment.kind !== 'cancel' && isOfAnother(memory, commitment, unsigned))",
    to: 'if (false)',
    tests: payment,
  },
  {
    rule: 'a signer offers no nonces for the bytes of another transfer',
    file: 'domain/bridge/signing/signer-host.ts',
    from: "if (job.payment.kind !== 'cancel' && isOfAnother(memory, commitment, checked.value.unsigned))",
    to: 'if (false)',
    tests: payment,
  },
  {
    rule: 'a signer remembers what it has signed, and for which transfer',
    file: 'domain/bridge/signing/signer-host.ts',
    from: "...(payment.kind === 'cancel' ? [] : messageChanges(commitment, unsigned)),",
    to: '',
    tests: payment,
  },
  {
    rule: 'an order to the wallet of TON names its network',
    file: 'domain/bridge/chains/ton/ton-wallet.ts',
    from: 'storeUint(SUBWALLETS[vault.network], 32)',
    to: 'storeUint(SUBWALLET, 32)',
    tests: network,
  },
  {
    rule: 'the wallet of TON is another on each network',
    file: 'domain/bridge/chains/ton/ton-wallet.ts',
    from: 'contractAddress(0, walletInit(key, network))',
    to: 'contractAddress(0, walletInit(key))',
    tests: network,
  },
  {
    rule: 'a key serves one network of a chain',
    file: 'domain/bridge/places/vault-identity.ts',
    from: 'one.network !== other.network &&',
    to: 'one.network === other.network &&',
    tests: network,
  },
  {
    rule: 'operators state no key for a second network',
    file: 'workers/exchange/operator/bridge-routes.ts',
    from: 'of && isKeyOfTwoNetworks(of, row.place)',
    to: 'of && false',
    tests: places,
  },
  {
    rule: 'signers take no key of a second network',
    file: 'durable-objects/bridge-chains/kept-places.ts',
    from: '[...own, ...others].some((known) => isKeyOfTwoNetworks(known.vault, vault))',
    to: 'false && vault',
    tests: memory,
  },
];
