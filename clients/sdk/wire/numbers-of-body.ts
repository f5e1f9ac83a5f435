import { JsonNumber } from './json.ts';

/**
 * A body with the decimals at these paths as JSON numbers, digit by digit. A number of JavaScript is taken where it is a whole one; a
 * fraction has to be a text, because a float is not what was meant.
 *
 * @throws RangeError where a value is no decimal
 */
export function withNumbers(body: unknown, paths: readonly string[]): unknown {
  return paths.reduce((value, path) => changed(value, path.split('.'), path), body);
}

function changed(value: unknown, [step, ...rest]: readonly string[], path: string): unknown {
  if (value === undefined || value === null) return value;
  if (step === undefined) return numberAt(value, path);
  if (step === '*' && Array.isArray(value)) return value.map((item) => changed(item, rest, path));
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const names = step === '*' ? Object.keys(fields) : Object.hasOwn(fields, step) ? [step] : [];
  if (names.length === 0) return value;
  return { ...fields, ...Object.fromEntries(names.map((name) => [name, changed(fields[name], rest, path)])) };
}

function numberAt(value: unknown, path: string): unknown {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return new JsonNumber(value);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${path} must be a decimal as text, or a whole number`);
}
