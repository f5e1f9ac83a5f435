import { z } from 'zod';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { DecimalText } from '../output-fields.ts';
import { get } from '../rest-call.ts';
import { defineTool, READS } from '../tool.ts';

export const getPortfolio = defineTool({
  name: 'get_portfolio',
  title: 'Portfolio',
  description:
    'What the account owns: free, and locked by its open orders; unsettled are proceeds of sales that have not settled, in neither of the two.',
  input: z.strictObject({}),
  output: z.strictObject({
    balances: z.array(
      z.strictObject({
        asset: z.string(),
        free: DecimalText,
        locked: DecimalText,
        unsettled: DecimalText.optional(),
      }),
    ),
  }),
  answer: z.object({
    balances: z.array(
      z.object({ asset: z.string(), free: z.number(), locked: z.number(), unsettled: z.number().optional() }),
    ),
  }),
  effects: { ...READS, openWorldHint: false },
  marketData: false,
  callOf: () => get('/v1/account/balances'),
  outputOf: ({ balances }) => ({
    balances: balances.map(({ asset, free, locked, unsettled }) => ({
      asset,
      free: plainNumber(free),
      locked: plainNumber(locked),
      ...(unsettled === undefined ? {} : { unsettled: plainNumber(unsettled) }),
    })),
  }),
});
