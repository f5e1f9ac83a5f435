import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCS = join(ROOT, 'docs');

const SECTIONS = [
  ['Programs', ['rest', 'feeds', 'agents', 'grpc', 'fix', 'webhooks']],
  ['Partners and events', ['partner', 'events', 'inference']],
] as const;

/** How interfaces behave, for who wants to know more than their pages say. */
const FURTHER = [
  'glossary',
  'design/feeds',
  'design/market-data',
  'design/matching',
  'design/order-entry-socket',
  'design/own-account',
  'design/webhooks',
] as const;

/** What is served: pages for who calls the exchange, and no others. Those who build, run or watch it have the rest. */
const SERVED: readonly string[] = [...SECTIONS.flatMap(([, names]) => names), ...FURTHER].map(pageOf);

const DESCRIPTIONS = [
  ['order book', '/book/openapi.json'],
  ['asset exchange', '/exchange/openapi.json'],
  ['partners', '/partner/openapi.json'],
  ['bridge', '/bridge/openapi.json'],
  ['event service', '/events-service/openapi.json'],
  ['identity', '/iam/openapi.json'],
  ['agents', '/agent/openapi.json'],
  ['feed of the order book, AsyncAPI', '/docs/asyncapi/feed.json'],
  ['order entry over WebSocket, AsyncAPI', '/docs/asyncapi/order-entry.json'],
  ['streams of partners, AsyncAPI', '/docs/asyncapi/partner.json'],
] as const;

/** What is served of docs/, by path, and `llms.txt`, which leads to it. Links lead to what is served, and are words where they led elsewhere. */
export function docsFiles(): ReadonlyMap<string, string> {
  const served = new Set(SERVED);
  const files = new Map<string, string>();
  for (const name of served) files.set(`docs/${name}`, withLinks(readFileSync(join(DOCS, name), 'utf8'), name, served));
  for (const name of readdirSync(join(DOCS, 'asyncapi')).sort())
    files.set(`docs/asyncapi/${name}`, readFileSync(join(DOCS, 'asyncapi', name), 'utf8'));
  files.set('llms.txt', llms(files));
  return files;
}

function withLinks(text: string, page: string, served: ReadonlySet<string>): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, words: string, target: string) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole;
    const [path = ''] = target.split('#');
    return served.has(posix.normalize(posix.join(posix.dirname(page), path))) ? whole : words;
  });
}

function llms(files: ReadonlyMap<string, string>): string {
  const line = (name: string) => `- [${titleOf(files.get(`docs/${name}`) ?? '', name)}](/docs/${name})`;
  const section = (title: string, lines: readonly string[]) => `## ${title}\n\n${lines.join('\n')}\n`;
  return [
    '# Edge exchange\n',
    '> A trading exchange: an order book with market data and own orders over REST, WebSocket, gRPC and FIX, interfaces for partners and events, and tools for software agents.\n',
    ...SECTIONS.map(([title, names]) => section(title, names.map(pageOf).map(line))),
    section(
      'Descriptions for machines',
      DESCRIPTIONS.map(([title, path]) => `- [${title}](${path})`),
    ),
    section('Optional', FURTHER.map(pageOf).map(line)),
  ].join('\n');
}

function pageOf(name: string): string {
  return `${name}.md`;
}

function titleOf(text: string, name: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? name;
}
