/** MCP, Streamable HTTP: how a server says that it has no stream to push on. */
export function methodNotAllowed(): Response {
  const error = { code: 'METHOD_NOT_ALLOWED', message: 'there is no stream to GET: POST messages', details: {} };
  return Response.json({ error }, { status: 405, headers: { allow: 'POST, DELETE' } });
}
