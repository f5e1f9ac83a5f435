import { describe, expect, test } from 'vitest';
import { call } from '../../fixtures/call.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Where an object of a body takes fields that it does not name. */
function open(schema: Schema, document: Document, at: string): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return open(document.components.schemas[name] ?? {}, document, at);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inside = parts.flatMap((part) => open(part, document, at));
  if (schema.items !== undefined) inside.push(...open(schema.items, document, `${at}[]`));
  if (schema.properties === undefined) return inside;
  for (const [name, property] of Object.entries(schema.properties))
    inside.push(...open(property, document, `${at}.${name}`));
  return schema.additionalProperties === false ? inside : [at, ...inside];
}

type Node = Readonly<Record<string, unknown>>;

function named(schema: Schema, document: Document): Schema {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  return name === undefined ? schema : named(document.components.schemas[name] ?? {}, document);
}

/** Where parts of an `allOf` cannot hold together: one refuses what another names, or says that it may be null and another that it is not. */
function contradictory(node: unknown, document: Document, at: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { allOf = [] } = node as Schema;
  const parts = allOf.map((part) => named(part, document));
  const names = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
  const isContradictory = parts.some(
    ({ additionalProperties, properties = {} }) =>
      additionalProperties === false && [...names].some((name) => properties[name] === undefined),
  );
  const mayBeNull = parts.map(({ type }) => type === undefined || [type].flat().includes('null'));
  const isNeverNull = parts.some(({ type = '' }) => [type].flat().includes('null')) && mayBeNull.includes(false);
  const inside = Object.entries(node as Node).flatMap(([name, child]) =>
    contradictory(child, document, `${at}/${name}`),
  );
  return isContradictory || isNeverNull ? [at, ...inside] : inside;
}

/** A document of Open Cap Table Format has whatever fields its format has. */
const OCF_OPEN: Readonly<Record<string, readonly string[]>> = {
  partner: ['post /v1/captable/{security_id}/import', 'post /v1/captable/{security_id}/import.manifest'],
};

describe.each(['exchange', 'book', 'iam', 'events-service', 'partner', 'bridge'])('%s', (profile) => {
  test('every JSON body but those of webhooks and OCF refuses fields that it does not name, at every depth', async () => {
    const document = (await call(`GET /${profile}/openapi.json`)).body as Document;
    const bodies = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema;
        // Whoever sends a webhook names what it likes beside what is read.
        return schema === undefined || path.includes('/webhooks/') ? [] : [{ name: `${method} ${path}`, schema }];
      }),
    );
    expect(bodies.length).toBeGreaterThan(0);
    expect(bodies.flatMap(({ name, schema }) => open(schema, document, name))).toEqual(OCF_OPEN[profile] ?? []);
  });

  test('no schema refuses what another part of it asks for', async () => {
    const document = (await call(`GET /${profile}/openapi.json`)).body as Document;
    expect(contradictory(document, document, '')).toEqual([]);
  });
});
