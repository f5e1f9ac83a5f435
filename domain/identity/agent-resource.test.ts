import { describe, expect, it } from 'vitest';
import { isAgentResource } from './agent-resource.ts';

const OWN_HOST = {
  ENVIRONMENT: 'production',
  PROFILE_HOSTS: '{"Agent.example.com":"agent","id.example.com":"iam"}',
  IAM_ISSUER: 'https://id.example.com',
};
const ONE_HOST = { ENVIRONMENT: 'production', PROFILE_HOSTS: '{}', IAM_ISSUER: 'https://venue.example/iam' };
const LOCAL = { ENVIRONMENT: 'local', PROFILE_HOSTS: '{}', IAM_ISSUER: 'http://localhost:8787/iam' };

describe('the agent server', () => {
  it.each([
    ['https://agent.example.com/mcp', OWN_HOST],
    ['https://venue.example/agent/mcp', ONE_HOST],
    ['http://localhost:8787/agent/mcp', LOCAL],
    ['http://127.0.0.1:9000/agent/mcp', LOCAL],
  ])('stands at %s', (resource, places) => {
    expect(isAgentResource(resource, places)).toBe(true);
  });

  it.each([
    ['https://agent.example.com/', OWN_HOST],
    ['http://agent.example.com/mcp', OWN_HOST],
    ['https://agent.example.com:8443/mcp', OWN_HOST],
    ['https://agent.example.com/mcp?x=1', OWN_HOST],
    ['https://agent.example.com/mcp#x', OWN_HOST],
    ['https://AGENT.example.com/mcp', OWN_HOST],
    ['https://id.example.com/agent/mcp', OWN_HOST],
    ['https://id.example.com/mcp', OWN_HOST],
    ['https://evil.example/agent/mcp', OWN_HOST],
    ['http://venue.example/agent/mcp', ONE_HOST],
    ['http://localhost/agent/mcp', ONE_HOST],
    ['http://evil.example/agent/mcp', LOCAL],
    ['exchange', LOCAL],
  ])('does not stand at %s', (resource, places) => {
    expect(isAgentResource(resource, places)).toBe(false);
  });
});
