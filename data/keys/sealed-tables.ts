import { type SQL, sql } from 'drizzle-orm';
import { addressIdentity, MAIL_ADDRESS_HASH } from '../../domain/mail/mail-address.ts';
import type { Database } from '../database.ts';
import { totpContext } from '../identity/factors.ts';
import { mailAddressContext } from '../identity/mail-address.ts';
import { addressChangeContext } from '../identity/mail-address-changes.ts';
import { openSecret, resealed, sealPrefix } from '../identity/sealed-secret.ts';
import { headersContext, secretContext } from '../webhooks/endpoints.ts';
import { derivedMac, type MasterKey, masterKeysOf } from './master-keys.ts';

/** Secrets of the Worker that rows of D1 are sealed under. */
export type SealingSecret = 'API_KEY_MASTER_KEY' | 'IAM_KEY_ENCRYPTION_KEY';

interface SealedColumn {
  readonly name: string;
  /** Of a row, by its id. */
  readonly context: (id: string) => string;
  /** A JSON list of objects whose `secret` is sealed, in place of one sealed text. */
  readonly isList?: true;
}

/** A table whose rows are sealed with `sealSecret` (data/identity/sealed-secret.ts). */
export interface SealedTable {
  readonly table: string;
  readonly id: string;
  readonly under: SealingSecret;
  readonly columns: readonly SealedColumn[];
  /** A keyed hash beside a sealed text, which is made anew with it. */
  readonly hash?: {
    readonly name: string;
    /** The column whose text it is made of. */
    readonly of: string;
    readonly from: (text: string, key: MasterKey) => Promise<string>;
  };
}

/**
 * Every table that keeps something sealed for longer than a day: One that is missing here loses what it keeps once a master key is taken
 * back; one-time codes live for minutes, and are not here.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  {
    table: 'api_keys',
    id: 'id',
    under: 'API_KEY_MASTER_KEY',
    columns: [{ name: 'secret_ciphertext', context: (id) => id }],
  },
  {
    table: 'webhook_endpoints',
    id: 'id',
    under: 'API_KEY_MASTER_KEY',
    columns: [
      { name: 'secret', context: secretContext },
      { name: 'former_secret', context: secretContext },
      { name: 'earlier_secrets', context: secretContext, isList: true },
      { name: 'headers', context: headersContext },
    ],
  },
  {
    table: 'signing_keys',
    id: 'kid',
    under: 'IAM_KEY_ENCRYPTION_KEY',
    columns: [{ name: 'private_jwk_ciphertext', context: (kid) => kid }],
  },
  {
    table: 'totp_factors',
    id: 'user_id',
    under: 'IAM_KEY_ENCRYPTION_KEY',
    columns: [{ name: 'secret_sealed', context: totpContext }],
  },
  {
    table: 'mail_addresses',
    id: 'user_id',
    under: 'IAM_KEY_ENCRYPTION_KEY',
    columns: [{ name: 'address_sealed', context: mailAddressContext }],
    hash: {
      name: 'address_hash',
      of: 'address_sealed',
      from: (address, key) => derivedMac(key, MAIL_ADDRESS_HASH, addressIdentity(address)),
    },
  },
  {
    table: 'mail_address_changes',
    id: 'id',
    under: 'IAM_KEY_ENCRYPTION_KEY',
    columns: [{ name: 'address_sealed', context: addressChangeContext }],
  },
];

type Row = Readonly<Record<string, string | null>>;

/** Rows after an id of which something is not sealed under the newest key, by id. */
async function rowsToSeal(
  db: Database,
  { table, id, columns }: SealedTable,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<Row[]> {
  // An empty text was forgotten.
  const isOther = (text: SQL) => sql`${text} <> '' AND substr(${text}, 1, length(${prefix})) <> ${prefix}`;
  const others = columns.map(({ name, isList }) => {
    const column = sql.identifier(name);
    if (isList !== true) return sql`(${column} IS NOT NULL AND ${isOther(sql`${column}`)})`;
    return sql`EXISTS (SELECT 1 FROM json_each(${column}) WHERE ${isOther(sql`value ->> 'secret'`)})`;
  });
  const named = [id, ...columns.map(({ name }) => name)].map((name) => sql.identifier(name));
  return db.all<Row>(sql`
    SELECT ${sql.join(named, sql`, `)} FROM ${sql.identifier(table)}
    WHERE ${sql.identifier(id)} > ${after} AND (${sql.join(others, sql` OR `)})
    ORDER BY ${sql.identifier(id)} LIMIT CAST(${limit} AS INTEGER)`);
}

/**
 * Seals rows under the newest key that an older one has sealed, each where it still says what was read.
 *
 * @returns how many were sealed anew, and ids of rows that no stated key opens
 */
export async function resealRows(
  db: Database,
  sealed: SealedTable,
  masterKeys: string,
  limit: number,
): Promise<{ readonly count: number; readonly closed: readonly string[] }> {
  const [newest] = await masterKeysOf(masterKeys);
  const closed: string[] = [];
  let count = 0;
  let after = '';
  while (count + closed.length < limit) {
    const left = limit - count - closed.length;
    const rows = await rowsToSeal(db, sealed, { prefix: sealPrefix(newest), after, limit: left });
    if (rows.length === 0) break;
    for (const row of rows) {
      after = row[sealed.id]!;
      const next = await resealedRow(sealed, row, masterKeys);
      if (next === null) closed.push(after);
      else if (await replaceRow(db, sealed, row, next)) count += 1;
    }
  }
  return { count, closed };
}

/** Null for a row that no stated key opens. */
async function resealedRow({ id, columns, hash }: SealedTable, row: Row, masterKeys: string): Promise<Row | null> {
  const under = async (text: string, context: string) => (await resealed(text, masterKeys, context)) ?? text;
  const next: Record<string, string | null> = {};
  try {
    for (const { name, context, isList } of columns) {
      const value = row[name] ?? null;
      if (value === null) next[name] = null;
      else if (isList !== true) next[name] = await under(value, context(row[id]!));
      else {
        const list = JSON.parse(value) as { readonly secret: string }[];
        const each = list.map(async (item) => ({ ...item, secret: await under(item.secret, context(row[id]!)) }));
        next[name] = JSON.stringify(await Promise.all(each));
      }
    }
    if (hash !== undefined) {
      const [newest] = await masterKeysOf(masterKeys);
      const context = columns.find(({ name }) => name === hash.of)!.context(row[id]!);
      next[hash.name] = await hash.from(await openSecret(next[hash.of]!, masterKeys, context), newest);
    }
  } catch {
    return null;
  }
  return next;
}

/** False where somebody has changed the row meanwhile: what they have written is sealed under the newest key. */
async function replaceRow(db: Database, { table, id, columns }: SealedTable, row: Row, next: Row): Promise<boolean> {
  const set = Object.keys(next).map((name) => sql`${sql.identifier(name)} = ${next[name] ?? null}`);
  const same = columns.map(({ name }) => sql`${sql.identifier(name)} IS ${row[name] ?? null}`);
  const replaced = await db.all(sql`
    UPDATE ${sql.identifier(table)} SET ${sql.join(set, sql`, `)}
    WHERE ${sql.identifier(id)} = ${row[id]!} AND ${sql.join(same, sql` AND `)} RETURNING 1 AS done`);
  return replaced.length === 1;
}

/** How many texts each master key has sealed, by its id; the empty text for those from before keys had ids. */
export async function countSealed(db: Database, { table, columns }: SealedTable): Promise<Map<string, number>> {
  const texts = columns.map(({ name, isList }) => {
    const column = sql.identifier(name);
    if (isList !== true) return sql`SELECT ${column} AS text FROM ${sql.identifier(table)} WHERE ${column} <> ''`;
    return sql`SELECT value ->> 'secret' AS text FROM ${sql.identifier(table)}, json_each(${column})`;
  });
  const rows = await db.all<{ id: string; count: number }>(sql`
    SELECT substr(text, 1, max(instr(text, '.') - 1, 0)) AS id, count(*) AS count
    FROM (${sql.join(texts, sql` UNION ALL `)}) GROUP BY 1`);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
