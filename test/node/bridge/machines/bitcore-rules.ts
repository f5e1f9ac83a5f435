import { schnorr } from '@noble/curves/secp256k1.js';
import bitcoin from 'bitcore-lib';
import dogecoin from 'bitcore-lib-doge';
import litecoin from 'bitcore-lib-ltc';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import type { ChainRules, Output } from '../chains-utxo/simulated-chain.ts';

/** By which script a chain's inputs are run; nodes relay nothing that breaks one of these (`STANDARD_SCRIPT_VERIFY_FLAGS`). */
const RULES = [
  'P2SH',
  'STRICTENC',
  'DERSIG',
  'LOW_S',
  'NULLDUMMY',
  'MINIMALDATA',
  'CLEANSTACK',
  'WITNESS',
  'NULLFAIL',
  'WITNESS_PUBKEYTYPE',
  'TAPROOT',
] as const;

/**
 * bitcore 11.5.1 refuses every signature of a key whose first byte is zero, one key in 256: it hashes the key without that byte. BIP 340 hashes all 32 (bytes of an integer). Of these keys alone @noble/curves judges, over
 * the digest that bitcore has made.
 */
const { Schnorr } = bitcoin.crypto;
const verifyByBitcore = Schnorr.verify;
Schnorr.verify = (key, message, signature) => {
  if (key[0] !== 0) return verifyByBitcore(key, message, signature);
  const bytes = signature instanceof Uint8Array ? signature : signature.toBuffer();
  return schnorr.verify(bytes.subarray(0, 64), message, key);
};

const MACHINES: Readonly<Partial<Record<ChainName, typeof litecoin>>> = {
  'bitcoin-taproot': bitcoin,
  'bitcoin-segwit': bitcoin,
  'bitcoin-legacy': bitcoin,
  litecoin,
  dogecoin,
};

/** Rules of a chain by bitcore's interpreter of it: what a transaction is, and the script of each input with what it spends. */
export function bitcoreRules(chain: ChainName): ChainRules {
  const machine = MACHINES[chain];
  if (machine === undefined) throw new RangeError(`bitcore has no ${chain}`);
  return { replaces: true, verify: (raw, spent) => faultOf(machine, raw, spent) };
}

function faultOf({ Transaction, Script }: typeof litecoin, raw: Uint8Array, spent: readonly Output[]): string | null {
  const { Interpreter } = Script;
  const tx = new Transaction(Buffer.from(raw).toString('hex'));
  const whole = tx.verify();
  if (whole !== true) return whole;
  const flags = RULES.reduce((sum, rule) => sum | (Interpreter[`SCRIPT_VERIFY_${rule}`] ?? 0), 0);
  const outputs = spent.map(({ script, value }) => ({
    script: Script.fromBuffer(Buffer.from(script)),
    satoshis: Number(value),
  }));
  // A signature of Taproot is over everything that the transaction spends.
  for (const [index, input] of tx.inputs.entries())
    input.output = new Transaction.Output(outputs[index] as (typeof outputs)[number]);
  for (const [index, { script, witnesses = [] }] of tx.inputs.entries()) {
    const { script: output, satoshis } = outputs[index] as (typeof outputs)[number];
    const interpreter = new Interpreter();
    // Of a witness the machine holds to a clean stack by itself; by the rule it would look at what is outside of it.
    const rules = witnesses.length > 0 ? flags & ~(Interpreter.SCRIPT_VERIFY_CLEANSTACK ?? 0) : flags;
    if (!interpreter.verify(script, output, tx, index, rules, witnesses, satoshis))
      return interpreter.errstr || 'script false';
  }
  return null;
}

/** Virtual bytes, by which nodes count a fee. */
export function bitcoreSize(chain: ChainName, raw: string): number {
  const machine = MACHINES[chain];
  if (machine === undefined) throw new RangeError(`bitcore has no ${chain}`);
  const tx = new machine.Transaction(raw);
  return tx.vsize ?? tx.toBuffer().length;
}
