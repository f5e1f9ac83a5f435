/** A schema of an OpenAPI document, as far as an example needs it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, Schema>>;

const SCHEMA_PREFIX = '#/components/schemas/';
/** Schemas that hold themselves end here. */
const DEPTH_MAX = 8;

/** Texts that fit what fields ask for, by their names first: what a reader knows is better than a text that happens to fit. */
const TEXTS_BY_NAME: Readonly<Record<string, string>> = {
  symbol: 'ACME-USD',
  currency: 'USD',
  chain: 'ethereum',
  country: 'US',
  name: 'Juniper Winters',
  email: 'juniper@example.com',
  phone: '+15550100002',
  url: 'https://example.com/hook',
};
const TEXTS_BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
  'date-time': '2027-03-01T09:00:00.000Z',
  date: '2027-03-01',
  email: 'juniper@example.com',
  uri: 'https://example.com/hook',
  url: 'https://example.com/hook',
};
const TEXTS = [
  'example',
  'ACME',
  'ACME-USD',
  'USD',
  '12.50',
  '12',
  'US',
  '2027-03-01',
  '2027-03',
  '2027',
  '09:00',
  '+15550100002',
  '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
  '019a2b3c4d5e7f608a1b2c3d4e5f6071',
  '2027-03-01T09:00:00.000Z',
  '#1a2b3c',
  '/trade',
  '0'.repeat(64),
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(64)}`,
  'AAAA',
  '123456',
];

/** Hashes, keys and signatures. */
const HEXADECIMAL = /^\^\[0-9a-f\]\{(\d+)\}\$$/;

/** A value that the schema takes: the example that it states, or one that its types, formats and limits allow. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  return sampled(schema, schemas, '', 0);
}

function sampled(schema: Schema, schemas: Schemas, name: string, depth: number): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.$ref !== undefined) {
    const referred = schemas[schema.$ref.slice(SCHEMA_PREFIX.length)];
    return referred === undefined || depth > DEPTH_MAX ? null : sampled(referred, schemas, name, depth + 1);
  }
  if (schema.allOf !== undefined) return sampled(merged(schema, schemas), schemas, name, depth + 1);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.properties === undefined) {
    const [first = {}] = alternatives.filter(({ type }) => type !== 'null');
    return sampled(first, schemas, name, depth + 1);
  }
  const [type] = [schema.type ?? (schema.properties === undefined ? [] : 'object')]
    .flat()
    .filter((each) => each !== 'null');
  switch (type) {
    case 'object':
      return objectOf(schema, schemas, depth);
    case 'array':
      return arrayOf(schema, schemas, name, depth);
    case 'string':
      return textOf(schema, name);
    case 'number':
    case 'integer':
      return numberOf(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function objectOf(schema: Schema, schemas: Schemas, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const isDeep = depth > DEPTH_MAX;
  const fields = Object.entries(properties).filter(([name]) => !isDeep || required.includes(name));
  const value = Object.fromEntries(fields.map(([name, field]) => [name, sampled(field, schemas, name, depth + 1)]));
  if (fields.length > 0 || typeof additionalProperties !== 'object' || isDeep) return value;
  return { example: sampled(additionalProperties, schemas, '', depth + 1) };
}

function arrayOf(
  { items, prefixItems, minItems = 1 }: Schema,
  schemas: Schemas,
  name: string,
  depth: number,
): unknown[] {
  if (prefixItems !== undefined) return prefixItems.map((item) => sampled(item, schemas, name, depth + 1));
  if (items === undefined || depth > DEPTH_MAX) return [];
  return Array.from({ length: Math.max(1, minItems) }, () => sampled(items, schemas, name, depth + 1));
}

/** Parts of an `allOf` as one schema. */
function merged({ allOf = [], ...rest }: Schema, schemas: Schemas): Schema {
  const parts = allOf.map((part) => {
    const whole = part.$ref === undefined ? part : (schemas[part.$ref.slice(SCHEMA_PREFIX.length)] ?? {});
    return whole.allOf === undefined ? whole : merged(whole, schemas);
  });
  const all = [...parts, rest];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}

function textOf(
  { format = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY, default: usual }: Schema,
  name: string,
) {
  const fits = (text: unknown) =>
    typeof text === 'string' &&
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text));
  const byKind = TEXTS_BY_FORMAT[format];
  const [, digits] = HEXADECIMAL.exec(pattern ?? '') ?? [];
  if (digits !== undefined) return '0a'.repeat(Number(digits)).slice(0, Number(digits));
  const candidates = byKind === undefined ? [usual, TEXTS_BY_NAME[name], ...TEXTS] : [byKind];
  return candidates.find(fits) ?? 'a'.repeat(Math.max(minLength, 1));
}

function numberOf(schema: Schema): number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const low = Math.max(minimum, exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1);
  const high = Math.min(maximum, exclusiveMaximum ?? maximum);
  const wanted = Math.min(Math.max(low, 12), high);
  return exclusiveMaximum !== undefined && wanted === exclusiveMaximum
    ? (low + wanted) / 2
    : Math.ceil(wanted / (multipleOf ?? 1)) * (multipleOf ?? 1);
}
