import { phoneNumberOf } from '../../domain/identity/phone-number.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';

const TEXT_LENGTH_MAX = 200;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Who shall run the venue, and through which application they sign in. */
export interface FirstOperator {
  /** UUIDv7 of the user. */
  readonly id: string;
  /** UUIDv7 of the entry in the audit trail. */
  readonly eventId: string;
  readonly name: string;
  readonly email: string;
  /** E.164: one-time codes go there. */
  readonly phone: string;
  /** Id of the public OAuth client. */
  readonly client: string;
  /** Whether to make one although there is an operator: for a venue whose operators can no longer sign in. */
  readonly another: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What of it cannot stand, or null. */
export function operatorProblem({ name, email, phone, client }: FirstOperator): string | null {
  if (phoneNumberOf(phone) !== phone) return `--phone ${phone} is not an E.164 number, such as +15550100001`;
  if (!EMAIL.test(email) || email.length > TEXT_LENGTH_MAX) return `--email ${email} is no address`;
  if (name.trim() === '' || name.length > TEXT_LENGTH_MAX) return `--name takes 1 to ${TEXT_LENGTH_MAX} characters`;
  return /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(client) ? null : `--client ${client} is no id`;
}

const ACTIVE_OPERATORS = `SELECT 1 FROM users, json_each(users.roles) role
  WHERE users.owner = '${VENUE_OWNER}' AND role.value = 'operator' AND users.deactivated_at IS NULL`;

/**
 * SQL that makes the operator and the application, and writes it down; it selects the venue's operators as they then are. Nothing is made
 * while there is one, unless `another`.
 */
export function firstOperatorSql(operator: FirstOperator): string {
  const { id, eventId, name, email, phone, client, another, now } = operator;
  const made = `EXISTS (SELECT 1 FROM users WHERE id = ${quoted(id)})`;
  const after = JSON.stringify({ id, owner: VENUE_OWNER, name, email, phone, roles: ['operator'], client });
  return [
    `INSERT INTO users (id, owner, phone, email, name, roles, created_at)
     SELECT ${quoted(id)}, '${VENUE_OWNER}', ${quoted(phone)}, ${quoted(email)}, ${quoted(name)}, '["operator"]', ${now}
     WHERE ${another ? 'TRUE' : `NOT EXISTS (${ACTIVE_OPERATORS})`} ON CONFLICT DO NOTHING`,
    `INSERT INTO oauth_clients (id, owner, name, secret_hash, grants, user_id, created_at)
     SELECT ${quoted(client)}, '${VENUE_OWNER}', 'Operations', NULL, '["password","refresh_token"]', NULL, ${now}
     WHERE ${made} ON CONFLICT DO NOTHING`,
    `INSERT INTO domain_events (id, type, subject, payload, created_at)
     SELECT ${quoted(eventId)}, 'operator.first_operator', ${quoted(id)},
            json_object('actor', 'operator:create', 'request_id', '', 'details', json('{}'), 'before', NULL,
                        'after', json(${quoted(after)})), ${now}
     WHERE ${made} ON CONFLICT DO NOTHING`,
    `SELECT id, name, phone FROM users WHERE id IN (SELECT users.id FROM users, json_each(users.roles) role
     WHERE users.owner = '${VENUE_OWNER}' AND role.value = 'operator' AND users.deactivated_at IS NULL) ORDER BY created_at LIMIT 20`,
  ].join(';\n');
}

/** A text as SQL writes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
