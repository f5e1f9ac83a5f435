/** With `--smoke` a bench shows that it runs, in seconds: what it measures is nothing to go by. */
const isSmoke = process.argv.includes('--smoke');

/** @example const ROUNDS = sized(5, 1); */
export function sized<T>(full: T, smoke: T): T {
  return isSmoke ? smoke : full;
}
