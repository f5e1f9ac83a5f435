import type { AppContext } from './app-env.ts';

/** Details of an error in the spelling of the profile that answers. @param details named in camelCase */
export function detailsIn(c: AppContext, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (c.get('fieldNames') === 'camelCase') return { ...details };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a rule of the domain says of a refusal, in the spelling of the profile that answers: rules name limits in snake_case. */
export function spelt(
  fieldNames: AppContext['var']['fieldNames'] | undefined,
  details: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (fieldNames !== 'camelCase') return { ...details };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [camelCase(name), value]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
