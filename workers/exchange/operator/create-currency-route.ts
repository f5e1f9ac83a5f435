import { createRoute, z } from '@hono/zod-openapi';
import { registerCurrency } from '../../../application/operator/register-currency.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { actionOf } from './action-of.ts';
import { SCALE_MAX, SLUG, SLUG_WORDS } from './asset-schema.ts';
import { OPERATOR_WRITE } from './operator-route.ts';

const NAME_LENGTH_MAX = 200;

const currencyFields = {
  symbol: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'must be 3 to 5 capital letters')
    .openapi({ example: 'USD' }),
  name: lineOfText(NAME_LENGTH_MAX),
  scale: z.int().min(0).max(SCALE_MAX).openapi({ description: 'Decimals of an amount, for good.' }),
};

const CurrencyRequest = z
  .strictObject({
    id: z.string().regex(SLUG, SLUG_WORDS).optional().openapi({ description: 'A UUID when left out.' }),
    ...currencyFields,
  })
  .openapi('OperatorCurrencyRequest');

const CurrencyView = z.object({ id: z.string(), ...currencyFields }).openapi('OperatorCurrency');

/** POST /v1/operator/currencies: money that markets quote in. Profile A trades against the one with the symbol USD. */
export function createCurrencyRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/currencies',
      tags: ['operator'],
      summary: 'Create a currency',
      description:
        'Cash of profile A is the currency with the symbol USD. Four decimals let fine ticks and lots have whole notionals.',
      request: { body: { required: true, content: { 'application/json': { schema: CurrencyRequest } } } },
      responses: { 200: envelopeOf('The currency.', CurrencyView) },
    }),
    async (c) => {
      const made = await registerCurrency(c.env, c.req.valid('json'), actionOf(c));
      return made.ok ? c.json(enveloped(made.value), 200) : failure(c, made.error);
    },
  );
}
