import { exampleOf, type Schema } from './example-of.ts';

/** What of a document is read here. */
export interface OpenApiDocument {
  readonly info: object;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses?: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: unknown;
}

const JSON_TYPE = 'application/json';
const CONTACT = { name: 'The operator of this venue' };
const LICENSE = { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' };

/**
 * The document with what programs that read it ask for and no route states by itself: an operationId, a description, tags and an example for each
 * operation, who answers for the interface, and no security scheme that nothing uses.
 */
export function completed(document: OpenApiDocument): OpenApiDocument {
  const schemas = document.components?.schemas ?? {};
  // The version is no part of a name, but where a path stands without it as well.
  const nameOf = (path: string) => {
    const short = path.replace(/^\/v1\//, '/');
    return short in (document.paths ?? {}) ? path : short;
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          described(operation, method, path, nameOf(path), schemas),
        ]),
      ),
    ]),
  );
  const all = Object.values(paths).flatMap((operations) => Object.values(operations));
  const used = new Set(all.flatMap(({ security = [] }) => security.flatMap((schemes) => Object.keys(schemes))));
  const securitySchemes = Object.fromEntries(
    Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => used.has(name)),
  );
  return {
    ...document,
    info: { ...document.info, contact: CONTACT, license: LICENSE },
    ...{ tags: tagsOf(paths) },
    paths,
    components: { ...document.components, securitySchemes },
  };
}

function described(
  operation: Operation,
  method: string,
  path: string,
  named: string,
  schemas: Readonly<Record<string, Schema>>,
): Operation {
  const { requestBody, responses = {}, tags = [] } = operation;
  return {
    ...operation,
    operationId: operation.operationId ?? operationIdOf(method, named),
    description: operation.description || plainDescription(operation),
    tags: tags.length > 0 ? tags : [tagOf(path)],
    ...(requestBody === undefined ? {} : { requestBody: withExamples(requestBody, schemas) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        status.startsWith('2') ? withExamples(answer, schemas) : answer,
      ]),
    ),
  };
}

/** @example operationIdOf('get', '/orders/{order_id}') // 'getOrdersByOrderId' */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** What is said of an operation that says nothing of itself: its summary, and with which credentials it is called. */
export function plainDescription({ summary = '', security = [] }: Operation): string {
  const ways = security.map((schemes) => Object.keys(schemes).join(' with '));
  const isPublic = ways.length === 0 || ways.includes('');
  return `${summary}. ${isPublic ? 'Needs no credential.' : `Needs ${ways.join(', or ')}.`}`;
}

/** The tags that operations have, each with the paths that it stands for, in the order of the interface: a reader begins with what it begins with. */
function tagsOf(
  paths: NonNullable<OpenApiDocument['paths']>,
): { readonly name: string; readonly description: string }[] {
  const places = new Map<string, Set<string>>();
  for (const [path, operations] of Object.entries(paths)) {
    const place = path.split('/{')[0] ?? path;
    for (const tag of Object.values(operations).flatMap(({ tags = [] }) => tags))
      places.set(tag, (places.get(tag) ?? new Set()).add(place));
  }
  return [...places].map(([name, under]) => ({
    name,
    description: `Under ${[...under].map((place) => `\`${place}\``).join(', ')}.`,
  }));
}

function tagOf(path: string): string {
  return path.split('/').find((segment) => segment !== '' && segment !== 'v1') ?? 'root';
}

function withExamples<T extends { readonly content?: Readonly<Record<string, Media>> }>(
  body: T,
  schemas: Readonly<Record<string, Schema>>,
): T {
  const media = body.content?.[JSON_TYPE];
  if (media?.schema === undefined || media.example !== undefined || media.examples !== undefined) return body;
  return {
    ...body,
    content: { ...body.content, [JSON_TYPE]: { ...media, example: exampleOf(media.schema, schemas) } },
  };
}
