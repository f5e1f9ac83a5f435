import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node scripts/generate-fix-dictionary.ts <FIX44.xml>`: turns a dictionary in QuickFIX's XML form into the compact JSON that the FIX
 * gateway validates by. Members are `tag`, `tag!` when required, `@Component` or `@Component!`, and groups
 * `{count, required, members}`.
 */
const TARGET = join(import.meta.dirname, '..', 'containers', 'fix-gateway', 'dictionary', 'fix44.json');

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

type Member = string | { readonly count: number; readonly required: boolean; readonly members: Member[] };

function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  for (const [, closing, name = '', attributes = '', empty] of xml.matchAll(/<(\/?)([a-z]+)([^>]*?)(\/?)>/g)) {
    if (closing === '/') {
      open.pop();
      continue;
    }
    const pairs = [...attributes.matchAll(/([a-z]+)=['"]([^'"]*)['"]/g)];
    const element = { name, attributes: Object.fromEntries(pairs.map(([, key, value]) => [key, value])), children: [] };
    open.at(-1)?.children.push(element);
    if (empty !== '/') open.push(element);
  }
  return child(root, 'fix');
}

function child({ children }: Element, name: string): Element {
  const found = children.find((element) => element.name === name);
  if (found === undefined) throw new Error(`the dictionary has no <${name}>`);
  return found;
}

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('name the FIX44.xml to read');
const dictionary = parse(readFileSync(source, 'utf8'));
const tagOf = new Map(
  child(dictionary, 'fields').children.map(({ attributes }) => [attributes.name, Number(attributes.number)]),
);

function members(element: Element): Member[] {
  return element.children.map((member): Member => {
    const required = member.attributes.required === 'Y';
    const mark = required ? '!' : '';
    if (member.name === 'component') return `@${member.attributes.name}${mark}`;
    const tag = tagOf.get(member.attributes.name);
    if (tag === undefined) throw new Error(`${member.attributes.name} is no field`);
    return member.name === 'group' ? { count: tag, required, members: members(member) } : `${tag}${mark}`;
  });
}

const compact = {
  fields: Object.fromEntries(
    child(dictionary, 'fields').children.map(({ attributes, children }) => [
      attributes.number,
      [attributes.name, attributes.type, ...children.map((value) => value.attributes.enum)],
    ]),
  ),
  components: Object.fromEntries(
    child(dictionary, 'components').children.map((component) => [component.attributes.name, members(component)]),
  ),
  header: members(child(dictionary, 'header')),
  trailer: members(child(dictionary, 'trailer')),
  messages: Object.fromEntries(
    child(dictionary, 'messages').children.map((message) => [message.attributes.msgtype, members(message)]),
  ),
};
const lines = Object.entries(compact).map(([name, part]) => {
  const entries = Array.isArray(part)
    ? JSON.stringify(part)
    : `{\n${Object.entries(part)
        .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
        .join(',\n')}\n}`;
  return `${JSON.stringify(name)}:${entries}`;
});
writeFileSync(TARGET, `{\n${lines.join(',\n')}\n}\n`);
