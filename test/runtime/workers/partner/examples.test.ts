import type { Schema } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { callWorker } from '../../fixtures/call-worker.ts';
import { type ApiDocument, validatorOf } from '../../fixtures/documented-answer.ts';

/** What of a JSON schema gives an example by itself. */
interface Shown {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly items?: Shown;
  readonly allOf?: readonly Shown[];
  readonly anyOf?: readonly Shown[];
  readonly oneOf?: readonly Shown[];
}

/** What readers of the document show for a format. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01',
  date: '2026-10-05',
  'date-time': '2026-10-05T16:02:40.000Z',
  uri: 'https://example.com/',
  email: 'desk@example.com',
};

describe('the OpenAPI document of partners', () => {
  it('shows, for each call, an example of what is sent and answered, and each is right by its schema', async () => {
    const answer = await callWorker('http://localhost/partner/openapi.json');
    const document = await answer.json<ApiDocument>();
    const wrong: string[] = [];
    let shown = 0;
    for (const { what, schema } of bodiesOf(document)) {
      const missing: string[] = [];
      const example = exampleOf(schema as Shown, document, what, missing);
      const { valid, errors } = validatorOf(document, schema).validate(example);
      if (missing.length > 0) wrong.push(...missing);
      else if (!valid) wrong.push(`${what}: ${errors.at(-1)?.instanceLocation} ${errors.at(-1)?.error}`);
      else shown++;
    }
    expect([...new Set(wrong)]).toEqual([]);
    expect(shown).toBeGreaterThan(60);
  });
});

/** Every JSON body of a request and of an answer that says that it was done. */
function* bodiesOf({ paths }: ApiDocument): Generator<{ what: string; schema: Schema }> {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      const done = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      for (const [where, body] of [['request', requestBody] as const, ...done]) {
        const schema = body?.content?.['application/json']?.schema;
        if (schema !== undefined) yield { what: `${method} ${path} ${where}`, schema };
      }
    }
  }
}

/** The example that a reader of the document sees: the schema's own, or one put together from those of its parts. */
function exampleOf(schema: Shown, document: ApiDocument, at: string, missing: string[]): unknown {
  const { $ref, allOf, properties, items } = schema;
  if (schema.example !== undefined) return schema.example;
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '');
    return exampleOf(document.components.schemas[name] as Shown, document, name, missing);
  }
  const own = schema.const ?? schema.enum?.[0] ?? schema.default;
  if (own !== undefined) return own;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return exampleOf(alternatives[0] as Shown, document, at, missing);
  const parts = (allOf ?? []).map((part) => exampleOf(part, document, at, missing));
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      exampleOf(field, document, `${at}.${name}`, missing),
    ]);
    return Object.assign({}, ...parts, Object.fromEntries(fields));
  }
  if (allOf !== undefined) return parts.length === 1 ? parts[0] : Object.assign({}, ...parts);
  if (items !== undefined) return [exampleOf(items, document, `${at}[]`, missing)];
  const types = [schema.type ?? []].flat();
  if (types.includes('boolean')) return true;
  const formatted = BY_FORMAT[schema.format ?? ''];
  if (formatted === undefined) missing.push(`${at} has no example`);
  return formatted;
}
