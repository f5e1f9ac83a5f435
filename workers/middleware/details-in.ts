import type { AppContext } from './app-env.ts';

/** Details of an error in the spelling of the profile that answers. @param details named in camelCase */
export function detailsIn(c: AppContext, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (c.get('fieldNames') === 'camelCase') return { ...details };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeCase(name), value]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
