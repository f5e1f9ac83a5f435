import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { SignerFault } from '../../domain/bridge/signing/signer-fault.ts';
import type { Database } from '../database.ts';
import { bridgeSignerFaults } from '../schema/bridge.ts';

/** Of each signer, so many faults are listed. */
const FAULTS_LISTED_MAX = 20;

/** What one signer of an organization was seen doing wrong: how often, and the newest of it. */
export interface SignerFaults {
  readonly total: number;
  readonly latest: readonly (Pick<SignerFault, 'reason' | 'at'> & { readonly transfer: string })[];
}

/** Writes faults of a transfer down. One that stands there stays as it is. */
export async function noteSignerFaults(
  db: Database,
  { transfer, organization }: { readonly transfer: string; readonly organization: string },
  faults: readonly SignerFault[],
): Promise<void> {
  if (faults.length === 0) return;
  await db.run(sql`
    INSERT INTO bridge_signer_faults (transfer, signer, reason, organization, at)
    SELECT ${transfer}, json_extract(value, '$.signer'), json_extract(value, '$.reason'), ${organization}, json_extract(value, '$.at')
    FROM json_each(${JSON.stringify(faults)})
    WHERE true
    ON CONFLICT DO NOTHING`);
}

export async function readSignerFaults(db: Database, organization: string, signer: number): Promise<SignerFaults> {
  const isTheirs = and(eq(bridgeSignerFaults.organization, organization), eq(bridgeSignerFaults.signer, signer));
  const [counted, latest] = await db.batch([
    db.select({ total: count() }).from(bridgeSignerFaults).where(isTheirs),
    db
      .select({
        transfer: bridgeSignerFaults.transfer,
        reason: bridgeSignerFaults.reason,
        at: bridgeSignerFaults.at,
      })
      .from(bridgeSignerFaults)
      .where(isTheirs)
      .orderBy(desc(bridgeSignerFaults.at))
      .limit(FAULTS_LISTED_MAX),
  ]);
  return { total: counted[0]?.total ?? 0, latest };
}
