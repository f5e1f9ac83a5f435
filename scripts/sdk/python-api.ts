import type { OpenAPI3 } from 'openapi-typescript';
import { operationsOf } from './operations-of.ts';
import { classNameOf, docString, identifier, type PythonSchema, pythonTypes } from './python-types.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: PythonSchema;
}

type Contents = Readonly<Record<string, { readonly schema?: PythonSchema }>>;

interface Described {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Contents };
  readonly responses?: Readonly<Record<string, { readonly content?: Contents }>>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly described: Described;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Schemas of what is told, as files, are no calls. */
const NO_CALL = /^\/schemas\//;

/** The typed calls of a profile in Python: a class of types for each schema, and a method for each operation. */
export function pythonApi(document: OpenAPI3, profile: string): string {
  const types = pythonTypes((document.components?.schemas ?? {}) as unknown as Readonly<Record<string, PythonSchema>>);
  const calls = callsOf(document);
  for (const { described } of calls) types.asks(described.requestBody?.content?.['application/json']?.schema);
  const names = methodNames(calls);
  const methods = calls.map((call, place) => methodOf(call, names[place] ?? '', types)).join('\n');
  const name = `${profile.charAt(0).toUpperCase()}${profile.slice(1)}Calls`;
  return `"""Written by scripts/sdk/api-types.ts from the OpenAPI document of profile ${profile}."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict

from ..calls import Calls
from ..operations import Operations

${types.written()}
OPERATIONS: Operations = ${literal(operationsOf(document))}


class ${name}(Calls):
    """Every operation of profile ${profile}; \`get_x_pages\` are the pages of a list."""

    operations = OPERATIONS

${methods}`;
}

function callsOf(document: OpenAPI3): Call[] {
  return Object.entries(document.paths ?? {})
    .filter(([path]) => !NO_CALL.test(path))
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const described = (item as Readonly<Record<string, Described>>)[method];
        return described !== undefined && isCall(described) ? [{ method, path, described }] : [];
      }),
    );
}

/** A socket, which has no answer of success, or a stream is followed, not called. */
function isCall({ responses = {} }: Described): boolean {
  return Object.keys(responses).length > 0 && responses['200']?.content?.['text/event-stream'] === undefined;
}

/** Method and path without its parameters; with them where two would have one name. */
function methodNames(calls: readonly Call[]): string[] {
  const short = calls.map(({ method, path }) => nameOf(method, path.replaceAll(/\/\{[^}]+\}/g, '')));
  return calls.map(({ method, path }, place) => {
    const name = short[place] ?? '';
    const isShared = short.filter((other) => other === name).length > 1;
    const last = /\{([^}]+)\}$/.exec(path)?.[1];
    return isShared && last !== undefined ? `${nameOf(method, path.replaceAll(/\/\{[^}]+\}/g, ''))}_by_${last}` : name;
  });
}

function nameOf(method: string, path: string): string {
  return `${method}_${path.replace(/^\/v1\//, '')}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

function methodOf({ method, path, described }: Call, name: string, types: ReturnType<typeof pythonTypes>): string {
  const parameters = described.parameters ?? [];
  const inPath = parameters.filter((each) => each.in === 'path');
  const inQuery = parameters.filter((each) => each.in === 'query');
  const isRepeatable = parameters.some((each) => each.in === 'header' && each.name === 'Idempotency-Key');
  const body = described.requestBody?.content;
  const bodyType =
    body === undefined ? null : types.typeOf(body['application/json']?.schema, `${classNameOf(name)}Body`, true);
  const isBodyNeeded = described.requestBody?.required === true;
  const answer = answerType(described, `${classNameOf(name)}Answer`, types);

  const given = [
    'self',
    ...inPath.map((each) => `${identifier(each.name)}: str`),
    ...(bodyType !== null && isBodyNeeded ? [`body: ${bodyType}`] : []),
    ...(inQuery.length > 0 || isRepeatable || (bodyType !== null && !isBodyNeeded) ? ['*'] : []),
    ...(bodyType !== null && !isBodyNeeded ? [`body: ${bodyType} | None = None`] : []),
    ...inQuery.map((each) => queryParameter(each, types)),
    ...(isRepeatable && method !== 'get' ? ['idempotency_key: str | None = None'] : []),
  ];
  const passed = [
    `"${method.toUpperCase()}"`,
    `"${path}"`,
    ...(inPath.length > 0 ? [`path_values=${dictionary(inPath)}`] : []),
    ...(inQuery.length > 0 ? [`query=${dictionary(inQuery)}`] : []),
  ];
  const more = [
    ...(bodyType !== null ? ['body=body'] : []),
    ...(isRepeatable && method !== 'get' ? ['idempotency_key=idempotency_key'] : []),
  ];
  const summary = described.summary === undefined ? '' : `        ${docString(described.summary)}\n`;
  const single = `    def ${name}(${given.join(', ')}) -> ${answer}:\n${summary}        return self.call(${[...passed, ...more].join(', ')})\n`;
  if (method !== 'get' || !inQuery.some((each) => each.name === 'cursor')) return single;
  return `${single}\n    def ${name}_pages(${given.join(', ')}) -> Iterator[${answer}]:\n${summary}        return self.pages(${passed.slice(1).join(', ')})\n`;
}

function queryParameter(parameter: Parameter, types: ReturnType<typeof pythonTypes>): string {
  const type = types.typeOf(parameter.schema, '', true);
  const loose = type === 'Decimal | int' ? 'int' : type;
  return parameter.required === true
    ? `${identifier(parameter.name)}: ${loose}`
    : `${identifier(parameter.name)}: ${loose} | None = None`;
}

function dictionary(parameters: readonly Parameter[]): string {
  return `{${parameters.map(({ name }) => `"${name}": ${identifier(name)}`).join(', ')}}`;
}

function answerType({ responses = {} }: Described, name: string, types: ReturnType<typeof pythonTypes>): string {
  const found = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => {
      const kinds = Object.keys(content ?? {});
      if (content === undefined || kinds.length === 0) return ['None'];
      return kinds.map((kind) =>
        kind === 'application/json'
          ? types.typeOf(content[kind]?.schema, name, false)
          : kind.startsWith('text/')
            ? 'str'
            : 'bytes',
      );
    });
  return [...new Set(found)].join(' | ') || 'None';
}

/** JSON that Python reads: of texts, `true`, lists and records. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(/: true\b/g, ': True');
}
