import { Address, OutScript, p2ms, p2sh, p2wsh } from '@scure/btc-signer/payment.js';
import { transferTweak, tweakedKey } from '../../signing/transfer-tweak.ts';
import { CLUSTER_THRESHOLD } from '../../transfer.ts';
import type { ClusterKeys, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';
import { cashAddress, cashScript } from './cash-address.ts';
import { UTXO_CHAINS, type UtxoForm, type UtxoNetwork } from './utxo-networks.ts';

/** An output that the cluster spends. */
export interface UtxoScript {
  readonly script: Uint8Array;
  readonly address: string;
  /** What OP_CHECKMULTISIG is in; null of Taproot. */
  readonly redeem: Uint8Array | null;
  /** Scalar by which the keys are tweaked; null for the vault's own output. */
  readonly tweak: string | null;
  /** The keys that signatures are checked by, in the order of the script. */
  readonly keys: readonly string[];
}

/** @throws RangeError for a chain that has none */
export function utxoNetwork({ chain, network }: Pick<Vault, 'chain' | 'network'>): UtxoNetwork {
  return utxoChain(chain).networks[network];
}

export function utxoChain(chain: Vault['chain']) {
  const found = UTXO_CHAINS[chain];
  if (found === undefined) throw new RangeError(`${chain} has no unspent outputs`);
  return found;
}

/**
 * Where funds of a commitment come in: an output of its own, whose keys are the cluster's with a scalar added that follows from the commitment. So nobody can pay it to
 * another transfer. Null for the vault's own output.
 *
 * Of Taproot the key stands in the output as it is, without `p2tr`, which would tweak it again: the ceremony's key commits to having no script path (BIP-341, "Constructing and
 * spending Taproot outputs"), and a scalar that is a hash of it opens none either.
 */
export function utxoScript(vault: Vault, commitment: string | null): UtxoScript {
  const { form } = utxoChain(vault.chain);
  const network = utxoNetwork(vault);
  const { keys } = vault;
  const all = groupOf(keys, form);
  const tweak = commitment === null ? null : transferTweak(keys.scheme, all, commitment);
  const tweaked = tweak === null ? all : tweakedKey(keys.scheme, all, tweak);
  if (form === 'taproot') {
    const script = OutScript.encode({ type: 'tr', pubkey: bytes(tweaked) });
    return { script, address: addressOf(script, network), redeem: null, tweak, keys: [tweaked] };
  }
  const five = tweaked.match(/.{66}/g) ?? [];
  const multisig = p2ms(CLUSTER_THRESHOLD, five.map(bytes));
  const { script } = form === 'p2wsh' ? p2wsh(multisig, network) : p2sh(multisig, network);
  return { script, address: addressOf(script, network), redeem: multisig.script, tweak, keys: five };
}

/** The script that pays an address. @throws RangeError where it is none of the chain, or nobody has its key, or everybody */
export function payingScript(address: string, at: Pick<Vault, 'chain' | 'network'>): Uint8Array {
  const script = scriptOf(address, utxoNetwork(at));
  if (isKeyless(at, { text: address, bytes: payloadOf(script) }))
    throw new RangeError(`${address} has no key of one owner`);
  return script;
}

/** The key, or the hash, that a script is for: what stands between its operations. */
function payloadOf(script: Uint8Array): Uint8Array {
  const [operation] = script;
  if (operation === 0x76) return script.slice(3, -2);
  return operation === 0xa9 || operation === 0xaa ? script.slice(2, -1) : script.slice(2);
}

function scriptOf(address: string, network: UtxoNetwork): Uint8Array {
  if (network.cashPrefix !== undefined) return cashScript(address, network.cashPrefix);
  try {
    return OutScript.encode(Address(network).decode(address));
  } catch (cause) {
    throw new RangeError(`${address} is no address of the chain`, { cause });
  }
}

/** What follows in an output's script is data, and nobody is paid by it. */
export const OP_RETURN = 0x6a;

/** Empty for what pays nobody. */
export function addressOf(script: Uint8Array, network: UtxoNetwork): string {
  if (script[0] === OP_RETURN) return '';
  if (network.cashPrefix !== undefined) return cashAddress(script, network.cashPrefix);
  return Address(network).encode(OutScript.decode(script) as never);
}

function groupOf({ groupKey, signerKeys }: ClusterKeys, form: UtxoForm): string {
  const all = form === 'taproot' ? groupKey : signerKeys.join('');
  if (!(form === 'taproot' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{330}$/).test(all))
    throw new RangeError('no keys of the vault');
  return all;
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

export function hex(of: Uint8Array): string {
  return Buffer.from(of.buffer, of.byteOffset, of.length).toString('hex');
}
