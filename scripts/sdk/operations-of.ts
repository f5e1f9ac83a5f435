import type { OpenAPI3 } from 'openapi-typescript';
import type { Operation } from '../../clients/sdk/wire/operations.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SCHEMA_PREFIX = '#/components/schemas/';

/** What a client has to know of each operation at run time: whether it may be repeated under its key, and which fields of its body are numbers. */
export function operationsOf(document: OpenAPI3): Record<string, Operation> {
  const schemas = (document.components?.schemas ?? {}) as unknown as Readonly<Record<string, Schema>>;
  const found: Record<string, Operation> = {};
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = (operations as Readonly<Record<string, Described>>)[method];
      if (operation === undefined) continue;
      const isRepeatable = operation.parameters?.some(
        (each) => each.in === 'header' && each.name === 'Idempotency-Key',
      );
      const body = operation.requestBody?.content?.['application/json']?.schema;
      const numbers = body === undefined ? [] : numbersOf(body, schemas);
      if (isRepeatable !== true && numbers.length === 0) continue;
      found[`${method.toUpperCase()} ${path}`] = {
        ...(isRepeatable === true && { isRepeatable }),
        ...(numbers.length > 0 && { numbers }),
      };
    }
  }
  return found;
}

/** Paths of the fields that are numbers and nothing else but null: `price`, `legs.*.price`. */
function numbersOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): string[] {
  const numbers = new Set<string>();
  const others = new Set<string>();
  const walk = (at: Schema, path: string, within: readonly string[]): void => {
    if (at.$ref !== undefined) {
      const name = at.$ref.slice(SCHEMA_PREFIX.length);
      const referred = schemas[name];
      if (referred !== undefined && !within.includes(name)) walk(referred, path, [...within, name]);
      return;
    }
    const types = [at.type ?? []].flat().filter((type) => type !== 'null');
    if (types.length > 0) (types.every((type) => type === 'number' || type === 'integer') ? numbers : others).add(path);
    for (const [name, field] of Object.entries(at.properties ?? {}))
      walk(field, path === '' ? name : `${path}.${name}`, within);
    const each = at.items ?? (typeof at.additionalProperties === 'object' ? at.additionalProperties : undefined);
    if (each !== undefined) walk(each, path === '' ? '*' : `${path}.*`, within);
    for (const part of [...(at.allOf ?? []), ...(at.anyOf ?? []), ...(at.oneOf ?? [])]) walk(part, path, within);
  };
  walk(schema, '', []);
  return [...numbers].filter((path) => !others.has(path)).sort();
}
