import { z } from 'zod';

/** What a tool takes for a trading pair. */
export const SymbolParameter = z
  .string()
  .regex(/^[A-Za-z0-9._]{1,31}-[A-Za-z0-9._]{1,31}$/, 'must be shaped <BASE>-<QUOTE>, such as ACME-USD')
  .describe('Trading pair, <BASE>-<QUOTE>, such as ACME-USD.');
