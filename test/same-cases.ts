import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where properties begin that state no seed. */
    readonly caseSeed: number;
  }
}

/**
 * `npm test` makes the same cases each time, so that it is red only where something was changed. `npm run test:hard` draws others, and names the seed with
 * which they come again: `CASE_SEED=7 npx vitest run <file>`.
 */
fc.configureGlobal({ seed: inject('caseSeed') });
