import type { Mutant } from './mutant.ts';

const RECEIPT = 'domain/consensus/receipt.ts';
const HANDOVER = 'domain/consensus/handover.ts';
const VERIFY = 'scripts/verify.ts';
const RECEIPT_TEST = 'domain/consensus/receipt.test.ts';
const HANDOVER_TEST = 'domain/consensus/handover.test.ts';
const MEMBER_HOST_TEST = 'domain/consensus/member-host.test.ts';
const VERIFY_TEST = 'test/node/verify.test.ts';
const ROUTE_TEST = 'test/runtime/workers/exchange/receipts.test.ts';

/** Rules of receipts, of who is believed to have made trades final, and of the verifier. */
export const RECEIPT_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a text of a record is one printable word',
    file: 'protocol/receipts/receipt-document.ts',
    from: '[\\x21-\\x7e]',
    to: '[^\\n]',
    tests: [VERIFY_TEST],
  },
  {
    rule: 'nothing of a file that is no receipt is obeyed by the terminal of its reader',
    file: VERIFY,
    from: 'console.error(printable(',
    to: 'console.error(String(',
    tests: [VERIFY_TEST],
  },
  {
    rule: 'an adjustment in a receipt is proved',
    file: RECEIPT,
    from: 'return recordFault(adjustmentRecordHash(record), adjustment, verify);',
    to: 'return null;',
    tests: [RECEIPT_TEST],
  },
  {
    rule: 'an adjustment in a receipt is of its trade',
    file: RECEIPT,
    from: "if (record.tradeId !== settlement.tradeId) return 'it is of another trade';",
    to: '',
    tests: [RECEIPT_TEST],
  },
  {
    rule: 'an adjustment stands in no block before that of its trade',
    file: RECEIPT,
    from: '(adjustment.headers[0]?.height ?? 0) < (headers[0]?.height ?? 0)',
    to: 'false',
    tests: [RECEIPT_TEST],
  },
  {
    rule: 'a receipt names what was made of its trade',
    file: 'application/finality/receipt-of.ts',
    from: 'if (record === null) return receipt;',
    to: 'if (record === null || true) return receipt;',
    tests: [ROUTE_TEST],
  },
  {
    rule: 'no receipt leaves out an adjustment that is not final yet',
    file: 'application/finality/receipt-of.ts',
    from: 'return adjusted === null ? null :',
    to: 'return adjusted === null ? receipt :',
    tests: [ROUTE_TEST],
  },
  {
    rule: 'sixteen members name the next committee',
    file: HANDOVER,
    from: 'if (signatures.length < QUORUM)',
    to: 'if (signatures.length < 1)',
    tests: [HANDOVER_TEST],
  },
  {
    rule: 'each member names the next committee once',
    file: HANDOVER,
    from: 'member <= (signatures[at - 1]?.member ?? -1)',
    to: 'false',
    tests: [HANDOVER_TEST],
  },
  {
    rule: 'a committee names one of a later epoch',
    file: HANDOVER,
    from: "if (next.epoch <= before.epoch) return 'its epoch is not later';",
    to: '',
    tests: [HANDOVER_TEST],
  },
  {
    rule: 'a signature of a handover is its member’s own',
    file: HANDOVER,
    from: '(await verify(key, message, signature)) ? null',
    to: 'true ? null',
    tests: [HANDOVER_TEST],
  },
  {
    rule: 'a committee that nobody who is trusted has named is not trusted',
    file: HANDOVER,
    from: 'handover === null || !trusted.has(handover.before) ? undefined',
    to: 'handover === null ? undefined',
    tests: [HANDOVER_TEST],
  },
  {
    rule: 'a member names one committee of an epoch after its own',
    file: 'domain/consensus/member-host.ts',
    from: 'if (!this.#memory.meets(next))',
    to: 'if (!this.#memory.meets(next) && false)',
    tests: [MEMBER_HOST_TEST],
  },
  {
    rule: 'the verifier proves nothing by a committee that the receipt alone names',
    file: VERIFY,
    from: 'process.exit(ON_ITS_OWN_WORD);',
    to: '',
    tests: [VERIFY_TEST],
  },
  {
    rule: 'the verifier holds each committee against those that are known',
    file: VERIFY,
    from: 'if (trusted !== null && !trusted.has(hash))',
    to: 'if (trusted !== null && false)',
    tests: [VERIFY_TEST],
  },
  {
    rule: 'the verifier believes a file of committees its first alone, where no other is named',
    file: VERIFY,
    from: 'return trustedCommittees(published, known, verifyEd25519);',
    to: 'return new Set([...known, ...published.map(committeeHash)]);',
    tests: [VERIFY_TEST],
  },
  {
    rule: 'the verifier is not content where the registry has another record of the trade',
    file: VERIFY,
    from: 'if (hashes.some((hash) => !own.includes(hash)))',
    to: 'if (hashes.length > 9)',
    tests: ['test/node/registry/verified-receipts.test.ts'],
  },
  {
    rule: 'the verifier calls nothing settled that the registry has not',
    file: VERIFY,
    from: 'isWhole: own.every((hash) => hashes.includes(hash)),',
    to: 'isWhole: true,',
    tests: ['test/node/registry/verified-receipts.test.ts'],
  },
];
