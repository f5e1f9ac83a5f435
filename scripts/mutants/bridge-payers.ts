import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const STEP = 'domain/bridge/step-transfer.ts';
const TRANSFER = 'durable-objects/transfer/transfer.ts';
const FUNDS = 'domain/bridge/funds-of.ts';
const funds = ['domain/bridge/funds-of.test.ts'];
const unasked = ['test/runtime/adversary/bridge-tenant/nodes-that-are-not-asked.test.ts'];
const adapters = ['test/node/bridge/load-adapter.test.ts'];
const lanes = ['domain/bridge/lane-terms.test.ts'];
const NEAR = 'domain/bridge/chains/near/near-payee.ts';
const nobody = ['test/adversary/bridge-tenant/payees-of-nobody.test.ts'];
const utxo = ['test/node/bridge/chains-utxo/utxo-chains.test.ts'];
const job = ['domain/bridge/signing/check-job.test.ts'];
const steps = ['domain/bridge/transfer.test.ts'];
const returns = ['test/runtime/workers/exchange/operator/bridge-returns.test.ts'];
const cycles = (chain: string) => [`test/node/bridge/chains-accounts/${chain}.test.ts`];

/** Funds that somebody else than the payer of a transfer has paid in. */
export const BRIDGE_PAYER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'what somebody else has paid goes to who alone has paid it',
    file: CHECK,
    from: "if (deposits.length > 0 && own.length === 0) return never('the payment goes to somebody else');",
    to: '',
    tests: job,
  },
  {
    rule: 'a signer returns no deposit whose payer its node does not name',
    file: CHECK,
    from: 'deposits.filter(({ payer }) => payer === payment.to)',
    to: 'deposits.slice()',
    tests: job,
  },
  {
    rule: 'nothing is returned while the payer may still pay',
    file: CHECK,
    from: "if (now <= terms.expiresAt + RETURN_WAIT_MS) return notYet('its payer may still pay');",
    to: '',
    tests: job,
  },
  {
    rule: 'the payer’s own funds come before those of others',
    file: CHECK,
    from: "return (await eyes.funds(terms)).length === 0 ? null : never('its own payer has paid');",
    to: 'return null;',
    tests: job,
  },
  {
    rule: 'what is returned carries no memo',
    file: CHECK,
    from: "isReturn({ terms, payment }) || kind === 'sweep' ? undefined : place.memo",
    to: 'place.memo',
    tests: job,
  },
  {
    rule: 'what is returned goes to nobody who asks for a memo',
    file: CHECK,
    from: "payment.kind === 'payout' || isReturn(job) ?",
    to: "payment.kind === 'payout' ?",
    tests: job,
  },
  {
    rule: 'nothing is paid out for funds of somebody else',
    file: STEP,
    from: "if (isReturn === true) return ok({ ...seen, state: 'confirming', refundReason: 'other_payer' });",
    to: '',
    tests: steps,
  },
  {
    rule: 'funds are returned once the quote has ended',
    file: STEP,
    from: ' || (isReturn === true && !isUnpaid({ state }))',
    to: '',
    tests: steps,
  },
  {
    rule: 'a transfer that goes on is none that others alone have paid for',
    file: STEP,
    from: "if (!isUnpaid({ state })) return err('not_now');\n  const next",
    to: 'const next',
    tests: steps,
  },
  {
    rule: 'an order of an operator names who has paid',
    file: TRANSFER,
    from: ' || (await this.#fundsFrom(ports, payer)).length === 0',
    to: '',
    tests: returns,
  },
  {
    rule: 'an order to return waits for the end of the quote',
    file: TRANSFER,
    from: "|| !isUnpaid(transfer) ? 'not_now'",
    to: "? 'not_now'",
    tests: returns,
  },
  {
    rule: 'two operators order a return where the venue asks for two',
    file: 'workers/exchange/operator/bridge-return-routes.ts',
    from: 'if (waits !== null) return failure(c, waits);',
    to: '',
    tests: returns,
  },
  {
    rule: 'an order to return is in the audit trail',
    file: 'application/bridge/return-funds.ts',
    from: "type: 'operator.bridge_return_ordered',",
    to: "type: 'operator.bridge_proof_brought',",
    tests: returns,
  },
  {
    rule: 'the list of returns goes on behind its cursor',
    file: 'data/bridge/transfers.ts',
    from: 'lt(bridgeTransfers.id, before),\n  );',
    to: 'undefined,\n  );',
    tests: returns,
  },
  {
    rule: 'the vault of the XRP Ledger is none of the others who pay',
    file: 'domain/bridge/chains/xrpl/xrpl.ts',
    from: 'payer === account || meta',
    to: 'meta',
    tests: cycles('xrpl'),
  },
  {
    rule: 'of several signers on Solana none has paid for sure',
    file: 'domain/bridge/chains/solana/solana.ts',
    from: 'only !== undefined && signers.length === 1 ?',
    to: 'only !== undefined ?',
    tests: cycles('solana'),
  },
  {
    rule: 'the vault of TON is none of the others who pay',
    file: 'domain/bridge/chains/ton/ton.ts',
    from: ' && !isAt(source, home);',
    to: ';',
    tests: cycles('ton'),
  },
  {
    rule: 'the account of a transfer on Tezos is none of the others who pay',
    file: 'domain/bridge/chains/tezos/tezos.ts',
    from: '      one.sender.address !== address &&\n',
    to: '',
    tests: cycles('tezos'),
  },
  {
    rule: 'what nobody is known to have paid has to be a part of the quote',
    file: FUNDS,
    from: 'payer !== undefined || BigInt(amount) * LEAST_PARTS >= BigInt(quoted)',
    to: 'true',
    tests: funds,
  },
  {
    rule: 'what the payer has paid counts, however little it is',
    file: FUNDS,
    from: 'payer !== undefined || BigInt',
    to: 'BigInt',
    tests: funds,
  },
  {
    rule: 'a speck goes back in the end',
    file: FUNDS,
    from: '(isOver ? deposits[0] : undefined)',
    to: 'undefined',
    tests: funds,
  },
  {
    rule: 'a speck does not go back while the payer may still pay',
    file: FUNDS,
    from: '(isOver ? deposits[0] : undefined)',
    to: 'deposits[0]',
    tests: funds,
  },
  {
    rule: 'specks leave a signer room to note the funds',
    file: 'domain/bridge/signing/signer-host.ts',
    from: '      .filter((deposit) => isCounted(deposit, terms.amountIn))\n',
    to: '',
    tests: ['domain/bridge/signing/signer-host.test.ts'],
  },
  {
    rule: 'an account that is empty has no chain asked',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'if (tooLittle !== null) return err(tooLittle);',
    to: '',
    tests: unasked,
  },
  {
    rule: 'both accounts are looked up before a chain is asked',
    file: 'application/bridge/initiate-transfer.ts',
    from: "if (kycStatus !== 'completed')",
    to: "if (kycStatus === 'none')",
    tests: unasked,
  },
  {
    rule: 'a vault that is stated in no usable way is a conflict',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'if (error instanceof RangeError)\n',
    to: 'if (error instanceof TypeError)\n',
    tests: unasked,
  },
  {
    rule: 'a vault of the XRP Ledger has a key',
    file: 'domain/bridge/chains/xrpl/xrpl-address.ts',
    from: "if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');",
    to: '',
    tests: adapters,
  },
  {
    rule: 'a vault of Polkadot has a key',
    file: 'domain/bridge/chains/polkadot/polkadot-payment.ts',
    from: "if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');",
    to: '',
    tests: adapters,
  },
  {
    rule: 'deposits of a token need no price of the coin',
    file: 'domain/bridge/lane-terms.ts',
    from: 'if (paysOut && vault.custody === undefined)',
    to: 'if (vault.custody === undefined)',
    tests: lanes,
  },
  {
    rule: 'a lane of a token takes nothing before anything is stated of it',
    file: 'domain/bridge/lane-terms.ts',
    from: "if (lane === undefined) return err('unstated');",
    to: '',
    tests: lanes,
  },
  {
    rule: 'a lane at a custody provider needs no price',
    file: 'domain/bridge/lane-terms.ts',
    from: 'if (paysOut && vault.custody === undefined)',
    to: 'if (paysOut)',
    tests: lanes,
  },
  {
    rule: 'a token of NEAR is not paid, whatever else it says',
    file: NEAR,
    from: "if ((await view('ft_metadata')) !== null) return 'program';",
    to: '',
    tests: nobody,
  },
  {
    rule: 'a contract of several keys on NEAR has enough of them',
    file: NEAR,
    from: "needed.data ? null : 'locked';",
    to: 'needed.data ? null : null;',
    tests: nobody,
  },
  {
    rule: 'a DAO of NEAR has somebody who decides',
    file: NEAR,
    from: 'roles: z.array(z.unknown()).min(1)',
    to: 'roles: z.array(z.unknown())',
    tests: nobody,
  },
  {
    rule: 'an account of several owners on Aptos has enough of them',
    file: 'domain/bridge/chains/aptos/aptos.ts',
    from: 'return able.size >= Number(needed);',
    to: 'return true;',
    tests: nobody,
  },
  {
    rule: 'a contract on Tron is paid no coin',
    file: 'domain/bridge/chains/tron/tron.ts',
    from: 'vault.token === null || ',
    to: '',
    tests: nobody,
  },
  {
    rule: 'a token on Tron is not paid',
    file: 'domain/bridge/chains/tron/tron.ts',
    from: "(await grid.isToken(payee)) ? 'program' : null",
    to: "false ? 'program' : null",
    tests: nobody,
  },
  {
    rule: 'of those that name a commitment on Solana, the payer’s come first',
    file: 'domain/bridge/chains/solana/solana.ts',
    from: 'if (from === null || named.length <= CANDIDATES_FEW) return oldestFirst;',
    to: 'if (named.length > 0) return oldestFirst;',
    tests: cycles('solana'),
  },
  {
    rule: 'what names a commitment on Solana is looked through up to a number',
    file: 'domain/bridge/chains/solana/solana.ts',
    from: '.slice(0, CANDIDATES_MAX);',
    to: ';',
    tests: cycles('solana'),
  },
  {
    rule: 'an indexer that lists too few outputs stops no payment',
    file: 'domain/bridge/chains/bitcoin/esplora.ts',
    from: 'refusal.code === TOO_MANY',
    to: 'refusal.code === NOT_FOUND',
    tests: utxo,
  },
  {
    rule: 'what is read off transactions is spent by none of them',
    file: 'domain/bridge/chains/bitcoin/esplora.ts',
    from: ' && !spent.has(',
    to: ' && !all.length.toString().includes(',
    tests: utxo,
  },
];
