import type { Mutant } from './mutant.ts';

const TEST = 'test/runtime/workers/partner/register.test.ts';

/** Rules of registers of holders. */
export const REGISTER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'nobody is registered with less than nothing',
    file: 'domain/register/change-fault.ts',
    from: 'if (required > held)',
    to: 'if (false)',
    tests: ['domain/register/register.properties.test.ts'],
  },
  {
    rule: 'an event is announced only if every holder has what it takes',
    file: 'data/partner/register/register-events.ts',
    from: 'WHERE coalesce(h.shares, 0) + c.change < 0',
    to: 'WHERE FALSE',
    tests: [TEST],
  },
  {
    rule: 'an event is recorded once',
    file: 'data/partner/register/register-events.ts',
    from: "state = 'announced')`;\n  return [",
    to: "state IN ('announced', 'recorded'))`;\n  return [",
    tests: [TEST],
  },
  {
    rule: 'a register is written by the agent that has accepted',
    file: 'data/partner/register/registered-security.ts',
    from: " AND s.agent_state = 'accepted'`",
    to: '`',
    tests: [TEST],
  },
  {
    rule: 'a transfer is recorded only if its seller is registered with the shares',
    file: 'data/partner/register/transfer-instructions.ts',
    from: '), 0)\n      ON CONFLICT DO NOTHING`',
    to: '), 1000000)\n      ON CONFLICT DO NOTHING`',
    tests: [TEST],
  },
  {
    rule: 'an event is refused only in the state that it was read in',
    file: 'data/partner/register/register-events.ts',
    from: "IN ('staged', 'announced') AND state = ",
    to: "IN ('staged', 'announced') AND 'any' <> ",
    tests: [TEST],
  },
  {
    rule: 'an entry of a register that the ledger has refused is never done later',
    file: 'domain/ledger/ledger.ts',
    from: "changed: outcome.type !== 'malformed'",
    to: "changed: outcome.type === 'done'",
    tests: ['domain/ledger/register-entries.test.ts', TEST],
  },
  {
    rule: 'what was given up as it was staged may be begun again',
    file: 'data/partner/register/register-events.ts',
    from: 'register_events.refusal = ',
    to: 'NULL = ',
    tests: [TEST],
  },
  {
    rule: 'a transfer whose trade was taken back is not recorded',
    file: 'data/partner/register/transfer-instructions.ts',
    from: "AND type = 'bust')",
    to: "AND type = 'none')",
    tests: [TEST],
  },
  {
    rule: 'a transfer is not recorded while D1 is emptied',
    file: 'data/partner/register/transfer-instructions.ts',
    from: 'AND total(emptying) = 0 FROM projections',
    to: 'FROM projections',
    tests: [TEST],
  },
  {
    rule: 'a transfer is not recorded while a rebuild of D1 is behind what the ledger had done',
    file: 'data/partner/register/transfer-instructions.ts',
    from: 'SELECT total(seq) >= ',
    to: 'SELECT 0 <= ',
    tests: [TEST],
  },
  {
    rule: 'a transfer is recorded with its trade',
    file: 'data/partner/register/transfer-instructions.ts',
    from: 'AND EXISTS (SELECT 1 FROM trades WHERE id = ',
    to: 'AND NOT EXISTS (SELECT 1 FROM trades WHERE NULL = ',
    tests: [TEST],
  },
  {
    rule: 'only an acknowledged transfer is completed',
    file: 'domain/register/transfer-state.ts',
    from: "complete: { acknowledged: 'completed' }",
    to: "complete: { acknowledged: 'completed', pending: 'completed' }",
    tests: ['domain/register/transfer-state.test.ts'],
  },
  {
    rule: 'a rejection that the ledger cannot carry out leaves the instruction as it was',
    file: 'application/partner/register/transfers.ts',
    from: "    await moveTransfer(db, id, 'rejecting', { state: before, reason: null });\n",
    to: '',
    tests: [TEST],
  },
  {
    rule: 'a wrong row stops its import',
    file: 'domain/register/import-rows.ts',
    from: 'rows: errorCount === 0 ? rows : []',
    to: 'rows',
    tests: ['domain/register/import-rows.test.ts'],
  },
];
