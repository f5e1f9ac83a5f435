import type { AuditRow } from '../../data/audit/audit-check.ts';
import type { LedgerViolationRow } from '../../domain/ledger/outcomes.ts';
import type { LedgerApi } from '../../durable-objects/ledger/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';

const CLAIMS: Readonly<Record<LedgerViolationRow['invariant'], string>> = {
  L1: 'in the ledger, all balances of an asset sum to zero with the boundary accounts',
  L2: 'in the ledger, no account but a boundary account is negative, available or held',
  L3: 'in the ledger, held is the sum of what open orders and amendments reserve',
  lots: 'in the ledger, the lots of a holding sum to its balance, what is reserved of them to what is held',
  unsettled: 'in the ledger, what waits to settle is of accounts, and never less than nothing',
  replay: 'the ledger is what the replay of its own journal gives',
};

/** It replays the ledger's journal, and walks all that the ledger holds. */
const AUDIT_WAIT_MS = 120_000;

/** The ledger object's own audit, a row per claim. */
export async function auditLedger(env: LedgerEnv): Promise<AuditRow[]> {
  const ask = async (ledger: LedgerApi) => ({ found: await ledger.selfAudit(), status: await ledger.status() });
  const answer = await askLedger(env, ask, AUDIT_WAIT_MS);
  return (Object.keys(CLAIMS) as LedgerViolationRow['invariant'][]).map((invariant) => {
    const violation =
      answer === null
        ? 'the ledger did not answer'
        : (answer.found.find((row) => row.invariant === invariant)?.violation ?? null);
    return {
      invariant: invariant === 'replay' ? 'L5' : invariant,
      claim: CLAIMS[invariant],
      holds: violation === null,
      examined: answer === null ? 0 : examinedBy(invariant, answer.status),
      violation,
    };
  });
}

function examinedBy(
  invariant: LedgerViolationRow['invariant'],
  status: {
    readonly balances: number;
    readonly reservations: number;
    readonly lots: number;
    readonly unsettled: number;
    readonly journaled: number;
  },
): number {
  switch (invariant) {
    case 'L1':
    case 'L2':
      return status.balances;
    case 'L3':
      return status.reservations;
    case 'lots':
      return status.lots;
    case 'unsettled':
      return status.unsettled;
    case 'replay':
      return status.journaled;
  }
}
