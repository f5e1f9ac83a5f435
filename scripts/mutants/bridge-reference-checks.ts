import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const HOST = 'domain/bridge/signing/signer-host.ts';
const BOUND = 'domain/bridge/signing/memory/day-bound.ts';
const CHAINS = 'domain/bridge/chains';
const UTXO = `${CHAINS}/bitcoin/utxo-adapter.ts`;
const CARDANO = `${CHAINS}/cardano/cardano.ts`;
const jobs = ['domain/bridge/signing/check-job.test.ts'];
const hosts = ['domain/bridge/signing/signer-host.test.ts'];
const lies = ['test/adversary/operator/references-that-lie.test.ts'];
const testsOf = (chain: string) => [`test/node/bridge/chains-accounts/${chain}.test.ts`];

/** What signers hold of a reference against their own nodes, and what they cancel. */
export const BRIDGE_REFERENCE_CHECK_MUTANTS: readonly Mutant[] = [
  {
    rule: 'what a reference states is held against the node',
    file: CHECK,
    from: "return fault.isForGood ? { kind: 'refused', reason: fault.reason, isVoid: true } : notYet(fault.reason);",
    to: 'fault.reason;',
    tests: jobs,
  },
  {
    rule: 'a deposit is spent once its transfer is paid out',
    file: CHECK,
    from: 'if (!(await isPaidOut(other, eyes))) return',
    to: 'if (false) return',
    tests: jobs,
  },
  {
    rule: 'a deposit of a transfer that is not told is spent by nobody',
    file: CHECK,
    from: "if (other === undefined) return notYet('it spends the deposit of a transfer that is not told');",
    to: 'if (other === undefined) continue;',
    tests: jobs,
  },
  {
    rule: 'a transfer is paid out by its own payout',
    file: CHECK,
    from: 'if (!isItsPayout || (await',
    to: 'if (payment === null || (await',
    tests: jobs,
  },
  {
    rule: 'a cancellation is of a payment that the guard lists',
    file: CHECK,
    from: "return isListed ? null : notYet('no payment of this reference is known');",
    to: 'return null;',
    tests: jobs,
  },
  {
    rule: 'what the signer has signed is of the very reference',
    file: CHECK,
    from: 'order.payment.commitment === payment.commitment &&\n    order.payment.reference === payment.reference',
    to: 'order.payment.commitment === payment.commitment',
    tests: jobs,
  },
  {
    rule: 'a refund out of its deposit is not cancelled',
    file: CHECK,
    from: "if (side === 'source' && vault !== null && refundsFromDeposit(vault))",
    to: 'if (false)',
    tests: jobs,
  },
  {
    rule: 'cancellations have a bound of the day',
    file: CHECK,
    from: 'if (counted !== null && !checks.hasPlace(counted))',
    to: 'if (false)',
    tests: jobs,
  },
  {
    rule: 'the bound of the day holds where many are asked for at once',
    file: HOST,
    from: 'if (counted !== null && known.answered === null && !hasPlace(memory, counted, now()))',
    to: 'if (false)',
    tests: hosts,
  },
  {
    rule: 'what was cancelled takes a place of the day',
    file: HOST,
    from: '...(counted === null ? [] : [countedChange(memory, counted, now())]),',
    to: '',
    tests: hosts,
  },
  {
    rule: 'a place of the day is free after a day',
    file: BOUND,
    from: 'return all.filter(({ at }) => at > now - DAY_MS);',
    to: 'return all;',
    tests: hosts,
  },
  {
    rule: 'an input is worth what it says',
    file: UTXO,
    from: ' && String(output.value) === value;',
    to: ';',
    tests: lies,
  },
  {
    rule: 'an input has the script of whom it is said to be',
    file: UTXO,
    from: 'return output?.scriptpubkey === hex(utxoScript(vault, commitment).script) && ',
    to: 'return output !== undefined && ',
    tests: lies,
  },
  {
    rule: 'a refund spends outputs of its own transfer',
    file: UTXO,
    from: "neverSo(isOwn, 'a refund spends its own deposit alone'),",
    to: '',
    tests: lies,
  },
  {
    rule: 'a fee is no more than the own node asks for several times',
    file: UTXO,
    from: "notSo(!isDear || order.kind !== 'payout', 'the fee is above what the own node asks for'),",
    to: '',
    tests: lies,
  },
  {
    rule: 'an input of Cardano holds the ADA that it says',
    file: CARDANO,
    from: 'return isThere && held?.lovelace === lovelace && held.quantity === quantity;',
    to: 'return isThere;',
    tests: lies,
  },
  {
    rule: 'an input of Cardano is at the address of whom it is said to be',
    file: CARDANO,
    from: 'const isThere = output?.address === cardanoAddress(vault, commitment) && !output.collateral;',
    to: 'const isThere = output !== undefined;',
    tests: lies,
  },
  {
    rule: 'a payment of NEAR lapses by the height of its own block',
    file: `${CHAINS}/near/near.ts`,
    from: "neverSo(String(header.height) === height, 'its block has another height'),",
    to: '',
    tests: testsOf('near'),
  },
  {
    rule: 'a payment of Polkadot lapses by the height of its own block',
    file: `${CHAINS}/polkadot/polkadot.ts`,
    from: 'neverSo(named?.number === height && ',
    to: 'neverSo(true || ',
    tests: testsOf('polkadot'),
  },
  {
    rule: 'a payment of Tezos lapses by the level of its own block',
    file: `${CHAINS}/tezos/tezos.ts`,
    from: "neverSo(named.hash === branch && String(named.level) === level, 'its block has another level'),",
    to: '',
    tests: testsOf('tezos'),
  },
  {
    rule: 'a nonce account is the vault’s',
    file: `${CHAINS}/solana/solana.ts`,
    from: "notSo(nonce !== null && nonce !== undefined && nonce !== 'nothing', 'no nonce account of the vault'),",
    to: '',
    tests: testsOf('solana'),
  },
  {
    rule: 'a number of an account is not far ahead',
    file: `${CHAINS}/reference-check.ts`,
    from: 'BigInt(number) <= used + NUMBERS_AHEAD_MAX',
    to: 'BigInt(number) >= 0n || used > 0n',
    tests: testsOf('stellar'),
  },
];
