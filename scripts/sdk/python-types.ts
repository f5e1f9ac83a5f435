/** As much of a schema of OpenAPI as types of Python are made of. */
export interface PythonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, PythonSchema>>;
  readonly required?: readonly string[];
  readonly items?: PythonSchema;
  readonly additionalProperties?: PythonSchema | boolean;
  readonly allOf?: readonly PythonSchema[];
  readonly anyOf?: readonly PythonSchema[];
  readonly oneOf?: readonly PythonSchema[];
}

const SCHEMA_PREFIX = '#/components/schemas/';
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** A name that Python takes: `from` is `from_`. */
export function identifier(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return KEYWORDS.has(plain) ? `${plain}_` : plain;
}

export function docString(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/\s+/g, ' ').replace(/"$/, '" ')}"""`;
}

/** Types of Python for the schemas of a document. What only answers have is a `Decimal`; what is asked with may be a whole number, too. */
export function pythonTypes(schemas: Readonly<Record<string, PythonSchema>>) {
  const asked = new Set<string>();
  const classes = new Map<string, string>();

  /** Marks what a body refers to. */
  function asks(schema: PythonSchema | undefined): void {
    if (schema === undefined) return;
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (asked.has(name)) continue;
      asked.add(name);
      asks(schemas[name]);
    }
  }

  function typeOf(schema: PythonSchema | undefined, name: string, isAsked: boolean): string {
    if (schema === undefined) return 'Any';
    if (schema.$ref !== undefined) return classNameOf(schema.$ref.slice(SCHEMA_PREFIX.length));
    if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
    if (schema.enum !== undefined) {
      const texts = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value));
      const isNullable = schema.enum.includes(null) || [schema.type].flat().includes('null');
      return `Literal[${texts.join(', ')}]${isNullable ? ' | None' : ''}`;
    }
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined)
      return union(either.map((each, place) => typeOf(each, name === '' ? '' : `${name}${place + 1}`, isAsked)));
    if (schema.allOf !== undefined) return typeOf(merged(schema), name, isAsked);
    const kinds = [schema.type ?? (schema.properties === undefined ? [] : 'object')].flat();
    return kinds.length === 0 ? 'Any' : union(kinds.map((kind) => kindOf(kind, schema, name, isAsked)));
  }

  function kindOf(kind: string, schema: PythonSchema, name: string, isAsked: boolean): string {
    switch (kind) {
      case 'string':
        return 'str';
      case 'boolean':
        return 'bool';
      case 'null':
        return 'None';
      case 'number':
      case 'integer':
        return isAsked ? 'Decimal | int' : 'Decimal';
      case 'array':
        return `list[${typeOf(schema.items, name === '' ? '' : `${name}Item`, isAsked)}]`;
      default:
        return recordType(schema, name, isAsked);
    }
  }

  function recordType(schema: PythonSchema, name: string, isAsked: boolean): string {
    const { properties = {}, additionalProperties } = schema;
    if (Object.keys(properties).length > 0 && name !== '') {
      if (!classes.has(name)) {
        classes.set(name, '');
        classes.set(name, classText(schema, name, isAsked));
      }
      return name;
    }
    const value =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${name}Value`, isAsked) : 'Any';
    return `dict[str, ${value}]`;
  }

  function classText(schema: PythonSchema, name: string, isAsked: boolean): string {
    const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
      const type = typeOf(of, `${name}${classNameOf(field)}`, isAsked);
      return [
        field,
        schema.required?.includes(field) === true ? type : `NotRequired[${type}]`,
        of.description,
      ] as const;
    });
    if (fields.some(([field]) => identifier(field) !== field || /^\d/.test(field)))
      return `${name} = TypedDict(\n    "${name}",\n    {${fields.map(([field, type]) => `${JSON.stringify(field)}: ${JSON.stringify(type)}`).join(', ')}},\n)\n`;
    const described = schema.description === undefined ? '' : `    ${docString(schema.description)}\n\n`;
    const lines = fields.map(
      ([field, type, description]) =>
        `    ${field}: ${type}\n${description === undefined ? '' : `    ${docString(description)}\n`}`,
    );
    return `class ${name}(TypedDict):\n${described}${lines.join('')}`;
  }

  function merged(schema: PythonSchema): PythonSchema {
    const { allOf = [], ...own } = schema;
    const parts = [own as PythonSchema, ...allOf.map(resolved)].map((part) =>
      part.allOf === undefined ? part : merged(part),
    );
    return {
      ...own,
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    };
  }

  function resolved(schema: PythonSchema): PythonSchema {
    return schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.slice(SCHEMA_PREFIX.length)] ?? {});
  }

  function written(): string {
    const texts = Object.entries(schemas).map(([name, schema]) => {
      const type = typeOf(schema, classNameOf(name), asked.has(name));
      return type === classNameOf(name) ? '' : `${classNameOf(name)} = ${JSON.stringify(type)}\n`;
    });
    return [...classes.values(), ...texts.filter((text) => text !== '')].map((text) => `\n${text}\n`).join('');
  }

  return { asks, typeOf, written };
}

/** `get_orders` and `get-orders` are `GetOrders`. */
export function classNameOf(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function union(types: readonly string[]): string {
  return [...new Set(types.flatMap((type) => type.split(' | ')))].join(' | ');
}
