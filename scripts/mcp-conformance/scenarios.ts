/** Server scenarios of @modelcontextprotocol/conformance that say something about a server of tools. */
export const APPLICABLE: readonly string[] = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const FIXTURE_TOOL =
  'calls a tool that only a test server has, for content that no tool of ours gives (images, audio, resources, progress, log messages)';
const NO_RESOURCES = 'the server has tools and no resources';
const NO_PROMPTS = 'the server has tools and no prompts';
const ASKS_NOTHING_BACK = 'the server asks its client for nothing (sampling, elicitation)';

/** Tools that scenarios call by names of a test server, and the call of this server that does what they look for. */
export const IN_PLACE_OF: Readonly<Record<string, { readonly name: string; readonly arguments: object }>> = {
  test_simple_text: { name: 'get_markets', arguments: {} },
  test_error_handling: { name: 'get_quote', arguments: { symbol: 'NOPE-USD' } },
};

/** Why each other scenario says nothing about this server. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'logging-set-level': 'the server does not offer the logging capability: it sends no log messages',
  'completion-complete':
    'the server does not offer the completions capability: no prompt or resource has arguments to complete',
  'tools-call-image': FIXTURE_TOOL,
  'tools-call-audio': FIXTURE_TOOL,
  'tools-call-embedded-resource': FIXTURE_TOOL,
  'tools-call-mixed-content': FIXTURE_TOOL,
  'tools-call-with-logging': FIXTURE_TOOL,
  'tools-call-with-progress': FIXTURE_TOOL,
  'tools-call-sampling': ASKS_NOTHING_BACK,
  'tools-call-elicitation': ASKS_NOTHING_BACK,
  'json-schema-2020-12': 'looks for $defs in the schema of a test tool; the schemas of these tools need none',
  'elicitation-sep1034-defaults': ASKS_NOTHING_BACK,
  'elicitation-sep1330-enums': ASKS_NOTHING_BACK,
  'server-sse-polling':
    'calls the test tool test_reconnection; each POST is answered whole, so there is no stream to resume',
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};
