import { vi } from 'vitest';

/** vitest gives up after one second, which a busy machine takes for a single answer. Who states options of their own keeps them. */
const PATIENT = { timeout: 30_000, interval: 20 } as const;

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options = PATIENT) => waitFor(callback, options);
vi.waitUntil = (callback, options = PATIENT) => waitUntil(callback, options);
