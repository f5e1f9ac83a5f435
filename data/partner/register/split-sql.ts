import { type SQL, sql } from 'drizzle-orm';

/**
 * What units come to where of `from` there are `to`, in whole numbers of SQL: its products of units and ratio would leave 64 bits, so whole groups and the rest
 * are multiplied apart. SPLIT_RATIO_MAX keeps the rest exact; what the groups come to beyond that is more than an asset may have, and refused.
 */
export function splitUnitsSql(
  units: SQL,
  { from, to, isRoundedUp }: Readonly<Record<'from' | 'to' | 'isRoundedUp', SQL>>,
): SQL {
  return sql`((${units}) / ${from} * ${to} + ((${units}) % ${from} * ${to} + iif(${isRoundedUp}, ${from} - 1, 0)) / ${from})`;
}
