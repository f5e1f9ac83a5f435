import type { Mutant } from './mutant.ts';

const STEP = 'domain/bridge/step-transfer.ts';
const tests = ['domain/bridge/transfer.test.ts'];
const TRANSFER = 'durable-objects/transfer/transfer.ts';
const TRANSFER_TESTS = ['test/runtime/durable-objects/transfer/transfer.test.ts'];
const LEDGER = 'domain/ledger/bridge-movements.ts';
const LEDGER_TESTS = ['domain/ledger/bridge-movements.test.ts', 'domain/ledger/unsettled.test.ts'];

/** Rules of transfers of the bridge. */
export const BRIDGE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a bridge pays funds of the quoted amount alone',
    file: STEP,
    from: 'if (amount !== quoted)',
    to: 'if (false)',
    tests,
  },
  {
    rule: 'a bridge gives late funds back',
    file: STEP,
    from: "state === 'expired' || at > expiresAt",
    to: 'false',
    tests,
  },
  {
    rule: 'a bridge waits for confirmations',
    file: STEP,
    from: ' || confirmations < rules.confirmations',
    to: '',
    tests,
  },
  {
    rule: 'a bridge pays with three attestations',
    file: STEP,
    from: 'by.length < CLUSTER_THRESHOLD',
    to: 'by.length < CLUSTER_THRESHOLD - 1',
    tests,
  },
  {
    rule: 'a signer of the bridge counts once',
    file: STEP,
    from: 'if (attestedBy.includes(signer)) return NOTHING;',
    to: '',
    tests,
  },
  {
    rule: 'a signer of the bridge attests funds that are there',
    file: STEP,
    from: "if (funds?.reference !== reference || funds.isLost) return err('other_reference');\n  if (attestedBy",
    to: 'if (attestedBy',
    tests,
  },
  {
    rule: 'a bridge over its limit pays nothing',
    file: STEP,
    from: "if (!fits) return state === 'queued' ? NOTHING : ok({ state: 'queued', until: at + rules.queue_ms });",
    to: '',
    tests,
  },
  {
    rule: 'a bridge fixes one reference',
    file: STEP,
    from: "if (payment !== null) return payment.reference === reference ? NOTHING : err('other_reference');",
    to: '',
    tests,
  },
  {
    rule: 'a bridge never uses a cancelled reference',
    file: STEP,
    from: "if (cancelled.includes(reference)) return err('used_reference');",
    to: '',
    tests,
  },
  {
    rule: 'a bridge takes lost funds back to the start',
    file: STEP,
    from: 'if (payment === null)\n',
    to: 'if (false)\n',
    tests,
  },
  {
    rule: 'a bridge says what stands uncovered',
    file: STEP,
    from: 'const isUncovered = funds?.isLost ?? true;',
    to: 'const isUncovered = false;',
    tests,
  },
  {
    rule: 'a bridge asks the hardware module',
    file: STEP,
    from: 'if (coSignFrom !== null && amount >= coSignFrom)',
    to: 'if (false)',
    tests,
  },
  {
    rule: 'a challenge of the bridge lasts its time',
    file: STEP,
    from: 'if (until === null || at < until) return NOTHING;',
    to: 'if (until === null) return NOTHING;',
    tests,
  },
  {
    rule: 'a bridge gives nothing back for funds that are lost',
    file: 'domain/bridge/transfer.ts',
    from: 'return (funds?.isLost ?? true) || (',
    to: 'return (',
    tests,
  },
  {
    rule: 'an account is not paid what was vetoed after its reference was fixed',
    file: TRANSFER,
    from: 'return mustCancel(this.#store.begun.transfer) ? this.#cancelPayment(ports) : this.#pay(ports);',
    to: 'return this.#pay(ports);',
    tests: TRANSFER_TESTS,
  },
  {
    rule: 'no more leaves the ledger by a vault than has come in by it',
    file: LEDGER,
    from: 'minted < amount ?',
    to: 'minted < 0 ?',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'nobody takes more out by a vault than the account has',
    file: LEDGER,
    from: 'if (available < amount)',
    to: 'if (available < 0)',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'shares that have not settled leave by no vault',
    file: LEDGER,
    from: " - state.unsettled.sumOf(account, asset, 'shares')",
    to: '',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'nothing leaves a frozen account by a vault',
    file: LEDGER,
    from: "if (balances.isFrozen(account)) return { type: 'account_frozen' };",
    to: '',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'an asset that goes by its register comes in by no vault',
    file: LEDGER,
    from: "if (hasRegister(state, asset)) return { type: 'goes_by_register' };",
    to: '',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'an id that is taken from a mint moves nothing',
    file: LEDGER,
    from: "if (type === 'void') return { type: 'done' };",
    to: '',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'a vault’s movement is of an account',
    file: LEDGER,
    from: " && !account.startsWith('boundary:')",
    to: '',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'what comes in by a vault stays in the range that amounts are exact in',
    file: LEDGER,
    from: 'minted + amount > AMOUNT_MAX || available + held + amount > AMOUNT_MAX',
    to: 'available + held + amount > AMOUNT_MAX',
    tests: LEDGER_TESTS,
  },
  {
    rule: 'what leaves by a vault takes its share of the cost along',
    file: LEDGER,
    from: 'if (signed < 0) balances.addCost',
    to: 'if (amount < 0) balances.addCost',
    tests: LEDGER_TESTS,
  },
];
