import type { Vault } from '../chain-adapter.ts';
import type { ChainName } from '../chain-name.ts';

/** How a chain writes its addresses. */
export interface UtxoNetwork {
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
  /** Prefix of a CashAddr, where the chain writes those and nothing else. */
  readonly cashPrefix?: string;
}

/** `taproot`: BIP-340 by the cluster. `p2wsh` and `p2sh`: 3 of 5 keys by OP_CHECKMULTISIG. */
export type UtxoForm = 'taproot' | 'p2wsh' | 'p2sh';

interface UtxoChain {
  readonly form: UtxoForm;
  /** Signatures name the chain and the value of what is spent (SIGHASH_FORKID of Bitcoin Cash), so that they count on no other. */
  readonly hasForkId?: true;
  /** Blocks after which funds and payments count: an hour's worth, as is usual. */
  readonly confirmations: number;
  /** An output of less is not relayed, in the smallest unit. */
  readonly dust: bigint;
  /** What a virtual byte may cost, in the smallest unit: a signer builds nothing dearer. */
  readonly feeRateMax: number;
  readonly networks: Readonly<Record<Vault['network'], UtxoNetwork>>;
}

const BITCOIN = { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 };
const BITCOIN_TEST = { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const BITCOIN_LOCAL = { ...BITCOIN_TEST, bech32: 'bcrt' };
const LITECOIN = { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };
const LITECOIN_TEST = { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };
/** What an address of SegWit begins with on a chain that has none: nothing does. */
const NO_SEGWIT = '';
const DOGECOIN = { bech32: NO_SEGWIT, pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e };
const DOGECOIN_TEST = { bech32: NO_SEGWIT, pubKeyHash: 0x71, scriptHash: 0xc4, wif: 0xf1 };

const ofBitcoin = (form: UtxoForm, dust: bigint): UtxoChain => ({
  form,
  confirmations: 6,
  dust,
  feeRateMax: 500,
  networks: { mainnet: BITCOIN, testnet: BITCOIN_TEST, local: BITCOIN_LOCAL },
});

const cash = (cashPrefix: string): UtxoNetwork => ({ ...BITCOIN, bech32: NO_SEGWIT, cashPrefix });

/** Chains with unspent outputs. Version bytes: `chainparams.cpp` of Bitcoin Core, Litecoin Core and Dogecoin Core. */
export const UTXO_CHAINS: Readonly<Partial<Record<ChainName, UtxoChain>>> = {
  'bitcoin-taproot': ofBitcoin('taproot', 330n),
  'bitcoin-segwit': ofBitcoin('p2wsh', 330n),
  'bitcoin-legacy': ofBitcoin('p2sh', 546n),
  litecoin: {
    form: 'p2wsh',
    confirmations: 24,
    dust: 5_460n,
    feeRateMax: 2_000,
    networks: { mainnet: LITECOIN, testnet: LITECOIN_TEST, local: { ...LITECOIN_TEST, bech32: 'rltc' } },
  },
  dogecoin: {
    form: 'p2sh',
    confirmations: 60,
    dust: 1_000_000n,
    feeRateMax: 100_000,
    networks: { mainnet: DOGECOIN, testnet: DOGECOIN_TEST, local: DOGECOIN_TEST },
  },
  'bitcoin-cash': {
    form: 'p2sh',
    hasForkId: true,
    // Nodes undo no block that has ten above it.
    confirmations: 11,
    dust: 546n,
    feeRateMax: 100,
    networks: { mainnet: cash('bitcoincash'), testnet: cash('bchtest'), local: cash('bchreg') },
  },
};
