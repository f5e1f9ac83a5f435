import type { Mutant } from './mutant.ts';

const REFUSAL = 'domain/bridge/signing/sweep-refusal.ts';
const CHECK = 'domain/bridge/signing/check-job.ts';
const ORDER = 'durable-objects/transfer/transfer-sweep.ts';
const signer = ['domain/bridge/signing/check-job.test.ts'];
const object = ['durable-objects/transfer/transfer-sweep.test.ts'];

/** How deposits come into the vault's account, on chains where transfers have accounts of their own. */
export const BRIDGE_SWEEP_MUTANTS: readonly Mutant[] = [
  {
    rule: 'nothing is swept that may go back',
    file: REFUSAL,
    from: "if (!(await isPaidOut())) return { kind: 'not_yet', reason: 'its transfer is not paid out: the deposit may go back' };",
    to: '',
    tests: signer,
  },
  {
    rule: 'a sweep takes all that is there',
    file: REFUSAL,
    from: 'const isAll = isAllButSpeck(payment.amount, await eyes.sweepable(terms));',
    to: 'const isAll = true;',
    tests: signer,
  },
  {
    rule: 'a transfer is swept so often at most',
    file: REFUSAL,
    from: 'others.length >= SWEEPS_MAX',
    to: 'others.length > SWEEPS_MAX',
    tests: signer,
  },
  {
    rule: 'a signer sweeps to nobody who is named',
    file: CHECK,
    from: "return to === '' ? null : never('what is swept goes to the vault alone');",
    to: 'return null;',
    tests: signer,
  },
  {
    rule: 'a sweep stands against no later one once it has landed',
    file: CHECK,
    from: "const isSweptAfter = job.payment.kind === 'sweep' && (payment.kind === 'sweep' || payment.kind === 'payout');",
    to: "const isSweptAfter = job.payment.kind === 'sweep' && payment.kind === 'payout';",
    tests: signer,
  },
  {
    rule: 'a sweep follows no refund that was paid',
    file: CHECK,
    from: "const isSweptAfter = job.payment.kind === 'sweep' && (payment.kind === 'sweep' || payment.kind === 'payout');",
    to: "const isSweptAfter = job.payment.kind === 'sweep';",
    tests: signer,
  },
  {
    rule: 'a payout that has landed stands against no sweep',
    file: CHECK,
    from: "const isSweptAfter = job.payment.kind === 'sweep' && (payment.kind === 'sweep' || payment.kind === 'payout');",
    to: "const isSweptAfter = job.payment.kind === 'sweep' && payment.kind === 'sweep';",
    tests: signer,
  },
  {
    rule: 'a deposit that has become wrapped tokens is swept by their payout',
    file: CHECK,
    from: 'payment: told?.payment ?? null',
    to: 'payment: null',
    tests: signer,
  },
  {
    rule: 'signers are told by which payout a deposit is the vault’s',
    file: ORDER,
    from: 'const paidOut = [paidOutOf(store.begun)];',
    to: 'const paidOut: [] = [];',
    tests: object,
  },
  {
    rule: 'a sweep is signed once, and handed in again',
    file: ORDER,
    from: 'if (signed !== null) return void (await chains.broadcast(vault, signed));',
    to: '',
    tests: object,
  },
  {
    rule: 'a sweep that nobody has signed does not count',
    file: ORDER,
    from: '(order !== null || signedTimes(record) < SWEEPS_BY_ITSELF_MAX)',
    to: '(order !== null || (record.sweep?.ordered ?? 0) < SWEEPS_BY_ITSELF_MAX)',
    tests: object,
  },
  {
    rule: 'an unsigned sweep that has lapsed gives way to another',
    file: ORDER,
    from: "if (state !== 'unspent') return state === 'void';",
    to: "if (state !== 'unspent') return false;",
    tests: object,
  },
  {
    rule: 'an unsigned sweep of another amount gives way to another',
    file: ORDER,
    from: 'return !isAllButSpeck(order.amount, await chains.sweepable(vault, commitment));',
    to: 'return false;',
    tests: object,
  },
  {
    rule: 'a sweep that was signed gives way to none',
    file: ORDER,
    from: 'if (signed !== null) return false;',
    to: '',
    tests: object,
  },
  {
    rule: 'a deposit is watched until its sweep was signed',
    file: ORDER,
    from: 'return signed !== null || hasLanded || signedTimes(record) > 0;',
    to: 'return record.sweep !== undefined;',
    tests: object,
  },
  {
    rule: 'who pushes a transfer has its deposit swept once more',
    file: ORDER,
    from: 'if (!isSweepOwed(store.begun) && !isPushed)',
    to: 'if (!isSweepOwed(store.begun))',
    tests: object,
  },
  {
    rule: 'a deposit that has not come into the vault is looked at again',
    file: 'domain/bridge/next-look.ts',
    from: '(isFeeOwed || isSweepOwed)',
    to: 'isFeeOwed',
    tests: ['domain/bridge/next-look.test.ts'],
  },
  {
    rule: 'coins of Sui become fewer while there are many',
    file: 'domain/bridge/chains/sui/sui.ts',
    from: 'free.length > COINS_MAX ? free.slice(count)',
    to: 'free.length < 0 ? free.slice(count)',
    tests: ['test/node/bridge/chains-accounts/sui.test.ts'],
  },
  {
    rule: 'a sweep of Sui is of as many coins as a payment takes',
    file: 'domain/bridge/chains/sui/sui.ts',
    from: 'return String(sumOf(free.slice(0, COINS_MAX)));',
    to: 'return String(sumOf(free));',
    tests: ['test/node/bridge/chains-accounts/sui.test.ts'],
  },
  {
    rule: 'what was not paid out is not ordered to be swept',
    file: ORDER,
    from: "transfer.state === 'confirmed' && transfer.payment?.kind === 'payout'",
    to: "transfer.payment?.kind !== 'cancel'",
    tests: object,
  },
  {
    rule: 'on Sui what came in no coin is no deposit',
    file: 'domain/bridge/chains/sui/sui.ts',
    from: 'changed > 0n ? coinsLeft(data, owner) : 0n',
    to: 'changed',
    tests: ['test/node/bridge/chains-accounts/sui.test.ts'],
  },
  {
    rule: 'on Sui a coin that another got is no part of a deposit',
    file: 'domain/bridge/chains/sui/sui.ts',
    from: 'data?.owner.address.address === owner ?',
    to: 'data !== undefined ?',
    tests: ['test/node/bridge/chains-accounts/sui.test.ts'],
  },
];
