import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** `npm run check:api` holds these files to the code. */
interface Document {
  readonly channels: Readonly<Record<string, { readonly messages: object }>>;
  readonly operations: Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly payload: Record<string, unknown> & { properties: Record<string, unknown> } }>
    >;
  };
}

const documentOf = (name: string): Document =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'asyncapi', `${name}.json`), 'utf8'));

describe('an AsyncAPI document', () => {
  it('names for each channel what it has, and for no operation what its channel has not', () => {
    const { channels, operations } = documentOf('partner');
    const [book, trades] = ['book', 'trades'].map((name) => Object.keys(channels[name]?.messages ?? {}));
    expect(book).toEqual(expect.arrayContaining(['Subscribed', 'BookSnapshot', 'BookUpdate', 'Heartbeat']));
    expect(trades).toEqual(expect.arrayContaining(['Subscribed', 'Trade', 'TradeBust', 'Heartbeat']));
    expect([book?.includes('Trade'), trades?.includes('BookUpdate')]).toEqual([false, false]);
    for (const name of ['feed', 'order-entry', 'partner']) {
      const document = documentOf(name);
      for (const { messages } of Object.values(document.operations))
        for (const { $ref } of messages) {
          const [, , channel = '', , message = ''] = $ref.split('/');
          expect(document.channels[channel]?.messages, $ref).toHaveProperty(message);
        }
    }
    expect(Object.keys(operations)).toEqual(['sayBook', 'hearBook', 'sayTrades', 'hearTrades']);
  });

  it('takes a key with its secret or a token, and ids that the socket takes', () => {
    for (const name of ['feed', 'order-entry']) {
      const auth = documentOf(name).components.messages.ClientAuth?.payload;
      expect(auth?.oneOf).toEqual([{ required: ['api_key', 'api_secret'] }, { required: ['token'] }]);
      expect(auth?.dependencies).toEqual({ api_key: ['api_secret'], api_secret: ['api_key'] });
    }
    const { messages } = documentOf('order-entry').components;
    for (const name of ['ClientPlace', 'ClientCancel', 'ClientCancelAll', 'ClientPing'])
      expect(messages[name]?.payload.properties.id, name).toMatchObject({
        anyOf: [{ type: 'string', minLength: 1, maxLength: 64 }, { type: 'integer' }],
      });
  });
});
