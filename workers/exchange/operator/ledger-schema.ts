import { z } from '@hono/zod-openapi';
import type { LedgerStatus, RebuildProgress } from '../../../durable-objects/ledger/api.ts';
import { orNull } from '../../responses/or-null.ts';

/** How far a rebuild of the read model is. */
export const RebuildView = z
  .object({
    id: z.string(),
    startedAt: z.iso.datetime(),
    phase: z
      .enum(['verifying', 'emptying', 'writing', 'done', 'failed'])
      .openapi({ description: '`failed`: the journal is not whole, and nothing was emptied.' }),
    verifiedRows: z.int().openapi({ description: 'Rows of the journal that are proved to be there.' }),
    emptiedRows: z.int().openapi({ description: 'Rows of D1 that were deleted since the ledger last started.' }),
    projectedRows: z.int().openapi({ description: 'Rows of the journal that D1 shows.' }),
    totalRows: z.int().openapi({ description: 'Rows of the journal when the rebuild began.' }),
    reason: z.string().nullable().openapi({ description: 'Why it failed.' }),
  })
  .openapi('OperatorRebuild');

export function rebuildView(rebuild: RebuildProgress): z.infer<typeof RebuildView> {
  const { id, startedAt, phase, verified, emptied, projected, to, reason } = rebuild;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    phase,
    verifiedRows: verified,
    emptiedRows: emptied,
    projectedRows: Math.min(projected, to),
    totalRows: to,
    reason,
  };
}

/** What the ledger object says of itself. */
export const LedgerStatusView = z
  .object({
    halted: z.string().nullable().openapi({ description: 'Why the ledger answers nothing; null while it runs.' }),
    admits: z.boolean().openapi({
      description:
        'Whether new orders are admitted. Not while it is halted, D1 or R2 are too far behind, or the read model is rebuilt.',
    }),
    journaledRows: z.int(),
    lag: z
      .object({ rows: z.int(), seconds: z.number() })
      .openapi({ description: 'How far D1 is behind: rows that it lacks, and the age of the oldest of them.' }),
    unsealedRows: z.int().openapi({ description: 'Rows of the journal that R2 does not have yet.' }),
    accounts: z.int(),
    bounds: z
      .array(z.object({ bound: z.string(), used: z.int(), max: z.int(), fill: z.number() }))
      .openapi({ description: 'What counts against each bound; `fill` is used ÷ max.' }),
    cancellationsPending: z
      .int()
      .openapi({ description: 'Freezes and revocations that some book has not carried out yet.' }),
    rebuild: orNull(RebuildView).openapi({ description: 'The last rebuild of the read model.' }),
  })
  .openapi('OperatorLedger');

/** @param now Unix milliseconds */
export function ledgerStatusView(status: LedgerStatus, now: number): z.infer<typeof LedgerStatusView> {
  const { halted, admits, journaled, projected, sealed, behindSince, accounts, cancellationsPending, rebuild } = status;
  return {
    halted,
    admits,
    journaledRows: journaled,
    lag: { rows: journaled - projected, seconds: behindSince === null ? 0 : Math.max(0, now - behindSince) / 1_000 },
    unsealedRows: journaled - sealed,
    accounts,
    bounds: status.bounds.map(({ bound, used, max }) => ({ bound, used, max, fill: used / max })),
    cancellationsPending,
    rebuild: rebuild === null ? null : rebuildView(rebuild),
  };
}
