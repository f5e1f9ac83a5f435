import { createProfile, type Profile } from '../middleware/profile.ts';
import { endSessionRoute } from './end-session-route.ts';
import { getProtectedResourceRoute } from './get-protected-resource-route.ts';
import { openSessionRoute } from './open-session-route.ts';
import { postMessageRoute } from './post-message-route.ts';

/** MCP at `/mcp`, by Streamable HTTP and by the older HTTP+SSE. Its tools are calls of the order-book profile `book`, in this process. */
export function createAgent(book: Profile): Profile {
  const agent = createProfile({
    name: 'agent',
    title: 'Agent tool server',
    fieldNames: 'snake_case',
    description:
      'Model Context Protocol server of the exchange. An access token acts under one of its bearer’s own API keys, whose scopes and limits apply.',
  });

  postMessageRoute(agent, book);
  openSessionRoute(agent);
  endSessionRoute(agent);
  getProtectedResourceRoute(agent);
  return agent;
}
