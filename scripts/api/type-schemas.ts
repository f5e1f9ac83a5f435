import { dirname, join } from 'node:path';
import ts from 'typescript5';

const ROOT = join(import.meta.dirname, '..', '..');

/** JSON Schema (draft 7) of a message, under the name of its type. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

export type JsonSchema = { [field: string]: unknown };

/**
 * JSON Schemas of the members of a union of messages, made from its TypeScript: the type that the code sends is the one that is described, with
 * its comments.
 */
export function schemasOfUnion(file: string, typeName: string): NamedSchema[] {
  const path = join(ROOT, file);
  const program = ts.createProgram([path], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
    typeRoots: [dirname(path)],
    exactOptionalPropertyTypes: true,
  });
  const source = program.getSourceFile(path);
  const checker = program.getTypeChecker();
  const symbol = source && checker.getSymbolAtLocation(source);
  const exported = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === typeName);
  if (exported === undefined) throw new Error(`${file} has no type ${typeName}`);
  const union = checker.getDeclaredTypeOfSymbol(exported);
  return (union.isUnion() ? union.types : [union]).map((type) => ({
    name: nameOf(checker, type),
    schema: schemaOf(checker, type),
  }));
}

/** Of an interface its name; of a type without one the value of its field `type`. */
function nameOf(checker: ts.TypeChecker, type: ts.Type): string {
  const declared = type.symbol?.name;
  if (declared !== undefined && !declared.startsWith('__')) return declared.replace(/Message$/, '');
  const [kind] = literalsOf(checker, type);
  return messageName(`${kind}`);
}

/** `book_snapshot` as `BookSnapshot`. */
export function messageName(kind: string): string {
  return kind.replaceAll(/(?:^|_)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

function literalsOf(checker: ts.TypeChecker, type: ts.Type): unknown[] {
  const field = type.getProperty('type');
  const kind = field && checker.getTypeOfSymbol(field);
  if (kind === undefined) return [];
  return (kind.isUnion() ? kind.types : [kind]).flatMap((each) => (each.isLiteral() ? [each.value] : []));
}

function schemaOf(checker: ts.TypeChecker, type: ts.Type): JsonSchema {
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
  if (type.isUnion()) return unionOf(checker, type);
  if (type.flags & ts.TypeFlags.String) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  if (checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type as ts.TypeReference).map((item) => schemaOf(checker, item));
    return { type: 'array', items, minItems: items.length, maxItems: items.length };
  }
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', items: item === undefined ? {} : schemaOf(checker, item) };
  }
  if (type.flags & ts.TypeFlags.Object || type.isIntersection()) return objectOf(checker, type);
  throw new Error(`no schema for ${checker.typeToString(type)}`);
}

function unionOf(checker: ts.TypeChecker, type: ts.UnionType): JsonSchema {
  const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  const literals = members.flatMap((each) => (each.isLiteral() ? [each.value] : []));
  if (literals.length === members.length) return literals.length === 1 ? { const: literals[0] } : { enum: literals };
  if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  if (members.length === 1 && members[0] !== undefined) return schemaOf(checker, members[0]);
  if (members.every(({ flags }) => flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.Null)))
    return { enum: [...literals, null] };
  return { anyOf: members.map((member) => schemaOf(checker, member)) };
}

function objectOf(checker: ts.TypeChecker, type: ts.Type): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of checker.getPropertiesOfType(type)) {
    const text = ts.displayPartsToString(field.getDocumentationComment(checker));
    const schema = schemaOf(checker, checker.getTypeOfSymbol(field));
    properties[field.name] = text === '' ? schema : { ...schema, description: text };
    if (!(field.flags & ts.SymbolFlags.Optional)) required.push(field.name);
  }
  const text = type.symbol === undefined ? '' : ts.displayPartsToString(type.symbol.getDocumentationComment(checker));
  return { type: 'object', ...(text !== '' && { description: text }), properties, required };
}
