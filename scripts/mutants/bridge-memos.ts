import type { Mutant } from './mutant.ts';

const CHECK = 'domain/bridge/signing/check-job.ts';
const TERMS = 'domain/bridge/transfer-terms.ts';
const CALLS = 'domain/bridge/chains/chain-calls.ts';
const FAULT = 'domain/bridge/chains/memo-fault.ts';
const STELLAR = 'domain/bridge/chains/stellar/stellar.ts';
const STELLAR_PAYMENT = 'domain/bridge/chains/stellar/stellar-payment.ts';
const XRPL = 'domain/bridge/chains/xrpl/xrpl.ts';
const TEXT = 'domain/bridge/chains/accounts/plain-text.ts';
const PAYEE = 'domain/bridge/chains/custody/custody-payee.ts';
const job = ['domain/bridge/signing/memo-of-a-job.test.ts'];
const chains = ['test/node/bridge/chains-accounts/payee-memos.test.ts'];
const custody = ['test/node/bridge/chains-custody/payee-memo.test.ts'];
const orders = ['durable-objects/transfer/payee-memo.test.ts'];
const begun = ['test/runtime/workers/bridge/payee-memo.test.ts'];

/** What payments carry for their payee. */
export const BRIDGE_MEMO_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a signer signs no payment with another memo than the terms have',
    file: CHECK,
    from: "kind !== 'cancel' && payment.memo !== memo",
    to: 'payment.memo === null',
    tests: job,
  },
  {
    rule: 'a signer pays nobody who asks for a memo that is not stated',
    file: CHECK,
    from: "(payment.kind === 'payout' || isReturn(job) ? await payeeRefusal(job, eyes) : null)",
    to: 'null',
    tests: job,
  },
  {
    rule: 'funds go back whatever their payer asks for since',
    file: CHECK,
    from: "(payment.kind === 'payout' || isReturn(job) ? await payeeRefusal(job, eyes) : null)",
    to: '(await payeeRefusal(job, eyes))',
    tests: job,
  },
  {
    rule: 'what cancels a payment carries no memo',
    file: CHECK,
    from: 'const { memo: _, ...payment } = job.payment;',
    to: 'const payment = job.payment;',
    tests: job,
  },
  {
    rule: 'a commitment stands for the memo of the source',
    file: TERMS,
    from: 'const memos = [memoIn(source), memoIn(destination)];',
    to: 'const memos = [null, memoIn(destination)];',
    tests: job,
  },
  {
    rule: 'a commitment stands for the memo of the destination',
    file: TERMS,
    from: 'const memos = [memoIn(source), memoIn(destination)];',
    to: 'const memos = [memoIn(source), null];',
    tests: job,
  },
  {
    rule: 'a payment on the list of the guard is one with its memo',
    file: 'domain/bridge/signing/payment-digest.ts',
    from: 'return memo === undefined',
    to: 'return memo !== null',
    tests: job,
  },
  {
    rule: 'nothing is built that leaves a memo out',
    file: CALLS,
    from: 'isOwn ? null : memoFault(adapter, { address, memo })',
    to: 'null as { reason: string } | null',
    tests: chains,
  },
  {
    rule: 'an address that has its own memo has no other beside it',
    file: FAULT,
    from: 'payeeMemo.isInAddress?.(address) === true',
    to: 'payeeMemo.isInAddress?.(address) === null',
    tests: chains,
  },
  {
    rule: 'a payee is asked where no memo is stated',
    file: FAULT,
    from: 'payeeMemo?.isAskedFor !== undefined && (await payeeMemo.isAskedFor(view, payee.address))',
    to: 'payeeMemo?.isAskedFor === null',
    tests: chains,
  },
  {
    rule: 'a payout of Stellar has no reference where its payee asks for a memo',
    file: STELLAR,
    from: "order.kind === 'payout' && order.memo === undefined && order.to",
    to: "order.kind === 'cancel' && order.memo === undefined && order.to",
    tests: chains,
  },
  {
    rule: 'a refund of Stellar has one all the same',
    file: STELLAR,
    from: "order.kind === 'payout' && order.memo === undefined && order.to",
    to: 'order.memo === undefined && order.to',
    tests: chains,
  },
  {
    rule: 'an account of Stellar asks for a memo by 1 alone',
    file: STELLAR,
    from: 'account?.data[MEMO_REQUIRED] === YES',
    to: 'account?.data[MEMO_REQUIRED] !== undefined',
    tests: chains,
  },
  {
    rule: 'Stellar builds no memo beside the account of a customer',
    file: STELLAR_PAYMENT,
    from: 'stated === null || isCustomer',
    to: 'stated === null',
    tests: chains,
  },
  {
    rule: 'a memo of Stellar is carried',
    file: STELLAR_PAYMENT,
    from: '  if (memo === undefined) {\n    if (isCustomer)',
    to: '  if (memo !== null) {\n    if (isCustomer)',
    tests: chains,
  },
  {
    rule: 'a number of Stellar is below 2^64',
    file: STELLAR_PAYMENT,
    from: 'const MEMO_ID_MAX = 2n ** 64n - 1n;',
    to: 'const MEMO_ID_MAX = 2n ** 64n - 2n;',
    tests: chains,
  },
  {
    rule: 'a payout of the XRP Ledger has no reference where its payee asks for a tag',
    file: XRPL,
    from: "order.kind === 'payout' && order.memo === undefined && (await",
    to: "order.kind === 'cancel' && order.memo === undefined && (await",
    tests: chains,
  },
  {
    rule: 'one flag of an account of the XRP Ledger asks for a tag',
    file: XRPL,
    from: '(flags & REQUIRES_TAG) !== 0',
    to: 'flags !== 0',
    tests: chains,
  },
  {
    rule: 'an X-address with a tag is asked for no other',
    file: XRPL,
    from: 'recipient === null || recipient.tag !== null',
    to: 'recipient === null',
    tests: chains,
  },
  {
    rule: 'the XRP Ledger builds no tag beside an X-address',
    file: 'domain/bridge/chains/xrpl/xrpl-payment.ts',
    from: '!isXrplTag(memo) || isValidXAddress(to)',
    to: '!isXrplTag(memo)',
    tests: chains,
  },
  {
    rule: 'a tag has 32 bits',
    file: 'domain/bridge/chains/xrpl/xrpl-address.ts',
    from: ' && BigInt(text) <= TAG_MAX;',
    to: ';',
    tests: chains,
  },
  {
    rule: 'what cancels on the Cosmos Hub carries the commitment',
    file: 'domain/bridge/chains/cosmos/cosmos-payment.ts',
    from: "if (kind === 'cancel' || memo === undefined) return commitment;",
    to: 'if (memo === undefined) return commitment;',
    tests: chains,
  },
  {
    rule: 'a memo of the Cosmos Hub is printable ASCII',
    file: 'domain/bridge/chains/cosmos/cosmos-payment.ts',
    from: 'memo.length <= MEMO_BYTES_MAX && /^[!-~]([ -~]*[!-~])?$/.test(memo)',
    to: "memo !== '' && memo.length <= MEMO_BYTES_MAX",
    tests: chains,
  },
  {
    rule: 'what cancels on Algorand carries the commitment',
    file: 'domain/bridge/chains/algorand/algorand-payment.ts',
    from: "if (kind === 'cancel' || memo === undefined) return commitment;",
    to: 'if (memo === undefined) return commitment;',
    tests: chains,
  },
  {
    rule: 'a comment of TON is carried',
    file: 'domain/bridge/chains/ton/ton-wallet.ts',
    from: 'if (memo === undefined) return Cell.EMPTY;',
    to: 'if (memo !== null) return Cell.EMPTY;',
    tests: chains,
  },
  {
    rule: 'a text has no space at its ends',
    file: TEXT,
    from: 'text !== text.trim() || ',
    to: '',
    tests: chains,
  },
  {
    rule: 'a text has no control characters',
    file: TEXT,
    from: ' || UNSEEN.test(text)',
    to: '',
    tests: chains,
  },
  {
    rule: 'a text is measured in bytes',
    file: TEXT,
    from: 'new TextEncoder().encode(text).length <= bytes_max',
    to: 'text.length <= bytes_max',
    tests: chains,
  },
  {
    rule: 'a provider is told the tag that is stated',
    file: PAYEE,
    from: 'return { ...account, tag: tagOf(stated, memo) };',
    to: 'return account;',
    tests: custody,
  },
  {
    rule: 'of Stellar a provider is told a text alone',
    file: PAYEE,
    from: ' && tagOf(memo, text) !== null',
    to: '',
    tests: custody,
  },
  {
    rule: 'a payment is ordered with the memo of whom it pays',
    file: 'durable-objects/transfer/transfer-orders.ts',
    from: "place.kind === 'account' || place.memo === undefined ? { to } : { to, memo: place.memo }",
    to: '{ to }',
    tests: orders,
  },
  {
    rule: 'what cancels is ordered without a memo',
    file: 'durable-objects/transfer/transfer-payments.ts',
    from: 'const { memo: _, ...paying } = orderOf',
    to: 'const paying = orderOf',
    tests: orders,
  },
  {
    rule: 'no transfer begins that its payee would not know',
    file: 'application/bridge/initiate-transfer.ts',
    from: 'payeeMemoFault(vault.place, payee);\n  if (fault !== null) return',
    to: "payeeMemoFault(vault.place, payee);\n  if (fault?.kind === 'in_address') return",
    tests: begun,
  },
];
