import { expect, test } from 'vitest';
import { completed, type OpenApiDocument } from './describe-document.ts';

const answer = {
  description: 'ok',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
};
const document: OpenApiDocument = {
  info: { title: 'Orders' },
  paths: {
    '/healthz': { get: { summary: 'Health', responses: { 200: { description: 'ok' } } } },
    '/v1/healthz': { get: { operationId: 'health', description: 'Says so.', tags: ['own'], responses: {} } },
    '/v1/orders/{order_id}': {
      get: { summary: 'Read an order', security: [{ key: [], secret: [] }, { token: [] }], responses: { 200: answer } },
    },
  },
  components: {
    securitySchemes: { key: {}, secret: {}, token: {}, cookie: {} },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'size'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          size: { type: 'number', exclusiveMinimum: 20 },
          hash: { type: 'string', pattern: '^[0-9a-f]{6}$' },
          side: { enum: ['buy', 'sell'] },
          child: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Order' }] },
        },
      },
    },
  },
};

test('a document says of each operation what programs that read it ask for', () => {
  const { paths = {}, components, ...rest } = completed(document);
  expect(rest).toMatchObject({ info: { title: 'Orders', contact: {}, license: {} } });
  expect(Object.keys(components?.securitySchemes ?? {})).toEqual(['key', 'secret', 'token']);
  const order = paths['/v1/orders/{order_id}']?.get;
  expect(order).toMatchObject({
    operationId: 'getOrdersByOrderId',
    description: 'Read an order. Needs key with secret, or token.',
    tags: ['orders'],
  });
  expect(order?.responses?.[200]?.content?.['application/json']?.example).toMatchObject({
    id: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    size: 21,
    hash: '0a0a0a',
    side: 'buy',
    child: { side: 'buy' },
  });
  expect(paths['/healthz']?.get).toMatchObject({
    operationId: 'getHealthz',
    description: 'Health. Needs no credential.',
  });
  // What a route says of itself stays.
  expect(paths['/v1/healthz']?.get).toMatchObject({ operationId: 'health', description: 'Says so.', tags: ['own'] });
});
