import { createHash } from 'node:crypto';
import { database } from '../../../data/database.ts';
import { readRegisterLines } from '../../../data/partner/register/register-lines.ts';
import type { RegisteredSecurity } from '../../../data/partner/register/registered-security.ts';
import { findSecurity } from '../../../data/partner/securities.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import { type IssuerTerms, type OcfPackage, ocfOfRegister } from '../../../domain/register/ocf/export-ocf.ts';
import { err, ok, type Result } from '../../../domain/result.ts';

/** Lines of a register that one document holds: it is made in memory. */
const EXPORT_LINES_MAX = 20_000;

/** The register has more lines than a document holds. */
export interface RegisterTooLong {
  readonly lines: number;
  readonly linesMax: number;
}

/** A security's register with all its history as Open Cap Table Format. */
export async function exportRegister(
  env: Pick<Env, 'DB'>,
  { id, issuerName, securityClass, shareClass, scale }: RegisteredSecurity & { readonly scale: number },
  issuer: IssuerTerms,
  now_ms: number,
): Promise<Result<OcfPackage, RegisterTooLong>> {
  const db = database(env.DB);
  const [read, security] = await Promise.all([readRegisterLines(db, id, EXPORT_LINES_MAX), findSecurity(db, id)]);
  if (typeof read === 'number') return err({ lines: read, linesMax: EXPORT_LINES_MAX });
  if (security === null) throw new Error(`security ${id} has a register and is not there`);
  const { transferRestrictions: legendText } = effectiveRestrictions(security.restrictions, security.agentRestrictions);
  const terms = { id, issuerId: security.issuerId, issuerName, securityClass, shareClass, legendText, scale };
  return ok(ocfOfRegister(terms, issuer, read, { now_ms, md5 }));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
