import { z } from 'zod';
import { ClientMessage } from '../../protocol/feeds/client-message.ts';
import { SocketMessage } from '../../protocol/order-entry/socket-message.ts';
import { orderSocketRequests } from './of-the-worker.ts';
import { type JsonSchema, messageName, type NamedSchema, schemasOfUnion } from './type-schemas.ts';

/** A stream of the exchange: what its server says, and what its clients say. */
interface Stream {
  readonly title: string;
  readonly description: string;
  /** Of the profile. */
  readonly base: string;
  readonly channels: readonly {
    readonly name: string;
    readonly address: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly query: JsonSchema;
    /** Of what is said, the messages that other channels alone have; none where it is left out. */
    readonly lacks?: readonly string[];
  }[];
  readonly said: readonly NamedSchema[];
  readonly heard: readonly NamedSchema[];
}

/** AsyncAPI documents of the streams, by the names of their files. Messages come from the types and schemas that the code sends and reads by. */
export async function asyncDocuments(): Promise<Readonly<Record<string, JsonSchema>>> {
  return Object.fromEntries(Object.entries(await streams()).map(([name, stream]) => [name, documentOf(stream)]));
}

async function streams(): Promise<Readonly<Record<string, Stream>>> {
  const { PlaceRequest, OtherRequest } = await orderSocketRequests();
  const said = schemasOfUnion('protocol/feeds/server-message.ts', 'FeedMessage');
  const heard = alternativesOf(ClientMessage);
  return {
    feed: {
      title: 'Feed of the order book',
      description:
        'Market data of all pairs and the own account, over one WebSocket. Sequences, checksums and what to do after a loss: docs/feeds.md.',
      base: '/book',
      channels: [
        {
          name: 'feed',
          address: '/v1/ws',
          parameters: {},
          query: {
            type: 'object',
            properties: {
              symbol: { type: 'string', description: 'Stands at this pair’s book, and follows it alone.' },
            },
          },
        },
      ],
      said,
      heard,
    },
    'order-entry': {
      title: 'Order entry over WebSocket',
      description:
        'Requests with the bodies of the REST calls of profile book, answered in their order: docs/feeds.md#order-entry-over-websocket.',
      base: '/book',
      channels: [{ name: 'orderEntry', address: '/v1/ws/orders', parameters: {}, query: { type: 'object' } }],
      said: ANSWERS,
      heard: [
        ...alternativesOf(PlaceRequest),
        ...alternativesOf(OtherRequest),
        ...alternativesOf(SocketMessage).filter(({ name }) => ['Ping', 'Auth'].includes(name)),
      ],
    },
    partner: {
      title: 'Streams of partners',
      description: 'The book and the trades of one security, for partners: docs/feeds.md#streams-of-partners.',
      base: '/partner',
      channels: [
        {
          name: 'book',
          address: '/v1/ws/book/{id}',
          parameters: SECURITY,
          query: {
            type: 'object',
            properties: { depth: { type: 'integer', minimum: 1, maximum: 1000 }, resume_from: { type: 'integer' } },
          },
          lacks: ['Trade', 'TradeBust'],
        },
        {
          name: 'trades',
          address: '/v1/ws/trades/{id}',
          parameters: SECURITY,
          query: { type: 'object', properties: { resume_from: { type: 'integer' } } },
          lacks: ['BookSnapshot', 'BookUpdate'],
        },
      ],
      said: schemasOfUnion('protocol/feeds/partner-message.ts', 'PartnerMessage'),
      heard: heard.filter(({ name }) => ['Ping', 'Pong'].includes(name)),
    },
  };
}

const SECURITY = { id: 'Id of the security.' };
const REQUEST_ID = {
  description: 'That of the request.',
  oneOf: [{ type: 'string', minLength: 1, maxLength: 64 }, { type: 'integer' }],
};

/** What the order socket answers; the results and errors are those of the REST calls. */
const ANSWERS: readonly NamedSchema[] = [
  {
    name: 'Result',
    schema: {
      type: 'object',
      properties: {
        type: { const: 'result' },
        id: REQUEST_ID,
        result: { description: 'The body with which the REST call of this name answers.' },
      },
      required: ['type', 'id', 'result'],
    },
  },
  {
    name: 'Error',
    schema: {
      type: 'object',
      properties: {
        type: { const: 'error' },
        id: REQUEST_ID,
        error: {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
          required: ['code', 'message'],
        },
      },
      required: ['type', 'error'],
    },
  },
  {
    name: 'Authenticated',
    schema: { type: 'object', properties: { type: { const: 'authenticated' }, id: REQUEST_ID }, required: ['type'] },
  },
  {
    name: 'Pong',
    schema: { type: 'object', properties: { type: { const: 'pong' }, id: REQUEST_ID }, required: ['type'] },
  },
];

/** The messages of a schema that reads them, each named by its field `type`. */
function alternativesOf(schema: z.ZodType): NamedSchema[] {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const all = (whole.oneOf ?? whole.anyOf ?? [whole]) as JsonSchema[];
  return all.map((alternative) => {
    const { type } = alternative.properties as { type: { const?: string; enum?: string[] } };
    const name = messageName(type.const ?? 'request');
    return { name, schema: name === 'Auth' ? { ...alternative, ...ONE_CREDENTIAL } : alternative };
  });
}

/** What is refined in code, and is in no schema that is made of it: a key with its secret, or a token. */
const ONE_CREDENTIAL: JsonSchema = {
  oneOf: [{ required: ['api_key', 'api_secret'] }, { required: ['token'] }],
  dependencies: { api_key: ['api_secret'], api_secret: ['api_key'] },
};

function documentOf({ title, description, base, channels, said, heard }: Stream): JsonSchema {
  const messages = {
    ...messagesOf(said, ''),
    ...messagesOf(heard, 'Client'),
  };
  const namesOf = ({ lacks = [] }: Stream['channels'][number]) => ({
    said: Object.keys(messagesOf(said, '')).filter((name) => !lacks.includes(name)),
    heard: Object.keys(messagesOf(heard, 'Client')),
  });
  return {
    asyncapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description,
      contact: { name: 'The operator of this venue' },
      license: { name: 'All rights reserved' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: 'localhost:8787',
        pathname: base,
        protocol: 'ws',
        description: 'A system that runs on your machine.',
      },
    },
    channels: Object.fromEntries(
      channels.map((channel) => [
        channel.name,
        {
          address: channel.address,
          ...(Object.keys(channel.parameters).length > 0 && {
            parameters: Object.fromEntries(
              Object.entries(channel.parameters).map(([parameter, text]) => [parameter, { description: text }]),
            ),
          }),
          messages: Object.fromEntries(
            Object.values(namesOf(channel))
              .flat()
              .map((each) => [each, { $ref: `#/components/messages/${each}` }]),
          ),
          bindings: { ws: { method: 'GET', query: { properties: {}, ...channel.query } } },
        },
      ]),
    ),
    operations: Object.fromEntries(
      channels.flatMap((channel) => {
        const { name } = channel;
        const { said: says, heard: hears } = namesOf(channel);
        return [
          [`say${capital(name)}`, operationOf('send', name, says, 'What the exchange says.')],
          [`hear${capital(name)}`, operationOf('receive', name, hears, 'What a client may say.')],
        ];
      }),
    ),
    components: { messages },
  };
}

function operationOf(action: 'send' | 'receive', channel: string, names: readonly string[], summary: string) {
  return {
    action,
    summary,
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  };
}

function messagesOf(schemas: readonly NamedSchema[], prefix: string) {
  return Object.fromEntries(
    schemas.map(({ name, schema }) => {
      const { description = `The message ${typesOf(schema)}.` } = schema as { description?: string };
      return [prefix + name, { name: prefix + name, summary: typesOf(schema), description, payload: schema }];
    }),
  );
}

function typesOf({ properties }: JsonSchema): string {
  const { type } = properties as { type: { const?: string; enum?: string[] } };
  return [type.const ?? type.enum ?? []].flat().join(', ');
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
