import { vi } from 'vitest';

/** vitest gives up after one second, which a busy machine takes for a single answer. Nothing that is waited for has less time than this. */
const PATIENT = { timeout: 120_000, interval: 20 } as const;

const { waitFor, waitUntil } = vi;
type Options = Parameters<typeof waitFor>[1];

function patient(options: Options = {}): Exclude<Options, number | undefined> {
  const { timeout = PATIENT.timeout, interval = PATIENT.interval } =
    typeof options === 'number' ? { timeout: options } : options;
  return { timeout: Math.max(timeout, PATIENT.timeout), interval };
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
