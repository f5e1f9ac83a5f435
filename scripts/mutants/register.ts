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
