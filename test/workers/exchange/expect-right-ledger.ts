import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { runWholeAudit } from '../../../application/audit/run-whole-audit.ts';

/** Waits until every book has settled and checks L1–L5 and the lots over the whole ledger of the test file. */
export async function expectRightLedger(): Promise<void> {
  const { unsettledBooks, checks } = await runWholeAudit(env);
  expect(unsettledBooks).toEqual([]);
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
}
