import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2wpkh } from '@scure/btc-signer/payment.js';

const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** An address of Bitcoin on a machine's own chain, another for each number from 0. */
export function bitcoinAddress(number: number): string {
  const secret = Buffer.from((BigInt(number) + 1n).toString(16).padStart(64, '0'), 'hex');
  return p2wpkh(secp256k1.getPublicKey(secret), REGTEST).address ?? '';
}
