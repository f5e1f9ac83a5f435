import { ed25519 } from '@noble/curves/ed25519.js';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { boundedPayoutCost } from '../../../../domain/bridge/chains/payout-costs.ts';
import { solana } from '../../../../domain/bridge/chains/solana/solana.ts';
import { COMPUTE_UNITS, SOLANA_REFERENCE } from '../../../../domain/bridge/chains/solana/solana-message.ts';
import {
  addressFrom,
  MEMO_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import { utxoCluster } from '../chains-utxo/utxo-cluster.ts';
import { CEREMONY_TIMEOUT_MS, describeMachine, type Forgery, judgesAsTheTableSays } from './describe-machine.ts';
import { solanaMachine, TOKEN_DECIMALS } from './solana-machine.ts';

const litesvm = await import('litesvm').catch((reason: Error) => {
  console.warn(
    `Solana's runtime is not run: litesvm has no binary for ${process.platform} ${process.arch} (${reason.message})`,
  );
  return null;
});

const RELAYER = `0x${'11'.repeat(32)}`;
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const wallet = (seed: number) => addressFrom(ed25519.getPublicKey(new Uint8Array(32).fill(seed)));

const vaultOf = (token: string | null, keys: Vault['keys']): Vault => ({
  chain: 'solana',
  network: 'mainnet',
  keys,
  contract: null,
  token,
  decimals: token === null ? 9 : TOKEN_DECIMALS,
});

function start(vault: Vault) {
  if (litesvm === null) throw new Error('no runtime');
  const svm = new litesvm.LiteSVM();
  return solanaMachine(svm, vault, RELAYER);
}

/** The signature stands before the message, behind the number of signatures. */
const [SIGNATURE_AT, MESSAGE_AT] = [1, 65];

function patched(raw: string, change: (wire: Buffer) => void): string {
  const wire = Buffer.from(raw, 'base64');
  change(wire);
  return wire.toString('base64');
}

function replaced(raw: string, from: Uint8Array, to: Uint8Array): string {
  return patched(raw, (wire) => {
    const at = wire.indexOf(from, MESSAGE_AT);
    if (at < 0) throw new Error('nothing to replace');
    wire.set(to, at);
  });
}

function u64(units: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(units);
  return bytes;
}

const forgeriesOf = (payout: bigint): readonly Forgery[] => [
  {
    what: 'the signature of another payment',
    raw: ({ raw }, order, signed) => {
      const other = Buffer.from(signed({ ...order, amount: '1000' }).raw, 'base64').subarray(SIGNATURE_AT, MESSAGE_AT);
      return patched(raw, (wire) => void wire.set(other, SIGNATURE_AT));
    },
    refusal: /SignatureFailure|signature/i,
  },
  {
    what: 'a larger amount',
    raw: ({ raw }) => replaced(raw, u64(payout), u64(payout + 1n)),
    refusal: /SignatureFailure|signature/i,
  },
  {
    what: 'another account of the nonce',
    raw: (_, order, signed) =>
      signed({
        ...order,
        reference: SOLANA_REFERENCE.write({ ...SOLANA_REFERENCE.read(order.reference), nonceAccount: wallet(9) }),
      }).raw,
    refusal: /BlockhashNotFound|blockhash/i,
  },
  {
    what: 'a nonce that the account does not have',
    raw: (_, order, signed) =>
      signed({
        ...order,
        reference: SOLANA_REFERENCE.write({ ...SOLANA_REFERENCE.read(order.reference), nonce: wallet(9) }),
      }).raw,
    refusal: /BlockhashNotFound|blockhash/i,
  },
];

describe.skipIf(litesvm === null)('by litesvm', () => {
  for (const token of [null, MINT]) {
    const [deposit, payout, funds] =
      token === null
        ? [2n, 3n, 10n].map((coins) => coins * 10n ** 9n)
        : [2n, 3n, 10n].map((tokens) => tokens * 10n ** 6n);
    describeMachine(token === null ? 'solana' : 'solana, a token', {
      chains: ['solana'],
      adapter: solana,
      vault: (keys) => vaultOf(token, keys),
      start,
      payee: () => wallet(1),
      funds: funds ?? 0n,
      deposit: deposit ?? 0n,
      payout: payout ?? 0n,
      feeOfRefund: () => 0n,
      referenceTries: 3,
      isUsed: /AlreadyProcessed|BlockhashNotFound|blockhash/i,
      forgeries: forgeriesOf(payout ?? 0n),
    });
  }

  async function scene(token: string | null) {
    const { keys, sign } = await utxoCluster('frost-ed25519');
    const vault = vaultOf(token, keys);
    const machine = start(vault);
    const view = { vault, transport: machine.transport, relayer: RELAYER };
    machine.fund(10n ** 10n);
    const order = async (terms: Partial<PaymentOrder>): Promise<PaymentOrder> => {
      const of = { kind: 'payout', commitment: 'ab'.repeat(32), to: wallet(1), amount: '1000000', ...terms } as const;
      await solana.referenceFor(view, { ...of, attempt: 0 }, []).catch(() => null);
      machine.finalize();
      return { ...of, reference: await solana.referenceFor(view, { ...of, attempt: 0 }, []) };
    };
    const pay = (of: PaymentOrder) => solana.broadcast(view, solana.complete(vault, of, sign(solana.build(vault, of))));
    return { machine, view, order, pay, vault };
  }

  it('takes no more work than is bought, whoever is paid', { timeout: CEREMONY_TIMEOUT_MS }, async () => {
    const { machine, order, pay, view } = await scene(MINT);
    for (let seed = 1; seed <= 6; seed++) {
      const of = await order({ to: wallet(seed), commitment: String(seed).padStart(64, '0') });
      await pay(of);
      machine.finalize();
      expect(await solana.statusOf(view, of)).toMatchObject({ state: 'paid' });
      expect(Number(machine.unitsUsed())).toBeLessThan(COMPUTE_UNITS);
    }
  });

  it('calls and reads programs that the runtime has', () => {
    const svm = new litesvm!.LiteSVM();
    for (const program of [...MEMO_PROGRAMS, TOKEN_PROGRAM, SYSTEM_PROGRAM])
      expect(svm.getAccount(address(program)).exists, program).toBe(true);
  });

  it('opens an account with no less than a quote lets through', { timeout: CEREMONY_TIMEOUT_MS }, async () => {
    const { machine, order, pay, view, vault } = await scene(null);
    const least = BigInt(boundedPayoutCost(vault).least);
    await pay(await order({ amount: String(least - 1n) }));
    machine.finalize();
    expect(machine.lastError()).toMatch(/InsufficientFundsForRent/);
    expect(machine.balance(wallet(1))).toBe(0n);
    const enough = await order({ amount: String(least) });
    await pay(enough);
    machine.finalize();
    expect(machine.balance(wallet(1))).toBe(least);
    expect(await solana.statusOf(view, enough)).toMatchObject({ state: 'paid' });
  });
});

judgesAsTheTableSays();
