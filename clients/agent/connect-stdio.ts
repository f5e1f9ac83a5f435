import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const SERVER = join(import.meta.dirname, '..', '..', 'containers', 'agent-server', 'main.ts');

/** What the tool server finds in its environment; the agent never sees it. */
export interface ServerEnvironment {
  /** Address of profile B, such as http://localhost:8787/book. */
  readonly EXCHANGE_API_URL: string;
  readonly EXCHANGE_API_KEY: string;
  readonly EXCHANGE_API_SECRET: string;
}

/** Starts the agent tool server as a child process, as an agent's host does, and connects to it. */
export async function connectStdio(environment: ServerEnvironment): Promise<Client> {
  const client = new Client({ name: 'example-agent', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [SERVER], env: { ...environment } }),
  );
  return client;
}
