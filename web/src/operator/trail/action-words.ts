import type { AuditedAction } from '../queue-queries.ts';

/** A type of the trail as words: `operator.user_roles_changed` is "User roles changed". The API names them; each new one reads well by itself. */
export function actionLabel(type: string): string {
  const words = type.replace(/^operator\./, '').replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Why it was done, where that was said. */
export function reasonOf({ details }: Pick<AuditedAction, 'details'>): string | null {
  const reason = (details as Readonly<Record<string, unknown>>).reason;
  return typeof reason === 'string' && reason !== '' ? reason : null;
}

interface Change {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What differs between the state before and after, by name; what stood still is left out. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  return names
    .map((name) => ({ name, before: shown(from[name]), after: shown(to[name]) }))
    .filter((change) => change.before !== change.after);
}

function fieldsOf(state: unknown): Readonly<Record<string, unknown>> {
  if (state === null || state === undefined) return {};
  if (typeof state === 'object' && !Array.isArray(state)) return state as Readonly<Record<string, unknown>>;
  return { value: state };
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
