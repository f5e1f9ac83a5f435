import { registerHooks } from 'node:module';
import type { OpenAPI3 } from 'openapi-typescript';
import { plainDescription } from '../../workers/middleware/describe-document.ts';
import { exampleOf, type Schema } from '../../workers/middleware/example-of.ts';

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; example?: unknown }>>;
}

interface Operation {
  readonly requestBody?: Body;
  operationId?: string;
  description?: string;
  readonly summary?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** openapi-typescript prints with the compiler's API, which TypeScript 7 does not have yet: it gets TypeScript 5, which is installed beside it. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript5' : specifier, context),
});
const { astToString, default: openapiTs } = await import('openapi-typescript');
const { default: ts } = await import('typescript5');

export async function documentOf(origin: string, segment: string): Promise<OpenAPI3> {
  const response = await fetch(`${origin}/${segment}/openapi.json`);
  if (!response.ok) throw new Error(`${origin}/${segment}/openapi.json answers ${response.status}`);
  return (await response.json()) as OpenAPI3;
}

/** The types of a document, in which every number is an `ApiNumber`. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  const number = ts.factory.createTypeReferenceNode('ApiNumber');
  const nodes = await openapiTs(document, {
    alphabetize: true,
    excludeDeprecated: true,
    // Clients read numbers as their text (clients/sdk/wire/json.ts): no amount becomes a float.
    transform: (schema) => {
      if (!('type' in schema)) return undefined;
      const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
      if (!types.includes('number') && !types.includes('integer')) return undefined;
      return types.includes('null')
        ? ts.factory.createUnionTypeNode([number, ts.factory.createLiteralTypeNode(ts.factory.createNull())])
        : number;
    },
  });
  return astToString(nodes);
}

/** The document with the called paths alone, without headers and errors of answers, which are the same everywhere. */
export function called(document: OpenAPI3, paths: readonly string[]): OpenAPI3 {
  const all = document.paths ?? {};
  const missing = paths.filter((path) => !(path in all));
  if (missing.length > 0) throw new Error(`the document lacks ${missing.join(', ')}`);
  const kept = structuredClone(Object.fromEntries(paths.map((path) => [path, all[path]])));
  for (const operations of Object.values(kept)) {
    for (const operation of Object.values(
      operations as Record<string, Operation & { responses?: Record<string, Body & { headers?: unknown }> }>,
    )) {
      // Types are found by path and method; what any operation could say of itself says nothing more there.
      delete operation.operationId;
      if (operation.description === plainDescription(operation)) delete operation.description;
      for (const body of [operation.requestBody ?? {}, ...Object.values(operation.responses ?? {})])
        withoutMadeExample(body, (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>);
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        if (status.startsWith('2')) delete answer.headers;
        else delete operation.responses?.[status];
      }
    }
  }
  const components = { schemas: reached(kept, document.components?.schemas ?? {}) };
  return { ...document, paths: kept, components } as OpenAPI3;
}

/** An example that was made of its schema says nothing that the type does not. */
function withoutMadeExample({ content = {} }: Body, schemas: Readonly<Record<string, Schema>>): void {
  for (const media of Object.values(content)) {
    if (media.schema === undefined || media.example === undefined) continue;
    if (JSON.stringify(media.example) === JSON.stringify(exampleOf(media.schema, schemas))) delete media.example;
  }
}

function reached(from: unknown, schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const walk = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || name in found) continue;
      found[name] = schemas[name];
      walk(schemas[name]);
    }
  };
  walk(from);
  return found;
}
