/**
 * Why a migration is more than an addition, statement by statement; [] when it is one. A Worker of the deployment before goes on reading and
 * writing while a migration is there and the next Worker is not, and again after a deployment is taken back
 * (docs/decisions/deployment.md#migrations-only-add).
 *
 * @param sql the text of one migration
 */
export function losses(sql: string): string[] {
  const statements = withoutComments(sql)
    .split(';')
    .map((statement) => statement.replaceAll(/[`"]/g, '').replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
  const made = new Set(statements.flatMap((statement) => CREATED.exec(statement)?.groups?.name ?? []));
  return statements.flatMap((statement) => {
    const reason = lossOf(statement, made);
    return reason === null ? [] : [`${reason}: ${statement.slice(0, SHOWN_MAX)}`];
  });
}

const SHOWN_MAX = 80;
const CREATED = /^CREATE (?:TABLE|VIEW|TRIGGER)(?: IF NOT EXISTS)? (?<name>\w+)/i;
const DROPPED = /\bDROP (?<what>TABLE|COLUMN|VIEW|TRIGGER)(?: IF EXISTS)? (?<name>\w+)/i;
const UNIQUE_ON = /^CREATE UNIQUE INDEX .* ON (?<name>\w+)/i;
const ADDS_COLUMN = /^ALTER TABLE \w+ ADD /i;

function lossOf(statement: string, made: ReadonlySet<string>): string | null {
  const { what = '', name = '' } = DROPPED.exec(statement)?.groups ?? {};
  const isMadeAgain = /^(VIEW|TRIGGER)$/i.test(what) && made.has(name);
  if (what !== '' && !isMadeAgain) return `drops the ${what.toLowerCase()} ${name}, which a running Worker may use`;
  if (/^ALTER TABLE .*\bRENAME\b/i.test(statement)) return 'renames what a running Worker may use';
  if (ADDS_COLUMN.test(statement) && /\bNOT NULL\b/i.test(statement) && !/\bDEFAULT\b/i.test(statement))
    return 'adds a column that a running Worker does not fill';
  const table = UNIQUE_ON.exec(statement)?.groups?.name;
  if (table !== undefined && !made.has(table)) return 'refuses rows that a running Worker may write';
  return null;
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');
}
