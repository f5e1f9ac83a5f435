import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCS = join(ROOT, 'docs');

/** Pages for those who build and run the exchange: what is open, what threatens it, and how it is deployed are not served. */
const KEPT: readonly string[] = ['next.md', 'deploy.md', 'simulated.md', 'conformance.md', 'conformance-prose.md'];
const KEPT_FOLDERS = /^(decisions|console)\/|^design\/(threats|tests|stores|scale)\.md$/;

const SECTIONS = [
  ['Programs', ['rest.md', 'feeds.md', 'agents.md', 'grpc.md', 'fix.md', 'webhooks.md']],
  ['Partners and events', ['partner.md', 'events.md', 'inference.md']],
] as const;

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
  const names = (readdirSync(DOCS, { recursive: true }) as string[]).map((name) => name.replaceAll('\\', '/')).sort();
  const pages = names.filter((name) => name.endsWith('.md') && !KEPT.includes(name) && !KEPT_FOLDERS.test(name));
  const served = new Set(pages);
  const files = new Map<string, string>();
  for (const name of pages) files.set(`docs/${name}`, withLinks(readFileSync(join(DOCS, name), 'utf8'), name, served));
  for (const name of names.filter((each) => each.startsWith('asyncapi/') && each.endsWith('.json')))
    files.set(`docs/${name}`, readFileSync(join(DOCS, name), 'utf8'));
  files.set('llms.txt', llms(pages, files));
  return files;
}

function withLinks(text: string, page: string, served: ReadonlySet<string>): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, words: string, target: string) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole;
    const [path = ''] = target.split('#');
    return served.has(posix.normalize(posix.join(posix.dirname(page), path))) ? whole : words;
  });
}

function llms(pages: readonly string[], files: ReadonlyMap<string, string>): string {
  const listed = SECTIONS.flatMap(([, names]) => names) as readonly string[];
  const line = (name: string) => `- [${titleOf(files.get(`docs/${name}`) ?? '', name)}](/docs/${name})`;
  const others = pages.filter((name) => !listed.includes(name));
  const section = (title: string, lines: readonly string[]) => `## ${title}\n\n${lines.join('\n')}\n`;
  return [
    '# Edge exchange\n',
    '> A trading exchange: an order book with market data and own orders over REST, WebSocket, gRPC and FIX, interfaces for partners and events, and tools for software agents.\n',
    ...SECTIONS.map(([title, names]) => section(title, names.map(line))),
    section(
      'Descriptions for machines',
      DESCRIPTIONS.map(([title, path]) => `- [${title}](${path})`),
    ),
    section('Optional', others.map(line)),
  ].join('\n');
}

function titleOf(text: string, name: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? name;
}
