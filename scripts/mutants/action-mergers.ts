import type { Mutant } from './mutant.ts';

const TEST = 'test/runtime/workers/partner/mergers.test.ts';
const MERGE = 'application/partner/actions/merge-security.ts';
const HOLD = 'application/partner/register/end-shares.ts';

const STOCK = 'test/runtime/workers/partner/stock-mergers.test.ts';
const CONVERSIONS = 'domain/ledger/conversions.test.ts';

/** Rules of mergers. */
export const ACTION_MERGER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a merger whose payer is refused lets shares go',
    file: MERGE,
    from: "asked === 'refused' && letGo(",
    to: "asked === 'never' && letGo(",
    tests: [TEST],
  },
  {
    rule: 'what was given up of a merger holds no shares',
    file: MERGE,
    from: '  await releaseAttempts(env, action);\n',
    to: '',
    tests: [TEST],
  },
  {
    rule: 'the job of registers leaves the shares held that a merger needs',
    file: HOLD,
    from: 'mergerEventId(each) === event.id)) return;',
    to: 'mergerEventId(each) === event.hash)) return;',
    tests: [TEST],
  },
  {
    rule: 'a merger that is funded keeps its shares held',
    file: 'data/partner/actions/merger-actions.ts',
    from: "AND type = 'merger' AND state IN ('effective', 'recorded', 'funding', 'funded', 'returning')`);",
    to: "AND type = 'merger' AND state IN ('effective', 'recorded', 'funding', 'returning')`);",
    tests: [TEST],
  },
  {
    rule: 'what a holder cannot be paid goes back to the payer',
    file: 'application/partner/actions/pay-holders.ts',
    from: "if (sum === 0 || action.paymentAccount === null) return 'done';",
    to: "if (sum >= 0 || action.paymentAccount === null) return 'done';",
    tests: [TEST],
  },
  {
    rule: 'a security is delisted by its merger',
    file: MERGE,
    from: '  if (!(await delist(env, action))) return false;\n',
    to: '',
    tests: [TEST],
  },
  {
    rule: 'a merger that has begun is not cancelled',
    file: 'domain/corporate-actions/action-state.ts',
    from: "complete: { funded: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  consent: { announced: 'announced' },\n  cancel: { announced: 'cancelled' }",
    to: "complete: { funded: 'completed' },\n  reverse: {},\n  finish_reversal: {},\n  consent: { announced: 'announced' },\n  cancel: { announced: 'cancelled', funding: 'cancelled' }",
    tests: ['domain/corporate-actions/action-state.test.ts'],
  },
  {
    rule: 'a merger is paid with no more than its lister has agreed to, to the last decimal',
    file: MERGE,
    from: 'if (total > Math.min(action.amountMax ?? AMOUNT_MAX, AMOUNT_MAX) || externalTotal > AMOUNT_MAX)',
    to: 'if (externalTotal > AMOUNT_MAX)',
    tests: [TEST],
  },
  {
    rule: 'one merger at a time ends the shares of a security',
    file: 'application/partner/actions/announce-action.ts',
    from: 'if (merger !== null) return err(',
    to: 'if (merger === action.id) return err(',
    tests: [TEST],
  },
  {
    rule: 'all shares may end at once in the ledger',
    file: 'domain/ledger/splits.ts',
    from: '(isSplitRatio(terms) || endsAll(terms))',
    to: '(isSplitRatio(terms))',
    tests: ['domain/ledger/splits.test.ts'],
  },
  {
    rule: 'nothing else changes the register that shares are converted into',
    file: 'domain/ledger/register-entries.ts',
    from: 'into?.asset === asset)',
    to: 'into?.asset === null)',
    tests: [CONVERSIONS],
  },
  {
    rule: 'converted lots are bound by the later end',
    file: 'domain/ledger/convert-holding.ts',
    from: 'Math.max(one, other)',
    to: 'Math.min(one, other)',
    tests: [CONVERSIONS],
  },
  {
    rule: 'what is outstanding of the asset that shares are converted into stays an amount',
    file: 'domain/ledger/splits.ts',
    from: 'outstanding + BigInt(into.register)',
    to: 'BigInt(into.register)',
    tests: [CONVERSIONS],
  },
  {
    rule: 'converted shares take their cost with them',
    file: 'domain/ledger/convert-holding.ts',
    from: '  balances.addCost(target, balances.cost(balance));\n',
    to: '',
    tests: [CONVERSIONS, 'domain/ledger/ledger.properties.test.ts'],
  },
  {
    rule: 'a part of a conversion waits for room',
    file: 'domain/ledger/splits.ts',
    from: 'if (into !== undefined && !hasRoom(',
    to: 'if (into === null && !hasRoom(',
    tests: [CONVERSIONS],
  },
  {
    rule: 'a lot that is converted has its asset in D1',
    file: 'data/ledger/projection/statements.ts',
    from: 'SET asset = excluded.asset, quantity',
    to: 'SET quantity',
    tests: ['test/runtime/data/ledger/projection/project.test.ts'],
  },
  {
    rule: 'shares of a merger come from a register of its agent',
    file: 'application/partner/actions/surviving-security.ts',
    from: 'survivor?.transferAgent !== agent',
    to: 'survivor == null',
    tests: [STOCK],
  },
  {
    rule: 'shares of a merger come from a register that its agent has accepted',
    file: 'application/partner/actions/surviving-security.ts',
    from: "survivor.agentState !== 'accepted'",
    to: "survivor.agentState === 'declined'",
    tests: [STOCK],
  },
  {
    rule: 'a merger waits while its surviving security is not listed',
    file: MERGE,
    from: "return wait(env, action, 'surviving_security');",
    to: "log('warn', 'x', {});",
    tests: [STOCK],
  },
  {
    rule: 'no shares are held while the surviving register has another event under way',
    file: HOLD,
    from: "if (other !== null) await releaseEvent(env, other);\n    return err({ reason: 'busy' });\n  }\n  const books",
    to: 'if (other !== null) await releaseEvent(env, other);\n  }\n  const books',
    tests: [STOCK],
  },
  {
    rule: 'the register of the surviving security records what a merger gives',
    file: HOLD,
    from: '  if (stock !== null) await recordConversion(env, conversionEventId(action));\n',
    to: '',
    tests: [STOCK],
  },
  {
    rule: 'the conversion of a merger that goes on stays announced',
    file: HOLD,
    from: "?.state === 'refused') await refuseEvent(db, event, 'given_up');",
    to: "?.state !== 'staged') await refuseEvent(db, event, 'given_up');",
    tests: [STOCK],
  },
  {
    rule: 'a conversion that was given up is refused',
    file: HOLD,
    from: "?.state === 'refused') await refuseEvent(db, event, 'given_up');",
    to: "?.state === 'staged') await refuseEvent(db, event, 'given_up');",
    tests: [STOCK],
  },
  {
    rule: 'a reference that is somebody else in the surviving register is not theirs',
    file: 'application/partner/register/convert-shares.ts',
    from: 'const reference = isTaken ?',
    to: 'const reference = !isTaken && account !== null ?',
    tests: [STOCK],
  },
  {
    rule: 'a merger for stock keeps its security halted while it is under way',
    file: 'data/partner/actions/corporate-actions.ts',
    from: " OR a.terms -> 'stock' IS NOT NULL",
    to: '',
    tests: [STOCK],
  },
  {
    rule: 'two mergers that end the shares of a security are not announced at the same moment',
    file: 'data/partner/actions/corporate-actions.ts',
    from: '(terms) ? isAlone :',
    to: '(terms) && false ? isAlone :',
    tests: [TEST],
  },
];
